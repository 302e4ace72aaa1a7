"""Prints one table that summarises libFuzzer's logs. Exit status 1 if a target failed.

Arguments: the folder of the logs, an identifier of the sources, the targets. Adds a line for each target to the file
`runs` in the folder: sources, target, runs, seconds, edges covered, features. The table's sum covers the lines with the
same sources.
"""
import pathlib
import re
import sys

STATE = re.compile(r"^#(\d+)\t.*cov: (\d+) ft: (\d+).*corp: (\d+)/(\S+)", re.M)
FAILURE = re.compile(r"property violated: .*|ERROR: \S+: [\w-]+|runtime error: .*|SUMMARY: .*")
TITLES = ("target", "runs", "runs/s", "runs in all", "cov", "ft", "corpus", "failures")


def found(folder, target):
  """Returns runs, seconds, edges, features, number of inputs in the corpus, and the failure or "none"."""
  log = (folder / (target + ".log")).read_text(errors="replace")
  status, seconds = (folder / (target + ".log.status")).read_text().split()
  states = STATE.findall(log)
  last = states[-1] if states else ("0", "0", "0", "0", "")
  runs = re.search(r"stat::number_of_executed_units: *(\d+)", log)
  reason = FAILURE.search(log)
  failed = "none" if status == "0" else (reason[0] if reason else "exit status " + status)
  return int(runs[1] if runs else last[0]), int(seconds), last[1], last[2], last[3], failed


def main():
  folder, sources, targets = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
  all_runs = folder / "runs"
  rows = [TITLES]
  for target in targets:
    runs, seconds, edges, features, corpus, failed = found(folder, target)
    with all_runs.open("a") as f:
      print(sources, target, runs, seconds, edges, features, file=f)
    lines = [line.split() for line in all_runs.read_text().splitlines()]
    total = sum(int(line[2]) for line in lines if line[:2] == [sources, target])
    rows.append((target, str(runs), str(runs // max(seconds, 1)), str(total), edges, features,
                 corpus, failed))
  widths = [max(len(r[i]) for r in rows) for i in range(len(TITLES))]
  for r in rows:
    cells = [r[0].ljust(widths[0])] + [r[i].rjust(widths[i]) for i in range(1, 7)] + [r[7]]
    print("  ".join(cells))
  return 1 if any(r[7] != "none" for r in rows[1:]) else 0


sys.exit(main())
