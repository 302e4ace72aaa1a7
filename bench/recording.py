"""Measures the speed of trace_record against QEMU without it, against xz on the same records and against single steps,
in one run.

  recording.py TRACE_RECORD [COMMAND...]
  recording.py --programs [--limit N] TRACE_RECORD [NAME...]

For each kind of output, prints millions of instructions per second, and the run time as a multiple of the time
that QEMU alone needs. The best of three runs counts. The output of the command is discarded.

With --programs, prints a row for each of some real programs, like the table in docs/record.md: the time for an
instruction as a multiple of the time that QEMU alone needs. A smaller N (default 1,500,000) makes the programs'
inputs smaller. A program that is not installed is skipped with a message."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from ten_programs import AWK, inputs

RUNS = 3
# Limits for outputs that compress slowly: the number of instructions to record, and to skip at the start of a
# program.
SLOW = 200_000
BEGUN = 1_000_000
OUTPUTS = ['/dev/null', '.champsim', '.champsim.zst', '.tpack', '.champsim.xz']
# Names and commands; each command executes about ten million instructions.
PROGRAMS = [
    ('gzip', ['gzip', '-6', '-c', 'text']),
    ('sed', ['sed', '-E', 's/([a-z]+) ([a-z]+)/\\2 \\1/; /^[aeiou]/d', 'text']),
    ('awk', ['awk', AWK, 'text']),
    ('sort', ['sort', 'text']),
    ('python3', ['/usr/bin/python3', '-c', 'print(sum(len(w) for w in open("text").read().split()))']),
    ('cc1', ['CC1', '-quiet', '-O1', 'q.c', '-o', '/dev/null']),
]


def timed(command):
    start = time.monotonic()
    r = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    # Exit status 125 is trace_record's own failure, and a negative status is the signal that ended it. Other
    # statuses are the program's.
    if r.returncode < 0 or r.returncode == 125:
        sys.exit('%s: %d: %s' % (command, r.returncode, r.stderr.decode()))
    return time.monotonic() - start, r.stderr.decode()


def instructions_of(said):
    found = re.search(r': (\d+) instruction', said)
    return int(found.group(1)) if found else None


def best_of(rows):
    """Returns the shortest time of each row's command, and its messages. The rows run alternately, so that noise
    affects all."""
    best, said = {}, {}
    for _ in range(RUNS):
        for name, line in rows:
            seconds, text = timed(line)
            best[name] = min(seconds, best.get(name, seconds))
            said[name] = text or said.get(name, '')
    return best, said


def one_command(recorder, command):
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
        best, said = best_of(rows)
        said['xz -6 of these records'] = first
    whole = instructions_of(said['/dev/null'])
    print('%d instructions' % whole)
    print('%-26s %12s %10s' % ('recorded to', 'million/s', 'x qemu'))
    alone = best['qemu alone'] / whole
    for name, _ in rows:
        each = best[name] / (instructions_of(said[name]) or whole)
        print('%-26s %12.3f %10.1f' % (name, 1 / each / 1e6, each / alone))


def real_programs(recorder, names, limit):
    recorder = os.path.abspath(recorder)
    few = ['-s', str(min(BEGUN, limit // 4)), '-t', str(min(SLOW, limit // 10))]
    part = {out: few if out.endswith('.xz') else ['-t', 'all'] for out in OUTPUTS}
    cc1 = subprocess.run(['gcc', '-print-prog-name=cc1'], stdout=subprocess.PIPE, check=False).stdout.decode().strip() \
        if shutil.which('gcc') else 'gcc'
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        inputs(folder, limit)
        with open('p.c') as source, open('q.c', 'w') as begin:
            begin.writelines(list(source)[:16])
        print('| program | instructions | QEMU alone, million/s | %s |' % ' | '.join('`%s`' % out for out in OUTPUTS))
        print('|---' * (3 + len(OUTPUTS)) + '|')
        for name, command in PROGRAMS:
            if names and name not in names:
                continue
            command = [cc1 if c == 'CC1' else c for c in command]
            path = shutil.which(command[0])
            if path is None:
                print('%s: not installed' % command[0], file=sys.stderr)
                continue
            rows = [('qemu alone', ['qemu-x86_64', path, *command[1:]])]
            # Recording the same number of instructions to /dev/null shows their cost without compression.
            rows.append(('few', [recorder, '-o', '/dev/null', *few, '--', *command]))
            rows += [(out, [recorder, '-o', out if out.startswith('/') else 't' + out, *part[out], '--', *command])
                     for out in OUTPUTS]
            best, said = best_of(rows)
            whole = instructions_of(said['/dev/null'])
            alone = best['qemu alone'] / whole

            def times(out):
                if part[out] is not few:
                    return best[out] / whole / alone
                return max(best[out] - best['few'], 0) / instructions_of(said[out]) / alone

            print('| `%s` | %s | %.0f | %s |' % (name, format(whole, ','), 1 / alone / 1e6,
                                                 ' | '.join('%.3g' % times(out) for out in OUTPUTS)), flush=True)
        os.chdir('/')


def main():
    line = sys.argv[1:]
    if line[:1] != ['--programs']:
        return one_command(line[0], line[1:] or ['/bin/sh', '-c', 'i=0; while [ $i -lt 8000 ]; do i=$((i+1)); done'])
    parser = argparse.ArgumentParser()
    parser.add_argument('--limit', type=int, default=1_500_000)
    parser.add_argument('recorder')
    parser.add_argument('names', nargs='*')
    o = parser.parse_args(line[1:])
    return real_programs(o.recorder, o.names, o.limit)


if __name__ == '__main__':
    main()
