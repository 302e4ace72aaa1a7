#!/usr/bin/env python3
"""Records the parts of a program that stand for all of it, each with its weight (SimPoint's method).

  tracecodec-simpoints -o OUT.champsimtrace.zst [--interval N] [--points K] -- PROGRAM [ARGUMENT...]

The program runs once for the vectors of its intervals (trace_record --bbv), and once more for each point. Vectors
are projected to 15 dimensions and grouped by k-means; of each group the interval in its middle is recorded. Its
weight is the group's share of the instructions. Needs NumPy (Debian: python3-numpy). The program must do the same
each time; it reads nothing from standard input."""
import argparse
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    np = None

VERSION = '@VERSION@'
DIMENSIONS = 15


class Parser(argparse.ArgumentParser):
    """With --help in the form that the other programs have."""

    def format_help(self):
        def lines(actions):
            for a in actions:
                names = ','.join(a.option_strings) or a.metavar
                of_type = ' ' + a.metavar if a.option_strings and a.metavar else ''
                yield '  %-26s  %s\n' % (names + of_type, a.help)

        named = [a for a in self._actions if a.option_strings]
        return '%s\nUsage: %s [OPTIONS] PROGRAM...\n\nPositionals:\n%s\nOptions:\n%s' % (
            self.description, self.prog, ''.join(lines(a for a in self._actions if a not in named)), ''.join(lines(named)))


def environment():
    """What this was started with, in its order. Python itself adds LC_CTYPE where the locale is C (PEP 538), with which
    a program would do other things than trace_record alone records."""
    try:
        with open('/proc/self/environ', 'rb') as f:
            entries = f.read().split(b'\0')
    except OSError:
        return dict(os.environb)
    all_of_it = {}
    for entry in entries:
        name, equals, value = entry.partition(b'=')
        if name and equals:
            all_of_it.setdefault(name, value)  # getenv() finds the first, too
    return all_of_it


def vectors_of(path):
    """Of each interval how its instructions are shared out among the blocks, at random in few dimensions; and how
    many they are: the last interval may be short."""
    random = np.random.default_rng(1)
    directions = np.empty((0, DIMENSIONS))
    rows, sizes = [], []
    with open(path, encoding='ascii') as lines:
        for line in lines:
            pairs = [pair.split(':')[1:] for pair in line[1:].split()]
            blocks = np.array([int(b) - 1 for b, _ in pairs])
            counts = np.array([float(n) for _, n in pairs])
            missing = blocks.max() + 1 - len(directions)
            if missing > 0:
                directions = np.vstack([directions, random.uniform(-1, 1, (missing, DIMENSIONS))])
            rows.append(counts / counts.sum() @ directions[blocks])
            sizes.append(counts.sum())
    return np.array(rows), np.array(sizes)


def grouped(x, k, random):
    """k-means: the group of each vector, and the middles; begun far apart (k-means++)."""
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
    """The Bayesian information criterion: how well so few groups tell all."""
    n, k = len(x), len(middles)
    variance = max(((x - middles[group]) ** 2).sum() / max(n - k, 1) / x.shape[1], 1e-12)
    sizes = np.bincount(group, minlength=k)
    sizes = sizes[sizes > 0]
    likelihood = (sizes * np.log(sizes / n)).sum() - n * x.shape[1] / 2 * np.log(2 * np.pi * variance) - n / 2
    return likelihood - k * (x.shape[1] + 1) / 2 * np.log(n)


def chosen(x, sizes, most):
    """The numbers of the intervals, and their weights."""
    random = np.random.default_rng(1)
    tried = [grouped(x, k, random) for k in range(1, min(most, len(x)) + 1)]
    scores = np.array([score(x, *t) for t in tried])
    # The fewest groups that are nearly as good as any.
    good = scores >= scores.min() + 0.9 * (scores.max() - scores.min())
    group, middles = tried[int(np.argmax(good))]
    points = []
    for g, middle in enumerate(middles):
        members = np.flatnonzero(group == g)
        if len(members):
            points.append((int(members[((x[members] - middle) ** 2).sum(1).argmin()]),
                           sizes[members].sum() / sizes.sum()))
    return sorted(points)


def main():
    parser = Parser(prog='tracecodec-simpoints', add_help=False, description=' '.join(
        __doc__.split('\n', maxsplit=1)[0].split() + __doc__.split('\n\n')[2].split()))
    parser.add_argument('-h', '--help', action='help', help='Print this help message and exit')
    parser.add_argument('-o', required=True, metavar='OUT', help='The traces: OUT with a number before its suffix')
    parser.add_argument('--interval', type=int, default=10_000_000, metavar='N',
                        help='Instructions of each part (default 10000000)')
    parser.add_argument('--points', type=int, default=10, metavar='K', help='As many parts at most (default 10)')
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'trace_record')
    parser.add_argument('--trace-record', default=beside if os.path.exists(beside) else 'trace_record', metavar='FILE',
                        help='The program that records (default: the one beside this one, else that of PATH)')
    parser.add_argument('--version', action='version', version='tracecodec-simpoints %s (tracecodec)' % VERSION,
                        help='Print the version, and exit')
    parser.add_argument('command', nargs='+', metavar='PROGRAM', help='The program and its arguments, behind --')
    o = parser.parse_args()
    if np is None:
        sys.exit('tracecodec-simpoints: NumPy is not there (Debian: python3-numpy)')
    if o.interval < 1 or o.points < 1:
        parser.error('--interval and --points are at least 1')

    env = environment()

    def record(*options, of=o.command):
        # 125 is its own failure, and a negative number the signal that ended it; all else is the program's.
        status = subprocess.run([o.trace_record, '-q', '--engine', 'qemu', *options, '--', *of],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=env,
                                check=False).returncode
        if status < 0 or status == 125:
            sys.exit('tracecodec-simpoints: %s has failed' % o.trace_record)

    stem, suffix = os.path.basename(o.o).partition('.')[::2]
    stem = os.path.join(os.path.dirname(o.o), stem)
    suffix = suffix or 'champsim'
    with tempfile.TemporaryDirectory() as folder:
        # A name that cannot be written is refused at once, not after a whole run.
        record('-o', os.path.join(folder, 'a.' + suffix), '-t', '1', of=['true'])
        vectors = os.path.join(folder, 'vectors.bb')
        record('-o', '/dev/null', '-t', 'all', '--bbv', vectors, '--interval', str(o.interval))
        x, sizes = vectors_of(vectors)
    print('weight   interval  trace')
    for interval, weight in chosen(x, sizes, o.points):
        out = '%s.%d.%s' % (stem, interval, suffix)
        record('-o', out, '-s', str(interval * o.interval), '-t', str(o.interval))
        print('%.4f %10d  %s' % (weight, interval, out))


if __name__ == '__main__':
    main()
