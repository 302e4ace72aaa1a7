#!/usr/bin/env python3
"""Runs what README.md and docs/ show, and compares what it prints with what they say it prints.

  ```cpp       a block with a main() is compiled and run; a ```text block behind it is its output
  ```python    the same of a Python program
  ```c++       a part of somebody else's program: not compiled
  ```sh        commands of which only the syntax is checked: what they need is not everywhere
  ```console   each line "$ COMMAND" is run in the project's folder; the lines below are its output
  <!-- layout NAME --> ... <!-- /layout -->   the table generated from the descriptor NAME
  "..." stands for anything within a line, and alone on a line for any lines.
  <!-- needs COMMAND --> before a console or Python block: it is left out where COMMAND fails, as a
  tool is missing.
  <!-- needs import MODULE --> before a Python block: it is run with the first of the PATH's Python
  and the system's that has the module, and left out if neither has.

With --write the text blocks, console blocks without "...", and tables are rewritten instead.
"""
import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```([\w+]*)\n(.*?)^```$", re.M | re.S)
NEEDS = re.compile(r"<!-- needs (.*) -->\n$")
LAYOUT = re.compile(r"(<!-- layout (\S+) -->\n)(.*?)(<!-- /layout -->)", re.S)


def matches(shown, printed):
    pattern = ""
    for line in shown.rstrip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ \t]*\n"
    return re.fullmatch(pattern, printed.rstrip("\n") + "\n") is not None


class Docs:
    def __init__(self, options):
        self.o = options
        self.passed = self.failed = 0
        self.there = {}  # whether a command that is needed works
        self.scratch = tempfile.TemporaryDirectory()
        self.env = dict(os.environ, LC_ALL="C", OUT=self.scratch.name,
                        PATH=options.bin + os.pathsep + os.environ["PATH"])

    def say(self, good, place, what, shown="", printed=""):
        self.passed += good
        self.failed += not good
        if not good:
            print(f"FAILED {place}: {what}\n--- shown\n{shown}--- printed\n{printed}---")

    def run(self, command):
        r = subprocess.run(command, cwd=self.o.root, env=self.env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        return r.stdout

    def program(self, place, code):
        source = pathlib.Path(self.scratch.name) / "block.cpp"
        source.write_text(code)
        exe = source.with_suffix("")
        command = (shlex.split(self.o.compiler) + shlex.split(self.o.flags) +
                   ["-Wall", "-Wextra", "-Werror", "-I", str(self.o.root / "include"),
                    str(source), "-o", str(exe)] + shlex.split(self.o.libs))
        r = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if r.returncode:
            self.say(False, place, "does not compile", code, r.stdout)
            return None
        return self.run([str(exe)])

    def console(self, place, body):
        result, failed = "", False
        parts = re.split(r"^\$ (.*)\n", body, flags=re.M)
        for command, shown in zip(parts[1::2], parts[2::2]):
            printed = self.run(["bash", "-c", command])
            if not matches(shown, printed):
                failed = True
                if not self.o.write:
                    self.say(False, place, "$ " + command, shown, printed)
            result += f"$ {command}\n" + (shown if "..." in shown else printed)
        if not failed:
            self.say(True, place, "")
        return result

    def works(self, needed):
        if needed not in self.there:
            self.there[needed] = subprocess.run(
                ["bash", "-c", needed], env=self.env, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
        return self.there[needed]

    def has(self, place, needed):
        if not self.works(needed):
            print(f"left out {place}: it needs {needed}")
        return self.works(needed)

    def python(self, place, needed):
        """The Python that a block is run with; None if none can."""
        if not needed or not needed.startswith("import "):
            return "python3" if not needed or self.has(place, needed) else None
        # As scripts/lib/packages.sh looks for modules.
        for python in ("python3", "/usr/bin/python3"):
            if self.works(f"{python} -c {shlex.quote(needed)}"):
                return python
        print(f"left out {place}: no Python has what it needs: {needed}")
        return None

    def file(self, path):
        text = path.read_text()
        out, at, output = [], 0, None
        for m in FENCE.finditer(text):
            kind, body = m.groups()
            place = f"{path.relative_to(self.o.root)}:{text.count(chr(10), 0, m.start()) + 1}"
            new = body
            if kind == "cpp":
                output = self.program(place, body)
                if output is not None:
                    self.say(True, place, "")
            elif kind == "text" and output is not None:
                if self.o.write:
                    new = output
                else:
                    self.say(matches(body, output), place, "output of the program above", body, output)
                output = None
            elif kind == "sh":
                r = subprocess.run(["bash", "-n"], input=body, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
                self.say(r.returncode == 0, place, "no commands", body, r.stdout)
            elif kind not in ("c++", "text", "console", "python"):
                self.say(False, place, "a block that nothing tests", body)
            elif kind in ("console", "python") and self.o.bin:
                needed = NEEDS.search(text, 0, m.start())
                needed = needed and needed.group(1)
                if kind == "python":
                    python = self.python(place, needed)
                    output = self.run([python, "-c", body]) if python else None
                elif needed and not self.has(place, needed):
                    output = None
                else:
                    new = self.console(place, body)
            if self.o.write:
                out.append(text[at:m.start()] + f"```{kind}\n{new}```")
                at = m.end()
        if self.o.write:
            text = "".join(out) + text[at:]

        def table(m):
            generated = self.tables.get(m.group(2), "no such table\n")
            if not self.o.write:
                self.say(m.group(3) == generated, path.name, "stale table " + m.group(2),
                         m.group(3), generated)
            return m.group(1) + generated + m.group(4)
        text = LAYOUT.sub(table, text)
        if self.o.write:
            path.write_text(text)

    def all(self):
        self.tables = {}
        for part in self.run([self.o.tables]).split("@")[1:]:
            name, rows = part.split("\n", 1)
            self.tables[name] = rows
        for path in [self.o.root / "README.md", *sorted((self.o.root / "docs").rglob("*.md"))]:
            self.file(path)
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--root", type=pathlib.Path, required=True)
    p.add_argument("--compiler", default="g++")
    p.add_argument("--flags", default="-std=c++20 -O1")
    p.add_argument("--libs", default="")
    p.add_argument("--bin", default="", help="folder of the built examples; without it no console block is run")
    p.add_argument("--tables", type=lambda s: str(pathlib.Path(s).resolve()), required=True)
    p.add_argument("--write", action="store_true")
    sys.exit(Docs(p.parse_args()).all())


if __name__ == "__main__":
    main()
