# What the scripts share; sourced by them, never run.
# shellcheck shell=bash

set -euo pipefail
export LC_ALL=C

# shellcheck disable=SC2034 # the scripts use them
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034
jobs=$(nproc 2>/dev/null || echo 2)
yes=no                # -y: do not ask
cmake_args=()         # what goes to every configuration
boost_root=${SLUICE_BOOST_ROOT:-}

say() { printf '%s\n' "$*"; }
heading() { printf '\n== %s\n' "$*"; }
die() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    exit "${2:-1}"
}

# Handles what every script takes; fails for what it does not know. usage() is the script's own.
common_option() {
    case $1 in
    -y | --yes) yes=yes ;;
    -h | --help)
        usage
        exit 0
        ;;
    -DSLUICE_BOOST_ROOT=*) boost_root=${1#*=} ;;
    -D?*=*) cmake_args+=("$1") ;;
    *)
        printf '%s: unknown option: %s\n\n' "${0##*/}" "$1" >&2
        usage >&2
        exit 2
        ;;
    esac
}

at_least() { # at_least 1.81 1.74: whether the second version is at least the first
    [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

has() { command -v "$1" >/dev/null 2>&1; }

boost_version_in() { # prints "1.81" when the folder holds Boost's headers
    [ -r "$1/boost/version.hpp" ] || return 1
    awk '$1 == "#define" && $2 == "BOOST_VERSION" { printf "%d.%d\n", $3 / 100000, $3 / 100 % 1000 }' "$1/boost/version.hpp"
}

# Where the compiler looks first, a Boost that is too old stands in the way of any that a package could bring.
have_boost() {
    local folder version owner
    if [ -n "$boost_root" ]; then
        for folder in "$boost_root" "$boost_root/include"; do
            if version=$(boost_version_in "$folder"); then
                at_least 1.81 "$version" || die "SLUICE_BOOST_ROOT=$boost_root holds Boost $version; 1.81 or newer is needed"
                return 0
            fi
        done
        die "SLUICE_BOOST_ROOT=$boost_root holds no Boost: no boost/version.hpp there, nor in its include/"
    fi
    for folder in /usr/local/include /usr/include; do
        if version=$(boost_version_in "$folder"); then
            at_least 1.81 "$version" && return 0
            owner=$(dpkg-query -S "$folder/boost/version.hpp" 2>/dev/null | sed 's/:.*//' || true)
            boost_in_the_way "$version in $folder${owner:+, from the package $owner}" "${owner:-it}"
        fi
    done
    return 1
}

boost_in_the_way() { # what it is, and what one would remove
    cat >&2 <<TEXT
${0##*/}: another Boost's headers stand in the way: $1.
Sluice needs Boost 1.81 or newer, and this script removes nothing. Nothing was changed. There are two ways out:
  1. remove $2 yourself and run this again;
  2. keep it and name another Boost, 1.81 or newer, by an include folder or a prefix:
     SLUICE_BOOST_ROOT=/path/to/boost ./scripts/${0##*/}     (or -DSLUICE_BOOST_ROOT=/path/to/boost)
TEXT
    exit 1
}

# have NEED: whether it is here already, as a package or by hand.
have() {
    case $1 in
    g++) has g++ && at_least 12 "$(g++ -dumpfullversion -dumpversion)" ;;
    cmake) has cmake && at_least 3.25 "$(cmake --version | awk 'NR == 1 { print $3 }')" ;;
    ninja) has ninja ;;
    boost) have_boost ;;
    gtest) [ -r /usr/include/gtest/gtest.h ] || [ -r /usr/local/include/gtest/gtest.h ] ;;
    zlib) [ -r /usr/include/zlib.h ] || [ -r /usr/local/include/zlib.h ] ;;
    python) has python3 ;;
    curl) has curl ;;
    clang) has clang++-19 ;;
    query) has clang-query-19 ;;
    tidy) has clang-tidy-19 ;;
    benchmark) [ -r /usr/include/benchmark/benchmark.h ] || [ -r /usr/local/include/benchmark/benchmark.h ] ;;
    rapidjson) [ -r /usr/include/rapidjson/document.h ] || [ -r /usr/local/include/rapidjson/document.h ] ;;
    esac
}

