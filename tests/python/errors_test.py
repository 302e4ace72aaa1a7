# Tests the Python package's errors for bad files and bad arguments, and that Ctrl-C interrupts long operations.
import gzip
import io
import lzma
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

from shared import CHAMPSIM, instructions, raw, refused, sample
import support
import tracecodec


class Errors(unittest.TestCase):
    def delivered(self, batches):
        """Returns the data before the error, and the error."""
        got = []
        with self.assertRaises(tracecodec.TraceError) as caught:
            for b in batches:
                got.append(b)
        return got, caught.exception

    def test_cut_at_every_byte_of_a_record(self):
        content = raw()[:64 * 5]
        for cut in range(64 * 4, 64 * 5):
            for source in (content[:cut], io.BytesIO(content[:cut])):
                trace = tracecodec.open(source, format='champsim')
                if cut == 64 * 4:
                    self.assertEqual(len(trace.records().read()), 4)
                    continue
                got, error = self.delivered(trace.records())
                self.assertEqual(b''.join(a.tobytes() for a in got), content[:64 * 4])
                self.assertEqual((error.code, error.record, error.file), ('truncated', 4, trace.name))
                self.assertEqual(error.offset, 64 * 4 + max(
                    CHAMPSIM.fields[n][1] for n in CHAMPSIM.names if CHAMPSIM.fields[n][1] <= cut - 64 * 4))
                self.assertIn(error.field, CHAMPSIM.names)
                self.assertIn(error.message, str(error))
        for cut in (64 * 4 + 1, 64 * 5 - 1):
            got, error = self.delivered(tracecodec.open(content[:cut]).instructions(['ip']))
            self.assertEqual((sum(map(len, got)), error.code, error.record), (4, 'truncated', 4))
            got, error = self.delivered(tracecodec.open(content[:cut]).instructions(['ip'], batch=100000))
            self.assertEqual((sum(map(len, got)), error.code), (4, 'truncated'))

    def test_damaged_compression(self):
        packed = bytearray(gzip.compress(raw()))
        if 'gzip' in support.CODECS:
            got, error = self.delivered(tracecodec.open(bytes(packed[:len(packed) // 2])).records(100))
            self.assertEqual(error.code, 'truncated')
            self.assertGreater(len(got), 10)
            self.assertEqual(b''.join(a.tobytes() for a in got), raw()[:sum(a.nbytes for a in got)])
        if 'xz' in support.CODECS:
            packed = bytearray(lzma.compress(raw()))
            packed[len(packed) // 2] ^= 1
            got, error = self.delivered(tracecodec.open(bytes(packed)).records(100))
            self.assertEqual(error.code, 'corrupt')

    def test_no_traces(self):
        for source, code in ((sample('README.md'), 'not_a_trace'), (b'', 'not_a_trace'), ('missing', 'system'),
                             (os.path.dirname(sample('x')), 'not_a_trace'), (b'\x7fELF' + bytes(1000), 'not_a_trace')):
            error = refused(self, code, tracecodec.open, source)
            self.assertEqual(error.file, source if isinstance(source, str) else '<bytes>')
        trace = tracecodec.open(b'', format='champsim')
        refused(self, 'not_a_trace', trace.records().read)
        refused(self, 'not_a_trace', instructions, trace, 'ip')

    def test_a_cut_is_told_by_the_last_part(self):
        sources = [raw()[:64 * 1000 + 7]]
        if 'gzip' in support.CODECS:
            sources.append(gzip.compress(sources[0]))
        for source in sources:
            for part in (0, 1, 2):
                shard = tracecodec.open(source).shard(part, 3)
                self.assertEqual(shard.count(), 333 + (part == 2))
                for batches in (shard.records(50), shard.instructions(['ip'])):
                    if part != 2:
                        self.assertEqual(sum(map(len, batches)), 333)
                        continue
                    got, error = self.delivered(batches)
                    self.assertEqual((sum(map(len, got)), error.code, error.record), (334, 'truncated', 1000))

    @support.needs('simdjson', 'zydis')
    def test_x64dbg_and_rapidbin(self):
        content = support.content(sample('threads3_64.trace64.xz'))
        whole = tracecodec.open(content).count()
        got, error = self.delivered(tracecodec.open(content[:len(content) // 2]).instructions(['ip']))
        self.assertEqual(error.code, 'truncated')
        self.assertTrue(whole // 3 < sum(map(len, got)) < whole)
        self.assertEqual(error.record, sum(map(len, got)))
        refused(self, 'refused', tracecodec.open(content).records)
        with open(sample('rapidbin/r250.data'), 'rb') as f:
            content = f.read()
        trace = tracecodec.open(content[:-3], format='rapidbin', metadata='')
        got, error = self.delivered(trace.records())
        self.assertEqual(error.code, 'truncated')
        self.assertEqual(sum(len(e.thread) for e in got), (len(content) - 18) // 8 - 1)

    def test_options_that_a_format_lacks(self):
        refused(self, 'refused', instructions, tracecodec.open(raw(), thread=3), 'ip')
        refused(self, 'refused', instructions, tracecodec.open(raw()), 'code')
        self.assertRaises(ValueError, tracecodec.open, raw(), format='elf')
        self.assertRaises(ValueError, tracecodec.open, raw(), compression='arj')
        self.assertRaises(ValueError, tracecodec.open, raw(), branch_rules=1999)
        self.assertRaises(TypeError, tracecodec.open, raw(), nothing=1)
        for name, value in (('threads', -1), ('thread', -1), ('memory', 'much'), ('thread', 2 ** 40), ('format', 3)):
            self.assertRaises(TypeError, tracecodec.open, raw(), **{name: value})
        self.assertRaises(TypeError, tracecodec.open, 7)
        self.assertRaises(TypeError, tracecodec.open, io.StringIO('text'))
        trace = tracecodec.open(raw())
        self.assertRaises(ValueError, trace.instructions, ['ip', 'nothing'])
        self.assertRaises(TypeError, trace.instructions, 'ip')
        self.assertRaises(ValueError, trace.instructions, ['ip'], batch=0)
        self.assertRaises(ValueError, trace.records, 0)
        b = instructions(trace, 'ip')
        self.assertRaises(KeyError, b.__getitem__, 'taken')
        self.assertRaises(AttributeError, getattr, b, 'taken')
        trace.close()
        self.assertRaises(ValueError, trace.records)
        self.assertEqual(repr(trace), '<Trace, closed>')

    def test_a_file_of_python_that_fails(self):
        class Failing(io.RawIOBase):
            def read(self, n=-1):
                raise PermissionError('not today')
        self.assertIn('not today', str(refused(self, 'system', tracecodec.open, Failing())))

        class TooMuch(io.RawIOBase):
            def read(self, n=-1):
                return bytes(n + 1)
        self.assertRaises(ValueError, tracecodec.open, TooMuch())

        class Later:
            def __init__(self):
                self.left = [raw()[:128000], raw()[128000:200000]]

            def read(self, n):
                if not self.left:
                    raise RuntimeError('gone')
                piece, self.left[0] = self.left[0][:n], self.left[0][n:]
                if not self.left[0]:
                    del self.left[0]
                return piece
        got, error = self.delivered(tracecodec.open(Later()).records())
        self.assertEqual(b''.join(a.tobytes() for a in got), raw()[:200000])
        self.assertIn('gone', error.message)

        class Interrupted(io.RawIOBase):
            def read(self, n=-1):
                raise KeyboardInterrupt
        self.assertRaises(KeyboardInterrupt, tracecodec.open, Interrupted())

    def test_what_a_file_of_python_has_read_before_it_fails(self):
        class Late:
            def __init__(self, end):
                self.left, self.end = raw()[:64 * 3000], end

            def read(self, n):
                if not self.left:
                    return self.end()
                piece, self.left = self.left[:n], self.left[n:]
                return piece

        def fails():
            raise OSError('gone')
        for size in (1000, 10 ** 6):
            for end, text in ((fails, 'gone'), (lambda: None, 'does not block')):
                got, error = self.delivered(
                    tracecodec.open(Late(end), format='champsim').instructions(['ip'], batch=size))
                self.assertEqual(sum(map(len, got)), 3000)
                self.assertEqual(error.code, 'system')
                self.assertIn(text, error.message)
        self.assertRaises(TypeError, tracecodec.open, Reversed(raw()[:6400]))

    def test_paths(self):
        for call in (lambda: tracecodec.open('a\0b'), lambda: tracecodec.write('a\0b', []),
                     lambda: tracecodec.convert('a', 'a\0b')):
            self.assertRaises(ValueError, call)

    @unittest.skipUnless(os.name == 'posix', 'threads of another kind')
    def test_the_end_of_the_interpreter_while_a_thread_reads(self):
        text = ('import sys, threading, time, tracecodec\n'
                'trace = tracecodec.open(sys.argv[1])\n'
                'def work():\n'
                '    while True:\n'
                '        for b in trace.instructions(["ip"]): pass\n'
                'for _ in range(3): threading.Thread(target=work, daemon=True).start()\n'
                'time.sleep(0.5)\n')
        for _ in range(3):
            done = subprocess.run([sys.executable, '-c', text, support.SED], timeout=60, stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr), (0, b''))

    def test_read_once(self):
        trace = tracecodec.open(io.BytesIO(raw()))
        refused(self, 'refused', trace.count)
        refused(self, 'refused', trace.shard(0, 2).records().read)
        self.assertEqual(len(trace.skip(10).limit(5).records().read()), 5)
        refused(self, 'refused', trace.records().read)

    def test_pickled(self):
        error = refused(self, 'truncated', list, tracecodec.open(raw()[:100]).records())
        again = pickle.loads(pickle.dumps(error))
        for name in ('code', 'file', 'offset', 'record', 'field', 'message'):
            self.assertEqual(getattr(again, name), getattr(error, name))
        self.assertEqual(str(again), str(error))

    @unittest.skipUnless(os.name == 'posix', 'names of files are text')
    def test_names_that_are_no_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(os.fsencode(folder), b'\xff.trace')
            with open(path, 'wb') as f:
                f.write(raw()[:100])
            trace = tracecodec.open(os.fsdecode(path))
            self.assertEqual(os.fsencode(trace.name), path)
            error = refused(self, 'truncated', list, trace.records())
            self.assertEqual(os.fsencode(error.file), path)

    def test_a_file_that_becomes_shorter(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'x.trace')
            with open(path, 'wb') as f:
                f.write(raw())
            batches = iter(tracecodec.open(path).instructions(['ip']))
            next(batches)
            os.truncate(path, 64 * 5000)
            got, error = self.delivered(batches)
            self.assertIn('became shorter', str(error))


class Warnings(unittest.TestCase):
    @unittest.skipUnless(hasattr(tracecodec._core, 'convert'), 'convert()')
    @support.needs('zstd')
    def test_of_a_conversion(self):
        with open(sample('tracepack/cloudsuite_high.tracepack'), 'rb') as f:
            pack = bytearray(f.read())
        pack[len(pack) // 2] ^= 1
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'x.tpack')
            with open(path, 'wb') as f:
                f.write(pack)
            with self.assertWarnsRegex(UserWarning, 'frame .* skipped'):
                tracecodec.convert(path, os.path.join(folder, 'out'), repair=True)

    @unittest.skipUnless('simdjson' in support.PARTS, 'simdjson')
    def test_of_several_threads(self):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter('always')
            trace = tracecodec.open(sample('rapidbin/r6000.data'), metadata=sample('rapidbin/r250.json'))

            def read():
                for _ in range(50):
                    trace.instructions(['ip']).read()
            threads = [threading.Thread(target=read) for _ in range(6)]
            for one in threads:
                one.start()
            for one in threads:
                one.join()
        self.assertIn('probably the metadata of another trace', str(told[0].message))
        self.assertEqual({str(one.message) for one in told}, {str(told[0].message)})
        self.assertEqual(len(told), 6 * 50)


class Reversed(io.BytesIO):
    def read(self, n=-1):
        return memoryview(super().read(n))[::-1]


@unittest.skipUnless(os.name == 'posix', 'signals')
class Interruption(unittest.TestCase):
    PROLOGUE = ('import sys, tracecodec\n'
                'def work():\n    %s\n'
                'print("ready", flush=True)\n'
                'try:\n    work()\nexcept KeyboardInterrupt:\n    print("interrupted")\n'
                'else:\n    print("ended")\n')

    def interrupted(self, text, prepare=None):
        p = subprocess.Popen([sys.executable, '-c', self.PROLOGUE % text], stdout=subprocess.PIPE, text=True)
        self.assertEqual(p.stdout.readline(), 'ready\n')
        time.sleep(0.3)
        p.send_signal(signal.SIGINT)
        begin = time.monotonic()
        out = p.communicate(timeout=60)[0]
        self.assertEqual(out, 'interrupted\n', text)
        return time.monotonic() - begin

    def test_waiting_for_a_pipe(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'pipe')
            os.mkfifo(path)
            self.interrupted('tracecodec.open(%r)' % path)
            # The pipe's other end is open but silent.
            end = os.open(path, os.O_RDWR)
            try:
                self.interrupted('tracecodec.open(%r)' % path)
                os.write(end, raw()[:4096])
                self.interrupted('list(tracecodec.open(%r, format="champsim").records())' % path)
            finally:
                os.close(end)

    @support.needs('gzip')
    def test_long_calls(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'x.gz')
            piece = gzip.compress(raw(), 1)
            with open(path, 'wb') as f:
                for _ in range(600):  # 2 GB
                    f.write(piece)
            for call in ('count()', 'skip(10 ** 9).records().read()', 'records().read()', 'shard(1, 2).count()',
                         'instructions(["ip"]).read()'):
                self.interrupted('tracecodec.open(%r).%s' % (path, call))
            out = os.path.join(folder, 'out.trace')
            if hasattr(tracecodec._core, 'convert'):
                self.interrupted('tracecodec.convert(%r, %r)' % (path, out))
            self.assertEqual(os.listdir(folder), ['x.gz'])

    @support.needs('xz')
    def test_compression(self):
        # One block of .xz: liblzma returns nothing before the end of its input.
        records = 'numpy.random.default_rng(1).integers(0, 200, (%d, 64), "u1").view(tracecodec.dtype("champsim"))[:, 0]'
        write = 'import numpy; tracecodec.write(%r, ' + records + ')'
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'x.champsimtrace.xz')
            begin = time.monotonic()
            subprocess.run([sys.executable, '-c', 'import tracecodec; ' + write % (path, 1 << 16)], check=True)
            whole = time.monotonic() - begin
            os.remove(path)
            self.assertLess(self.interrupted(write % (path, 1 << 16)), whole / 2)
            self.assertEqual(os.listdir(folder), [])

    @support.needs('gzip')
    def test_a_handler_that_reads_and_converts(self):
        program = """
import os, signal, sys, numpy, tracecodec
source, out = sys.argv[1:]
done = []

def ring(*_):
    n = len(done)
    if n < 3:
        done.append(None)
        if hasattr(tracecodec._core, "convert"):
            tracecodec.convert(source, out + str(n) + ".champsimtrace", limit=1000)
        done[n] = len(tracecodec.open(source).limit(500).records().read())
        if n < 2:
            signal.setitimer(signal.ITIMER_REAL, 0.02)

signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.02)
n = 0
while len(done) < 3 or None in done:
    n = tracecodec.open(source).count()
print(n, *done)
"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'x.gz')
            with open(path, 'wb') as f:
                f.write(gzip.compress(raw(), 1) * 20)
            p = subprocess.run([sys.executable, '-c', program, path, os.path.join(folder, 'out')],
                               stdout=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual((p.returncode, p.stdout), (0, '1000000 500 500 500\n'))
            if hasattr(tracecodec._core, 'convert'):
                for n in range(3):
                    self.assertEqual(tracecodec.open(os.path.join(folder, 'out%d.champsimtrace' % n)).count(), 1000)

    @unittest.skipUnless(hasattr(tracecodec._core, 'convert'), 'convert()')
    @support.needs('gzip')
    def test_other_threads_go_on(self):
        program = """
import sys, threading, time, tracecodec
source, out = sys.argv[1:]
worker = threading.Thread(target=tracecodec.convert, args=[source, out])
try:
    worker.start()
    print("ready", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    print("interrupted")
worker.join()
"""
        with tempfile.TemporaryDirectory() as folder:
            path, out = (os.path.join(folder, name) for name in ('x.gz', 'out.champsimtrace'))
            with open(path, 'wb') as f:
                f.write(gzip.compress(raw(), 1) * 40)  # 128 MB
            p = subprocess.Popen([sys.executable, '-c', program, path, out], stdout=subprocess.PIPE, text=True)
            self.assertEqual(p.stdout.readline(), 'ready\n')
            p.send_signal(signal.SIGINT)
            self.assertEqual((p.communicate(timeout=60)[0], p.returncode), ('interrupted\n', 0))
            self.assertEqual(tracecodec.open(out).count(), 2000000)


if __name__ == '__main__':
    support.main()
