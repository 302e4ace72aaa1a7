#!/usr/bin/env python3
"""Measures the library beside what one would use instead, in one run, and prints two tables for
docs/performance.md: times a record as ratios to the library's, and what each public header costs to
compile.

  table.py --decode PROGRAM --include FOLDER [--write docs/performance.md] -- COMPILER...

Fails if a header takes more than 1.3 times as long as what it must include, headers of others and of
the library: the sum of these, each in a file of its own, and, which is stricter as they share much,
all of them in one file. Absolute times are the machine's, which the tables name. A few headers take
more than one file does and have limits of their own (EXCEEDING).
"""
import argparse
import os
import pathlib
import platform
import re
import resource
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
           "cloudsuite": ("CloudSuite, 96 bytes", "<Q10B6x8Q2B6x"),
           "slot": ("UMTracer's operands, 12 bytes", "<4HB3x"),
           "rapidbin": ("RapidBin, bit slices of 8 bytes", ">Q")}
KINDS = ["champsim", "rapidbin", "x64dbg", "umtracer"]
ROOMS = ["layout", "recognise", "files", "reader", "writer", "feed", "check", "rows", "values"]
LIMIT = 1.3
# Those that exceed it beside one file, and what is allowed them. Layouts include little, and are
# descriptions of records that the compiler checks.
EXCEEDING = {"tracecodec/champsim/layout.hpp": 1.5, "tracecodec/rapidbin/layout.hpp": 1.5,
             "tracecodec/x64dbg/layout.hpp": 1.5, "tracecodec/umtracer/layout.hpp": 2.0}


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
  """What a header of the library and its implementation (impl/NAME.ipp) include themselves, as one would
  write it in a file beside it; not what they include on Windows."""
  parts = [(pathlib.Path(include) / header).resolve()]
  found = []
  for part in parts:
    text = re.sub(r"^#ifdef _WIN32\n.*?^#(?:else|endif)$", "", part.read_text(), flags=re.M | re.S)
    for quote, name in re.findall(r'^#include ([<"])([^>"]+)[>"]', text, re.M):
      path = (part.parent / name).resolve()
      line = f"<{name}>" if quote == "<" else f'"{path}"'
      if path.suffix == ".ipp":
        parts.append(path)
      elif path not in parts and line not in found:
        found.append(line)
  return found


