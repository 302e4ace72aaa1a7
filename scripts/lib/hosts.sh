# shellcheck shell=bash disable=SC2034
# The hosts that scripts/test --all-hosts tests in addition to --thorough. Sourced by scripts/test.

windows_cross='--cross-file=build/windows-headers/headers.ini'
windows_cross+=' --cross-file=packaging/cross/mingw.ini'

# The lines of the table of all hosts; coverage runs only if it is named.
names_of_hosts='gcc sanitizers clang clang19 m32 s390x windows coverage demo fuzzer'

# The compiler of the host clang19, which --all-hosts also uses for the sanitizers.
newest_clang=clang++-19

# Each line is the host, its compiler, and meson's options for it. The packages of compilers and emulators are in
# packages.sh. Programs that qemu runs are optimised, and scripts/test also optimises m32 programs if it needs qemu.
# Programs that mingw links are also optimised, because its linker takes ten seconds a program for thousands of
# inline functions.
hosts="
clang19 $newest_clang -Doptimization=0
m32 g++-12 -Doptimization=0 --cross-file=packaging/cross/m32.ini
s390x s390x-linux-gnu-g++ -Doptimization=1 --cross-file=packaging/cross/s390x.ini
windows x86_64-w64-mingw32-g++-posix -Doptimization=1 $windows_cross
"

# Succeeds if the kernel runs 32-bit programs. Some kernels are configured not to run them.
runs_m32() {
  mkdir -p build
  printf 'int main() {}\n' > build/m32.c
  g++-12 -m32 -o build/m32 build/m32.c && build/m32
}

# Prints Debian's name of a host for which packaging/cross/zstd can fetch libzstd. Fails for other hosts.
debian_architecture() { # HOST
  case $1 in
    m32) echo i386 ;;
    s390x) echo s390x ;;
    *) return 1 ;;
  esac
}

# Prints the name and version of the compiler in CXX, such as "g++-12 12.2.0".
compiler_name() {
  printf '%s %s\n' "$CXX" "$("$CXX" -dumpfullversion 2> /dev/null || "$CXX" -dumpversion)"
}

# Prints a row of the table.
row() { # HOST COMPILER TESTS PASSED FAILED SKIPPED SECONDS
  printf '%-12s %-38s %7s %7s %7s %7s %7s\n' "$@"
}
