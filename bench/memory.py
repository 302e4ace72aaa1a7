#!/usr/bin/env python3
"""A feed over a compressed trace of 256 MB stays under 64 MiB of resident memory.

Arguments: the memory program, then the codecs of the build: xz gzip zstd.
"""
import lzma
import pathlib
import subprocess
import sys
import tempfile

RECORDS = 4_000_000
LIMIT_KIB = 64 << 10


def write(program, path):
  subprocess.run([program, "write", str(RECORDS), str(path)], check=True)


def write_single_block_xz(program, path):
  """Like `xz -6` one block whose header does not tell its size, and a dictionary of 8 MiB."""
  with subprocess.Popen([program, "write", str(RECORDS), "-"], stdout=subprocess.PIPE) as source:
    compressor = lzma.LZMACompressor(
        filters=[{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 8 << 20}])
    with open(path, "wb") as out:
      while chunk := source.stdout.read(1 << 20):
        out.write(compressor.compress(chunk))
      out.write(compressor.flush())
  if source.returncode != 0:
    sys.exit("cannot write the trace")


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
      run = subprocess.run([program, "read", str(RECORDS), str(path)], stdout=subprocess.PIPE,
                           text=True)
      path.unlink()
      peak = int(run.stdout or LIMIT_KIB + 1)
      bad = run.returncode != 0 or peak > LIMIT_KIB
      failed |= bad
      print(f"{name:18}{peak / 1024:7.1f} MiB{'  FAILED' if bad else ''}")
  return 1 if failed else 0


if __name__ == "__main__":
  sys.exit(main())
