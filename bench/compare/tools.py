#!/usr/bin/env python3
"""Compares the programs of two builds on traces, in one run, to measure how a change affects analyses. Prints a
table of the ratios of processor time, newer build to older build. Fails if a program became slower by more than a
tenth.

  tools.py --before FOLDER --now FOLDER [--repetitions N] TRACE...

FOLDER contains trace_report, trace_find, trace_diff and trace_view; both builds must use the same options. The builds
take turns, and the shortest time of each counts. Traces should take about a second, because the start of a program is
measured, too.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

LIMIT = 1.1


def commands(trace, page):
  return {"report": ["trace_report", trace, page],
          "find": ["trace_find", "--memory", "0x1000+0x100", trace],
          "find all": ["trace_find", "--ip", "0x0+0xffffffffffffffff", "-n", "all", trace],
          "diff": ["trace_diff", trace, trace],
          "statistics": ["trace_view", "-s", trace]}


def seconds(folder, command):
  """Returns seconds of processor time, or None if the program fails. An empty search result is not a failure."""
  with subprocess.Popen([os.path.join(folder, command[0]), *command[1:]], stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
  nothing_found = command[0] == "trace_find" and run.returncode == 1
  return usage.ru_utime + usage.ru_stime if run.returncode == 0 or nothing_found else None


def ratios(before, now, trace, repetitions):
  """Returns {name: time of the newer build divided by time of the older build}, with None if a build does not
  support the work."""
  found = {}
  with tempfile.TemporaryDirectory() as folder:
    for name, command in commands(trace, os.path.join(folder, "page.html")).items():
      times = [[], []]
      for _ in range(repetitions):
        for build, taken in zip((before, now), times):
          taken.append(seconds(build, command))
      failed = any(None in taken for taken in times)
      found[name] = None if failed else min(times[1]) / min(times[0])
  return found


def main():
  p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  p.add_argument("--before", required=True)
  p.add_argument("--now", required=True)
  p.add_argument("--repetitions", type=int, default=5)
  p.add_argument("traces", nargs="+")
  o = p.parse_args()
  names = list(commands("", ""))
  lines = ["| trace | " + " | ".join(names) + " |", "|" + " --- |" * (len(names) + 1)]
  slower = False
  for trace in o.traces:
    got = ratios(o.before, o.now, trace, o.repetitions)
    shown = ["-" if got[n] is None else f"{got[n]:.2f}" for n in names]
    slower |= any(r is not None and r > LIMIT for r in got.values())
    lines.append(f"| {pathlib.PurePath(trace).name} | " + " | ".join(shown) + " |")
    print(lines[-1], file=sys.stderr)
  print("\n".join(lines))
  return 1 if slower else 0


if __name__ == "__main__":
  sys.exit(main())