package_of() { # its Debian package
    case $1 in
    ninja) echo ninja-build ;;
    boost) echo libboost1.81-dev ;;
    gtest) echo libgtest-dev ;;
    zlib) echo zlib1g-dev ;;
    python) echo python3 ;;
    clang) echo clang-19 ;;
    query) echo clang-tools-19 ;;
    tidy) echo clang-tidy-19 ;;
    benchmark) echo libbenchmark-dev ;;
    rapidjson) echo rapidjson-dev ;;
    *) echo "$1" ;;
    esac
}

describe_need() { # in words, for a system without apt-get
    case $1 in
    g++) echo "g++ 12 or newer" ;;
    cmake) echo "CMake 3.25 or newer" ;;
    ninja) echo "Ninja" ;;
    boost) echo "Boost 1.81 or newer (headers only), where the compiler finds it or at SLUICE_BOOST_ROOT" ;;
    gtest) echo "GoogleTest 1.12 or newer" ;;
    zlib) echo "zlib, with its header" ;;
    python) echo "Python 3" ;;
    clang) echo "clang++-19 (Clang 19 under that name)" ;;
    query) echo "clang-query-19" ;;
    tidy) echo "clang-tidy-19" ;;
    benchmark) echo "Google Benchmark" ;;
    rapidjson) echo "RapidJSON (headers only)" ;;
    *) echo "$1" ;;
    esac
}

# install_missing NEED...: installs the packages of those that are not here, after saying which and how large they are.
install_missing() {
    local need missing=() packages=()
    for need in "$@"; do
        if ! have "$need"; then
            missing+=("$need")
            packages+=("$(package_of "$need")")
        fi
    done
    if [ -n "$boost_root" ]; then
        cmake_args+=("-DSLUICE_BOOST_ROOT=$boost_root")
    fi
    [ ${#missing[@]} -gt 0 ] || return 0

    if ! has apt-get; then
        say "Missing, and there is no apt-get here to install it with:" >&2
        for need in "${missing[@]}"; do say "  - $(describe_need "$need")" >&2; done
        die "install these, then run this again"
    fi
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        has sudo || die "these packages are missing, and installing them takes root or sudo: ${packages[*]}
As root: apt-get install --no-install-recommends ${packages[*]}"
        as_root=(sudo)
    fi
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get)

    if lists_are_stale "${packages[@]}"; then
        say "Reading the package lists (apt-get update)"
        "${apt[@]}" -q update || die "apt-get update failed"
    fi
    refuse_removals "${packages[@]}"
    heading "To install: ${packages[*]}"
    # Answered with no, apt-get only says what it would do.
    apt-get -o Debug::NoLocking=1 --assume-no --no-install-recommends install "${packages[@]}" 2>/dev/null |
        grep -E '^(Need to get|After this operation|[0-9]+ upgraded)' || true
    if [ -t 0 ] && [ "$yes" = no ]; then
        read -r -p "Install? [Y/n] " answer
        case $answer in '' | [yY]*) ;; *) die "nothing was installed" ;; esac
    fi
    # None of these packages brings a service.
    local install=("${apt[@]}" -q -y --no-remove --no-install-recommends -o Dpkg::Use-Pty=0 install "${packages[@]}")
    local output
    if ! output=$("${install[@]}" 2>&1); then
        # Old lists name files that the mirror no longer has.
        say "apt-get failed; once more with fresh package lists"
        "${apt[@]}" -q update || die "apt-get update failed"
        refuse_removals "${packages[@]}"
        output=$("${install[@]}" 2>&1) || die "apt-get could not install ${packages[*]}:
$output"
    fi
    for need in "${missing[@]}"; do
        have "$need" || die "$(package_of "$need") is installed, but this is still missing: $(describe_need "$need")"
    done
    say "Installed after $SECONDS s"
}

lists_are_stale() { # whether there are no lists, or they do not know a package
    local package
    for package in "$@"; do
        apt-cache policy "$package" | grep -q '^  Candidate: [^(]' || return 0
    done
    return 1
}

refuse_removals() { # stops when installing the packages would remove any
    local plan removed
    if ! plan=$(apt-get -s --no-install-recommends install "$@" 2>&1); then
        say "$plan" >&2
        die "apt-get cannot install: $*"
    fi
    removed=$(awk '$1 == "Remv" { printf "%s%s", separator, $2; separator = " " }' <<<"$plan")
    case $removed in
    '') ;;
    *libboost*) boost_in_the_way "apt-get would remove $removed to install $*" "$removed" ;;
    *) die "apt-get would remove $removed to install $*; this script removes nothing, so install them yourself" ;;
    esac
}
