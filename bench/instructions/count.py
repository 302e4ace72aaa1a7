#!/usr/bin/env python3
"""Counts instructions under callgrind, for the library against hand-written code or a fixed number, and fails
above a limit.

--write puts the rows with a hand-written reference into the table of docs/performance.md.

The program dumps its counts as OPERATION/FORMAT/SIDE/N for two values of N. Their difference excludes everything that
does not repeat for each record.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Rows of docs/performance.md, by the names of the counts.
TITLES = {
    "decode/champsim": "decode ChampSim, 64 bytes", "encode/champsim": "encode ChampSim, 64 bytes",
    "decode/big_champsim": "decode ChampSim, big-endian", "encode/big_champsim": "encode ChampSim, big-endian",
    "decode/cloudsuite": "decode CloudSuite, 96 bytes", "encode/cloudsuite": "encode CloudSuite, 96 bytes",
    "decode/rapidbin": "decode RapidBin, bit slices of 8 bytes",
    "encode/rapidbin": "encode RapidBin, bit slices of 8 bytes",
    "decode/drmemtrace": "decode drmemtrace, 12 bytes", "encode/drmemtrace": "encode drmemtrace, 12 bytes",
    "decode/x64dbg": "decode a block of x64dbg", "encode/x64dbg": "encode a block of x64dbg",
    "decode/texts": "decode texts of varying length", "encode/texts": "encode texts of varying length",
    "decode/varints": "decode numbers of varying length", "encode/varints": "encode numbers of varying length",
    "decode/variant": "decode a record of three shapes", "encode/variant": "encode a record of three shapes",
    "decode/order": "decode an ELF section header", "encode/order": "encode an ELF section header",
    "feed/range": "ChampSim feed: class and target", "range/target": "feed of a described format: target",
    "range/arrays": "feed of a described format: arrays of operands",
    "exec/umtracer": "UMTracer records with operand values",
    "index/x64": "x64dbg, 64-bit: index", "index/x86": "x64dbg, 32-bit: index",
    "decode/x64": "x64dbg, 64-bit: registers of each instruction",
    "decode/x86": "x64dbg, 32-bit: registers of each instruction"}


def dumps(valgrind, program):
  """Returns {(operation/format, side): {n: instructions}} from one run."""
  counts = {}
  with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder) / "counts"
    # A fixed environment: its size moves the stack, which changes the counts.
    run = subprocess.run(
        [valgrind, "--tool=callgrind", f"--callgrind-out-file={out}",
         pathlib.Path(program).resolve()],
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder)
    if run.returncode != 0:
      sys.exit(f"{program} failed under valgrind:\n{run.stdout}")
    for file in pathlib.Path(folder).glob("counts.*"):
      text = file.read_text(errors="replace")
      name = re.search(r"^desc: Trigger: Client Request: (.+)/(\w+)/(\d+)$", text, re.M)
      total = re.search(r"^totals: (\d+)$", text, re.M)
      if name and total:
        counts.setdefault((name[1], name[2]), {})[int(name[3])] = int(total[1])
  return counts


def per_record(by_n):
  (low, high) = sorted(by_n)
  return (by_n[high] - by_n[low]) / (high - low)


def write_rows(page, rows):
  """Replaces or adds rows, by their first cell, in the page's part `measured instructions`."""
  text = page.read_text()
  begin, end = "<!-- measured instructions -->\n", "<!-- /measured instructions -->"
  start, stop = text.index(begin) + len(begin), text.index(end)
  kept = dict((line.split("|")[1].strip(), line) for line in text[start:stop].splitlines()[2:])
  for name, *cells in rows:
    kept[name] = f"| {name} | " + " | ".join(cells) + " |"
  head = "| operation | library | by hand | ratio | limit |\n|---|---|---|---|---|\n"
  page.write_text(text[:start] + head + "".join(line + "\n" for line in kept.values()) + text[stop:])


def main():
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--valgrind", default="valgrind")
  parser.add_argument("--title", default="")
  parser.add_argument("--limit", type=float, default=1.05, help="of library to by_hand")
  parser.add_argument("--limit-of", action="append", default=[], metavar="NAME=LIMIT",
                      help="for the row NAME, or for rows that end in NAME")
  parser.add_argument("--most", type=float, help="instructions for each record where nothing is "
                      "written by hand")
  parser.add_argument("--most-of", action="append", default=[], metavar="NAME=N",
                      help="the same for the row NAME")
  parser.add_argument("--write", type=pathlib.Path, metavar="PAGE")
  parser.add_argument("program")
  args = parser.parse_args()
  if not shutil.which(args.valgrind) or args.program == "no-valgrind-headers":
    print("valgrind is not installed: no instructions are counted")
    return 77  # Meson's code for a skipped test
  special = dict(item.split("=") for item in args.limit_of)
  most_of = dict(item.split("=") for item in args.most_of)

  counts = dumps(args.valgrind, args.program)
  rows = sorted({name for name, _ in counts})
  if not rows:
    sys.exit("no counts in callgrind's output")
  print(f"Instructions for each record {args.title}")
  print(f"{'':28}{'library':>10}{'by hand':>10}{'ratio':>8}{'limit':>8}")
  failed = False
  compared = []
  for name in rows:
    if (name, "by_hand") not in counts and args.most:
      value, most = per_record(counts[name, "library"]), float(most_of.get(name, args.most))
      failed |= value > most
      print(f"{name:28}{value:10.2f}{'':18}{most:8.0f}{'  TOO MANY' if value > most else ''}")
      continue
    reference = per_record(counts[name, "by_hand"])
    value = per_record(counts[name, "library"])
    limit = float(special.get(name, special.get(name.split("/")[-1], args.limit)))
    bad = value > limit * reference
    failed |= bad
    print(f"{name:28}{value:10.2f}{reference:10.2f}{value / reference:8.3f}{limit:8.2f}"
          f"{'  TOO MANY' if bad else ''}")
    if name in TITLES:
      compared.append((TITLES[name], f"{value:.1f}", f"{reference:.1f}", f"{value / reference:.2f}", f"{limit:.2f}"))
  if args.write:
    write_rows(args.write, compared)
  return 1 if failed else 0


if __name__ == "__main__":
  sys.exit(main())
