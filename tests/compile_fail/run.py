#!/usr/bin/env python3
"""Compiles one case, which must fail with a message that matches its line `// expect: <regex>`. With -DFIXED the
same file must compile, which proves that it fails for no other reason. If there is a line `// names: <regex>`, it
must match the first five lines of the compiler's output, not counting lines about includes. PARSED is wire.hpp as a
precompiled header, for cases that define no macro before they include it. Usage: run.py CASE PARSED COMPILER
[ARGUMENT...]"""
import re
import subprocess
import sys


def compile_case(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode == 0, done.stdout


def main():
    case, parsed, *compiler = sys.argv[1:]
    with open(case) as file:
        text = file.read()
    expected = re.search(r'^// expect: (.+)$', text, re.MULTILINE).group(1)
    named = re.search(r'^// names: (.+)$', text, re.MULTILINE)
    command = compiler + ['-std=c++20', '-fsyntax-only', case]
    if not re.search(r'^ *#define', text.partition('#include')[0], re.MULTILINE):
        # g++ looks for NAME.gch when it includes NAME.
        command += ['-include', parsed.removesuffix('.gch')] if parsed.endswith('.gch') else ['-include-pch', parsed]
    compiles, output = compile_case(command + ['-DFIXED'])
    if not compiles:
        sys.exit(f'{case}: the fixed variant does not compile\n{output}')
    compiles, output = compile_case(command)
    if compiles:
        sys.exit(f'{case}: compiles, and should not')
    # Only the compiler's own messages count, not the source lines that they quote.
    errors = '\n'.join(line for line in output.splitlines() if 'error:' in line)
    if not re.search(expected, errors):
        sys.exit(f'{case}: fails for another reason than /{expected}/\n{output}')
    said = [line for line in output.splitlines()
            if not re.match(r'In file included from| +from ', line)]
    if named and not re.search(named.group(1), '\n'.join(said[:5])):
        sys.exit(f'{case}: the first lines do not hold /{named.group(1)}/\n{output}')


main()
