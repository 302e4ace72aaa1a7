"""Copies the test data and unpacks the .xz files, which keep their names. A build without liblzma can then read
the same samples, because readers recognise files by content. Arguments: the folder of the test data, the folder
for the copy, the list of files to write, and a depfile for ninja.
"""
import lzma
import pathlib
import shutil
import sys


def main():
  source, target, report, depfile = map(pathlib.Path, sys.argv[1:])
  shutil.rmtree(target, ignore_errors=True)
  shutil.copytree(source, target)
  for packed in target.rglob("*.xz"):
    packed.write_bytes(lzma.decompress(packed.read_bytes()))
  # Depend on the folders, too, because a new file changes them.
  all_of_it = [source, *sorted(source.rglob("*"))]
  report.write_text("".join(f"{p.relative_to(source)}\n" for p in all_of_it))
  depfile.write_text(f"{report}: " + " ".join(str(p).replace(" ", "\\ ") for p in all_of_it) + "\n")


main()
