# The first reads of an input fail. Programs must report the system's error and must not
# misidentify the input.
import bz2
import gzip
import lzma
import os
import shutil
import subprocess
import tempfile

import faults
import support
from faults import PROGRAMS, sample
from support import content, file_bytes

EIO = 'Input/output error'


def zstd(raw):
    """Returns a frame of uncompressed blocks (RFC 8878, 3.1.1)."""
    most = 1 << 17
    blocks = [raw[at:at + most] for at in range(0, len(raw), most)]
    out = b'\x28\xb5\x2f\xfd\x00\x68'  # a window of 8 MiB
    for i, b in enumerate(blocks):
        out += (len(b) << 3 | (i + 1 == len(blocks))).to_bytes(3, 'little') + b
    return out


def lz4(raw):
    """Returns a frame of uncompressed blocks without checksums (lz4_Frame_format.md)."""
    out = b'\x04\x22\x4d\x18\x60\x40\x82'
    for at in range(0, len(raw), 1 << 16):
        b = raw[at:at + (1 << 16)]
        out += (len(b) | 1 << 31).to_bytes(4, 'little') + b
    return out + bytes(4)


class ReadError(faults.FolderTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not shutil.which('strace') or subprocess.run(
                ['strace', '-qq', '-e', 'inject=close:retval=0:when=9999', 'true'],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            raise faults.unittest.SkipTest('needs strace, and the right to trace')
        cls.inputs = faults.inputs(cls.top)
        raw = content(support.WORK)[:640000]
        cls.files = {'plain': cls.write('plain', raw)}
        for codec, packed in (('gzip', lambda: gzip.compress(raw, 1)), ('bzip2', lambda: bz2.compress(raw, 1)),
                              ('xz', lambda: lzma.compress(raw, preset=0)), ('zstd', lambda: zstd(raw)),
                              ('lz4', lambda: lz4(raw)), ('snappy', lambda: support.snappy(raw)),
                              ('zip', lambda: support.zipped({'chunk.0000': raw[:99999], 'chunk.0001': raw[99999:]}))):
            if codec in support.CODECS:
                cls.files[codec] = cls.write('t.' + codec, packed())

    @classmethod
    def write(cls, name, raw):
        path = os.path.join(cls.top, name)
        with open(path, 'wb') as f:
            f.write(raw)
        return path

    def commands(self, path):
        """Returns a command of each program that reads a trace."""
        return [(name, arguments) for name, arguments in (
            ('trace_view', ('--json', path)), ('trace_convert', (path, os.path.join(self.folder, 'o.trace'))),
            ('trace_find', (path, '--branch', 'conditional')), ('trace_diff', (path, path)),
            ('trace_check', (path,)), ('trace_report', (path, os.path.join(self.folder, 'o.html'))),
            ('frontend_sim', (path,)), ('feed_your_simulator', (path,))) if name in PROGRAMS]

    def inject(self, path, fault, program, *arguments, stdin=subprocess.DEVNULL):
        """Runs the program with `fault` in its calls on `path`. Returns the result, and whether the fault
        occurred."""
        log = os.path.join(self.folder, 'log')
        done = subprocess.run(['strace', '-f', '-qq', '-o', log, '-P', path, '-e', fault,
                               PROGRAMS[program], *arguments], stdin=stdin,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        injected = b'(INJECTED)' in file_bytes(log)
        if not injected:
            for name in set(os.listdir(self.folder)):
                os.remove(os.path.join(self.folder, name))
        return done, injected

    def check_told(self, done, path, about):
        about = (*about, done.returncode, done.stdout[:300], done.stderr[:1000])
        self.assertIn(done.returncode, (1, 2), about)
        # Findings that trace_check prints on standard output are not error messages.
        told = done.stderr.decode() or done.stdout.decode().replace('error: damaged: ', '')
        self.assertIn('%s: %s' % (path, EIO), told, about)
        self.assertEqual(faults.tree(self.folder).keys() - {'log'}, set(), about)

    def test_the_first_reads(self):
        """Tests failures from the first read on, from the second read on, and so on."""
        for codec, path in self.files.items():
            for program, arguments in self.commands(path):
                first = 0
                for n in range(1, 4):
                    done, injected = self.inject(path, 'inject=read:error=EIO:when=%d+' % n,
                                                 program, *arguments)
                    first += injected and n == 1
                    page = os.path.join(self.folder, 'o.html')
                    if injected and n > 1 and os.path.exists(page):
                        # The page names the file that could not be read, perhaps only among the
                        # checker's findings.
                        self.assertIn('%s: %s' % (path, EIO), file_bytes(page).decode())
                        os.remove(page)
                    elif injected:
                        self.check_told(done, path, (codec, program, n))
                self.assertEqual(first, 1, (codec, program))

    def test_once(self):
        """Tests a single failing read. The next read would succeed."""
        for codec, path in self.files.items():
            for program, arguments in self.commands(path):
                done, injected = self.inject(path, 'inject=read:error=EIO:when=1', program, *arguments)
                self.assertTrue(injected)
                self.check_told(done, path, (codec, program))

    def test_part_of_the_first_read(self):
        """Tests that bytes before the error are recognised, but not treated as the whole trace."""
        for codec, path in self.files.items():
            raw = file_bytes(path)
            for n in (1, 3, 10, 63):
                # The second read of this pipe fails, after this many bytes were delivered.
                r, w = os.pipe()
                os.write(w, raw[:n])
                done, injected = self.inject(
                    'pipe:[%d]' % os.fstat(r).st_ino, 'inject=read:error=EIO:when=2+', 'trace_view',
                    '--json', '-', stdin=r)
                os.close(r)
                os.close(w)
                if injected:
                    self.check_told(done, '<stdin>', (codec, n))

    def test_each_format(self):
        files = {k: v for k, v in self.inputs.items() if os.path.isfile(v)}
        files['rapidbin'] = sample('rapidbin/r250.data')
        files['std'] = sample('rapidbin/r250.std')
        if not {'simdjson', 'zydis'} <= support.PARTS:
            del files['trace32']
        for kind, path in files.items():
            for program, arguments in self.commands(path):
                if program == 'feed_your_simulator' or (program == 'trace_find' and kind == 'std'):
                    continue
                done, injected = self.inject(path, 'inject=read:error=EIO:when=1+', program, *arguments)
                self.assertTrue(injected, (kind, program))
                self.check_told(done, path, (kind, program))

    @support.needs('simdjson')
    def test_metadata(self):
        path = sample('rapidbin/r250.json')
        for program in ('trace_view', 'trace_check', 'frontend_sim'):
            if program in PROGRAMS:
                done, injected = self.inject(path, 'inject=read:error=EIO:when=1+', program,
                                             sample('rapidbin/r250.data'))
                self.assertTrue(injected, program)
                self.check_told(done, path, (program,))

    @support.needs('zydis')
    def test_files_of_a_folder(self):
        """Tests files that are mapped. Looking up or opening the files fails."""
        folder = self.inputs['umtracer']
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            for fault in ('inject=openat:error=EIO', 'inject=newfstatat,stat,statx:error=EIO'):
                done, injected = self.inject(path, fault, 'trace_view', folder)
                if injected:
                    self.check_told(done, path, (name, fault))

    def test_what_only_fails(self):
        """Tests an input of size 0 that can be opened but not read."""
        if not os.path.exists('/proc/self/mem'):
            self.skipTest('no /proc/self/mem')
        for program, arguments in self.commands('/proc/self/mem'):
            done = subprocess.run([PROGRAMS[program], *arguments], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.check_told(done, '/proc/self/mem', (program,))


if __name__ == '__main__':
    faults.main()
