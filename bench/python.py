#!/usr/bin/env python3
"""Measures the Python package against C++, liblzma and struct, in one run, and prints a table; exit status 1 if an
aim is missed.

  PYTHONPATH=BUILD/python bench/python.py --baseline BUILD/bench/python_baseline TRACE.champsim TRACE.champsim.xz

Both arguments are the same ChampSim trace: uncompressed, and compressed with xz. Times are medians of processor time,
and the compared programs run alternately. BUILD is a build with -Dbuildtype=release -Dpython=enabled. `--write PAGE`
writes the table into a page, between <!-- measured --> and <!-- /measured -->."""
import argparse
import pathlib
import platform
import re
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import numpy
import tracecodec

RECORD = struct.Struct('<QBB2B4B2Q4Q')
STRUCT_RECORDS = 500_000

# Runs a pass in its own process and prints its peak of resident memory in MiB. getrusage is not suitable, because
# a process inherits the peak of its parent.
PEAK = """
import sys
import numpy
import tracecodec
what, path = sys.argv[1:]
if what == 'records':
    n = sum(len(array) for array in tracecodec.open(path).records())
elif what == 'columns':
    n = sum(len(batch.ip) + len(batch.memory.values) for batch in tracecodec.open(path).instructions(['ip', 'memory']))
for line in open('/proc/self/status'):
    if line.startswith('VmHWM:'):
        print(int(line.split()[1]) / 1024)
"""


def records(path):
    total = 0
    for array in tracecodec.open(path).records(batch=1 << 16):
        total += int(array['ip'].sum())
    return total & 0xffffffffffffffff


def decompressed(path):
    return sum(array.nbytes for array in tracecodec.open(path).records())


def columns(path):
    total = 0
    for batch in tracecodec.open(path).instructions(['ip', 'branch', 'taken', 'target']):
        total += int(batch.ip[-1]) + int(batch.branch[-1]) + int(batch.taken[-1]) + int(batch.target[-1])
    return total & 0xffffffffffffffff


def arrays(path, field):
    """Reads the first `STRUCT_RECORDS` records as arrays; returns the sum of a field, or the number of records."""
    total = 0
    for array in tracecodec.open(path).limit(STRUCT_RECORDS).records(batch=1 << 16):
        total += int(array[field].sum()) if field else len(array)
    return total


def unpacked(path, field):
    """Reads the records as a user would without the library."""
    total = 0
    with open(path, 'rb') as file:
        for _ in range(STRUCT_RECORDS):
            piece = file.read(RECORD.size)
            if len(piece) < RECORD.size:
                break
            ip, *others = RECORD.unpack(piece)
            total += ip if field else 1
    return total


def run_pass(name, arguments):
    """Runs a pass in its own process, like the passes in C++; prints the processor time and the result."""
    work = globals()[name]
    begin = time.process_time()
    result = work(*arguments)
    print(time.process_time() - begin, result)


def in_turns(repetitions, *works):
    """Returns the median time of each task. A task returns (seconds, result), and the results must be equal."""
    times = [[] for _ in works]
    for _ in range(repetitions + 1):
        results = []
        for seconds, work in zip(times, works):
            one, result = work()
            seconds.append(one)
            results.append(result)
        if len(set(results)) != 1:
            sys.exit(f'error: not the same work: {results}')
    return [statistics.median(seconds[1:]) for seconds in times]  # the first run loads the files into memory


def import_time(repetitions):
    """Returns the seconds that `import tracecodec` takes. It must not import NumPy."""
    code = ('import sys, time; begin = time.process_time(); import tracecodec; print(time.process_time() - begin); '
            'sys.exit("numpy" in sys.modules)')
    return statistics.median(float(subprocess.run([sys.executable, '-c', code], stdout=subprocess.PIPE, text=True,
                                                  check=True).stdout) for _ in range(repetitions))


def peak(what, path):
    return float(subprocess.run([sys.executable, '-c', PEAK, what, path], stdout=subprocess.PIPE, text=True,
                                check=True).stdout)


def processor():
    info = pathlib.Path('/proc/cpuinfo')
    names = re.findall(r'^model name\s*: (.*)$', info.read_text(), re.M) if info.exists() else []
    return f'{len(names)} × {names[0].strip()}' if names else platform.machine()


