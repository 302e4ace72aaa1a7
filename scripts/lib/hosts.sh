# shellcheck shell=bash disable=SC2034
# What scripts/test --all-hosts tests beside g++ on this machine. Sourced by scripts/test.

# Each line: the host, its compiler, the options that make meson build for it. The packages of
# compilers and emulators are in packages.sh.
hosts='
m32 g++-12 --cross-file=packaging/cross/m32.ini
s390x s390x-linux-gnu-g++ --cross-file=packaging/cross/s390x.ini
'

# "g++-12 12.2.0", of the compiler in CXX.
compiler_name() {
  printf '%s %s\n' "$CXX" \
    "$("$CXX" --version | head -n 1 | grep -o '[0-9]*\.[0-9]*\.[0-9]*' | tail -n 1)"
}

# A row of the table.
row() { # HOST COMPILER TESTS PASSED FAILED
  printf '%-12s %-28s %7s %7s %7s\n' "$@"
}
