# shellcheck shell=bash disable=SC2034
# The Debian and Ubuntu packages that the scripts need, and functions that install them. Sourced by the scripts,
# from the project's folder.

# Each line has a kind, a name, and a package. A package is missing if the named item is not found: a header in the
# compiler's search path, a tool in the PATH, a library in clang's folder, or a module of the PATH's Python or the
# system's.
packages_to_build='
tool meson meson
tool ninja ninja-build
tool g++ g++
tool pkg-config pkg-config
header lzma.h liblzma-dev
header zlib.h zlib1g-dev
header bzlib.h libbz2-dev
header zstd.h libzstd-dev
header lz4frame.h liblz4-dev
header snappy-c.h libsnappy-dev
header archive.h libarchive-dev
header CLI/CLI.hpp libcli11-dev
header simdjson.h libsimdjson-dev
header pugixml.hpp libpugixml-dev
header Zydis/Zydis.h libzydis-dev
header elfutils/libdwfl.h libdw-dev
header capstone/capstone.h libcapstone-dev
header sqlite3.h libsqlite3-dev
'
packages_to_test='
header doctest/doctest.h doctest-dev
tool strace strace
tool qemu-x86_64 qemu-user
tool aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
package libc6-dev-arm64-cross libc6-dev-arm64-cross
tool riscv64-linux-gnu-gcc gcc-riscv64-linux-gnu
package libc6-dev-riscv64-cross libc6-dev-riscv64-cross
tool git git
tool groff groff
tool python3 python3
tool xz xz-utils
tool zstd zstd
tool lz4 lz4
tool jq jq
tool gdb gdb
tool gdb-multiarch gdb-multiarch
tool chromium chromium
header pybind11/pybind11.h pybind11-dev
package python3-dev python3-dev
python numpy python3-numpy
python pandas python3-pandas
python matplotlib python3-matplotlib
python dask python3-dask
python distributed python3-distributed
python nbconvert python3-nbconvert
'
# Additional packages for scripts/test --thorough.
packages_for_thorough='
tool clang++ clang
library clang_rt.asan libclang-rt-dev
header benchmark/benchmark.h libbenchmark-dev
header valgrind/callgrind.h valgrind
tool valgrind valgrind
tool cmake cmake
tool mkdocs mkdocs
tool csvmidi midicsv
package mkdocs-material mkdocs-material
tool doxygen doxygen
tool clang-format clang-format
tool shellcheck shellcheck
tool sqlite3 sqlite3
tool parallel parallel
python mesonpy python3-mesonpy
python pip python3-pip
'
# Packages for the hosts in scripts/lib/hosts.sh, by the hosts' names.
packages_for_clang19='
tool clang++-19 clang-19
package libclang-rt-19-dev libclang-rt-19-dev
'
packages_for_sanitizers=$packages_for_clang19
# g++-multilib itself conflicts with every cross compiler.
packages_for_m32='
package g++-12-multilib g++-12-multilib
'
# For kernels that do not run 32-bit programs.
packages_for_m32_emulated='
tool qemu-i386-static qemu-user-static
'
packages_for_s390x='
tool s390x-linux-gnu-g++ g++-s390x-linux-gnu
tool qemu-s390x-static qemu-user-static
'
packages_for_windows='
tool x86_64-w64-mingw32-g++-posix g++-mingw-w64-x86-64-posix
tool wine wine
package wine64 wine64
'
# libFuzzer and clang's sanitizers.
packages_to_fuzz='
tool clang++ clang
library clang_rt.fuzzer libclang-rt-dev
'
packages_for_coverage='
tool gcovr gcovr
'

say() { printf '== %s\n' "$*"; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Prints the version of the installed Boost headers, such as 108100 for 1.81.0, or 0 if there are none.
boost_version() {
  local version=
  for folder in /usr/include /usr/local/include; do
    if [ -r "$folder/boost/version.hpp" ]; then
      version=$(sed -n 's/^#define BOOST_VERSION \([0-9]*\)$/\1/p' "$folder/boost/version.hpp")
    fi
  done
  printf '%s\n' "${version:-0}"
}

is_there() { # KIND NAME
  case $1 in
    tool) command -v "$2" > /dev/null ;;
    header)
      [ -e "/usr/include/$2" ] || [ -e "/usr/local/include/$2" ] ||
        compgen -G "/usr/include/*-linux-gnu*/$2" > /dev/null
      ;;
    python) python3 -c "import $2" 2> /dev/null || /usr/bin/python3 -c "import $2" 2> /dev/null ;;
    package) dpkg-query -W -f '${Status}' "$2" 2> /dev/null | grep -q '^install ok installed' ;;
    library) compgen -G "/usr/lib/llvm-*/lib/clang/*/lib/linux/lib$2*.a" > /dev/null ;;
  esac
}

