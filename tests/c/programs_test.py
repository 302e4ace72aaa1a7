#!/usr/bin/env python3
"""Tests libtracecodec from outside: its exported symbols, its header in C11 and C++, and the programs of
examples/tutorial/c/.

Arguments: the project's folder; the library; the folder of samples; the sanitizers of the library's build; the C++
compiler's command. The C compiler of the same vendor is used. Without it, tests of C are skipped.
"""
import lzma
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT, LIBRARY, DATA = map(pathlib.Path, sys.argv[1:4])
SANITIZERS, CXX = sys.argv[4], sys.argv[5:]
HEADER = ROOT / 'include/tracecodec.h'
EXAMPLES = ROOT / 'examples/tutorial/c'
WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror']


def c_compiler():
    name = pathlib.Path(CXX[0]).name
    c = pathlib.Path(CXX[0]).with_name(name.replace('clang++', 'clang').replace('g++', 'gcc'))
    return [str(c), *CXX[1:]] if shutil.which(str(c)) else None


def run(*command, code=0, **how):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)
    text = done.stdout.decode('utf-8', 'replace')
    if done.returncode != code:
        raise AssertionError(f'{command}: {done.returncode}\n{text}')
    return text


def build(folder, source, compiler, *flags):
    out = pathlib.Path(folder, source.stem)
    libraries = [LIBRARY]
    if SANITIZERS != 'none':
        flags = [*flags, '-fsanitize=' + SANITIZERS]
        if 'clang' in pathlib.Path(compiler[0]).name:
            # A C program also needs the parts of the sanitizer that the library's C++ code uses.
            flags.append('-fsanitize-link-c++-runtime')
            libraries.append('-lstdc++')
    run(*compiler, *flags, *WARNINGS, '-I', ROOT / 'include', source, '-o', out, *libraries,
        '-Wl,-rpath,' + str(LIBRARY.parent))
    return out


class Library(unittest.TestCase):
    @unittest.skipUnless(shutil.which('nm'), 'there is no nm')
    def test_exports_what_the_header_declares_and_nothing_else(self):
        symbols = {line.split()[-1].split('@')[0]
                   for line in run('nm', '-D', '--defined-only', LIBRARY).splitlines()}
        declared = set(re.findall(r'\b(tracecodec_\w+)\((?=[^)]*\)[^;{]*TRACECODEC_NOEXCEPT;)',
                                  re.sub(r'/\*.*?\*/', '', HEADER.read_text(), flags=re.S)))
        self.assertGreater(len(declared), 25)
        self.assertEqual(symbols, declared)

    @unittest.skipUnless(shutil.which('readelf'), 'there is no readelf')
    def test_soname(self):
        self.assertRegex(run('readelf', '-d', LIBRARY), r'soname: \[libtracecodec\.so\.0\]')


class Header(unittest.TestCase):
    def compile(self, compiler, language, standard):
        with tempfile.TemporaryDirectory() as folder:
            # Include the header twice, and use one of Arrow's structures that it defines.
            text = '#include <tracecodec.h>\n' * 2 + 'struct ArrowArrayStream stream;\n'
            source = pathlib.Path(folder, 'header.' + language)
            source.write_text(text)
            run(*compiler, '-std=' + standard, *WARNINGS, '-fsyntax-only', '-I', ROOT / 'include', source)

    @unittest.skipUnless(c_compiler(), 'there is no C compiler')
    def test_c(self):
        for standard in 'c99', 'c11', 'c17':
            self.compile(c_compiler(), 'c', standard)

    def test_cpp(self):
        for standard in 'c++11', 'c++17', 'c++20':
            self.compile(CXX, 'cpp', standard)


def samples():
    """Yields one trace of each format that this build reads."""
    for path in ('sed64.champsimtrace.xz', 'threads3_64.trace64.xz', 'rapidbin/r250.data',
                 'rapidbin/r250.std', 'umtracer/plain64'):
        if (DATA / path).exists():
            yield path