def measure(o):
    def run(*command):
        seconds, result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        return float(seconds), int(result)

    def in_cpp(what, path):
        return lambda: run(o.baseline, what, path)

    def here(work, *arguments):
        return lambda: run(sys.executable, __file__, '--pass', work.__name__, *arguments)

    rows, missed = [], []

    def add(what, ours, beside, than, ratio, aim, good):
        rows.append(f'| {what} | {ours} | {beside} | {than} | {ratio} | {aim} |')
        if not good:
            missed.append(what)

    def ms(seconds):
        return f'{seconds * 1000:.1f} ms'

    n = pathlib.Path(o.trace).stat().st_size // RECORD.size
    ours, theirs = in_turns(o.repetitions, here(records, o.trace), in_cpp('records', o.trace))
    add('`records()` of a mapped file, a field summed up', ms(ours), "C++, `champsim::reader`", ms(theirs),
        f'{ours / theirs:.2f}', 'at most 1.05', ours / theirs <= 1.05)
    ours, theirs = in_turns(o.repetitions, here(decompressed, o.compressed), in_cpp('xz', o.compressed))
    add('`records()` of a `.xz`', ms(ours), 'liblzma alone, its output left unread', ms(theirs), f'{ours / theirs:.2f}',
        'at most 1.05', ours / theirs <= 1.05)
    few = min(n, STRUCT_RECORDS)
    for field, what in (('', f'`records()`, the first {few:,}'), ('ip', 'the same, a field summed up')):
        ours, theirs = in_turns(o.repetitions, here(arrays, o.trace, field), here(unpacked, o.trace, field))
        aim = '' if field else 'at most 1/100'
        add(what, ms(ours), '`struct.unpack` of each record', ms(theirs), f'1/{theirs / ours:,.0f}', aim,
            field != '' or theirs / ours >= 100)
    ours, theirs = in_turns(o.repetitions, here(columns, o.trace), in_cpp('columns', o.trace))
    add('columns `ip`, `branch`, `taken`, `target`', ms(ours), "C++, the feed into `std::vector`s", ms(theirs),
        f'{ours / theirs:.2f}', 'at most 2', ours / theirs <= 2)
    seconds = import_time(o.repetitions)
    add('`import tracecodec`, which does not import NumPy', ms(seconds), '', '', '', 'less than 50 ms', seconds < 0.05)

    with tempfile.TemporaryDirectory() as folder:
        short = str(pathlib.Path(folder) / 'short.champsimtrace.xz')
        few = max(1, n // 100)
        tracecodec.write(short, tracecodec.open(o.trace).limit(few).records())
        for what in 'records', 'columns':
            ours, theirs = peak(what, o.compressed), peak(what, short)
            add(f'peak of memory, {what} of {n:,} from a `.xz`', f'{ours:.0f} MiB', f'of {few:,}', f'{theirs:.0f} MiB',
                f'{ours / theirs:.2f}', 'at most 64 MiB', ours <= 64)
    text = (f'{processor()}, {platform.system()}, Python {platform.python_version()}, NumPy {numpy.__version__}; '
            f'{n:,} records, medians of {o.repetitions}.\n\n'
            '| Python | | beside it | | ratio | aim |\n|---|---|---|---|---|---|\n' + '\n'.join(rows) + '\n')
    return text, missed


def main():
    if sys.argv[1:2] == ['--pass']:
        return run_pass(sys.argv[2], sys.argv[3:])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--baseline', required=True, help='the built program python_baseline')
    p.add_argument('--repetitions', type=int, default=15)
    p.add_argument('--write', type=pathlib.Path, metavar='PAGE')
    p.add_argument('trace')
    p.add_argument('compressed')
    o = p.parse_args()
    text, missed = measure(o)
    print(text, end='')
    if o.write:
        page = o.write.read_text()
        o.write.write_text(re.sub(r'(<!-- measured -->\n).*?(<!-- /measured -->)', lambda m: m[1] + text + m[2], page,
                                  flags=re.S))
    if missed:
        sys.exit('missed: ' + '; '.join(missed))


if __name__ == '__main__':
    main()
