"""Sums up a meson test run: prints "PASSED FAILED SKIPPED" to standard output, and everything else to standard
error.

A doctest program counts as its test cases, except test cases that checked nothing in this build. Any other test
counts as one. Skipped tests are named, including tests that a program skips itself. A run without counted tests is
a failure. Arguments: the configuration's name, the build folder.
"""
import json
import pathlib
import re
import sys

CASES = re.compile(r"\[doctest\] test cases: *(\d+) *\| *(\d+) passed *\| *(\d+) failed")
# doctest counts a case that checked nothing as passed, and does not count a skipped case.
EMPTY = "'it has checked nothing'"
SKIPPED_INSIDE = re.compile(r"^(.*)\.\.\. skipped (.*)$", re.M)


def main():
  name, folder = sys.argv[1], pathlib.Path(sys.argv[2])
  log = folder / "meson-logs" / "testlog.json"
  passed = failed = skipped = 0
  named = set()  # a program that runs once for each of its files prints its skipped cases each time
  if log.exists():
    for line in log.read_text(errors="replace").splitlines():
      test = json.loads(line)
      output = test.get("stdout", "") + test.get("stderr", "")
      result = test["result"]
      if result == "SKIP":
        print(f"   skipped: {test['name']}: {output.strip().splitlines()[:1]}", file=sys.stderr)
        skipped += 1
        continue
      cases = CASES.search(output)
      inside = SKIPPED_INSIDE.findall(output)
      for case, why in inside:
        if cases and why != EMPTY:
          if case in named:
            continue
          named.add(case)
        print(f"   skipped: {test['name']}: {case.strip()}: {why}", file=sys.stderr)
        skipped += 1
      good = result in ("OK", "EXPECTEDFAIL")
      good_cases, bad_cases = int(good), 0
      if cases:
        empty = sum(why == EMPTY for _, why in inside)
        good_cases, bad_cases = int(cases[2]) - empty, int(cases[3])
      if not good and bad_cases == 0:
        bad_cases = 1  # it ended by a signal, a timeout or a sanitizer's report
      passed += good_cases
      failed += bad_cases
      if not good:
        print(f"   FAILED: {test['name']} ({result})\n{output}", file=sys.stderr)
  if passed + failed == 0:
    print(f"   FAILED: {name} has run no test", file=sys.stderr)
    failed = 1
  print(f"   {name}: {passed} passed, {failed} failed, {skipped} skipped", file=sys.stderr)
  print(passed, failed, skipped)


if __name__ == "__main__":
  main()
