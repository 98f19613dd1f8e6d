include(GNUInstallDirs)

# sluice_add_library(<name> INCLUDE <folder> SOURCES <file>... LIBRARIES <target>...)
# defines sluice_<name> with the alias sluice::<name>; <folder> is its include folder, relative to the project's.
function(sluice_add_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "INCLUDE" "SOURCES;LIBRARIES")
    set(target sluice_${name})
    add_library(${target} ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    sluice_developer_options(${target})
    add_library(sluice::${name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_include_directories(${target} PUBLIC
        "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/${arg_INCLUDE}>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    target_link_libraries(${target} PUBLIC ${arg_LIBRARIES})
endfunction()
