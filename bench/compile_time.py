#!/usr/bin/env python3
"""Measures the cost of including headers, relative to a file that includes four headers of the standard library
that most programs include anyway. Absolute times depend on the machine, so only the ratios are checked against
limits. Every header is compiled in two ways: with `-I include` and nothing else, and as declarations only, with
all optional libraries (TRACECODEC_SEPARATE_COMPILATION).

--no-limits: only prints the table. --examples=FOLDER: also measures the main files of its programs, and how much
memory the compiler needs for them. --runs=N: the number of runs, 6 by default; the best run counts, and one within
its limit is not repeated. The base is compiled just before and just after each measured file, and the shorter of
its two times counts. A load that slows all three compilations therefore has no effect, and a load that slows only
one base does not hide the cost of a header. Arguments: the include folder, then the compiler command. Macros in it
(-DTRACECODEC_WITH_...) apply only to compilations with declarations only.
"""
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

RUNS = 6
USUAL = "#include <algorithm>\n#include <filesystem>\n#include <string>\n#include <vector>\n"
WHOLE = "tracecodec.hpp"  # includes nearly all other headers
README = pathlib.Path(__file__).resolve().parent.parent / "README.md"


class Row(NamedTuple):
  """Limits for the ratios to the base."""
  what: str
  whole: float  # only with `-I include`
  declared: float


class Parser(NamedTuple):
  """Limits for the ratios of a described parser to one written by hand."""
  name: str
  read: float  # time of -fsyntax-only
  made: float  # time of -O2
  size: float  # code and data of -O2


# The formats of the library, of which each adds its share to the headers that include all of them.
FORMATS = pathlib.Path(__file__).resolve().parent.parent / "include/tracecodec/trace/formats.hpp"


def count_formats():
  listed = re.search(r"format::list<([^>]*)>", FORMATS.read_text()).group(1)
  return len(listed.split(","))


def of_each_format(limit):
  """Returns the limit of a header that includes all formats, from the average limit of one."""
  return limit * count_formats()


# Each limit is a fifth above the ratio of the slower of g++ 12 and clang 14. Ratios usually vary by no more than a
# tenth between runs.
HEADERS = (
    Row("wire.hpp", 0.7, 0.75),
    Row("file.hpp", 2.5, 1.8),
    Row("rows.hpp", 2.35, 1.4),
    Row("io/open.hpp", 2.0, 1.0),
    Row("champsim.hpp", 3.65, 2.05),
    Row("x64dbg.hpp", 5.45, 3.95),
    Row("rapidbin.hpp", 6.1, 2.8),
    Row("umtracer.hpp", 8.6, 4.4),
    Row("tracepack.hpp", 2.7, 2.4),
    Row("trace/reader.hpp", of_each_format(1.83), 1.9),
    Row(WHOLE, of_each_format(2.3), of_each_format(1.25)),
)
# Compiled with -O2, like the base.
PROGRAMS = (Row("README's first program", 7.8, 3.2),)
# Parsers in bench/compile. Limits are a quarter to a half above the measured ratios, because the parsers written by
# hand compile in a quarter of a second.
PARSERS = (Parser("elf", 9.0, 10.5, 4.0), Parser("pcapng", 7.5, 13.0, 30.0))
# Limit for the main file of each example program, and for the memory in MB that its compilation needs.
EXAMPLES = 5.5
EXAMPLES_MEMORY = 350


def first_program():
  return re.search(r"```cpp\n(.*?)```", README.read_text(), re.DOTALL).group(1)


class Compiler:
  def __init__(self, include, command, folder):
    macros = [word for word in command if word.startswith("-DTRACECODEC_")]
    self.command = [*(word for word in command if word not in macros), "-std=c++20", "-I", include]
    self.declared = ["-DTRACECODEC_SEPARATE_COMPILATION", *macros]
    self.folder = folder
    self.most_memory = 0  # maximum of the examples, in MB

  def line(self, source, *options):
    file = source
    if isinstance(source, str):
      file = self.folder / "source.cpp"
      file.write_text(source)
    return [*self.command, *options, str(file)]

  def usage(self, source, *options):
    line = self.line(source, *options)
    with subprocess.Popen(line) as run:
      _, status, usage = os.wait4(run.pid, 0)
      run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode != 0:
      raise subprocess.CalledProcessError(run.returncode, line)
    return usage

  def seconds(self, source, *options):
    """Returns CPU time (user)."""
    return self.usage(source, *options).ru_utime

  def ratios_to_hand(self, name):
    """Returns the ratios of a described parser to the parser written by hand: the times of -fsyntax-only and of -O2,
    and the sizes in bytes of code and data."""
    folder = pathlib.Path(__file__).resolve().parent / "compile"
    sides = [folder / (name + side) for side in ("_described.cpp", "_by_hand.cpp")]

    def ratio(measure):
      described, by_hand = (min(measure(side) for _ in range(3)) for side in sides)
      return described / by_hand

    def size(source):
      self.make(source, *self.declared)
      text = subprocess.run(["size", str(self.folder / "out.o")], check=True, capture_output=True, text=True).stdout
      return sum(map(int, text.splitlines()[1].split()[:3]))

    return (ratio(lambda source: self.read(source, *self.declared)),
            ratio(lambda source: self.make(source, *self.declared)), size(sides[0]) / size(sides[1]))

  def read(self, source, *options):
    return self.seconds(source, "-fsyntax-only", *options)

  def make(self, source, *options):
    return self.seconds(source, "-O2", "-c", "-o", str(self.folder / "out.o"), *options)

  def make_example(self, path):
    usage = self.usage(f'#include "{path}"\n', "-O2", "-c", "-o", str(self.folder / "out.o"), *self.declared)
    self.most_memory = max(self.most_memory, usage.ru_maxrss / 1024)
    return usage.ru_utime


