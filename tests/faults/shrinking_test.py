# Inputs that are removed or shortened while a program reads them, mapped or not.
import gzip
import lzma
import os
import shutil
import signal
import struct
import subprocess
import time

import faults
import support
from faults import PROGRAMS, sample
from support import content, file_bytes

PAGE = 4096


def rapidbin(times):
    raw = file_bytes(sample('rapidbin/r6000.data'))
    threads, locks, variables, events = struct.unpack('>hiiq', raw[:18])
    return struct.pack('>hiiq', threads, locks, variables, events * times) + raw[18:] * times


def trace32(times):
    """Returns a trace. Its first block has all registers, so blocks may be repeated."""
    raw = content(sample('work32.trace32.xz'))
    first = 8 + struct.unpack_from('<I', raw, 4)[0]
    return raw[:first] + raw[first:] * times


class Shrinking(faults.FaultTest):
    @classmethod
    def setUpClass(cls):
        if not os.path.exists('/proc/self/maps'):
            raise faults.unittest.SkipTest('no /proc that tells what is mapped')
        super().setUpClass()
        cls.large = {
            'champsim': content(support.WORK) * 15,
            'rapidbin': rapidbin(300),
            'std': file_bytes(sample('rapidbin/r6000.std')) * 150,
        }
        if {'simdjson', 'zydis'} <= support.PARTS:
            cls.large['trace32'] = trace32(12)
            path = os.path.join(cls.top, 'large.trace32')
            with open(path, 'wb') as f:
                f.write(trace32(6))
            cls.large_folder = os.path.join(cls.top, 'large folder')
            subprocess.run([PROGRAMS['trace_convert'], path, cls.large_folder, '--to=umtracer'],
                           check=True)

    def start(self, program, *arguments):
        return subprocess.Popen([PROGRAMS[program], *arguments], stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    @staticmethod
    def wait_until_read(p, path):
        """Waits until the program has mapped the file and therefore knows its size."""
        while p.poll() is None:
            try:
                with open('/proc/%d/maps' % p.pid) as f:
                    if path in f.read():
                        return
            except OSError:
                pass

    def shorten(self, p, path, delay, size):
        """Waits until the file is read, and for a delay. Then shortens or removes the file."""
        self.wait_until_read(p, path)
        time.sleep(delay)
        p.send_signal(signal.SIGSTOP)
        if size is None:
            os.remove(path)
        else:
            os.truncate(path, size)
        p.send_signal(signal.SIGCONT)

    def undisturbed(self, program, *arguments):
        """Returns the status of an undisturbed run, which is not 0 if a check reports findings."""
        p = self.start(program, *arguments)
        errors = p.communicate(timeout=100)[1].decode()
        # trace_check returns 1 for findings, and trace_find if it finds nothing.
        finds = program in ('trace_check', 'trace_find')
        self.assertIn(p.returncode, (0, 1) if finds else (0,), errors[:1000])
        return p.returncode

    def check_shortened(self, p, path, out, usual, about, status_if_noticed=1):
        """Returns True if the program reported the change. Otherwise it must have read everything, with the usual
        status and output."""
        errors = p.communicate(timeout=100)[1].decode()
        about = (*about, p.returncode, errors[:1000])
        status, whole = usual
        if p.returncode == status and 'became shorter' not in errors:
            self.assertEqual(self.written(out), whole, about)
            return False
        self.assertEqual(p.returncode, status_if_noticed, about)
        last = errors.splitlines()[-1]
        self.assertIn(path + ': ', last, about)
        self.assertIn('became shorter', last, about)
        self.assertEqual([n for n in os.listdir(self.folder)
                          if n == out or n.startswith(faults.TEMPORARY)], [], about)
        return True

    def written(self, out):
        """Returns all files with this name, or {} if none exists."""
        path = os.path.join(self.folder, out or '')
        if out and os.path.isdir(path):
            return faults.tree(path)
        return {'': file_bytes(path)} if out and os.path.exists(path) else {}

    def remove(self, out):
        path = os.path.join(self.folder, out or '')
        if out and os.path.exists(path):
            (shutil.rmtree if os.path.isdir(path) else os.remove)(path)

    def run_shortened(self, program, arguments, name, out=None):
        path = os.path.join(self.folder, 'in')
        all_of_it = self.large[name]
        n = len(all_of_it)
        noticed = 0
        with open(path, 'wb') as f:
            f.write(all_of_it)
        paths = {'IN': path, 'OUT': os.path.join(self.folder, out or '')}
        command = [paths.get(a, a) for a in arguments]
        usual = self.undisturbed(program, *command), self.written(out)
        sizes = [0, n // 2 + 100, n - 1, 3 * PAGE, n // 4, 100]
        for i in range(50):
            # On a busy machine, a fast read may finish before the file is shortened: try
            # again.
            if i >= len(sizes) and noticed:
                break
            size = sizes[i % len(sizes)]
            self.remove(out)
            with open(path, 'wb') as f:
                f.write(all_of_it)
            p = self.start(program, *command)
            self.shorten(p, path, (0, 0.01, 0.03)[i % 3] if i < len(sizes) else 0, size)
            status = 2 if program == 'trace_find' else 1  # like grep
            noticed += self.check_shortened(p, path, out, usual, (program, name, out, size), status)
        self.remove(out)
        self.assertGreater(noticed, 0, (program, name, out))

    def test_each_format_is_converted(self):
        for name, out, *more in (('champsim', 'o.trace'), ('champsim', 'o.gz'),
                                 ('rapidbin', 'o.std'), ('rapidbin', 'o.data', '--keep-whole'),
                                 ('std', 'o.data'), ('trace32', 'o.trace32'),
                                 ('trace32', 'o.trace32', '--repair'), ('trace32', 'o.champsim'),
                                 ('trace32', 'folder', '--to=umtracer')):
            if name in self.large and (not out.endswith('gz') or 'gzip' in support.CODECS):
                self.run_shortened('trace_convert', ['IN', 'OUT', *more], name, out)

    def test_each_format_is_read(self):
        for program, *arguments in (('trace_check', 'IN'), ('frontend_sim', 'IN'),
                                    ('trace_view', '-s', 'IN')):
            for name in self.large:
                if program in PROGRAMS:
                    self.run_shortened(program, arguments, name)

    def test_it_is_searched(self):
        for name in ('champsim', 'trace32'):
            if 'trace_find' in PROGRAMS and name in self.large:
                self.run_shortened('trace_find', ['IN', '--ip=1', '--count'], name)

    def test_it_is_opened_more_than_once(self):
        """Tests a file that is opened more than once. If it is shortened between two readings, it is a shorter
        trace, which may end with an error, and a report is written. If it becomes shorter during a reading, no
        report is written."""
        path, other = (os.path.join(self.folder, n) for n in ('in', 'other'))
        out = os.path.join(self.folder, 'o.html')
        small = {'champsim': self.large['champsim'][:400 * PAGE], 'rapidbin': rapidbin(30),
                 'trace32': trace32(1) if 'trace32' in self.large else b''}
        for program, arguments, good, bad in (('trace_report', [path, out], (0,), 1),
                                              ('trace_diff', [path, other], (0, 1), 2)):
            noticed = 0
            for name, raw in small.items() if program in PROGRAMS else ():
                with open(other, 'wb') as f:
                    f.write(raw)
                sizes = [0, len(raw) // 2 + 100, 3 * PAGE, None, None, None]
                for i, size in enumerate(sizes if raw else []):
                    with open(path, 'wb') as f:
                        f.write(raw)
                    p = self.start(program, *arguments)
                    self.shorten(p, path, (0, 0.02, 0.1)[i % 3], size)
                    errors = p.communicate(timeout=100)[1].decode()
                    about = (program, name, size, p.returncode, errors[:1000])
                    self.assertIn(p.returncode, (*good, bad), about)
                    if p.returncode == bad:
                        self.assertIn(path + ': ', errors.splitlines()[-1], about)
                    shorter = 'became shorter' in errors
                    noticed += shorter
                    for n in os.listdir(self.folder):
                        self.assertFalse(n.startswith(faults.TEMPORARY), about)
                    self.assertFalse(shorter and os.path.exists(out), about)
                    if os.path.exists(out):
                        self.assertTrue(file_bytes(out).endswith(b'</html>\n'), about)
                        os.remove(out)
            self.assertTrue(noticed or program not in PROGRAMS, program)

    def test_each_file_of_an_umtracer_trace(self):
        if 'trace32' not in self.large:
            self.skipTest('needs simdjson and zydis')
        noticed = 0
        for program, *more in (('trace_convert', os.path.join(self.folder, 'o')),
                               ('trace_check',), ('frontend_sim',)):
            if program not in PROGRAMS:
                continue
            usual = self.undisturbed(program, self.large_folder, *more), self.written('o')
            for i, name in enumerate(('exec.vtable', 'exec.offsets', 'ins.itable',
                                      'exec.prev_next.column', 'thread.itable')):
                self.remove('o')
                folder = os.path.join(self.folder, 'in')
                shutil.copytree(self.large_folder, folder)
                path = os.path.join(folder, name)
                p = self.start(program, folder, *more)
                self.shorten(p, path, 0.01 * (i % 3), os.path.getsize(path) // (i + 2))
                noticed += self.check_shortened(p, path, 'o', usual, (program, name))
                shutil.rmtree(folder)
            self.remove('o')
        self.assertGreater(noticed, 4)

    def check_stream(self, raw, from_standard_input):
        """Checks an input that is not mapped. A premature end must not be treated as the end."""
        path, out = os.path.join(self.folder, 'in'), os.path.join(self.folder, 'o.trace')
        for _ in range(50):
            with open(path, 'wb') as f:
                f.write(raw)
            with open(path, 'rb') as f:
                p = subprocess.Popen([PROGRAMS['trace_convert'],
                                      '-' if from_standard_input else path, out], stdin=f,
                                     stderr=subprocess.PIPE)
            while not faults.is_writing(p.pid, self.folder) and p.poll() is None:
                continue
            p.send_signal(signal.SIGSTOP)
            os.truncate(path, 64 * 64)
            p.send_signal(signal.SIGCONT)
            errors = p.communicate(timeout=100)[1].decode()
            if p.returncode != 0:
                self.assertIn(('<stdin>' if from_standard_input else path) + ': ', errors)
                self.assertIn('became shorter', errors)
                self.assertEqual((p.returncode, os.listdir(self.folder)), (1, ['in']))
                return
            # The program had read everything.
            self.assertEqual(file_bytes(out), self.large['champsim'])
            os.remove(out)
        self.fail('never stopped while it was reading')

    def test_a_stream(self):
        self.check_stream(self.large['champsim'], True)

    def test_what_is_compressed(self):
        for codec, packed in (('gzip', lambda raw: gzip.compress(raw, 1)),
                              ('xz', lambda raw: lzma.compress(raw, preset=0))):
            if codec in support.CODECS:
                for from_standard_input in (False, True):
                    self.check_stream(packed(self.large['champsim']), from_standard_input)

    def test_what_vanishes_is_read_to_its_end(self):
        path, out = os.path.join(self.folder, 'in'), os.path.join(self.folder, 'o.trace')
        with open(path, 'wb') as f:
            f.write(self.large['champsim'])
        p = self.start('trace_convert', path, out)
        self.wait_until_read(p, path)
        os.remove(path)
        self.assertEqual((p.communicate(timeout=100)[1], p.returncode), (b'', 0))
        self.assertEqual(file_bytes(out), self.large['champsim'])
        if 'trace32' not in self.large:
            return
        wanted = os.path.join(self.folder, 'wanted')
        subprocess.run([PROGRAMS['trace_convert'], self.large_folder, wanted], check=True,
                       stderr=subprocess.DEVNULL)
        shutil.copytree(self.large_folder, path)
        p = self.start('trace_convert', path, out)
        self.wait_until_read(p, os.path.join(path, 'syscall.vtable'))
        shutil.rmtree(path)
        p.communicate(timeout=100)
        self.assertEqual(p.returncode, 0)
        self.assertEqual(file_bytes(out), file_bytes(wanted))


if __name__ == '__main__':
    faults.main()
