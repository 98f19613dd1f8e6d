# Finds the headers of Boost 1.81 or newer and defines sluice::boost (headers only, an imported target).
# It serves the build and the installed package alike.
#
# SLUICE_BOOST_ROOT: the Boost to use, as an include folder or as a prefix with include/ in it. Without it, the
# usual places (CMAKE_PREFIX_PATH, Boost_ROOT, BOOST_ROOT, the system's) are searched.

set(SLUICE_BOOST_ROOT "" CACHE PATH "Boost to use: an include folder, or a prefix with include/ in it")

# Sets <prefix>_DIR and <prefix>_VERSION ("1.81"; empty when there is no Boost) in the caller's scope.
function(sluice_find_boost prefix)
    if(SLUICE_BOOST_ROOT)
        find_path(dir boost/version.hpp NO_CACHE NO_DEFAULT_PATH
            PATHS "${SLUICE_BOOST_ROOT}" "${SLUICE_BOOST_ROOT}/include")
    else()
        find_path(dir boost/version.hpp NO_CACHE
            HINTS ${Boost_ROOT} ${BOOST_ROOT} $ENV{Boost_ROOT} $ENV{BOOST_ROOT} PATH_SUFFIXES include)
    endif()
    set(version "")
    if(dir)
        string(REGEX REPLACE "/$" "" dir "${dir}")
        file(STRINGS "${dir}/boost/version.hpp" line REGEX "^#define BOOST_VERSION [0-9]+")
        if(line MATCHES "BOOST_VERSION ([0-9]+)")
            math(EXPR major "${CMAKE_MATCH_1} / 100000")
            math(EXPR minor "${CMAKE_MATCH_1} / 100 % 1000")
            set(version "${major}.${minor}")
        endif()
    else()
        set(dir "")
    endif()
    set(${prefix}_DIR "${dir}" PARENT_SCOPE)
    set(${prefix}_VERSION "${version}" PARENT_SCOPE)
endfunction()

# Sets <result> to why there is no usable Boost; to nothing when sluice::boost is there.
function(sluice_require_boost result)
    set(${result} "" PARENT_SCOPE)
    if(TARGET sluice::boost)
        return()
    endif()
    sluice_find_boost(found)
    if(NOT found_VERSION AND SLUICE_BOOST_ROOT)
        set(state "none found in SLUICE_BOOST_ROOT=${SLUICE_BOOST_ROOT} (no boost/version.hpp there, nor in its include/)")
    elseif(NOT found_VERSION)
        set(state "none found")
    elseif(found_VERSION VERSION_LESS 1.81)
        set(state "found ${found_VERSION} at ${found_DIR}")
    else()
        add_library(sluice::boost INTERFACE IMPORTED GLOBAL)
        target_include_directories(sluice::boost INTERFACE "${found_DIR}")
        return()
    endif()
    set(${result}
        "Boost 1.81 or newer is needed; ${state}; install libboost1.81-dev or pass -DSLUICE_BOOST_ROOT=<folder of a Boost 1.81 or newer>"
        PARENT_SCOPE)
endfunction()
