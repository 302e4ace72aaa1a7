"""Tests that threads that request the first arrays, before NumPy is imported, do not deadlock."""
import os
import pathlib
import subprocess
import sys
import unittest

DATA = pathlib.Path(os.environ.get('TRACECODEC_DATA', pathlib.Path(__file__).parents[1] / 'data')).resolve()
PROGRAM = """
import sys, threading
import tracecodec
assert 'numpy' not in sys.modules
trace = tracecodec.open(sys.argv[1])
counted = []
begin = threading.Barrier(8)

def of_instructions(part):
    begin.wait()
    counted.append(sum(len(batch.ip) for batch in trace.shard(part, 4).instructions(['ip'])))

def of_records(part):
    begin.wait()
    counted.append(sum(len(array) for array in trace.shard(part, 4).records()))

all = [threading.Thread(target=work, args=[part]) for part in range(4) for work in (of_instructions, of_records)]
for one in all: one.start()
for one in all: one.join()
print(sum(counted))
"""


QUESTIONS = """
import sys, threading
import tracecodec

traces = [tracecodec.open(path) for path in sys.argv[1:]]
begin = threading.Barrier(8)

def memory(trace):
    begin.wait()
    trace.memory(0x1000, 8, at=5)

def metadata(trace):
    begin.wait()
    trace.metadata

all = [threading.Thread(target=work, args=[trace]) for _ in range(4) for work, trace in zip((memory, metadata), traces)]
for one in all: one.start()
for one in all: one.join()
print('done')
"""


WITHIN = """
import sys
import tracecodec
trace = tracecodec.open(sys.argv[1])

class Finder:
    # As a handler of signals that comes while NumPy is imported.
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == 'numpy.linalg':
            try:
                len(trace.records().read())
            except (AttributeError, ImportError):  # NumPy is not whole
                print('refused')
        return None

sys.meta_path.insert(0, Finder)
print(sum(len(array) for array in trace.records()))
"""


class FirstThreads(unittest.TestCase):
    def test_in_the_midst_of_it(self):
        done = subprocess.run([sys.executable, '-c', WITHIN, str(DATA / 'sed64.champsimtrace.xz')],
                              stdout=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout.split()[-1]), (0, '50000'))

    def test_questions(self):
        for _ in range(2):
            done = subprocess.run([sys.executable, '-c', QUESTIONS, str(DATA / 'umtracer/plain64'),
                                   str(DATA / 'rapidbin/r250.data')], stdout=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (0, 'done\n'))

    def test_import_numpy_together(self):
        for _ in range(3):
            done = subprocess.run([sys.executable, '-c', PROGRAM, str(DATA / 'sed64.champsimtrace.xz')],
                                  stdout=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (0, '100000\n'))


if __name__ == '__main__':
    unittest.main()