def measured(compiler, examples, runs, limits):
  """Returns {(measured file, whether it was declared only): ratio}."""
  programs = {PROGRAMS[0].what: first_program()}
  todo = {}
  for row in HEADERS:
    source = f"#include <{'' if row.what == WHOLE else 'tracecodec/'}{row.what}>\n"
    todo[row.what, False] = lambda source=source: compiler.read(source)
    todo[row.what, True] = lambda source=source: compiler.read(source, *compiler.declared)
  for row in PROGRAMS:
    source = programs[row.what]
    todo[row.what, False] = lambda source=source: compiler.make(source)
    todo[row.what, True] = lambda source=source: compiler.make(source, *compiler.declared)
  for name, path in examples.items():
    todo[name, True] = lambda path=path: compiler.make_example(path)
  made = {row.what for row in PROGRAMS} | examples.keys()
  bases = {True: lambda: compiler.make(USUAL), False: lambda: compiler.read(USUAL)}
  best = dict.fromkeys(todo, math.inf)

  # The measurements alternate, so that a temporary load does not affect all runs of one of them.
  for _ in range(runs):
    of_what = before = None  # whether the last base was compiled with -O2, and its time
    for key, run in todo.items():
      if key in limits and best[key] <= limits[key]:
        continue
      if of_what != (key[0] in made):
        of_what = key[0] in made
        before = bases[of_what]()
      time, after = run(), bases[of_what]()
      best[key] = min(best[key], time / min(before, after))
      before = after
  return best


def main():
  options = [word for word in sys.argv[1:] if word.startswith(("--no-limits", "--runs=", "--examples="))]
  include, *command = (word for word in sys.argv[1:] if word not in options)
  checked = "--no-limits" not in options
  values = dict(word.split("=", 1) for word in options if "=" in word)
  runs = int(values.get("--runs", RUNS))
  examples = {}
  if "--examples" in values:
    folder = pathlib.Path(values["--examples"]).resolve()
    mains = sorted((*folder.glob("tutorial/*.cpp"), *folder.glob("programs/*/main.cpp")))
    examples = {path.relative_to(folder).as_posix(): path for path in mains}
    if not examples:
      sys.exit(f"{values['--examples']} has no programs")
  good = True

  def shown(value, limit):
    nonlocal good
    good &= value <= limit
    return f"{value:8.2f}{'!' if value > limit else ' '}{limit:7.2f}"

  with tempfile.TemporaryDirectory() as name:
    compiler = Compiler(include, command, pathlib.Path(name))
    limits = {(row.what, declared): limit for row in (*HEADERS, *PROGRAMS)
              for declared, limit in ((False, row.whole), (True, row.declared))}
    limits.update({(name, True): EXAMPLES for name in examples})
    ratios = measured(compiler, examples, runs, limits if checked else {})
    to_hand = {row: compiler.ratios_to_hand(row.name) for row in PARSERS}
  print(f"{'times the base':32}{'whole':>8} {'limit':>7}  {'declared':>8} {'limit':>7}")
  for row in (*HEADERS, *PROGRAMS):
    print(f"{row.what:32}{shown(ratios[row.what, False], row.whole)}  {shown(ratios[row.what, True], row.declared)}")
  for name in examples:
    print(f"{name:32}{' ' * 16}  {shown(ratios[name, True], EXAMPLES)}")
  print(f"\n{'times the parser by hand':32}" + "  ".join(f"{what:>8} {'limit':>7}" for what in ("read", "-O2", "size")))
  for row, found in to_hand.items():
    print(f"{row.name:32}" + "  ".join(shown(*pair) for pair in zip(found, row[1:])))
  if examples:
    print(f"memory for the examples, at most: {compiler.most_memory:.0f} MB, limit {EXAMPLES_MEMORY}")
    good &= compiler.most_memory <= EXAMPLES_MEMORY
  return 0 if good or not checked else 1


if __name__ == "__main__":
  sys.exit(main())