def compile_time(compiler, include, lines):
  """Seconds of CPU time (user) in which the compiler has read a file of these includes."""
  with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "source.cpp"
    source.write_text("".join(f"#include {line}\n" for line in lines))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([*compiler, "-std=c++20", "-fsyntax-only", "-I", include, str(source)],
                   check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def processor():
  """Its name, as models share one also its numbers, and how many there are."""
  try:
    facts = dict(line.split(":", 1) for line in
                 pathlib.Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines())
    fact = {name.strip(): value.strip() for name, value in facts.items()}
    return (f"{os.cpu_count()} × {fact['model name']} (family {fact['cpu family']}, model "
            f"{fact['model']}, stepping {fact['stepping']}), {platform.system()}")
  except (OSError, KeyError, ValueError):
    return f"{platform.machine()}, {platform.system()}"


def public_headers(include):
  """What programs include themselves: the umbrella headers and what they include, the rooms of the
  formats, the feed's, what the documents include or name, and what the examples include. All else is
  included by these."""
  root = pathlib.Path(include)
  names = ["tracecodec.hpp", "tracecodec/wire.hpp", "tracecodec/rows.hpp", "tracecodec/io/open.hpp"]
  for kind in KINDS:
    names += [f"tracecodec/{kind}.hpp"] + [f"tracecodec/{kind}/{room}.hpp" for room in ROOMS]
  named = {str(path.relative_to(root)) for path in (root / "tracecodec" / "feed").glob("*.hpp")}
  for umbrella in (root / "tracecodec").glob("*.hpp"):
    named |= {f"tracecodec/{name}" for name in
              re.findall(r'^#include "([^"]+)"', umbrella.read_text(), re.M)}
  for page in [root.parent / "README.md", *(root.parent / "docs").rglob("*.md")]:
    text = page.read_text()
    named |= set(re.findall(r"#include <(tracecodec[^>]*)>", text))
    named |= {f"tracecodec/{name}" for name in
              re.findall(r"`<?(?:tracecodec/)?([a-z0-9_/]+\.hpp)>?`", text)}
  for example in (root.parent / "examples").rglob("*.[ch]pp"):
    named |= set(re.findall(r"#include <(tracecodec[^>]*)>", example.read_text()))
  names += sorted(named - set(names))
  return [name for name in names if (root / name).is_file()]


def decode_table(o):
  best = decode_times(o.decode, o.repetitions)
  for name, (_, layout) in FORMATS.items():
    best[name]["python"] = python_time(name, layout, o.repetitions)
  out = ["| decode a record | ns | " + " | ".join(list(WAYS.values())[1:]) + " |",
         "|---|---|" + "---|" * (len(WAYS) - 1)]
  for name, (title, _) in FORMATS.items():
    ours = best[name]["library"]
    out.append(f"| {title} | {ours:.2f} | " + " | ".join(
        f"{best[name][way] / ours:.2f}" for way in list(WAYS)[1:]) + " |")
  return out


def fastest_of(measure):
  """What measure() returns, tuples of seconds, of each number the best: measured for some seconds, as
  short times vary most."""
  runs, spent = [], 0.0
  while len(runs) < 2 or (spent < 4 and len(runs) < 10):
    runs.append(measure())
    spent += sum(runs[-1])
  return [min(column) for column in zip(*runs)]


def both_times(o, header, includes, limit):
  """Of a header and of files of what it includes, together. Where the best of each are beyond the
  limit, those of the pair with the median ratio of five more: a machine that is faster for a while
  shows the same."""
  # Alternating, so that both see the same load of the machine.
  def measure():
    return [compile_time(o.compiler, o.include, [header]),
            sum(compile_time(o.compiler, o.include, lines) for lines in includes)]
  ours, together = fastest_of(measure)
  if ours > limit * together:
    ours, together = sorted((measure() for _ in range(5)), key=lambda both: both[0] / both[1])[2]
  return ours, together


def compile_table(o):
  """The table, and what exceeds its limit."""
  out = ["| header | s | what it includes, each alone, s | ratio | in one file, s | ratio |",
         "|---|---|---|---|---|---|"]
  slow = []
  for header in public_headers(o.include):
    includes = includes_of(o.include, header)
    limit_of_one = EXCEEDING.get(header, LIMIT)
    ours, together = both_times(o, f'"{header}"', [includes], limit_of_one)
    beside_each, each = both_times(o, f'"{header}"', [[line] for line in includes], LIMIT)
    out.append(f"| `{header}` | {ours:.2f} | {each:.2f} | {beside_each / each:.2f} | "
               f"{together:.2f} | {ours / together:.2f} |")
    for what, ratio, limit in (("its includes, each alone", beside_each / each, LIMIT),
                               ("all in one file", ours / together, limit_of_one)):
      if ratio > limit:
        slow.append(f"{header}: {ratio:.2f} of {what}, limit {limit}")
  return out, slow


def write_part(page, name, lines):
  """Puts the lines between the page's two marks of that name."""
  text = page.read_text()
  mark = f"<!-- {name} -->\n"
  begin = text.index(mark) + len(mark)
  end = text.index(f"<!-- /{name} -->", begin)
  page.write_text(text[:begin] + "\n".join(lines) + "\n" + text[end:])


def main():
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--decode", help="without it only headers are measured")
  parser.add_argument("--include", required=True)
  parser.add_argument("--repetitions", type=int, default=9)
  parser.add_argument("--write", type=pathlib.Path)
  parser.add_argument("compiler", nargs="+")
  o = parser.parse_args()

  version = subprocess.run([*o.compiler, "--version"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()[0]
  machine = f"{processor()}, {version}"
  parts = {}
  if o.decode:
    parts["measured"] = [f"{machine}, Python {platform.python_version()}.", "", *decode_table(o)]
  table, slow = compile_table(o)
  parts["measured headers"] = [machine + ".", "", *table]
  for name, lines in parts.items():
    print("\n".join(lines) + "\n")
    if o.write:
      write_part(o.write, name, lines)
  for line in slow:
    print("TOO SLOW", line)
  return 1 if slow else 0


if __name__ == "__main__":
  sys.exit(main())
