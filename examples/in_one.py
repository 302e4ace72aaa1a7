#!/usr/bin/env python3
"""Writes a translation unit that is several programs: what it is called says which one it is.

in_one.py OUTPUT SOURCE...: SOURCE is NAME.cpp. The headers come first, as each of them is read only
once; then each program, in a namespace of its name. They share what they instantiate, and take a
third of the time to compile.
"""
import pathlib
import sys

MAIN = """
int main(int argc, char** argv) {
  const std::string name = std::filesystem::path(argv[0]).stem().string();
%s  std::fprintf(stderr, "%%s: there is no such program\\n", name.c_str());
  return 2;
}
"""


def head(source):
  """The preprocessor's lines in front of the first namespace: what it includes, and under which
  condition."""
  for line in source.read_text().splitlines():
    if line.startswith("namespace"):
      return
    if line.startswith("#"):
      yield line


def in_one(sources):
  yield from ["#include <cstdio>", "#include <filesystem>", "#include <string>"]
  for source in sources:
    yield from head(source)
  for source in sources:
    yield f'namespace {source.stem} {{\n#include "{source.name}"\n}}'
  yield MAIN % "".join(
      f'  if (name == "{s.stem}") return {s.stem}::main(argc, argv);\n' for s in sources)


if __name__ == "__main__":
  output, *sources = map(pathlib.Path, sys.argv[1:])
  output.write_text("\n".join(in_one(sources)))
