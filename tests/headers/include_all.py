#!/usr/bin/env python3
"""Writes a header that includes every public header that a build can include.

Arguments: the file to write; ascending or descending, for the order of names; a depfile; the folder of the
headers; the build's libraries, separated by commas; the host's system.
"""
import pathlib
import sys

sys.dont_write_bytecode = True
from each_alone import headers_of  # noqa: E402


def main(out, order, depfile, include, libraries, system):
  headers = headers_of(include, libraries.split(","), system)
  if order == "descending":
    headers.reverse()
  text, file = "".join(f"#include <{h}>\n" for h in headers), pathlib.Path(out)
  if not file.exists() or file.read_text() != text:  # otherwise nothing needs to be compiled again
    file.write_text(text)
  # New and removed headers change a folder.
  folders = {f.parent for f in pathlib.Path(include).rglob("*.hpp")}
  pathlib.Path(depfile).write_text(f"{out}: " + " ".join(sorted(map(str, folders))) + "\n")


if __name__ == "__main__":
  main(*sys.argv[1:])