# Prints the packages for missing items of a list above, each package once.
missing_of() { # LIST
  local kind name package
  while read -r kind name package; do
    [ -n "$kind" ] || continue
    is_there "$kind" "$name" || printf '%s\n' "$package"
  done <<< "$1" | sort -u
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    fail "root or sudo is needed to install packages: $*"
  fi
}

# Prints the newest Boost package that is recent enough, or nothing if there is none.
boost_package() {
  local package version
  for package in libboost-dev libboost1.81-dev; do
    version=$(apt-cache show "$package" 2> /dev/null |
      sed -n 's/^Version: \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | sort -k1n -k2n | tail -n 1) || true
    [ -n "$version" ] || continue
    if [ "${version% *}" -gt 1 ] || [ "${version#* }" -ge 81 ]; then
      printf '%s\n' "$package"
      return
    fi
  done
}

needs() { # PACKAGES: what to install elsewhere
  cat >&2 << END
This script installs packages with apt-get, which is not there. Please install by hand:
  a C++20 compiler (g++ 12 or clang 14, or later), Boost 1.81 or later (headers),
  and what Debian calls: $*
END
  exit 1
}

# Prints these packages, without chromium if the system does not offer it (Ubuntu packages it differently). The test
# that renders a page is then skipped with a message.
offered() { # PACKAGE...
  local package
  for package in "$@"; do
    if [ "$package" != chromium ] || ! compgen -G '/var/lib/apt/lists/*_Packages*' > /dev/null ||
      [ -n "$(apt-cache show chromium 2> /dev/null)" ]; then
      printf '%s\n' "$package"
    fi
  done
}

# Installs the missing packages of the given lists, after printing them. If nothing is missing, does nothing and
# needs neither root nor the network.
install_missing() { # LIST...
  local list packages='' boost
  for list in "$@"; do packages="$packages $(missing_of "$list")"; done
  boost=$(boost_version)
  # shellcheck disable=SC2086,SC2046 # words are wanted
  set -- $(offered $packages)
  [ $# -gt 0 ] || [ "$boost" -lt 108100 ] || return 0

  command -v apt-get > /dev/null || needs "$@"
  if [ "$boost" -lt 108100 ]; then
    [ -n "$(boost_package)" ] || update_lists
    boost=$(boost_package)
    [ -n "$boost" ] || fail "Boost 1.81 or later is needed, and this system's packages end before it
(Ubuntu 22.04's with 1.74). Debian 12 and Ubuntu 24.04 have it; or put its headers in /usr/local."
    set -- "$@" "$boost"
  fi
  say "installing: $*"
  if ! install_packages "$@"; then
    update_lists
    # shellcheck disable=SC2046 # words are wanted
    set -- $(offered "$@")
    [ $# -eq 0 ] || install_packages "$@" || fail "apt-get could not install: $*"
  fi
}

duckdb_library=node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so

# Fetches DuckDB's shared library, to which the Python package's Arrow tests pass a stream. Debian has no package for
# it, but npm has. Without the library, these tests are skipped.
fetch_duckdb() { # FOLDER
  [ "$(uname -sm)" = 'Linux x86_64' ] && command -v npm > /dev/null || return 0
  if [ ! -f "$1/$duckdb_library" ] && ! timeout 120 npm install --prefix "$1" --no-save --ignore-scripts --no-audit \
    --no-fund --silent @duckdb/node-bindings-linux-x64@1.5.6-r.1 > /dev/null 2>&1 < /dev/null; then
    say 'DuckDB: npm does not fetch it, and its tests are skipped'
  fi
}

update_lists() { as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq < /dev/null; }

# Installs packages, but never removes an installed package, such as another version of Boost.
install_packages() {
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends --no-remove "$@" < /dev/null
}
