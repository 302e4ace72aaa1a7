#!/usr/bin/env python3
"""Tests that a header of the wire floor compiles alone and includes no expensive header. Usage: wire_alone.py
header compiler [argument...]"""
import os
import re
import subprocess
import sys

# Headers that are expensive or contain allocating containers. wire must not include any of these.
BANNED = ['algorithm', 'functional', 'iostream', 'iterator', 'map', 'memory', 'ostream', 'ranges',
          'sstream', 'string', 'vector']


def main():
    header, compiler = sys.argv[1], sys.argv[2:]
    # Include the header twice to test its include guard, too.
    source = f'#include "{header}"\n#include "{header}"\n'
    command = compiler + ['-std=c++20', '-Wall', '-Wextra', '-Werror', '-fsyntax-only', '-H',
                          '-x', 'c++', '-']
    done = subprocess.run(command, input=source, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    included = re.findall(r'^\.+ (.+)$', done.stderr, re.MULTILINE)
    names = {os.path.basename(path) for path in included if '.' not in os.path.basename(path)}
    if not {'cstddef', 'type_traits'} & names:
        sys.exit(f'{header}: the compiler did not say what it includes')
    heavy = sorted(names & set(BANNED))
    if heavy:
        sys.exit(f'{header} pulls in {", ".join(heavy)}')


main()
