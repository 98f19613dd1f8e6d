# `cmake --install`: headers, libraries, and a package that find_package(sluice CONFIG COMPONENTS ...) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(targets sluice_coroutines sluice_sluice)
set(unbuilt "")
foreach(component IN ITEMS net http testing)
    if(TARGET sluice_${component})
        list(APPEND targets sluice_${component})
    else()
        list(APPEND unbuilt PATTERN "${component}" EXCLUDE)
    endif()
endforeach()

install(TARGETS ${targets} EXPORT sluice_targets)
install(DIRECTORY coroutines/include/ include/ TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp" ${unbuilt})

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sluice")
list(TRANSFORM targets REPLACE "^sluice_" "" OUTPUT_VARIABLE components)
configure_package_config_file(cmake/sluice-config.cmake.in "${PROJECT_BINARY_DIR}/sluice-config.cmake"
    INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO)
# Before 1.0 every minor version may break what used the one before.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/sluice-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(EXPORT sluice_targets NAMESPACE sluice:: FILE sluice-targets.cmake DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/sluice-config.cmake" "${PROJECT_BINARY_DIR}/sluice-config-version.cmake"
    cmake/sluice_boost.cmake cmake/SluiceCheckCoroutines.cmake DESTINATION "${package_dir}")
install(PROGRAMS scripts/check-coroutines DESTINATION "${package_dir}")
