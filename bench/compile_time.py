#!/usr/bin/env python3
"""What including headers costs a compiler. A decode of a ChampSim record is compared with a file that
includes <span> and <cstdint> only; io/open.hpp, with its implementation and declared only, with one of
the headers of the standard library that a program has anyway. Absolute times are the machine's; the
ratios are checked.

Arguments: the include folder, then the compiler command with the macros of the libraries that are there.
"""
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

RUNS = 5
EMPTY = "#include <cstdint>\n#include <span>\n"
DECODE = """#include <tracecodec/champsim/layout.hpp>
std::uint64_t ip(std::span<const std::byte> in) {
  tracecodec::champsim::instruction i{};
  return tracecodec::champsim::instruction_codec::decode(in, i) ? i.ip : 0;
}
"""
DECODE_LIMIT = 6.0  # 3.5 to 4.1 measured, on g++ 12 and clang 14
USUAL = "#include <algorithm>\n#include <filesystem>\n#include <string>\n#include <vector>\n"
OPEN = "#include <tracecodec/io/open.hpp>\n"
OPEN_LIMIT = 2.6  # 2.2 to 2.4 measured
DECLARED_LIMIT = 0.9  # 0.73 to 0.82
DECLARED = ["-DTRACECODEC_SEPARATE_COMPILATION"]


def main():
  include, *compiler = sys.argv[1:]
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)

    def run(source, *options):
      file = folder / "source.cpp"
      file.write_text(source)
      subprocess.run([*compiler, "-std=c++20", "-I", include, *options, str(file)], check=True)

    def compile_once(source):
      start = time.perf_counter()
      run(source, "-O2", "-c", "-o", str(folder / "out.o"))
      return time.perf_counter() - start

    def read_once(source, *options):
      """Seconds of CPU time (user), without making code."""
      before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
      run(source, "-fsyntax-only", *options)
      return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    # Alternating, so that all see the same load of the machine.
    times = [(compile_once(EMPTY), compile_once(DECODE), read_once(USUAL), read_once(OPEN),
              read_once(OPEN, *DECLARED)) for _ in range(RUNS)]
  empty, decode, usual, whole, declared = (min(column) for column in zip(*times))
  good = True
  for what, seconds, base, limit in (("layout.hpp with a decode", decode, empty, DECODE_LIMIT),
                                     ("io/open.hpp", whole, usual, OPEN_LIMIT),
                                     ("io/open.hpp, declared", declared, usual, DECLARED_LIMIT)):
    print(f"{what} {seconds:.3f} s, beside {base:.3f} s: {seconds / base:.2f} times, "
          f"limit {limit:.2f}")
    good &= seconds <= limit * base
  return 0 if good else 1


if __name__ == "__main__":
  sys.exit(main())
