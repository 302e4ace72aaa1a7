# Shared code of the fault tests: the outputs that programs can write, and checks that a run
# left either all of an output or nothing. Usage is that of the tests in ../tools.
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
import support  # noqa: E402
from support import PROGRAMS, content, file_bytes  # noqa: E402

DATA = os.path.dirname(support.SED)
TEMPORARY = '.tracecodec-'


def sample(name):
    return os.path.join(DATA, name)


class Job:
    """A program that writes `out` in a folder."""

    def __init__(self, program, arguments, out, needs=()):
        self.program, self.arguments, self.out, self.needs = program, arguments, out, needs
        self.name = '%s to %s' % (program, out)

    def possible(self):
        return self.program in PROGRAMS and set(self.needs) <= support.CODECS | support.PARTS

    def command(self, folder):
        out = os.path.join(folder, self.out)
        return [PROGRAMS[self.program]] + [out if a == 'OUT' else a for a in self.arguments]

    def run(self, folder, **more):
        return subprocess.run(self.command(folder), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120, **more)


def conversions(inputs):
    """Returns jobs for every kind of file that trace_convert writes, and for reproducible files of other programs."""
    trace32 = inputs['trace32']
    x64dbg = ('simdjson', 'zydis')
    return [j for j in [
        Job('trace_convert', [inputs['champsim'], 'OUT'], 'o.trace'),
        Job('trace_convert', [inputs['champsim'], 'OUT'], 'o.xz', ['xz']),
        Job('trace_convert', [inputs['champsim'], 'OUT'], 'o.gz', ['gzip']),
        Job('trace_convert', [inputs['champsim'], 'OUT'], 'o.zst', ['zstd']),
        Job('trace_convert', [trace32, 'OUT'], 'o.trace32', x64dbg),
        Job('trace_convert', [trace32, 'OUT', '--mode=minimal'], 'o.trace32.gz', x64dbg + ('gzip',)),
        Job('trace_convert', [trace32, 'OUT', '--repair'], 'r.trace32', x64dbg),
        Job('trace_convert', [trace32, 'OUT'], 'from_x64dbg', x64dbg),
        Job('trace_convert', [trace32, 'OUT', '--to=umtracer'], 'folder', x64dbg),
        Job('trace_convert', [inputs['umtracer'], 'OUT'], 'from_umtracer', ['zydis']),
        Job('trace_convert', [sample('rapidbin/r6000.data'), 'OUT'], 'o.data', ['simdjson']),
        Job('trace_convert', [sample('rapidbin/r6000.data'), 'OUT', '--no-metadata'], 'p.data.gz',
            ['gzip']),
        Job('trace_convert', [sample('rapidbin/r6000.data'), 'OUT'], 'o.std'),
        Job('trace_convert', [sample('rapidbin/r6000.std'), 'OUT', '--no-metadata'], 's.data'),
        Job('trace_convert', [inputs['champsim'], 'OUT'], 'o.jsonl'),
        Job('trace_convert', [inputs['champsim'], 'OUT'], 'o.csv.gz', ['gzip']),
        Job('trace_convert', [trace32, 'OUT'], 'o.csv', x64dbg),
        Job('trace_convert', [inputs['umtracer'], 'OUT', '--table=ins'], 'ins.jsonl'),
        Job('trace_convert', [sample('rapidbin/r6000.data'), 'OUT', '--no-metadata'], 'e.csv'),
        Job('trace_convert', [inputs['cloudsuite'], 'OUT'], 'o.cloudsuite'),
        Job('trace_convert', [inputs['champsim'], 'OUT', '--limit=2000'], 'o.csv.zst', ['zstd']),
        Job('trace_convert', [trace32, 'OUT', '--limit=2000'], 'o.trace32.xz', x64dbg + ('xz',)),
        Job('write_a_trace', ['OUT'], 'small.gz', ['gzip']),
        Job('trace_report', [inputs['champsim'], 'OUT'], 'o.html'),
    ] if j.possible()]


def inputs(folder):
    """Returns small traces of each format by name. They are uncompressed, so that programs map them."""
    paths = {'umtracer': sample('umtracer/plain64')}
    for name, packed in (('champsim', support.WORK), ('trace32', sample('work32.trace32.xz'))):
        paths[name] = os.path.join(folder, name)
        with open(paths[name], 'wb') as f:
            f.write(content(packed)[:640000] if name == 'champsim' else content(packed))
    paths['cloudsuite'] = os.path.join(folder, 'cloudsuite')
    with open(paths['cloudsuite'], 'wb') as f:
        f.write(support.as_cloudsuite(support.records(content(support.WORK)[:64 * 4000]), [1, 2]))
    return paths


