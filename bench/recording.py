#!/usr/bin/env python3
"""How fast trace_record records, beside QEMU without it and beside single steps, in one run.

  recording.py TRACE_RECORD [COMMAND...]

Prints for each output millions of instructions a second, and how many times as long the run takes as in QEMU
alone; the best of three. The command's output is not kept."""
import os
import re
import subprocess
import sys
import tempfile
import time


def timed(command):
    start = time.monotonic()
    r = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    return time.monotonic() - start, r.stderr.decode()


def main():
    recorder = sys.argv[1]
    command = sys.argv[2:] or ['/bin/sh', '-c', 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done']
    with tempfile.TemporaryDirectory() as folder:
        def record(out, *options):
            return [recorder, '-o', os.path.join(folder, out), '-t', 'all', *options, '--', *command]

        rows = [('qemu alone', ['qemu-x86_64', *command]),
                ('/dev/null', record('/dev/null')),
                ('.champsim', record('t.champsim')),
                ('.zst', record('t.champsim.zst')),
                ('.xz', record('t.champsim.xz')),
                ('/dev/null, --bbv', record('/dev/null', '--bbv', os.path.join(folder, 't.bb'))),
                ('--engine ptrace, 200,000', [recorder, '--engine', 'ptrace', '-o', '/dev/null', '-t', '200000',
                                              '--', *command])]
        best, said = {}, {}
        for _ in range(3):
            for name, line in rows:
                seconds, text = timed(line)
                best[name] = min(seconds, best.get(name, seconds))
                said[name] = text
    total = int(re.search(r': (\d+) instruction', said['/dev/null']).group(1))
    print('%d instructions' % total)
    print('%-26s %12s %10s' % ('recorded to', 'million/s', 'x qemu'))
    for name, _ in rows:
        n = 200000 if 'ptrace' in name else total
        print('%-26s %12.2f %10.2f' % (name, n / best[name] / 1e6, best[name] / best['qemu alone'] * total / n))


if __name__ == '__main__':
    main()
