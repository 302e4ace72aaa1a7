# Tests lifetimes: arrays outlive the trace, files are closed in time, and memory does not grow with a trace's
# length.
import gc
import io
import lzma
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from shared import CHAMPSIM, SANITIZED, instructions, raw, refused, sample
import numpy
import support
import tracecodec


def mapped(path):
    with open('/proc/self/maps') as f:
        return path in f.read()


def resident():
    with open('/proc/self/statm') as f:
        return int(f.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')


# Program for a separate interpreter. It prints the results that a child process gets from each inherited iterator,
# and from a new one.
FORKS = r'''
import os, signal, sys
import tracecodec
signal.alarm(100)
for arguments in sys.argv[1:]:
    path, _, threads = arguments.partition(':')
    trace = tracecodec.open(path, threads=int(threads) if threads else None)
    unused = tracecodec.open(path, threads=int(threads) if threads else None)
    for part in (trace.instructions(['ip']), trace.records()):
        live = iter(part)
        n = len(next(live))
        child = os.fork()
        if child == 0:
            signal.alarm(100)
            try:
                print('goes on', n + sum(map(len, live)), end=', ')
            except tracecodec.TraceError as e:
                print(e.code, 'fork()' in str(e), end=', ')
            del live
            print('anew', sum(map(len, unused)), sum(map(len, trace.instructions(['ip']))), flush=True)
            sys.exit()
        status = os.waitpid(child, 0)[1]
        if threads != '1':
            n += sum(map(len, live))
        print('parent', n, status, flush=True)
'''


@unittest.skipUnless(hasattr(os, 'fork'), 'no fork()')
class Forks(unittest.TestCase):
    """Tests forks. Threads are not inherited, so objects that use threads raise an error in the child, and nothing
    waits for these threads."""

    def said(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            many = b''.join([raw()] * 8)
            xz, pack = os.path.join(folder, 'many.xz'), os.path.join(folder, 'many.tpack')
            with open(xz, 'wb') as f:  # in blocks, like xz -T2
                f.write(subprocess.run(['xz', '-T2', '--block-size=1MiB', '-1c'], input=many, stdout=subprocess.PIPE,
                                       check=True).stdout)
            tracecodec.write(pack, numpy.frombuffer(many, CHAMPSIM))
            r = subprocess.run([sys.executable, '-c', FORKS, *(a.format(xz=xz, pack=pack) for a in arguments)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=150)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        return r.stdout.decode().splitlines(), len(many) // 64

    @unittest.skipIf(SANITIZED, 'a child waits for what other threads were allocating with a sanitizer when it began')
    @support.needs('xz', 'zstd')
    @unittest.skipUnless(shutil.which('xz'), 'no xz')
    def test_live_iterators(self):
        lines, n = self.said('{pack}:4', '{pack}:2', '{xz}', '{xz}:3')
        self.assertEqual(lines, ['refused True, anew %d %d' % (n, n), 'parent %d 0' % n] * 8)
        # Iterators without threads continue.
        lines, n = self.said('{pack}:1', '{xz}:1')
        self.assertEqual([line for line in lines if not line.startswith('parent')],
                         ['goes on %d, anew %d %d' % (n, n, n)] * 4)

    def test_sub_interpreters(self):
        """Tests that importing the package in a sub-interpreter is an error, before and after the first
        interpreter imports it."""
        code = r'''
import importlib, sys
try:
    from _xxsubinterpreters import create, run_string
except ImportError:
    sys.exit(77)
inner = "try:\n import tracecodec\nexcept ImportError as e:\n print(e, flush=True)"
run_string(create(), inner)
import tracecodec
run_string(create(), inner)
kept = sys.modules.pop("tracecodec._core")
print(importlib.import_module("tracecodec._core").Origin is kept.Origin)
'''
        r = subprocess.run([sys.executable, '-c', code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
        if r.returncode == 77:
            self.skipTest('no sub-interpreters')
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        one, two, same = r.stdout.decode().splitlines()
        self.assertIn('sub-interpreter', one)
        self.assertEqual((two, same), (one, 'True'))

    def test_more_threads_than_there_may_be(self):
        for threads in (65, 10**6):
            with self.assertRaisesRegex(ValueError, 'threads: expected at most 64, got %d' % threads):
                tracecodec.open(sample('sed64.champsimtrace.xz'), threads=threads)
        self.assertRaises(TypeError, tracecodec.open, sample('sed64.champsimtrace.xz'), threads=1 << 64)
        tracecodec.open(sample('sed64.champsimtrace.xz'), threads=64).close()


@unittest.skipUnless(os.path.exists('/proc/self/maps'), 'no /proc that tells what is mapped')
class Mapped(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, 'x.trace')
        with open(self.path, 'wb') as f:
            f.write(raw())
        self.expected = numpy.frombuffer(raw(), CHAMPSIM)

    def tearDown(self):
        self.folder.cleanup()

    def test_one_array_without_a_copy(self):
        arrays = list(tracecodec.open(self.path).records())
        self.assertEqual(len(arrays), 1)
        array = arrays[0]
        self.assertFalse(array.flags.owndata)
        self.assertFalse(array.flags.writeable)
        self.assertRaises(ValueError, array['ip'].__setitem__, 0, 1)
        self.assertRaises(ValueError, array.setflags, write=True)
        numpy.testing.assert_array_equal(array, self.expected)
        # The array is in the mapped page of the file itself.
        address = array.__array_interface__['data'][0]
        with open('/proc/self/maps') as f:
            place = next(line for line in f if self.path in line)
        begin, end = (int(x, 16) for x in place.split()[0].split('-'))
        self.assertTrue(begin <= address < end)

    def test_the_file_is_kept_as_long_as_an_array(self):
        trace = tracecodec.open(self.path)
        array = trace.records().read()
        ip = array['ip'][100:]
        trace.close()
        del trace, array
        gc.collect()
        os.remove(self.path)
        self.assertTrue(mapped(self.path))
        numpy.testing.assert_array_equal(ip, self.expected['ip'][100:])
        del ip
        gc.collect()
        self.assertFalse(mapped(self.path))

    def test_a_file_that_is_replaced(self):
        array = tracecodec.open(self.path).records().read()
        trace = tracecodec.open(self.path)
        other = os.path.join(self.folder.name, 'y')
        with open(other, 'wb') as f:
            f.write(raw('work32'))
        os.replace(other, self.path)
        numpy.testing.assert_array_equal(array, self.expected)
        # The trace was opened before the change.
        numpy.testing.assert_array_equal(trace.records().read(), self.expected)
        numpy.testing.assert_array_equal(trace.records().read(), numpy.frombuffer(raw('work32'), CHAMPSIM))

    def test_a_relative_path_is_of_the_folder_it_was_opened_in(self):
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder.name)
        shutil.copy(sample('rapidbin/r250.data'), 'r.data')
        shutil.copy(sample('rapidbin/r250.json'), 'other.json')
        trace = tracecodec.open('x.trace')
        events = tracecodec.open('r.data', metadata='other.json')
        self.assertEqual(trace.count(), 50000)
        locks = events.metadata.locks
        os.chdir(before)
        self.assertEqual((trace.count(), trace.name), (50000, 'x.trace'))
        self.assertEqual(instructions(trace, 'ip').ip.tolist(), self.expected['ip'].tolist())
        self.assertEqual((events.count(), events.metadata.locks), (256, locks))
        self.assertEqual(len(trace.records().read()), 50000)
        # Its former folder no longer exists.
        os.chdir(self.folder.name)
        trace = tracecodec.open('x.trace')
        trace.instructions(['ip']).read()
        os.chdir(before)
        os.remove(self.path)
        refused(self, 'system', lambda: trace.instructions(['ip']).read())

    def test_nothing_is_kept_without_need(self):
        with tracecodec.open(self.path) as trace:
            batches = iter(trace.instructions(['ip']))
            next(batches)
        del batches
        gc.collect()
        self.assertFalse(mapped(self.path))


class Kept(unittest.TestCase):
    def test_batches_outlive_what_made_them(self):
        expected = numpy.frombuffer(raw(), CHAMPSIM)['ip']
        kept = [b.ip for b in tracecodec.open(support.SED).instructions(['ip'])]
        records = list(tracecodec.open(support.SED).records(1000))
        gc.collect()
        numpy.testing.assert_array_equal(numpy.concatenate(kept), expected)
        numpy.testing.assert_array_equal(numpy.concatenate(records)['ip'], expected)
        for a in kept:
            self.assertFalse(a.flags.writeable)
        # Arrays that were read into memory are writable.
        records[0]['ip'][:] = 0

    def test_bytes_are_kept(self):
        array = tracecodec.open(bytes(bytearray(raw()))).records().read()
        gc.collect()
        numpy.testing.assert_array_equal(array, numpy.frombuffer(raw(), CHAMPSIM))
        held = bytearray(raw())
        trace = tracecodec.open(held)
        self.assertRaises(BufferError, held.append, 1)
        trace.close()
        del trace
        gc.collect()
        held.append(1)

    def test_counts_of_references(self):
        f = io.BytesIO(raw())
        content = raw()
        before = sys.getrefcount(f), sys.getrefcount(content)
        for _ in range(50):
            f.seek(0)
            tracecodec.open(f).records().read()
            tracecodec.open(content).records().read()
            instructions(tracecodec.open(content), 'ip', 'memory')
            tracecodec.open(content).__arrow_c_stream__()
            for name in ('nothing', 'nowhere'):
                try:
                    tracecodec.open(name)
                except tracecodec.TraceError:
                    pass
        gc.collect()
        self.assertEqual((sys.getrefcount(f), sys.getrefcount(content)), before)

    @unittest.skipUnless(os.path.exists('/proc/self/statm'), 'no /proc that tells how much is used')
    def test_memory_does_not_grow(self):
        def work():
            for b in tracecodec.open(support.SED).instructions(['ip', 'memory', 'source_registers']):
                b.ip, b.memory, b.source_registers
            for a in tracecodec.open(support.SED).records():
                a['ip']
        for _ in range(20):
            work()
        before = resident()
        for _ in range(60):
            work()
        self.assertLess(resident() - before, 24 << 20)

    @unittest.skipIf(SANITIZED, 'sanitizers take memory of their own')
    @support.needs('xz')
    def test_a_long_trace_takes_no_more(self):
        program = ('import resource, sys, tracecodec, numpy\n'
                   'n = sum(len(a) for a in tracecodec.open(sys.argv[1]).records())\n'
                   'n += sum(len(b.ip) for b in tracecodec.open(sys.argv[1]).instructions(["ip", "memory"]))\n'
                   'print(n, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n')
        used = {}
        with tempfile.TemporaryDirectory() as folder:
            for times in (1, 60):
                path = os.path.join(folder, f'{times}.xz')
                with lzma.open(path, 'wb', preset=0) as f:
                    for _ in range(times):
                        f.write(raw())
                n, used[times] = map(int, subprocess.run([sys.executable, '-c', program, path], capture_output=True,
                                                         check=True, text=True).stdout.split())
                self.assertEqual(n, 2 * 50000 * times)
        # In KiB, for 60 times the length, 192 MB.
        self.assertLess(used[60] - used[1], 32 << 10)


if __name__ == '__main__':
    support.main()
