# Shared code for the tests of the programs: running them, and reading the test data in Python.
# Usage of every test: NAME_test.py --codecs=xz,gzip --parts=simdjson,zydis --data=FOLDER PROGRAM...
import argparse
import bz2
import functools
import gc
import gzip
import io
import lzma
import os
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

# Records are many small objects without reference cycles. A search for cycles would take three
# quarters of the time that it takes to create them.
gc.disable()

_parser = argparse.ArgumentParser()
_parser.add_argument('--codecs', required=True)
_parser.add_argument('--parts', required=True)
_parser.add_argument('--data', required=True)
_parser.add_argument('programs', nargs='+')
_arguments = _parser.parse_args()

# Background processes of a shell ignore SIGINT, and those of nohup ignore SIGHUP. Tested
# programs must not inherit this.
for _name in ('SIGINT', 'SIGHUP'):
    if hasattr(signal, _name) and signal.getsignal(getattr(signal, _name)) == signal.SIG_IGN:
        signal.signal(getattr(signal, _name), signal.SIG_DFL)

# Environment for this machine's compiler: for another host, meson puts that host's tools first
# in PATH.
NATIVE = {**os.environ, 'PATH': os.defpath}

SANITIZED = 'TRACECODEC_TEST_SANITIZED' in os.environ

CODECS = set(_arguments.codecs.split(','))
PARTS = set(_arguments.parts.split(','))


def needs(*libraries):
    """Skips a test that needs an optional library that the build lacks."""
    return unittest.skipUnless(set(libraries) <= CODECS | PARTS, 'needs ' + ', '.join(libraries))


def runnable(program):
    """Returns a path that runs the program: the program itself, or a script that runs it in an emulator."""
    emulator = os.environ.get('MESON_EXE_WRAPPER')
    os.environ.setdefault('WINEDEBUG', '-all')  # the tests compare a program's standard error
    if not emulator:
        return os.path.abspath(program)
    script = os.path.join(_scripts.name, os.path.basename(program))
    with open(script, 'w') as f:
        f.write('#!/bin/sh\nexec %s %s "$@"\n' % (emulator, shlex.quote(os.path.abspath(program))))
    os.chmod(script, 0o755)
    return script


_scripts = tempfile.TemporaryDirectory()
WINDOWS = any(p.endswith('.exe') for p in _arguments.programs)
# Programs by name, without Windows' .exe.
PROGRAMS = {os.path.basename(p).removesuffix('.exe'): runnable(p) for p in _arguments.programs}


def data(name):
    return os.path.join(_arguments.data, name + '.champsimtrace.xz')


def text(out):
    """Returns a program's output as text. On Windows, lines end with two characters."""
    return out.replace(b'\r\n', b'\n')


SED, WORK = data('sed64'), data('work32')


def content(path):
    raw = file_bytes(path)
    # A build without liblzma has unpacked samples under the same names.
    return lzma.decompress(raw) if raw.startswith(b'\xfd7zXZ') else raw


def file_bytes(path):
    with open(path, 'rb') as f:
        return f.read()


LAYOUTS = {'champsim': ('<Q2B2B4B2Q4Q', 2), 'cloudsuite': ('<Q2B4B4B6x4Q4Q2B6x', 4)}


