# What the examples.cmake of extract.py calls. The caller sets docs_generated (the folder of the sources), docs_prefix
# (of the tests' names), docs_libraries and docs_target (a target that all programs belong to).
set(docs_folder "${CMAKE_CURRENT_LIST_DIR}")

function(docs_executable program source)
    add_executable(docs_${program} "${docs_generated}/${source}")
    target_link_libraries(docs_${program} PRIVATE ${docs_libraries})
    sluice_developer_options(docs_${program})
    # A fragment shows one thing; what it declares for it need not be used.
    target_compile_options(docs_${program} PRIVATE -Wno-unused-parameter -Wno-unused-variable -Wno-unused-function
        -Wno-unused-local-typedefs)
    # The #line of the document makes g++ take what a program declares for a header's.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(docs_${program} PRIVATE -Wno-subobject-linkage)
    endif()
    add_dependencies(${docs_target} docs_${program})
endfunction()

function(docs_test test place expected)
    set(comparison "")
    if(expected)
        set(comparison --expected "${docs_generated}/${expected}")
    endif()
    add_test(NAME ${docs_prefix}${place} COMMAND "${Python3_EXECUTABLE}" "${docs_folder}/run_example.py" ${comparison} ${ARGN})
    set_tests_properties(${docs_prefix}${place} PROPERTIES LABELS docs TIMEOUT 120)
endfunction()

function(docs_program test place source expected)
    docs_executable(${test} ${source})
    docs_test(${test} ${place} "${expected}" $<TARGET_FILE:docs_${test}>)
endfunction()

function(docs_fragments program source)
    docs_executable(${program} ${source})
endfunction()

function(docs_fragment test place program number expected)
    docs_test(${test} ${place} "${expected}" $<TARGET_FILE:docs_${program}> ${number})
endfunction()

function(docs_refused test place source expected who)
    set(flags -std=c++20 -fsyntax-only "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_SOURCE_DIR}/coroutines/include")
    if(SLUICE_BOOST_ROOT)
        list(APPEND flags -isystem "${SLUICE_BOOST_ROOT}/include" -isystem "${SLUICE_BOOST_ROOT}")
    endif()
    docs_test(${test} ${place} "${expected}" --refused ${who} "${CMAKE_CXX_COMPILER}" ${flags} "${docs_generated}/${source}")
endfunction()
