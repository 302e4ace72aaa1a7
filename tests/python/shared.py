# Helpers for the tests of the Python package. Command-line arguments are those of the tests in ../tools, which have
# their own readers of the formats.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
import support  # noqa: E402

import numpy  # noqa: E402
import tracecodec  # noqa: E402

DATA = os.environ['TRACECODEC_DATA']

# Written by hand from the formats' specifications.
CHAMPSIM = numpy.dtype([('ip', '<u8'), ('is_branch', 'u1'), ('branch_taken', 'u1'), ('destination_registers', 'u1', 2),
                        ('source_registers', 'u1', 4), ('destination_memory', '<u8', 2), ('source_memory', '<u8', 4)])
CLOUDSUITE = numpy.dtype({'names': ['ip', 'is_branch', 'branch_taken', 'destination_registers', 'source_registers',
                                    'destination_memory', 'source_memory', 'asid'],
                          'formats': ['<u8', 'u1', 'u1', '4u1', '4u1', '4<u8', '4<u8', '2u1'],
                          'offsets': [0, 8, 9, 10, 14, 24, 56, 88], 'itemsize': 96})


# The preloaded sanitizer runtime is for the interpreter; programs have their own.
SANITIZED = 'LD_PRELOAD' in os.environ
FOR_PROGRAMS = {name: value for name, value in os.environ.items() if name != 'LD_PRELOAD'}


def sample(name):
    return os.path.join(DATA, name)


def raw(name='sed64'):
    """Returns the decompressed bytes of a ChampSim sample."""
    return support.content(support.data(name))


def instructions(trace, *columns, **more):
    return trace.instructions(list(columns), **more).read()


def refused(test, code, call, *args, **more):
    """Returns the TraceError with this code that a call raises."""
    with test.assertRaises(tracecodec.TraceError) as caught:
        call(*args, **more)
    test.assertEqual(caught.exception.code, code, str(caught.exception))
    return caught.exception