def records(raw, layout='champsim'):
    """Returns the whole records of a decompressed trace as dictionaries."""
    form, outputs = LAYOUTS[layout]
    result = []
    size = struct.calcsize(form)
    # End of each list of registers or addresses.
    ends = [3, 3 + outputs, 7 + outputs, 7 + 2 * outputs, 11 + 2 * outputs]
    written, read, stored, loaded = (slice(*ends[i:i + 2]) for i in range(4))
    for v in struct.iter_unpack(form, raw[:len(raw) // size * size]):
        r = {'ip': v[0], 'is_branch': v[1], 'branch_taken': v[2],
             'destination_registers': list(v[written]), 'source_registers': list(v[read]),
             'destination_memory': list(v[stored]), 'source_memory': list(v[loaded])}
        if layout == 'cloudsuite':
            r['asid'] = list(v[ends[4]:])
        result.append(r)
    return result


def pack(r, layout='champsim'):
    fields = [r['ip'], r['is_branch'], r['branch_taken']]
    fields += r['destination_registers'] + r['source_registers']
    fields += r['destination_memory'] + r['source_memory'] + r.get('asid', [])
    return struct.pack(LAYOUTS[layout][0], *fields)


def as_cloudsuite(standard, asid):
    """Converts records to CloudSuite's layout."""
    wide = []
    for r in standard:
        w = dict(r, asid=asid)
        w['destination_registers'] = r['destination_registers'] + [0, 0]
        w['destination_memory'] = r['destination_memory'] + [0, 0]
        wide.append(w)
    return b''.join(pack(w, 'cloudsuite') for w in wide)


def branch_class(r):
    """Returns the class by the rules of the format's description."""
    return class_of(tuple(r['destination_registers']), tuple(r['source_registers']))


@functools.cache  # few combinations of registers occur
def class_of(written, read):
    d = [x for x in written if x]
    s = [x for x in read if x]
    s_sp, s_flags, s_ip = 6 in s, 25 in s, 26 in s
    d_sp, d_ip = 6 in d, 26 in d
    other = any(x not in (6, 25, 26) for x in s)
    if not s_sp and not s_flags and d_ip and not other:
        return 'direct_jump'
    if not s_sp and not s_ip and not s_flags and d_ip and other:
        return 'indirect'
    if not s_sp and s_ip and not d_sp and d_ip and (s_flags or other):
        return 'conditional'
    if s_sp and s_ip and d_sp and d_ip and not s_flags:
        return 'indirect_call' if other else 'direct_call'
    if s_sp and not s_ip and d_sp and d_ip:
        return 'return'
    return 'other' if d_ip else 'not_branch'


def branch_taken(r, kind):
    if kind in ('conditional', 'other'):
        return r['branch_taken'] != 0
    return kind != 'not_branch'


def run(program, *args, stdin=b'', **more):
    more.setdefault('stdout', subprocess.PIPE)
    r = subprocess.run([PROGRAMS[program], *args], input=stdin, stderr=subprocess.PIPE,
                       timeout=120, **more)
    r.stderr = text(r.stderr)
    return r


def version_text(program):
    """Returns the expected output of --version for the version in meson.build."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, '..', '..', 'meson.build')) as f:
        version = re.search(r"^  version: '(.*)'", f.read(), re.M).group(1)
    names = {'compressions': [c + (' (read)' if c in ('bzip2', 'lz4', 'snappy', 'zip') else '')
                              for c in ('xz', 'gzip', 'bzip2', 'zstd', 'lz4', 'snappy', 'zip')
                              if c in CODECS],
             'formats': ['champsim', 'cloudsuite'] +
                        ['x64dbg'] * ({'simdjson', 'zydis'} <= PARTS) + ['rapidbin', 'std'] +
                        ['umtracer' if 'zydis' in PARTS else 'umtracer (tables)'] + ['cvp1', 'cbp2025', 'drmemtrace', 'stf', 'bt9', 'tarmac', 'tenet', 'lackey', 'dinero', 'mldpc'] +
                        ['tracepack'] * ('zstd' in CODECS),
             'libraries': [p for p in ('simdjson', 'pugixml', 'zydis', 'libdw') if p in PARTS]}
    return '%s %s (tracecodec)\n' % (program, version) + ''.join(
        '%s: %s\n' % (name, ', '.join(all_of) or 'none') for name, all_of in names.items())


def snappy(raw):
    """Returns chunks of DynamoRIO's type 3, which are neither compressed nor have checksums."""
    out = b'\xff\6\0\0sNaPpY'
    for at in range(0, len(raw), 1 << 16):
        b = raw[at:at + (1 << 16)]
        out += b'\3' + len(b).to_bytes(3, 'little') + b
    return out


def zipped(members):
    """Returns a zip archive of deflated members. The argument maps names to contents."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
        for name, raw in members.items():
            z.writestr(name, raw)
    return out.getvalue()


def has_program(name):
    """Returns True if the program exists. Otherwise prints that tests that need it are skipped."""
    return is_possible(shutil.which(name), name, 'no such program')


def has_full_disk():
    """Returns True if a device exists that is always full. Otherwise prints that it does not."""
    return is_possible(os.path.exists('/dev/full'), 'full disk', 'no /dev/full')


def is_possible(possible, what, why):
    if not possible:
        print('%s ... skipped %r' % (what, why), file=sys.stderr)
    return bool(possible)


class ProgramTest(unittest.TestCase):
    """Test with its own folder, and checks of properties that all programs share."""
    program = ''

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, raw):
        with open(self.path(name), 'wb') as f:
            f.write(raw)
        return self.path(name)

    def run_program(self, *args, **more):
        return run(self.program, *args, **more)

    def good(self, *args, **more):
        """Returns the standard output of a run without errors."""
        r = self.run_program(*args, **more)
        self.assertEqual((r.returncode, r.stderr), (0, b''), args)
        return r.stdout

    def bad(self, code, *args, about=b'', **more):
        """Returns the standard output of a run that ends with `code` and prints one line with the reason."""
        r = self.run_program(*args, **more)
        self.assertEqual(r.returncode, code, (args, r.stderr))
        self.assertTrue(r.stderr.startswith(self.program.encode() + b': '), (args, r.stderr))
        self.assertEqual(r.stderr.count(b'\n'), 1, (args, r.stderr))
        self.assertIn(about, r.stderr, args)
        return r.stdout

    def no_traces(self):
        """Returns paths of files that are not traces, each with a word that the message must contain."""
        elf = b'\x7fELF\x02\x01\x01' + bytes(9) + bytes(range(1, 240)) * 4
        inner = tarfile.TarInfo('inner.trace')
        raw = content(WORK)[:6400]
        inner.size = len(raw)
        with tarfile.open(self.path('t.tar'), 'w:xz' if 'xz' in CODECS else 'w') as tar:
            with open(self.write('inner', raw), 'rb') as f:
                tar.addfile(inner, f)
        found = {
            self.path('missing.xz'): b'No such file',
            self.folder: b'directory',
            self.write('empty', b''): b'empty',
            self.write('text', b'It was a dark and stormy night; the rain fell.\n' * 40): b'not a',
            self.write('random', bytes(i * i * 31 % 251 + 2 for i in range(4000))): b'not a trace',
            self.write('elf', elf): b'an ELF file',
            self.path('t.tar'): b'tar archive',
            self.write('empty.xz', lzma.compress(b'')): b'empty',
            self.write('cut.gz', gzip.compress(raw)[:30]): b'cut.gz',
        }
        return found

    def damaged(self):
        """Returns paths of traces that are damaged after an intact beginning, with their intact content."""
        raw = content(WORK)
        packed = file_bytes(WORK)
        corrupt = bytearray(packed)
        for i in range(len(corrupt) * 3 // 4, len(corrupt) * 3 // 4 + 8):
            corrupt[i] ^= 0x55
        flipped = bytearray(gzip.compress(raw))
        flipped[-6] ^= 1  # in the checksum: all data precede the error
        gzipped = [
            (self.write('cut2.gz', gzip.compress(raw)[:20000]), raw),
            (self.write('checksum.gz', bytes(flipped)), raw),
        ]
        with_xz = [
            (self.write('cut.xz', packed[:len(packed) * 3 // 4]), raw),
            (self.write('corrupt.xz', bytes(corrupt)), raw),
            (self.write('partial.xz', lzma.compress(raw[:64 * 5000 + 63])), raw),
        ]
        return (gzipped if 'gzip' in CODECS else []) + (with_xz if 'xz' in CODECS else []) + [
            (self.write('partial', raw[:64 * 1000 + 10]), raw),
        ]

    def compressions(self, raw):
        """Returns paths of the same trace in every available compression."""
        made = [self.write('t.trace', raw)]
        for codec, suffix, pack_it in (('xz', 'xz', lzma.compress), ('gzip', 'gz', gzip.compress),
                                       ('bzip2', 'bz2', bz2.compress)):
            if codec in CODECS:
                # The suffixes are wrong on purpose: only the content counts.
                made += [self.write('t.' + suffix, pack_it(raw)), self.write(codec, pack_it(raw))]
                half = len(raw) // 2
                made.append(self.write('members.' + suffix,
                                       pack_it(raw[:half]) + pack_it(raw[half:])))
        for codec, suffix in (('zstd', 'zst'), ('lz4', 'lz4')):
            if codec in CODECS and has_program(codec):
                with open(self.path('t.' + suffix), 'wb') as f:
                    subprocess.run([codec, '-c', self.path('t.trace')], stdout=f, check=True,
                                   stderr=subprocess.DEVNULL)
                made.append(self.path('t.' + suffix))
        if 'snappy' in CODECS:
            made.append(self.write('t.sz', snappy(raw)))
        if 'zip' in CODECS:
            half = len(raw) // 2
            made.append(self.write('t.zip', zipped({'t.trace': raw})))
            made.append(self.write('chunks', zipped({'chunk.0000': raw[:half], 'chunk.0001': raw[half:]})))
        return made

    def check_full_disk(self, *args, code=1, about=b''):
        if has_full_disk():
            with open('/dev/full', 'wb') as full:
                self.bad(code, *args, about=about, stdout=full)

    def check_closed_pipe(self, *args):
        """Checks that a reader that reads one line and exits causes no error, also if the signal is ignored."""
        if WINDOWS:
            return  # on Windows, this is an ordinary write error
        for restore in (True, False):
            p = subprocess.Popen([PROGRAMS[self.program], *args], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, restore_signals=restore)
            p.stdout.readline()
            p.stdout.close()
            self.assertEqual(p.stderr.read(), b'', args)
            p.stderr.close()
            self.assertIn(p.wait(timeout=60), (0, -13), args)


class FormatTest(ProgramTest):
    """Test of all programs on one format. Their output is text."""

    def run_tool(self, program, *args, **more):
        r = run(program, *args, **more)
        r.stdout, r.stderr = r.stdout.decode(), r.stderr.decode()
        return r

    def run_ok(self, program, *args, **more):
        r = self.run_tool(program, *args, **more)
        self.assertEqual(r.returncode, 0, (args, r.stderr))
        return r.stdout


def compiled(folder, text, *options, suffix='.c'):
    """Returns a compiled program's path, or None if this machine cannot compile it."""
    source, program = (os.path.join(folder, 'program' + s) for s in (suffix, ''))
    with open(source, 'w') as f:
        f.write(text)
    r = subprocess.run(['cc', source, '-o', program, *options], capture_output=True)
    return program if r.returncode == 0 else None


class RecordingTest(ProgramTest):
    """Test that records programs. Skipped if the system does not permit recording."""

    def record(self, out, *args, code=0):
        """Records a program and returns the messages. `code` is the program's exit status, or None for any status."""
        r = run('trace_record', '-o', out, *args)
        if b'does not permit ptrace' in r.stderr:
            self.skipTest(r.stderr.decode().strip())
        if code is None:
            self.assertNotEqual(r.returncode, 125, r.stderr)
            self.assertGreaterEqual(r.returncode, 0, r.stderr)  # a signal must not end trace_record itself
        else:
            self.assertEqual(r.returncode, code, r.stderr)
        return r.stderr.decode()

    def program_of(self, *args, **more):
        path = compiled(self.folder, *args, **more)
        if path is None:
            self.skipTest('cannot be compiled here')
        return path


def main():
    unittest.main(argv=[sys.argv[0]], verbosity=2)
