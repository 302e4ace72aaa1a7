"""Compares the output of the programs of examples/tutorial/python with an independent reader of the bytes."""
import lzma
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get('TRACECODEC_DATA', ROOT / 'tests' / 'data')).resolve()
SED = DATA / 'sed64.champsimtrace.xz'
# ip, two flags, two and four registers, two addresses written, four addresses read.
RECORD = struct.Struct('<QBB2B4B2Q4Q')


def run(*arguments, **more):
    return subprocess.run([sys.executable, str(ROOT / 'examples' / 'tutorial' / 'python' / 'load_trace.py'), *map(str, arguments)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def loads_of(content, width=4, end='0'):
    """Yields the load trace for ChampSim's records."""
    for number, fields in enumerate(RECORD.iter_unpack(content[:len(content) // RECORD.size * RECORD.size])):
        for address in fields[-4:]:
            if address:
                yield f'{number}, {number // width}, {address:x}, {fields[0]:x}{end and ", " + end}\n'


class LoadTrace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = lzma.decompress(SED.read_bytes())

    def lines(self, *arguments, **more):
        done = run(*arguments, **more)
        self.assertEqual((done.returncode, done.stderr), (0, b''))
        return done.stdout.decode('ascii')

    def refused(self, done, *words, status=1):
        self.assertEqual(done.returncode, status)
        error = done.stderr.decode()
        self.assertEqual(error.count('\n'), 1, error)
        self.assertTrue(error.startswith('error: '), error)
        for word in words:
            self.assertIn(word, error)

    def test_is_what_the_records_say(self):
        self.assertEqual(self.lines(SED), ''.join(loads_of(self.content)))

    def test_limit_counts_instructions(self):
        for limit in 0, 1, 9, 4097, 1 << 40:
            self.assertEqual(self.lines('--limit', limit, SED), ''.join(loads_of(self.content[:RECORD.size * limit])))

    def test_width_changes_the_cycle_alone(self):
        for width in 1, 3, 1000:
            self.assertEqual(self.lines('--width', width, '--limit', 999, SED),
                             ''.join(loads_of(self.content[:RECORD.size * 999], width)))

    def test_without_the_hit(self):
        self.assertEqual(self.lines('--no-hit', '--limit', 99, SED),
                         ''.join(loads_of(self.content[:RECORD.size * 99], end='')))

    def test_reads_a_pipe(self):
        self.assertEqual(self.lines('-', input=self.content), ''.join(loads_of(self.content)))

    def test_addresses_of_64_bits(self):
        high = (1 << 64) - 8
        record = RECORD.pack(high, 0, 0, 1, 0, 2, 0, 0, 0, 0x5000, 0, high, 0x1010, high, 0)
        self.assertEqual(self.lines('-', input=record * 2), ''.join(loads_of(record * 2)))

    def test_one_thread(self):
        all_lines = self.lines(DATA / 'threads3_64.trace64.xz').splitlines()
        import tracecodec
        with tracecodec.open(DATA / 'threads3_64.trace64.xz') as trace:
            threads = trace.instructions(['thread']).read().thread.tolist()
        for thread in set(threads):
            self.assertEqual(self.lines('--thread', thread, DATA / 'threads3_64.trace64.xz').splitlines(),
                             [line for line in all_lines if threads[int(line.split(',')[0])] == thread])

    def test_a_file_has_its_name_when_it_is_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / 'loads.txt'
            self.assertEqual(self.lines('--limit', 500, SED, out), '')
            self.assertEqual(out.read_text(), ''.join(loads_of(self.content[:RECORD.size * 500])))
            out.unlink()
            self.refused(run('-', out, input=self.content[:6401]), 'record 100', 'offset 6400')
            self.assertEqual(list(out.parent.iterdir()), [])

    def test_what_is_whole_comes_before_the_error(self):
        done = run('-', input=self.content[:6401])
        self.assertEqual(done.stdout.decode(), ''.join(loads_of(self.content[:6400])))
        self.refused(done, 'record 100', 'offset 6400')

    def test_errors_are_one_line(self):
        self.refused(run('no such file'), 'no such file')
        self.refused(run(DATA / 'README.md'), 'not a trace')
        self.refused(run(SED, pathlib.Path(__file__) / 'below'), 'below: ')

    @unittest.skipUnless(os.path.exists('/dev/full'), 'no /dev/full')
    def test_a_full_disk(self):
        self.refused(run(SED, '/dev/full'), '/dev/full: ')

    def test_wrong_command_lines(self):
        for arguments in ['--width', '0', SED], ['--limit', '-1', SED], ['--limit', 'x', SED], []:
            self.assertEqual(run(*arguments).returncode, 2)

    def test_who_reads_may_leave(self):
        with subprocess.Popen([sys.executable, str(ROOT / 'examples' / 'tutorial' / 'python' / 'load_trace.py'), str(SED)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as p:
            p.stdout.readline()
            p.stdout.close()
            self.assertEqual(p.stderr.read(), b'')
            self.assertEqual(p.wait(), 1)

    @unittest.skipUnless(os.path.exists('/proc/self/status'), 'no /proc')
    @unittest.skipIf('LD_PRELOAD' in os.environ, 'sanitizers take memory of their own')
    def test_memory_does_not_grow_with_the_trace(self):
        def peak(repetitions):
            code = ('import runpy, sys\n'
                    'sys.argv = ["load_trace.py", "-", "/dev/null"]\n'
                    'try: runpy.run_path(sys.path[0] + "/load_trace.py", run_name="__main__")\n'
                    'except SystemExit as e: assert e.code == 0, e.code\n'
                    'print([line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")][0])')
            code = f'import sys; sys.path.insert(0, {str(ROOT / "examples" / "tutorial" / "python")!r})\n' + code
            with tempfile.TemporaryFile() as trace:
                for _ in range(repetitions):
                    trace.write(self.content)
                trace.seek(0)
                done = subprocess.run([sys.executable, '-c', code], stdin=trace, stdout=subprocess.PIPE, check=True)
            return int(done.stdout)
        short, long = peak(1), peak(20)  # from 3 and 64 MB
        self.assertLess(long - short, 8 << 10)


if __name__ == '__main__':
    unittest.main()