def tree(folder):
    """Returns all files below a folder by relative path, except temporary files."""
    found = {}
    for at, folders, files in os.walk(folder):
        folders[:] = [n for n in folders if not n.startswith(TEMPORARY)]
        for n in files:
            path = os.path.join(at, n)
            if not n.startswith(TEMPORARY) and stat.S_ISREG(os.lstat(path).st_mode):
                found[os.path.relpath(path, folder)] = file_bytes(path)
    return found


def temporaries(folder):
    return [n for n in os.listdir(folder) if n.startswith(TEMPORARY)]


def unnamed(pid, folder):
    """Returns the descriptors with which a process writes unnamed files in the folder."""
    found = []
    try:
        for fd in os.listdir('/proc/%d/fd' % pid):
            to = os.readlink('/proc/%d/fd/%s' % (pid, fd))
            if to.startswith(os.path.join(os.path.realpath(folder), '#')):
                found.append(fd)
    except OSError:
        pass  # the process has ended
    return found


def is_writing(pid, folder):
    return bool(temporaries(folder) or unnamed(pid, folder))


class FolderTest(unittest.TestCase):
    """Test with its own folder, and a folder for all tests of its class."""

    @classmethod
    def setUpClass(cls):
        if os.environ.get('MESON_EXE_WRAPPER'):
            raise unittest.SkipTest('the programs run in an emulator')
        cls.top = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.top)

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def check_complaint(self, job, done, *words, status=None):
        """Checks for one line that begins with the program's name and contains one of the words. The status must
        be 1, or 125 for trace_record."""
        about = (job.name, done.returncode, done.stderr[:1000])
        expected = status or (125 if job.program == 'trace_record' else 1)
        self.assertEqual(done.returncode, expected, about)
        lines = [s for s in done.stderr.decode().splitlines() if ': note: ' not in s]
        self.assertEqual(len(lines), 1, about)
        self.assertTrue(lines[0].startswith(job.program + ': '), about)
        self.assertTrue(any(w in lines[0] for w in words), (words, about))


class RecordingTest(FolderTest):
    """Test of recordings. Recordings differ from run to run, so only the remaining files are checked."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if 'trace_record' not in PROGRAMS:
            raise unittest.SkipTest('no trace_record')
        done = cls.recording('o.trace64').run(cls.top)
        if b'does not permit ptrace' in done.stderr:
            raise unittest.SkipTest(done.stderr.decode().strip())

    @staticmethod
    def recording(out, most=500):
        return Job('trace_record', ['--engine', 'ptrace', '-t', str(most), '-o', 'OUT', '--', '/bin/true'], out)


class FaultTest(FolderTest):
    """Test of faults. whole[job] contains the files of an undisturbed run."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.inputs = inputs(cls.top)
        cls.jobs = conversions(cls.inputs)
        cls.whole = {}
        for job in cls.jobs:
            with tempfile.TemporaryDirectory() as folder:
                done = job.run(folder)
                assert done.returncode == 0, (job.name, done.stderr[:1000])
                cls.whole[job] = tree(folder)
                assert cls.whole[job] and not temporaries(folder), job.name

    def put_old(self, job, folder):
        """Creates a file or folder with the name of the job's output, and returns the tree."""
        for name in self.whole[job]:
            if os.path.dirname(name) == '':
                with open(os.path.join(folder, name), 'wb') as f:
                    # Metadata that are replaced must be valid metadata.
                    f.write(self.whole[job][name] if name.endswith('.json') else b'old')
        return tree(folder)

    def check_all_or_nothing(self, job, folder, before, about=''):
        """Returns True if the output is complete. Otherwise all previous files must be unchanged."""
        now = tree(folder)
        for name in set(now) | set(before):
            self.assertIn(now.get(name), (before.get(name), self.whole[job].get(name)),
                          (job.name, name, about))
        if job.out in self.whole[job]:
            return now.get(job.out) == self.whole[job][job.out]
        self.assertIn(now, (before, self.whole[job]), (job.name, about))
        return now == self.whole[job]


def main():
    done = unittest.main(argv=[sys.argv[0]], verbosity=2, exit=False).result
    if done.wasSuccessful() and (done.testsRun == 0 or len(done.skipped) == done.testsRun):
        sys.exit(77)
    sys.exit(not done.wasSuccessful())
