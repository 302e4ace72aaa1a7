#!/usr/bin/env python3
"""Writes a translation unit that contains several programs. The name of the executable selects the program to run.

Usage: in_one.py OUTPUT NAME=SOURCE..., where SOURCE is a path below examples/. The headers come first, because each
header is read only once. Each program follows in a namespace with the program's name. The programs share template
instances, and take a third of the time to compile.
"""
import pathlib
import posixpath
import re
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent
MAIN = """
int main(int argc, char** argv) {
  const std::string name = std::filesystem::path(argv[0]).stem().string();
%s  std::fprintf(stderr, "%%s: there is no such program\\n", name.c_str());
  return 2;
}
"""


def head(source):
  """Yields the preprocessor lines before the first namespace: the included headers and the conditions for them.
  Headers next to the source get their path below examples/."""
  def included(match):
    return f'#include "{posixpath.normpath(posixpath.join(posixpath.dirname(source), match[1]))}"'

  for line in (EXAMPLES / source).read_text().splitlines():
    if line.startswith("namespace"):
      return
    if line.startswith("#"):
      yield re.sub('#include "(.*)"', included, line)


def in_one(sources):
  yield from ["#include <cstdio>", "#include <filesystem>", "#include <string>"]
  for source in sources.values():
    yield from head(source)
  for name, source in sources.items():
    yield f'namespace {name} {{\n#include "{source}"\n}}'
  yield MAIN % "".join(f'  if (name == "{name}") return {name}::main(argc, argv);\n' for name in sources)


if __name__ == "__main__":
  output, *named = sys.argv[1:]
  pathlib.Path(output).write_text("\n".join(in_one(dict(n.split("=", 1) for n in named))))
