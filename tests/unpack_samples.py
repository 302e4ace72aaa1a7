"""Copies the test data and unpacks the .xz files among them, which keep their names: a build
without liblzma reads the same samples, as every reader goes by the content.
Arguments: the folder of the test data, the folder for the copy.
"""
import lzma
import pathlib
import shutil
import sys


def main():
  source, target = map(pathlib.Path, sys.argv[1:])
  shutil.copytree(source, target, dirs_exist_ok=True)
  for packed in target.rglob("*.xz"):
    packed.write_bytes(lzma.decompress(packed.read_bytes()))


main()
