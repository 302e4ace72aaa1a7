#!/usr/bin/env python3
"""Measures the library against alternatives, in one run, and prints a table for docs/performance.md: times per
record as ratios to the library's.

  table.py --decode PROGRAM [--write docs/performance.md] -- COMPILER...

Absolute times depend on the machine, which the table names together with the compiler.
"""
import argparse
import os
import pathlib
import platform
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from ratios import fastest  # noqa: E402

WAYS = {"library": "tracecodec", "by_hand": "by hand", "boost_endian": "Boost.Endian",
        "memcpy": "memcpy", "python": "Python struct"}
FORMATS = {"champsim": ("ChampSim, 64 bytes", "<Q8B6Q"),
           "champsim_big": ("ChampSim, big-endian", ">Q8B6Q"),
           "cloudsuite": ("CloudSuite, 96 bytes", "<Q10B6x8Q2B6x"),
           "slot": ("UMTracer's operands, 12 bytes", "<4HB3x"),
           "rapidbin": ("RapidBin, bit slices of 8 bytes", ">Q")}


def decode_times(program, repetitions):
  """Returns {format: {way: nanoseconds per record}}, from the fastest repetition of each."""
  best = {}
  for name, time_of_record in fastest(program, repetitions).items():
    kind, way = name.split("/")
    best.setdefault(kind, {})[way] = time_of_record
  return best


def python_time(name, layout, repetitions):
  """Returns nanoseconds per record of idiomatic Python: a tuple for each record, with its bit fields extracted."""
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


def processor():
  """Returns the processor's name, the numbers that distinguish models of that name, and the processor count."""
  try:
    facts = dict(line.split(":", 1) for line in
                 pathlib.Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines())
    fact = {name.strip(): value.strip() for name, value in facts.items()}
    return (f"{os.cpu_count()} × {fact['model name']} (family {fact['cpu family']}, model "
            f"{fact['model']}, stepping {fact['stepping']}), {platform.system()}")
  except (OSError, KeyError, ValueError):
    return f"{platform.machine()}, {platform.system()}"


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


def write_part(page, name, lines):
  """Replaces the lines between the page's two marks of that name."""
  text = page.read_text()
  mark = f"<!-- {name} -->\n"
  begin = text.index(mark) + len(mark)
  end = text.index(f"<!-- /{name} -->", begin)
  page.write_text(text[:begin] + "\n".join(lines) + "\n" + text[end:])


def main():
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--decode", required=True, help="the program that decodes")
  parser.add_argument("--repetitions", type=int, default=9)
  parser.add_argument("--write", type=pathlib.Path)
  parser.add_argument("compiler", nargs="+")
  o = parser.parse_args()

  version = subprocess.run([*o.compiler, "--version"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()[0]
  lines = [f"{processor()}, {version}, Python {platform.python_version()}.", "", *decode_table(o)]
  print("\n".join(lines))
  if o.write:
    write_part(o.write, "measured", lines)


if __name__ == "__main__":
  main()
