# shellcheck shell=bash disable=SC2034
# What scripts/test --all-hosts tests beside what --thorough does. Sourced by scripts/test.

windows_cross='--cross-file=build/windows-headers/headers.ini'
windows_cross+=' --cross-file=packaging/cross/mingw.ini'

# The lines of the table of all hosts; coverage is run only if it is named.
names_of_hosts='gcc sanitizers clang clang19 m32 s390x windows coverage demo fuzzer'

# Among all hosts with the sanitizers, and as a host without.
newest_clang=clang++-19

# Each line: the host, its compiler, the options that make meson build for it. The packages of
# compilers and emulators are in packages.sh. What qemu runs is optimized (scripts/test: m32, too, where
# qemu does), and what mingw's linker links: inline functions by the thousand take it ten seconds a program.
hosts="
clang19 $newest_clang -Doptimization=0
m32 g++-12 -Doptimization=0 --cross-file=packaging/cross/m32.ini
s390x s390x-linux-gnu-g++ -Doptimization=1 --cross-file=packaging/cross/s390x.ini
windows x86_64-w64-mingw32-g++-posix -Doptimization=1 $windows_cross
"

# Whether the kernel runs 32-bit programs; some are configured not to.
runs_m32() {
  mkdir -p build
  printf 'int main() {}\n' > build/m32.c
  g++-12 -m32 -o build/m32 build/m32.c && build/m32
}

# What Debian calls a host whose libzstd packaging/cross/zstd can fetch; fails for others.
debian_architecture() { # HOST
  case $1 in
    m32) echo i386 ;;
    s390x) echo s390x ;;
    *) return 1 ;;
  esac
}

# "g++-12 12.2.0", of the compiler in CXX.
compiler_name() {
  printf '%s %s\n' "$CXX" "$("$CXX" -dumpfullversion 2> /dev/null || "$CXX" -dumpversion)"
}

# A row of the table.
row() { # HOST COMPILER TESTS PASSED FAILED SKIPPED SECONDS
  printf '%-12s %-38s %7s %7s %7s %7s %7s\n' "$@"
}
