#!/usr/bin/env python3
"""Writes a man page and completions for bash, zsh and fish from a program's --help.

pages.py FOLDER PROGRAM...: writes NAME.1, NAME.bash, _NAME and NAME.fish in FOLDER for each program.
"""
import pathlib
import re
import shlex
import subprocess
import sys


class Option:
    """An option: its `names` with dashes, its `type` as in --help ("" for a flag), and the `others` that it excludes."""

    def __init__(self, names, of_type, text):
        excluded = re.search(r" \(not with ([^)]*)\)", text)
        self.others = excluded[1].split(", ") if excluded else []
        self.names, self.text, self.type = names, text, of_type
        self.several = "be repeated" in text
        self.optional = self.type.startswith("[") and self.type.endswith("]")
        words = self.type.split("|")
        self.words = words if all(re.fullmatch(r"[a-z0-9][\w-]*", w) for w in words) else []
        self.is_file = bool(re.search(r"\b(FILE|HEADER|OUT)$", self.type))

    def short(self):
        """Returns a line for a list: the effect, without conditions."""
        return re.split(r"; |\. | \(", self.text)[0]


class Program:
    def __init__(self, path):
        self.name = pathlib.Path(path).name
        self.version = self.run(path, "--version").split()[1]
        head, _, rest = self.run(path, "--help").partition("\n\nUsage: ")
        self.description = " ".join(head.split())
        usage, _, rest = rest.partition("\n\n")
        self.usage = usage.strip().removeprefix(self.name).strip()
        self.positionals, self.groups, self.examples, self.exit_status, notes = [], [], [], "", []
        for heading, block in re.findall(r"^(\S[^\n]*):\n((?:  .*\n)+)", rest, re.M):
            if heading == "Arguments":
                self.positionals = list(self.items(block))
            elif heading == "Examples":
                self.examples = re.findall(r"^  (\S.*)\n((?:      .*\n)+)", block, re.M)
            elif heading == "Exit status":
                self.exit_status = " ".join(block.split())
            elif block.startswith("  -"):
                self.groups.append((heading, [self.option(name, text) for name, text in self.items(block)]))
            else:
                notes.append(f"{heading}:\n{block}")
        self.options = [option for _, all_of_it in self.groups for option in all_of_it]
        self.footer = "\n".join(notes).rstrip("\n")

    @staticmethod
    def run(*command):
        return subprocess.run(command, stdout=subprocess.PIPE, check=True,
                              text=True).stdout

    @staticmethod
    def items(block):
        """Yields names and texts. A text begins two columns after its name, or on the next line, and continues on
        indented lines."""
        for name, text in re.findall(r"^  (\S.*?)(?:  +|\n {10,})(\S.*\n(?: {10,}.*\n)*)", block, re.M):
            yield name, " ".join(text.split())

    @staticmethod
    def option(name, text):
        names = re.match(r"-[^\s,]+(?:, -[^\s,]+)*", name)[0]
        return Option(names.split(", "), name[len(names):].strip(), text)

    def brief(self):
        line = re.split(r"[:.;] ", self.description)[0].rstrip(".")
        return line[0].lower() + line[1:]


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + text if text.startswith(".") else text


def man(p, others):
    out = [f'.TH {p.name.upper()} 1 "" "tracecodec {p.version}" "tracecodec"', ".SH NAME",
           f"{roff(p.name)} \\- {roff(p.brief())}", ".SH SYNOPSIS", f".B {roff(p.name)}", roff(p.usage),
           ".SH DESCRIPTION", roff(p.description)]
    if p.positionals:
        out.append(".SH ARGUMENTS")
        for name, text in p.positionals:
            out += [".TP", f".I {roff(name)}", roff(text)]
    out.append(".SH OPTIONS")
    for heading, options in p.groups:
        out.append(f".SS {roff(heading)}")
        for o in options:
            names = ", ".join(f"\\fB{roff(n)}\\fR" for n in o.names)
            out += [".TP", names + (f" \\fI{roff(o.type)}\\fR" if o.type else ""), roff(o.text)]
    out.append(".SH EXAMPLES")
    for command, effect in p.examples:
        out += [".TP", roff(command), roff(" ".join(effect.split()))]
    out += [".SH EXIT STATUS", roff(p.exit_status)]
    if p.footer:
        out += [".SH NOTES", ".nf", *(roff(line) for line in p.footer.split("\n")), ".fi"]
    more = [o for o in others if o != p.name]
    out += [".SH SEE ALSO", *(f".BR {roff(o)} (1){',' if o != more[-1] else ''}" for o in more)]
    return "\n".join(line if line else ".PP" for line in "\n".join(out).split("\n")) + "\n"


def bash(p):
    cases = "".join(f"    {'|'.join(o.names)})\n"
                    f"      mapfile -t COMPREPLY < <(compgen -W {shlex.quote(' '.join(o.words))} -- "
                    '"$word")\n      return ;;\n' for o in p.options if o.words)
    names = " ".join(n for o in p.options for n in o.names)
    return f"""# bash completion of {p.name}, from its --help. Names of files are readline's.
_{p.name}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=
  if [ "$COMP_CWORD" -gt 0 ]; then before=${{COMP_WORDS[COMP_CWORD - 1]}}; fi
  # --format=x comes as three words.
  if [ "$word" = '=' ]; then word=''
  elif [ "$before" = '=' ]; then before=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
  COMPREPLY=()
  case $before in
{cases}  esac
  case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W {shlex.quote(names)} -- "$word") ;;
  esac
}}
complete -o bashdefault -o default -F _{p.name} {p.name}
"""


def zsh(p):
    def spec(o):
        text = re.sub(r"([\\\[\]])", r"\\\1", o.short())
        value = ""
        if o.type:
            colon = "::" if o.optional else ":"
            of = o.type[1:-1] if o.optional else "which" if o.words else o.type.replace(":", "\\:")
            value = colon + of + ":" + ("(" + " ".join(o.words) + ")" if o.words
                                        else "_files" if o.is_file else "")
        several = "*" if o.several else ""
        excluded = o.others + (o.names if not o.several and len(o.names) > 1 else [])
        alone = f"({' '.join(excluded)})" if excluded else ""
        for name in o.names:
            equals = "=" if o.type and name.startswith("--") else ""
            yield shlex.quote(f"{alone}{several}{name}{equals}[{text}]{value}")

    specs = [s for o in p.options for s in spec(o)]
    return (f"#compdef {p.name}\n# zsh completion of {p.name}, from its --help.\n_arguments -s -S \\\n  " +
            " \\\n  ".join([*specs, "'*:file:_files'"]) + "\n")


def fish(p):
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = [f"# fish completion of {p.name}, from its --help."]
    for o in p.options:
        line = f"complete -c {p.name}"
        for n in o.names:
            line += f" -l {n[2:]}" if n.startswith("--") else f" -s {n[1:]}"
        if o.words:
            line += " -x -a " + quoted(" ".join(o.words))
        elif o.type and not o.optional:
            line += " -r -F" if o.is_file else " -x"
        lines.append(line + " -d " + quoted(o.short()))
    return "\n".join(lines) + "\n"


def main(folder, *paths):
    folder, programs = pathlib.Path(folder), [Program(path) for path in paths]
    others = [p.name for p in programs]
    for p in programs:
        for name, text in ((f"{p.name}.1", man(p, others)), (f"{p.name}.bash", bash(p)),
                           (f"_{p.name}", zsh(p)), (f"{p.name}.fish", fish(p))):
            (folder / name).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
