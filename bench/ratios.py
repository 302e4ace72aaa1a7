#!/usr/bin/env python3
"""Times the library against hand-written code in one run, and fails if the library is slower than the limits allow.

Benchmarks are named NAME/by_hand[/VARIANT] and NAME/library[/VARIANT]; the fastest hand-written one is the
reference. The repetitions of all benchmarks are interleaved at random. Only the fastest repetition of a benchmark
counts, because disturbances only slow a run down.
"""
import argparse
import json
import subprocess
import sys


# Minimum speed of the library as a fraction of the hand-written code's, by the first part of the name.
# xz: at most 1.1 times the CPU time of liblzma alone.
# column_flow, column_memory: the reference is the feed without columns; the library fills columns and reads them.
# array_of_big_champsim: the reference is a copy of the bytes instead of a hand-written loop.
# c_...: records through libtracecodec.
LIMITS = {"c_champsim": 0.95, "c_rapidbin": 0.95, "c_umtracer": 0.95, "c_x64dbg": 0.95,
          "mapped": 0.95, "xz_one_block": 1 / 1.1, "xz_blocks": 1 / 1.1,
          "column_flow": 0.7, "column_memory": 0.7,
          "array_of_big_champsim": 0.5, "array_of_v3_big_champsim": 0.5}
# The limit for codecs, for the two passes over x64dbg traces, and for the operands of UMTracer records. Some
# codecs take only a nanosecond, so instruction counts are a stricter test for these codecs.
DEFAULT_LIMIT = 0.9


def fastest(program, repetitions):
  """Returns {name: CPU time of the fastest repetition in nanoseconds per record}."""
  run = subprocess.run(
      [program, "--benchmark_format=json", f"--benchmark_repetitions={repetitions}",
       "--benchmark_enable_random_interleaving=true", "--benchmark_min_time=0.1"],
      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
  best = {}
  for result in json.loads(run.stdout)["benchmarks"]:
    if result.get("run_type") != "iteration":
      continue
    if result.get("error_occurred"):
      sys.exit(f"{result['name']}: {result['error_message']}")
    name = result["run_name"].removesuffix("/process_time")
    time = 1e9 / result["items_per_second"]
    best[name] = min(time, best.get(name, time))
  return best


def main():
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--repetitions", type=int, default=9)
  parser.add_argument("programs", nargs="+")
  args = parser.parse_args()

  failed = False
  print(f"{'speed, ns of CPU time a record':36}{'library':>10}{'by hand':>10}{'ratio':>8}"
        f"{'limit':>8}")
  for program in args.programs:
    best = fastest(program, args.repetitions)
    for name in (n for n in best if "/library" in n):
      family = name.split("/")[0]
      reference = min(time for other, time in best.items()
                      if other.startswith(family + "/by_hand"))
      ratio = reference / best[name]
      limit = LIMITS.get(family, DEFAULT_LIMIT)
      failed |= ratio < limit
      print(f"{name:36}{best[name]:10.2f}{reference:10.2f}{ratio:8.3f}{limit:8.2f}"
            f"{'  TOO SLOW' if ratio < limit else ''}")
  return 1 if failed else 0


if __name__ == "__main__":
  sys.exit(main())
