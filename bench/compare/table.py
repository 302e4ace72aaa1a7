#!/usr/bin/env python3
"""Measures the library beside what one would use instead, in one run, and prints a table for
docs/performance.md: times a record as ratios to the library's, and what each header costs to compile.

  table.py --decode PROGRAM --include FOLDER [--write docs/performance.md] COMPILER...

Fails if a header takes more than 1.3 times as long as what it must include: the sum of its own
includes, each compiled alone. Beside it stands what headers of others take in one file. Absolute
times are the machine's, which the table names.
"""
import argparse
import pathlib
import platform
import re
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from ratios import fastest  # noqa: E402

WAYS = {"library": "tracecodec", "by_hand": "by hand", "boost_endian": "Boost.Endian",
        "memcpy": "memcpy", "python": "Python struct"}
FORMATS = {"champsim": ("ChampSim, 64 bytes", "<Q8B6Q"),
           "champsim_big": ("the same, big-endian", ">Q8B6Q"),
           "rapidbin": ("RapidBin, bit slices of 8 bytes", ">Q")}
HEADERS = ["wire.hpp", "rows.hpp", "champsim/layout.hpp", "champsim.hpp", "rapidbin/layout.hpp",
           "rapidbin.hpp", "x64dbg/layout.hpp", "x64dbg.hpp", "umtracer/layout.hpp", "umtracer.hpp",
           "feed/open.hpp"]
LIMIT = 1.3
BEGIN, END = "<!-- measured -->\n", "<!-- /measured -->"


def decode_times(program, repetitions):
  """{format: {way: nanoseconds a record}}, of each the fastest repetition."""
  best = {}
  for name, time_of_record in fastest(program, repetitions).items():
    kind, way = name.split("/")
    best.setdefault(kind, {})[way] = time_of_record
  return best


def python_time(name, layout, repetitions):
  """Nanoseconds a record: what one would write, a tuple for each record, its fields cut out."""
  records = 2000
  raw = bytes(i * 37 & 255 for i in range(struct.calcsize(layout) * records))
  best = float("inf")
  for _ in range(repetitions):
    begin = time.process_time_ns()
    for fields in struct.iter_unpack(layout, raw):
      if name == "rapidbin":
        v = fields[0]
        fields = (v >> 63, v >> 48 & 0x7FFF, v >> 14 & 0x3FFFFFFFF, v >> 10 & 15, v & 1023)
    best = min(best, (time.process_time_ns() - begin) / records)
  return best


def includes_of(include, header):
  """What a header of the library includes itself, as one would write it in a file beside it."""
  path = pathlib.Path(include) / "tracecodec" / header
  found = []
  for quote, name in re.findall(r'^#include ([<"])([^>"]+)[>"]', path.read_text(), re.M):
    found.append(f"<{name}>" if quote == "<" else
                 f'"{(path.parent / name).resolve()}"')
  return found


def foreign_headers(compiler, include, header):
  """Headers that are not the library's, as the compiler reaches them from the library's own."""
  own = str(pathlib.Path(include).resolve())
  run = subprocess.run([*compiler, "-std=c++20", "-H", "-fsyntax-only", "-I", own, "-x", "c++", "-"],
                       input=f'#include "tracecodec/{header}"\n', stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE, text=True, check=True)
  found, foreign = [], 0  # foreign: the depth of the header of others that we are in
  for dots, path in re.findall(r"^(\.+) (.*)$", run.stderr, re.M):
    if foreign and len(dots) > foreign:
      continue
    foreign = 0 if str(pathlib.Path(path).resolve()).startswith(own) else len(dots)
    if foreign and f'"{path}"' not in found:
      found.append(f'"{path}"')
  return found


def compile_time(compiler, include, lines, repetitions):
  with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "source.cpp"
    source.write_text("".join(f"#include {line}\n" for line in lines))
    best = float("inf")
    for _ in range(repetitions):
      begin = time.perf_counter()
      subprocess.run([*compiler, "-std=c++20", "-O0", "-I", include, "-c", str(source), "-o",
                      str(source.with_suffix(".o"))], check=True)
      best = min(best, time.perf_counter() - begin)
    return best


def processor():
  try:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
      if line.startswith("model name"):
        return line.split(":", 1)[1].strip()
  except OSError:
    pass
  return platform.machine()


def main():
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--decode", required=True)
  parser.add_argument("--include", required=True)
  parser.add_argument("--repetitions", type=int, default=9)
  parser.add_argument("--write", type=pathlib.Path)
  parser.add_argument("compiler", nargs="+")
  o = parser.parse_args()

  best = decode_times(o.decode, o.repetitions)
  for name, (_, layout) in FORMATS.items():
    best[name]["python"] = python_time(name, layout, o.repetitions)
  version = subprocess.run([*o.compiler, "--version"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()[0]
  out = [f"{processor()}, {version}, Python {platform.python_version()}.", "",
         "| decode a record | ns | " + " | ".join(list(WAYS.values())[1:]) + " |",
         "|---|---|" + "---|" * (len(WAYS) - 1)]
  for name, (title, _) in FORMATS.items():
    ours = best[name]["library"]
    out.append(f"| {title} | {ours:.2f} | " + " | ".join(
        f"{best[name][way] / ours:.2f}" for way in list(WAYS)[1:]) + " |")

  out += ["", "| header | s | its includes, each alone, in all, s | ratio | "
          "what is not ours, in one file, s |", "|---|---|---|---|---|"]
  known = {}

  def alone(line):
    if line not in known:
      known[line] = compile_time(o.compiler, o.include, [line], 3)
    return known[line]

  slow = []
  for header in HEADERS:
    ours = alone(f'"tracecodec/{header}"')
    theirs = sum(alone(line) for line in includes_of(o.include, header))
    foreign = compile_time(o.compiler, o.include, foreign_headers(o.compiler, o.include, header), 3)
    out.append(f"| `tracecodec/{header}` | {ours:.2f} | {theirs:.2f} | {ours / theirs:.2f} | "
               f"{foreign:.2f} |")
    if ours > LIMIT * theirs:
      slow.append(f"{header}: {ours / theirs:.2f}, limit {LIMIT}")
  text = "\n".join(out) + "\n"
  print(text)
  if o.write:
    page = o.write.read_text()
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    o.write.write_text(page[:begin] + text + page[end:])
  for line in slow:
    print("TOO SLOW", line)
  return 1 if slow else 0


if __name__ == "__main__":
  sys.exit(main())