def champsim_counts(path):
    """Returns the expected counts of records.c, computed independently."""
    packed = path.read_bytes()
    trace = lzma.decompress(packed) if path.suffix == '.xz' else packed
    all_records = [struct.unpack_from('<QBB6s2Q4Q', trace, at) for at in range(0, len(trace), 64)]
    return (f'champsim: {len(all_records)} records, {sum(r[1] for r in all_records)} branches, '
            f'{sum(r[2] for r in all_records)} taken, '
            f'{sum(a != 0 for r in all_records for a in r[6:10])} reads, '
            f'{sum(a != 0 for r in all_records for a in r[4:6])} writes')


RECORDS = {
    'sed64.champsimtrace.xz': 'champsim: 50000 records',
    'threads3_64.trace64.xz': 'x64dbg: 30000 records',
    'rapidbin/r250.data': 'rapidbin: 256 records',
    'rapidbin/r250.std': 'std: 256 records',
    'umtracer/plain64': 'umtracer: 1414 records',
}


class Programs(unittest.TestCase):
    maxDiff = None

    @unittest.skipUnless(c_compiler(), 'there is no C compiler')
    def test_records(self):
        with tempfile.TemporaryDirectory() as folder:
            program = build(folder, EXAMPLES / 'records.c', c_compiler(), '-std=c11')
            for path in samples():
                with self.subTest(path):
                    text = run(program, DATA / path)
                    self.assertIn(RECORDS[path], text)
                    if 'champsim' in path:
                        self.assertEqual(champsim_counts(DATA / path), text.strip())
            cut = pathlib.Path(folder, 'cut')
            record = bytes.fromhex('0010400000000000') + bytes(56)
            cut.write_bytes(record * 99 + record[:20])
            self.assertEqual(run(program, cut, code=1).splitlines(), [
                'champsim: 99 records, 0 branches, 0 taken, 0 reads, 0 writes',
                'error: truncated', f'  file: {cut}', '  offset: 6352', '  record: 99',
                '  field: destination_memory',
                '  message: the trace ends inside the record, after 20 of 64 bytes'])
            none = pathlib.Path(folder, 'none')
            self.assertEqual(run(program, none, code=1).splitlines()[:3],
                             [': 0 records, 0 branches, 0 taken, 0 reads, 0 writes', 'error: system',
                              f'  file: {none}'])

    def test_columns(self):
        with tempfile.TemporaryDirectory() as folder:
            program = build(folder, EXAMPLES / 'columns.cpp', CXX, '-std=c++17')
            for path in samples():
                with self.subTest(path):
                    text = run(program, DATA / path)
                    self.assertIn('\nip: (address)\n', text)
                    self.assertIn('\nmemory, list: address (address) size (bytes) write (flag)\n', text)
                    rows = RECORDS[path].split()[1]
                    self.assertRegex(text.splitlines()[-1], rf'^{rows} rows, \d+ taken, \d+ operands')

    @unittest.skipUnless(SANITIZERS == 'none', 'Python loads no library that is sanitized')
    def test_python(self):
        for path in samples():
            with self.subTest(path):
                text = run(sys.executable, EXAMPLES / 'arrow.py', LIBRARY, DATA / path)
                rows = RECORDS[path].split()[1]
                self.assertRegex(text, rf'(?m)^{rows} rows in \d+ batches$')
                self.assertRegex(text, r'(?m)^ip: L, address$')
                self.assertRegex(text, r'(?m)^memory: \+l of \+s \(address L, size L, write b\)$')

    @unittest.skipUnless(SANITIZERS == 'none', 'Python loads no library that is sanitized')
    def test_python_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            cut = pathlib.Path(folder, 'cut')
            record = bytes.fromhex('0010400000000000') + bytes(56)
            cut.write_bytes(record * 99 + record[:20])
            text = run(sys.executable, EXAMPLES / 'arrow.py', LIBRARY, cut, code=1)
            self.assertIn('99 rows in 1 batches', text)
            self.assertIn(f'{cut}: offset 6352, record 99, field destination_memory: ', text)
            self.assertIn('none: ', run(sys.executable, EXAMPLES / 'arrow.py', LIBRARY,
                                        pathlib.Path(folder, 'none'), code=1))


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]], verbosity=2)
