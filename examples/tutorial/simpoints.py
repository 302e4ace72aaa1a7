#!/usr/bin/env python3
"""Records the parts of a program that represent the whole run, each with its weight (SimPoint's method).

  tracecodec-simpoints -o OUT.champsimtrace.zst [--interval N] [--points K] -- PROGRAM [ARGUMENT...]

The program runs once to collect the vectors of its intervals (trace_record --bbv), and once more for each point. The
vectors are projected to 15 dimensions and grouped by k-means. The interval in the middle of each group is recorded;
its weight is the group's share of the instructions. Needs NumPy (Debian: python3-numpy). The program must behave the
same in each run and gets no standard input."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    np = None

DIMENSIONS = 15


class Parser(argparse.ArgumentParser):
    def format_help(self):
        """Formats --help like the other programs. The program to run is declared last."""
        lines = ['  %-26s  %s\n' % (' '.join(filter(None, (','.join(a.option_strings), a.metavar))), a.help)
                 for a in self._actions]
        return '%s\nUsage: %s [OPTIONS] PROGRAM...\n\nPositionals:\n%s\nOptions:\n%s' % (
            self.description, self.prog, lines[-1], ''.join(lines[:-1]))


def environment():
    """Returns the original environment, in order, without the LC_CTYPE that Python adds in the C locale (PEP 538)."""
    try:
        with open('/proc/self/environ', 'rb') as f:
            entries = [entry.partition(b'=') for entry in f.read().split(b'\0')]
    except OSError:
        return dict(os.environb)
    variables = {}
    for name, equals, value in entries:
        if name and equals:
            variables.setdefault(name, value)  # getenv() also returns the first value
    return variables


def vectors_of(path):
    """Returns the randomly projected distribution over the basic blocks and the instruction count of each interval."""
    random = np.random.default_rng(1)
    directions, rows, sizes = np.empty((0, DIMENSIONS)), [], []
    with open(path, encoding='ascii') as lines:
        for line in lines:
            numbers, counts = np.array([pair.split(':')[1:] for pair in line[1:].split()], dtype=float).T
            blocks = numbers.astype(int) - 1
            missing = blocks.max() + 1 - len(directions)
            if missing > 0:
                directions = np.vstack([directions, random.uniform(-1, 1, (missing, DIMENSIONS))])
            rows.append(counts / counts.sum() @ directions[blocks])
            sizes.append(counts.sum())
    return np.array(rows), np.array(sizes)


def grouped(x, k, random):
    """Returns the group of each vector and the groups' centres, by k-means with distant first centres (k-means++)."""
    middles = x[[random.integers(len(x))]]
    while len(middles) < k:
        far = ((x[:, None] - middles) ** 2).sum(2).min(1)
        if far.sum() == 0:
            break
        middles = np.vstack([middles, x[random.choice(len(x), p=far / far.sum())]])
    for _ in range(100):
        group = ((x[:, None] - middles) ** 2).sum(2).argmin(1)
        moved = np.array([x[group == g].mean(0) if (group == g).any() else m for g, m in enumerate(middles)])
        if np.allclose(moved, middles):
            break
        middles = moved
    return group, middles


def score(x, group, middles):
    """Returns the Bayesian information criterion, which weighs the fit against the number of groups."""
    n, k = len(x), len(middles)
    variance = max(((x - middles[group]) ** 2).sum() / max(n - k, 1) / x.shape[1], 1e-12)
    sizes = np.unique(group, return_counts=True)[1]
    likelihood = (sizes * np.log(sizes / n)).sum() - n * x.shape[1] / 2 * np.log(2 * np.pi * variance) - n / 2
    return likelihood - k * (x.shape[1] + 1) / 2 * np.log(n)


def chosen(x, sizes, most):
    """Returns the numbers of the chosen intervals and their weights."""
    random = np.random.default_rng(1)
    tried = [grouped(x, k, random) for k in range(1, min(most, len(x)) + 1)]
    scores = np.array([score(x, *t) for t in tried])
    # Choose the smallest number of groups whose score is nearly the best.
    good = scores >= scores.min() + 0.9 * (scores.max() - scores.min())
    group, middles = tried[int(np.argmax(good))]
    points = []
    for g in np.unique(group):
        members = np.flatnonzero(group == g)
        nearest = members[((x[members] - middles[g]) ** 2).sum(1).argmin()]
        points.append((int(nearest), sizes[members].sum() / sizes.sum()))
    return sorted(points)


def main():
    parser = Parser(prog='tracecodec-simpoints', add_help=False, description=' '.join(
        __doc__.split('\n', maxsplit=1)[0].split() + __doc__.split('\n\n')[2].split()))
    parser.add_argument('-h', '--help', action='help', help='Print this help message and exit')
    parser.add_argument('-o', required=True, metavar='OUT', help='The traces: OUT with a number before its suffix')
    parser.add_argument('--interval', type=int, default=10_000_000, metavar='N',
                        help='Instructions per part (default 10000000)')
    parser.add_argument('--points', type=int, default=10, metavar='K', help='Record at most K parts (default 10)')
    beside = shutil.which('trace_record', path=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument('--trace-record', default=beside or 'trace_record', metavar='FILE',
                        help='The program that records (default: the one next to this script, else the one in PATH)')
    parser.add_argument('--version', action='version', version='tracecodec-simpoints @VERSION@ (tracecodec)',
                        help='Print the version, and exit')
    parser.add_argument('command', nargs='+', metavar='PROGRAM', help='The program and its arguments, after --')
    o = parser.parse_args()
    if np is None:
        sys.exit('tracecodec-simpoints: NumPy is not installed (Debian: python3-numpy)')
    if o.interval < 1 or o.points < 1:
        parser.error('--interval and --points must be at least 1')

    def record(*options, of=o.command):
        # If trace_record fails, its status is 125, or negative after a signal. Others are the program's.
        status = subprocess.run([o.trace_record, '-q', '--engine', 'qemu', *options, '--', *of],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment()).returncode
        if status < 0 or status == 125:
            sys.exit('tracecodec-simpoints: %s failed' % o.trace_record)

    stem, _, suffix = os.path.basename(o.o).partition('.')
    suffix = suffix or 'champsim'
    with tempfile.TemporaryDirectory() as folder:
        # An unsupported suffix fails here at once, not after a whole run.
        record('-o', os.path.join(folder, 'a.' + suffix), '-t', '1', of=['true'])
        vectors = os.path.join(folder, 'vectors.bb')
        record('-o', '/dev/null', '-t', 'all', '--bbv', vectors, '--interval', str(o.interval))
        x, sizes = vectors_of(vectors)
    print('weight   interval  trace')
    for interval, weight in chosen(x, sizes, o.points):
        out = os.path.join(os.path.dirname(o.o), '%s.%d.%s' % (stem, interval, suffix))
        record('-o', out, '-s', str(interval * o.interval), '-t', str(o.interval))
        print('%.4f %10d  %s' % (weight, interval, out))


if __name__ == '__main__':
    main()
