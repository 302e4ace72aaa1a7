#!/usr/bin/env python3
"""Compares tracepack with xz and zstd on ChampSim traces, in one run, and prints two tables: sizes, and speeds as
ratios. --write puts their main columns into the table of docs/performance.md.

  packed.py --program bench_packed [--write docs/performance.md] [--repetitions N] TRACE...

Traces may have any compression that the library reads. Sizes are measured for whole traces. `xz -9e` and `zstd -19
--long=27` are skipped if the programs are missing. Times are medians of processor time. With two threads, times
are medians of elapsed time, which is meaningful only on an otherwise idle machine.
"""
import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile


def sizes_of_programs(raw):
  """Returns the sizes in bytes that `xz -9e` and `zstd -19 --long=27` produce, with None for a missing program."""
  commands = (["xz", "-9e", "-T1", "-c", raw], ["zstd", "-19", "--long=27", "-T1", "-q", "-c", raw])
  found = []
  for command in commands:
    if shutil.which(command[0]) is None:
      found.append(None)
      continue
    with subprocess.Popen(command, stdout=subprocess.PIPE) as p:
      found.append(sum(len(piece) for piece in iter(lambda: p.stdout.read(1 << 16), b"")))
  return found


def measured(program, folder, traces, repetitions):
  """Returns [(name, records, xz, fast, high)] and {trace: {way: median nanoseconds per record}}."""
  run = subprocess.run(
      [program, "--benchmark_format=json", f"--benchmark_repetitions={repetitions}",
       "--benchmark_enable_random_interleaving=true", "--benchmark_min_time=0.05", folder, *traces],
      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
  sizes = []
  for line in run.stderr.splitlines():
    if m := re.fullmatch(r"sizes (.*) (\d+) (\d+) (\d+) (\d+)", line):
      sizes.append((m[1], *map(int, m.groups()[1:])))
  times = {}
  for b in json.loads(run.stdout)["benchmarks"]:
    if b.get("run_type") != "iteration":
      continue
    trace, way = b["run_name"].split("/")[:2]
    times.setdefault(trace, {}).setdefault(way, []).append(1e9 / b["items_per_second"])
  return sizes, {t: {w: statistics.median(v) for w, v in ways.items()} for t, ways in times.items()}


def table(head, rows):
  lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
  return "\n".join(lines + ["| " + " | ".join(r) + " |" for r in rows])


def part(a, b):
  return "-" if b is None else f"{a / b:.2f}"


def tables(sizes, times, others):
  size_rows = []
  for (name, records, xz, fast, high) in sizes:
    best, long = others[name]
    size_rows.append([name, f"{records:,}", f"{xz:,}", f"{fast:,}", part(fast, xz), part(high, xz), part(fast, best),
                      part(fast, long)])
  big = [s for s in sizes if s[1] >= 200_000]
  if big:
    size_rows.append(["median of 200,000 and more", "", "", "",
                      f"{statistics.median(f / x for _, _, x, f, _ in big):.2f}",
                      f"{statistics.median(h / x for _, _, x, _, h in big):.2f}", "", ""])
  speed_rows = []
  for name, records, *_ in sizes:
    t = times[name]
    speed_rows.append([
        name, f"{1000 / t['decode']:.0f}", f"{1000 / t['decode_high']:.0f}",
        f"{t['xz_decode'] / t['decode']:.1f}", f"{t['raw_feed'] / t['feed']:.2f}",
        f"{t['xz_encode'] / t['encode']:.0f}", f"{t['decode_by_clock'] / t['decode_two_by_clock']:.2f}",
        f"{t['encode_by_clock'] / t['encode_two_by_clock']:.2f}"])
  return "\n\n".join([
      table(["trace", "instructions", "`xz -6`, bytes", ".tpack", "of `xz -6`", "`--level high`", "of `xz -9e`",
             "of `zstd -19 --long=27`"], size_rows),
      table(["trace", "decode, million/s", "high", "times liblzma", "feed, of the mapped raw file's",
             "encode, times `xz -6`", "decode, two threads", "encode, two threads"], speed_rows)])


def page_table(sizes, times, others):
  """Returns the table of the page."""
  rows = []
  for name, records, xz, fast, high in sizes:
    best, long = others[name]
    t = times[name]
    rows.append([name, f"{records:,}", part(fast, xz), part(high, xz), part(fast, best), part(fast, long),
                 f"{1000 / t['decode']:.0f}", f"{t['xz_decode'] / t['decode']:.1f}",
                 f"{t['xz_encode'] / t['encode']:.0f}"])
  return table(["trace", "instructions", "of `xz -6`", "high, of `xz -6`", "of `xz -9e`", "of `zstd -19 --long=27`",
                "decode, million/s", "times liblzma", "encode, times `xz -6`"], rows)


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("--program", required=True)
  parser.add_argument("--write")
  parser.add_argument("--repetitions", type=int, default=9)
  parser.add_argument("traces", nargs="+")
  args = parser.parse_args()
  with tempfile.TemporaryDirectory() as folder:
    sizes, times = measured(args.program, folder, args.traces, args.repetitions)
    others = {name: sizes_of_programs(f"{folder}/{name}.raw") for name, *_ in sizes}
  print(tables(sizes, times, others))
  if args.write:
    page = pathlib.Path(args.write)
    begin, end = "<!-- measured packed -->\n", "\n<!-- /measured packed -->"
    old = page.read_text()
    if begin not in old or end not in old:
      sys.exit(f"{page} has no place for it")
    page.write_text(old[:old.index(begin) + len(begin)] + page_table(sizes, times, others) + old[old.index(end):])


if __name__ == "__main__":
  main()
