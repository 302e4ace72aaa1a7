#!/usr/bin/env python3
"""What including the layouts costs: a decode of a ChampSim record against a file that includes
<span> and <cstdint> only. Absolute times are the machine's; the ratio is checked.

Arguments: the include folder, then the compiler command.
"""
import pathlib
import subprocess
import sys
import tempfile
import time

LIMIT = 6.0  # 3.5 to 4.1 measured, on g++ 12 and clang 14
RUNS = 5
EMPTY = "#include <cstdint>\n#include <span>\n"
DECODE = """#include <tracecodec/champsim/layout.hpp>
std::uint64_t ip(std::span<const std::byte> in) {
  tracecodec::champsim::instruction i{};
  return tracecodec::champsim::instruction_codec::decode(in, i) ? i.ip : 0;
}
"""


def main():
  include, *compiler = sys.argv[1:]
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)

    def compile_once(source):
      file = folder / "source.cpp"
      file.write_text(source)
      start = time.perf_counter()
      subprocess.run([*compiler, "-std=c++20", "-O2", "-I", include, "-c", str(file), "-o",
                      str(folder / "out.o")], check=True)
      return time.perf_counter() - start

    # Alternating, so that both see the same load of the machine.
    times = [(compile_once(EMPTY), compile_once(DECODE)) for _ in range(RUNS)]
  empty, decode = (min(column) for column in zip(*times))
  print(f"empty {empty:.3f} s, layout.hpp with a decode {decode:.3f} s: {decode / empty:.2f} times,"
        f" limit {LIMIT:.1f}")
  return 0 if decode <= LIMIT * empty else 1


if __name__ == "__main__":
  sys.exit(main())
