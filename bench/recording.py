#!/usr/bin/env python3
"""How fast trace_record records, beside QEMU without it, beside xz of the same records and beside single steps, in one
run.

  recording.py TRACE_RECORD [COMMAND...]

Prints for each output millions of instructions a second, and how many times as long the run takes as in QEMU
alone; the best of three. What the command prints is not kept."""
import os
import re
import subprocess
import sys
import tempfile
import time


def timed(command):
    start = time.monotonic()
    r = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    # 125 is trace_record's own failure, and a negative number the signal that ended it; all else is the program's.
    if r.returncode < 0 or r.returncode == 125:
        sys.exit('%s: %d: %s' % (command, r.returncode, r.stderr.decode()))
    return time.monotonic() - start, r.stderr.decode()


def main():
    recorder = sys.argv[1]
    command = sys.argv[2:] or ['/bin/sh', '-c', 'i=0; while [ $i -lt 8000 ]; do i=$((i+1)); done']
    with tempfile.TemporaryDirectory() as folder:
        def record(out, *options, most='all'):
            return [recorder, '-o', os.path.join(folder, out), '-t', most, *options, '--', *command]

        rows = [('qemu alone', ['qemu-x86_64', *command]),
                ('/dev/null', record('/dev/null')),
                ('.champsim', record('t.champsim')),
                ('.zst', record('t.champsim.zst')),
                ('.tpack', record('t.tpack')),
                ('.xz, the first 2,000,000', record('t.champsim.xz', most='2000000')),
                ('xz -6 of these records', ['xz', '-6', '-T1', '-c', os.path.join(folder, 'first.champsim')]),
                ('/dev/null, --bbv', record('/dev/null', '--bbv', os.path.join(folder, 't.bb'))),
                ('--engine ptrace, 100,000', record('/dev/null', '--engine', 'ptrace', most='100000'))]
        _, first = timed(record('first.champsim', most='2000000'))
        best, said = {}, {'xz -6 of these records': first}
        for _ in range(3):
            for name, line in rows:
                seconds, text = timed(line)
                best[name] = min(seconds, best.get(name, seconds))
                said[name] = text or said.get(name)
    def instructions(name):
        found = re.search(r': (\d+) instruction', said[name] or '')
        return int((found or re.search(r': (\d+) instruction', said['/dev/null'])).group(1))

    print('%d instructions' % instructions('/dev/null'))
    print('%-26s %12s %10s' % ('recorded to', 'million/s', 'x qemu'))
    alone = best['qemu alone'] / instructions('/dev/null')
    for name, _ in rows:
        each = best[name] / instructions(name)
        print('%-26s %12.3f %10.1f' % (name, 1 / each / 1e6, each / alone))


if __name__ == '__main__':
    main()
