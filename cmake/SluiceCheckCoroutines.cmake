# sluice_check_coroutines(<target> [LABELS label...])
#
# Finds expressions with co_await that g++ 12 compiles wrongly in the sources of <target> (docs/gcc12.md). Adds the target
# <target>_check_coroutines, and a test of that name where testing is enabled. The flags are the target's own, from
# compile_commands.json with the Makefile and Ninja generators, and from the target's properties otherwise.
# Needs Python 3, and clang-query 16 or newer when it runs (Debian: clang-tools-19).

# scripts/ of the repository, or the folder of this file where Sluice is installed.
find_program(SLUICE_CHECK_COROUTINES check-coroutines
    PATHS "${CMAKE_CURRENT_LIST_DIR}/../scripts" "${CMAKE_CURRENT_LIST_DIR}" NO_DEFAULT_PATH
    DOC "Sluice's checker of coroutines")

function(sluice_check_coroutines target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LABELS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "sluice_check_coroutines(${target}): unknown argument \"${arg_UNPARSED_ARGUMENTS}\"")
    endif()
    if(NOT TARGET ${target})
        message(FATAL_ERROR "sluice_check_coroutines(${target}): there is no such target")
    endif()
    find_package(Python3 REQUIRED COMPONENTS Interpreter)

    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    set(files "")
    foreach(source IN LISTS sources)
        if(source MATCHES "\\.(cpp|cc|cxx|C)$" AND NOT source MATCHES "\\$<")
            cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}" NORMALIZE)
            list(APPEND files "${source}")
        endif()
    endforeach()
    if(NOT files)
        message(FATAL_ERROR "sluice_check_coroutines(${target}): it has no C++ source")
    endif()

    set(check "${Python3_EXECUTABLE}" "${SLUICE_CHECK_COROUTINES}" --cache "${CMAKE_BINARY_DIR}/check-coroutines")
    set(test ${target}_check_coroutines)
    if(CMAKE_EXPORT_COMPILE_COMMANDS AND CMAKE_GENERATOR MATCHES "Makefiles|Ninja")
        set(command ${check} -p "${CMAKE_BINARY_DIR}" ${files})
        add_test(NAME ${test} COMMAND ${command})
    else()
        set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
        set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
        get_target_property(standard ${target} CXX_STANDARD)
        if(NOT standard)
            set(standard 20)
        endif()
        set(flags "$<$<BOOL:${includes}>:-I$<JOIN:${includes},$<SEMICOLON>-I>>"
            "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>")
        set(command ${check} ${files} -- -std=c++${standard} ${flags})
        # A test's command does not expand lists: it builds the target, which only checks.
        add_test(NAME ${test} COMMAND "${CMAKE_COMMAND}" --build "${CMAKE_BINARY_DIR}" --target ${test} --config $<CONFIG>)
    endif()
    add_custom_target(${test} COMMAND ${command} COMMAND_EXPAND_LISTS VERBATIM
        COMMENT "Looking for co_await expressions in ${target} that g++ 12 compiles wrongly")
    set_tests_properties(${test} PROPERTIES LABELS "checker;${arg_LABELS}" TIMEOUT 600 RESOURCE_LOCK sluice_check_coroutines)
endfunction()
