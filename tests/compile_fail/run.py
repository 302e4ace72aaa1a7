#!/usr/bin/env python3
"""Compiles one case, which must fail with the message that its line `// expect: <regex>` gives.
With -DFIXED the same file must compile: it fails for that one reason and for no other.
Usage: run.py case.cpp compiler [argument...]"""
import re
import subprocess
import sys


def compile_case(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode == 0, done.stdout


def main():
    case, compiler = sys.argv[1], sys.argv[2:]
    with open(case) as file:
        expected = re.search(r'^// expect: (.+)$', file.read(), re.MULTILINE).group(1)
    command = compiler + ['-std=c++20', '-fsyntax-only', case]
    compiles, output = compile_case(command + ['-DFIXED'])
    if not compiles:
        sys.exit(f'{case}: the fixed variant does not compile\n{output}')
    compiles, output = compile_case(command)
    if compiles:
        sys.exit(f'{case}: compiles, and should not')
    # Only the compiler's own words count, not the source lines it quotes.
    errors = '\n'.join(line for line in output.splitlines() if 'error:' in line)
    if not re.search(expected, errors):
        sys.exit(f'{case}: fails for another reason than /{expected}/\n{output}')


main()
