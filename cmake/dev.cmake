# What matters to developers of Sluice only: included when it is the top-level project, so that none of it reaches users.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Debug CACHE STRING "" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_EXTENSIONS OFF)

set(SLUICE_SANITIZE "" CACHE STRING "address (with undefined), thread, or nothing")
set_property(CACHE SLUICE_SANITIZE PROPERTY STRINGS "" address thread)
if(SLUICE_SANITIZE STREQUAL "address")
    set(flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(SLUICE_SANITIZE STREQUAL "thread")
    set(flags -fsanitize=thread -fno-omit-frame-pointer -O1)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Asio's fences, which g++ says that it does not see; none of ours. And g++ 12 sees copies out of bounds where the
        # sanitizer's calls stand between a string and its length; the builds without it are held to those warnings.
        list(APPEND flags -Wno-tsan)
        set(sanitizer_warnings -Wno-array-bounds -Wno-stringop-overflow)
    endif()
elseif(SLUICE_SANITIZE)
    message(FATAL_ERROR "SLUICE_SANITIZE is \"${SLUICE_SANITIZE}\"; it can be address, thread, or empty")
else()
    set(flags "")
endif()
# For every target here: a program that is sanitized in part reports what is not there.
add_compile_options(${flags})
add_link_options(${flags})

# The warnings, as errors, that our own targets build with.
function(sluice_developer_options target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
        -Wnon-virtual-dtor -Woverloaded-virtual -Werror ${sanitizer_warnings})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        # g++ 12 sees overlapping copies where std::string is appended to at -O3 (GCC bug 105651).
        target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
endfunction()
