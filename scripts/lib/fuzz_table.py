"""Prints one table of what libFuzzer's logs say. Exit status 1 if a target failed.

Arguments: the folder of the logs, the targets.
"""
import pathlib
import re
import sys

STATE = re.compile(r"^#(\d+)\t.*cov: (\d+).*corp: (\d+)/(\S+)", re.M)
FAILURE = re.compile(r"property violated: .*|ERROR: \S+: [\w-]+|runtime error: .*|SUMMARY: .*")


def row(folder, target):
  log = (folder / (target + ".log")).read_text(errors="replace")
  status = (folder / (target + ".log.status")).read_text().strip()
  states = STATE.findall(log)
  last = states[-1] if states else ("0", "0", "0", "")
  runs = re.search(r"stat::number_of_executed_units: *(\d+)", log)
  speed = re.search(r"stat::average_exec_per_sec: *(\d+)", log)
  reason = FAILURE.search(log)
  failed = "" if status == "0" else (reason[0] if reason else "exit status " + status)
  return (target, runs[1] if runs else last[0], speed[1] if speed else "", last[1], last[2],
          failed or "none")


def main():
  folder = pathlib.Path(sys.argv[1])
  rows = [("target", "runs", "runs/s", "cov", "corpus", "failures")]
  rows += [row(folder, target) for target in sys.argv[2:]]
  widths = [max(len(r[i]) for r in rows) for i in range(6)]
  for r in rows:
    cells = [r[0].ljust(widths[0])] + [r[i].rjust(widths[i]) for i in range(1, 5)] + [r[5]]
    print("  ".join(cells))
  return 1 if any(r[5] != "none" for r in rows[1:]) else 0


sys.exit(main())
