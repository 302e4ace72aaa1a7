#!/usr/bin/env python3
"""Checks the peak of resident memory. A feed over a compressed trace of 256 MB needs at most 64 MiB, a feed over a
packed one at most 32, and packing at most 64. Writing a trace as rows of text needs no more memory if the trace is four
times as long.

Arguments: the memory program, then the codecs of the build: xz gzip zstd.
"""
import lzma
import pathlib
import subprocess
import sys
import tempfile

RECORDS = 4_000_000
LIMIT_KIB = 64 << 10
EXPORTED = (100_000, 400_000)  # numbers of records; keeping two bytes for each record would exceed the limit
GROWTH_KIB = 512


def write(program, path):
  subprocess.run([program, "write", str(RECORDS), str(path)], check=True)


def write_single_block_xz(program, path):
  """Writes a file like `xz -6` does: one block whose header does not state its size, and a dictionary of 8 MiB."""
  with subprocess.Popen([program, "write", str(RECORDS), "-"], stdout=subprocess.PIPE) as source:
    compressor = lzma.LZMACompressor(
        filters=[{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 8 << 20}])
    with open(path, "wb") as out:
      while chunk := source.stdout.read(1 << 20):
        out.write(compressor.compress(chunk))
      out.write(compressor.flush())
  if source.returncode != 0:
    sys.exit("cannot write the trace")


def peak_of(program, what, records, path):
  """Returns the peak in KiB, or None after a failure."""
  run = subprocess.run([program, what, str(records), str(path)], stdout=subprocess.PIPE, text=True)
  return int(run.stdout) if run.returncode == 0 else None


def check_exports(program, folder):
  """Returns True if all checks pass. The traces are .gz files, because the pages of a mapped trace would be
  counted, and the memory for .xz and .zst depends on the length of a trace that does not fill a block."""
  well = True
  for trace, make in (("champsim", "write"), ("rapidbin", "write-rapidbin")):
    paths = [pathlib.Path(folder) / f"{trace}{n}.gz" for n in EXPORTED]
    for n, path in zip(EXPORTED, paths):
      subprocess.run([program, make, str(n), str(path)], check=True)
    for form in ("jsonl", "csv"):
      peaks = [peak_of(program, f"{trace}-{form}", n, path) for n, path in zip(EXPORTED, paths)]
      good = None not in peaks and peaks[1] - peaks[0] <= GROWTH_KIB and peaks[1] <= LIMIT_KIB
      well &= good
      told = " and ".join("-" if p is None else f"{p / 1024:.1f}" for p in peaks)
      print(f"{trace}-{form:9} {told} MiB{'' if good else '  FAILED'}")
  return well


def check_packs(program, folder):
  """Returns True if all checks pass. The limit suffices for the records of one frame and part of another."""
  well = True
  path = pathlib.Path(folder) / "x.tpack"
  records = 5_000_000
  for what, most in (("pack", LIMIT_KIB), ("read-packed", LIMIT_KIB // 2),
                     ("pack-high", LIMIT_KIB), ("read-packed", LIMIT_KIB // 2)):
    peak = peak_of(program, what, records, path)
    good = peak is not None and peak <= most
    well &= good
    print(f"{what:18}{(peak or 0) / 1024:7.1f} MiB{'' if good else '  FAILED'}")
  return well


def main():
  program, *codecs = sys.argv[1:]
  kinds = [("xz", "single-block.xz", write_single_block_xz), ("xz", "multi-block.xz", write),
           ("gzip", "trace.gz", write), ("zstd", "trace.zst", write)]
  failed = False
  with tempfile.TemporaryDirectory() as folder:
    for codec, name, make in kinds:
      if codec not in codecs:
        continue
      path = pathlib.Path(folder) / name
      make(program, path)
      peak = peak_of(program, "read", RECORDS, path)
      path.unlink()
      bad = peak is None or peak > LIMIT_KIB
      failed |= bad
      print(f"{name:18}{(peak or 0) / 1024:7.1f} MiB{'  FAILED' if bad else ''}")
    if "zstd" in codecs:
      failed |= not check_packs(program, folder)
    if "gzip" in codecs:
      failed |= not check_exports(program, folder)
  return 1 if failed else 0


if __name__ == "__main__":
  sys.exit(main())
