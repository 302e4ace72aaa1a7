#!/usr/bin/env python3
"""Converts a trace to a load trace, with which learning prefetchers are trained.

Writes a line for each load, in the format of the ML-based data prefetching competition's ChampSim:

  unique instruction id, cycle count, load address, instruction pointer of the load, LLC hit

Addresses are in hexadecimal, without 0x. Nothing is simulated. The cycle is an ESTIMATE: the id divided by --width,
as if each cycle executed --width instructions and no load ever waited. For the same reason the hit is always 0, and
the load trace contains all loads, not only those that reach the last cache."""
import argparse
import contextlib
import os
import signal
import stat
import sys

import numpy
import tracecodec


def lines_of(batch, width, hit):
    """Returns the loads of a batch as text."""
    memory = batch.memory
    loads = ~memory.values['write']
    row = numpy.repeat(numpy.arange(len(batch)), memory.counts)[loads]
    ids = batch.index[row]
    form = '%d, %d, %x, %x, 0\n' if hit else '%d, %d, %x, %x\n'
    columns = ids, ids // width, memory.values['address'][loads], batch.ip[row]
    return ''.join(map(form.__mod__, zip(*(column.tolist() for column in columns))))


@contextlib.contextmanager
def output(path):
    """Opens a file that appears under its name once it is complete. Writes directly to "-" and to irregular files."""
    if path == '-':
        yield sys.stdout
        sys.stdout.flush()
        return
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        with open(path, 'w', encoding='ascii') as out:
            yield out
        return
    part = f'{path}.{os.getpid()}.part'
    try:
        with open(part, 'x', encoding='ascii') as out:
            yield out
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(part)
        raise


def number(least):
    def parse(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected a number from {least}, got '{text}'")
        return int(text)
    return parse


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('trace', help='of any format; "-" is standard input')
    p.add_argument('out', nargs='?', default='-', help='a file; "-", the default, is standard output')
    p.add_argument('--limit', type=number(0), metavar='N', help='only the first N instructions')
    p.add_argument('--width', type=number(1), default=4, metavar='N', help='instructions of a cycle (4)')
    p.add_argument('--thread', type=number(0), metavar='ID', help='only those of this thread')
    p.add_argument('--no-hit', dest='hit', action='store_false', help='without the last column')
    o = p.parse_args()
    try:
        trace = tracecodec.open(o.trace, thread=o.thread)
        if o.limit is not None:
            trace = trace.limit(o.limit)
        with output(o.out) as out:
            for batch in trace.instructions(['index', 'ip', 'memory']):
                out.write(lines_of(batch, o.width, o.hit))
    except BrokenPipeError:
        # The reader has closed the pipe. Without dup2(), Python would try to write once more when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as e:
        print(f'error: {o.out}: {e.strerror}', file=sys.stderr)
        return 1
    except tracecodec.TraceError as e:
        print(f'error: {e}', file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    return 0


if __name__ == '__main__':
    sys.exit(main())
