# trace_convert: changes the compression of a trace or extracts a part of it. OUT appears only
# when it is complete.
import gzip
import lzma
import os
import signal
import stat
import subprocess
import unittest

import support
from support import CODECS, SED, WORK, content, file_bytes

UNPACK = {'xz': ('xz', lzma.decompress), 'gz': ('gzip', gzip.decompress)}


class Convert(support.ProgramTest):
    program = 'trace_convert'

    def leftovers(self):
        return [n for n in os.listdir(self.folder) if n.startswith('.')]

    def test_each_compression(self):
        raw = content(WORK)
        out = self.path('o.trace')
        self.assertEqual(self.good(WORK, out), b'')
        self.assertEqual(file_bytes(out), raw)
        for suffix, (codec, unpack) in UNPACK.items():
            if codec in CODECS:
                self.good(out, self.path('o.' + suffix))
                self.assertEqual(unpack(file_bytes(self.path('o.' + suffix))), raw)
                self.bad(2, out, self.path('odd.bin'), '--codec', codec, about=b'.bin')
                self.good(out, self.path('odd.bin'), '--codec', codec, '--to', 'champsim')
                self.assertEqual(unpack(file_bytes(self.path('odd.bin'))), raw)
        if 'zstd' in CODECS:
            self.good(out, self.path('o.zst'))
            self.assertEqual(file_bytes(self.path('o.zst'))[:4], b'\x28\xb5\x2f\xfd')
            self.good(self.path('o.zst'), self.path('back'))
            self.assertEqual(file_bytes(self.path('back')), raw)
            if support.has_program('zstd'):
                done = subprocess.run(['zstd', '-dc', self.path('o.zst')], stdout=subprocess.PIPE)
                self.assertEqual(done.stdout, raw)
        self.good(WORK, self.path('plain.xz'), '--codec=none')
        self.assertEqual(file_bytes(self.path('plain.xz')), raw)

    def test_suffixes(self):
        """Tests the table of suffixes. Case is ignored, and a compression suffix may follow."""
        packed = {'': lambda b: b}
        for suffixes, (codec, unpack) in (((('.xz', '.XZ', '.Xz')), UNPACK['xz']),
                                          ((('.gz', '.GZ', '.gzip')), UNPACK['gz'])):
            packed.update({s: unpack for s in suffixes if codec in CODECS})
        if 'zstd' in CODECS and support.has_program('zstd'):
            packed.update({s: lambda b: subprocess.run(
                ['zstd', '-dc'], input=b, stdout=subprocess.PIPE, check=True).stdout
                for s in ('.zst', '.zstd', '.ZST', '.Zstd')})
        raw = content(WORK)[:640]
        trace = self.write('in', raw)
        first = b'index,ip,'
        for end, unpack in packed.items():
            for form in ('', '.champsim', '.champsimtrace', '.trace', '.Trace', '.CHAMPSIM'):
                # On Windows, names that differ only in case are equal.
                out = self.path('o%d' % len(os.listdir(self.folder)) + form + end)
                self.good(trace, out)
                self.assertEqual(unpack(file_bytes(out)), raw, out)
            for form in ('.csv', '.CSV', '.Csv'):
                out = self.path('p%d' % len(os.listdir(self.folder)) + form + end)
                self.good(trace, out)
                self.assertEqual(unpack(file_bytes(out))[:len(first)], first, out)
            for form in ('.jsonl', '.ndjson', '.NDJSON'):
                out = self.path('q%d' % len(os.listdir(self.folder)) + form + end)
                self.good(trace, out)
                self.assertEqual(unpack(file_bytes(out))[:10], b'{"index":0', out)

    def test_other_suffixes(self):
        trace = self.write('in', content(WORK)[:640])
        there = sorted(os.listdir(self.folder))
        for end in ('.7z', '.tgz', '.log', '.json', '.JSON', '.tsv', '.txt', '.tar.gz', '.lzma',
                    '.bin', '.html', '.trace16', '.gz.xz', '.csv.old', '.part1', '.'):
            for more in ([], ['--codec', 'gzip'] if 'gzip' in CODECS else []):
                self.bad(2, trace, self.path('o' + end), *more,
                         about=b'.champsimtrace, .trace, .tpack, .cloudsuite, .drmemtrace, .memtrace, .tarmac, .tenet, .tenet.log, .lackey, .din, .mldpc, '
                               b'.trace32, ')
        for end in ('.bz2', '.BZ2', '.lz4', '.sz', '.zip', '.csv.bz2', '.jsonl.Lz4', '.csv.ZIP'):
            self.bad(2, trace, self.path('o' + end), about=b'can be read, not written')
        # Formats to which this trace cannot be converted.
        for end in ('.trace64', '.TRACE32.xz', '.data', '.std', '.Rapidbin', '.cloudsuite'):
            self.bad(2, trace, self.path('o' + end), about=b'cannot be written as')
        self.assertEqual(sorted(os.listdir(self.folder)), there)
        # --to selects the format. Names without a suffix do not imply one.
        for name in ('o.log', 'o.7z', 'o.part1', 'plain', '.hidden', 'in.folder/plain'):
            os.makedirs(self.path('in.folder'), exist_ok=True)
            self.good(trace, self.path(name), *(['--to', 'champsim'] if name[:2] == 'o.' else []))
            self.assertEqual(file_bytes(self.path(name)), file_bytes(trace), name)

    @unittest.skipIf(support.WINDOWS, 'Windows has no FIFOs')
    def test_suffix_of_a_fifo(self):
        """Tests that an unknown suffix of a fifo has no effect, because users cannot always choose its name."""
        raw = content(WORK)[:640]
        trace = self.write('in', raw)
        for name, begin in (('f.log', raw), ('f.csv', b'index,ip,')):
            os.mkfifo(self.path(name))
            p = subprocess.Popen([support.PROGRAMS[self.program], trace, self.path(name)],
                                 stderr=subprocess.PIPE)
            with open(self.path(name), 'rb') as f:
                self.assertTrue(f.read().startswith(begin))
            self.assertEqual((p.communicate(timeout=60)[1], p.returncode), (b'', 0))

    def test_from_each_compression(self):
        raw = content(WORK)
        for path in self.compressions(raw):
            self.assertEqual(self.good(path, '-'), raw, path)
            self.assertEqual(self.good('-', '-', stdin=file_bytes(path)), raw, path)

    def test_slice(self):
        raw = content(SED)
        for skip, limit in ((0, 1), (4095, 2), (4096, 10000), (49999, 9)):
            got = self.good(SED, '-', '--skip', str(skip), '--limit', str(limit))
            self.assertEqual(got, raw[64 * skip:64 * (skip + limit)])
        for args in (['--limit', '0'], ['--skip', '50000']):
            self.bad(1, SED, self.path('none'), *args, about=b'no record')
            self.assertFalse(os.path.exists(self.path('none')))

    def test_cloudsuite(self):
        raw = support.as_cloudsuite(support.records(content(WORK))[:2000], [1, 2])
        path = self.write('c', raw)
        self.assertEqual(self.good(path, '-'), raw)
        self.assertEqual(self.good(path, '-', '--cloudsuite', '--skip=1999'), raw[96 * 1999:])

    def test_same_file(self):
        path = self.write('t', content(WORK)[:6400])
        before = file_bytes(path)
        os.symlink(path, self.path('link'))
        os.link(path, self.path('hard'))
        for out in (path, self.path('link'), self.path('hard'), self.folder + '/./t'):
            self.bad(2, path, out, about=b'same file')
        if os.path.exists('/dev/stdin') and not support.WINDOWS:
            with open(path, 'rb') as f:
                r = subprocess.run([support.PROGRAMS[self.program], '-', path], stdin=f,
                                   stderr=subprocess.PIPE)
            self.assertEqual(r.returncode, 2)
        self.assertEqual(file_bytes(path), before)

    def test_damaged(self):
        for path, raw in self.damaged():
            out = self.write('out', b'what was there before')
            self.bad(1, path, out, about=path.encode())
            self.assertEqual(file_bytes(out), b'what was there before')
            self.bad(1, path, out, '--keep-whole', about=path.encode())
            got = file_bytes(out)
            self.assertEqual(len(got) % 64, 0)
            self.assertGreater(len(got), 900 * 64)
            if 'corrupt' not in path:
                self.assertEqual(got, raw[:len(got)])
            self.bad(1, path, self.path('new'), about=path.encode())
            self.assertFalse(os.path.exists(self.path('new')))
            piped = self.run_program(path, '-')  # standard output receives the intact records
            self.assertEqual((piped.returncode, piped.stdout), (1, got))
        self.assertEqual(self.leftovers(), [])

    def test_input_codec(self):
        # A trace can be read although its first address looks like gzip's magic number.
        looks = bytes.fromhex('1f8b080000000000') + content(SED)[8:640]
        self.bad(1, self.write('looks', looks), self.path('out'), about=b'gzip')
        self.good('--input-codec', 'none', self.write('looks', looks), self.path('out'))
        self.assertEqual(file_bytes(self.path('out')), looks)
        self.bad(2, '--input-codec', 'rar', SED, self.path('out'), about=b'rar')

    def test_no_trace(self):
        for path, word in self.no_traces().items():
            for more in ([], ['--keep-whole']):
                if os.path.isdir(path):  # it may not contain the output
                    self.bad(2, path, self.path('out'), *more, about=b'choose another output')
                    self.bad(1, path, '-', *more, about=word)
                else:
                    self.bad(1, path, self.path('out'), *more, about=word)
                self.assertFalse(os.path.exists(self.path('out')))
        self.bad(1, '--format=champsim', '--keep-whole', self.write('e', b''), self.path('out'))
        self.assertFalse(os.path.exists(self.path('out')))
        self.assertEqual(self.leftovers(), [])

    def test_output(self):
        self.bad(1, WORK, self.folder, about=b'directory')
        self.bad(1, WORK, self.path('no/such/folder'), about=b'No such')
        self.check_full_disk(WORK, '-')
        if support.has_full_disk():
            self.bad(1, WORK, '/dev/full', about=b'/dev/full')
        self.good(WORK, '/dev/null')
        self.check_closed_pipe(WORK, '-')
        if support.WINDOWS:
            return
        # A replaced file keeps its permissions.
        out = self.write('o', b'old')
        os.chmod(out, 0o640)
        self.good(WORK, out)
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode), 0o640)

    @unittest.skipIf(support.WINDOWS, 'Windows has no signals between programs')
    def test_interrupt(self):
        # A signal during the wait for the rest of a pipe leaves no temporary file.
        p = subprocess.Popen([support.PROGRAMS[self.program], '-', self.path('out')],
                             stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        p.stdin.write(content(WORK)[:640000])
        p.stdin.flush()
        # By now the program has read more than a pipe holds, and may have a temporary file.
        self.assertLessEqual(len(self.leftovers()), 1)
        p.send_signal(signal.SIGTERM)
        self.assertIn(b'interrupted', p.communicate(content(WORK), timeout=60)[1])
        self.assertEqual((p.returncode, os.listdir(self.folder)), (-signal.SIGTERM, []))

    def test_usage(self):
        out = self.path('o')
        for args in ((), (WORK,), (WORK, out, out), (WORK, out + '.bz2'), (WORK, out + '.lz4'),
                     (WORK, out, '--codec', 'bzip2'), (WORK, out, '--codec', 'lz4'),
                     (WORK, out, '--codec', 'snappy'), (WORK, out, '--codec', 'zip'),
                     (WORK, out, '--codec', 'rar'), (WORK, out, '--skip', 'a'),
                     (WORK, out, '--format', 'x'), (WORK, out, '--limit')):
            self.assertEqual(self.bad(2, *args), b'')
        self.assertEqual(os.listdir(self.folder), [])
        self.assertIn(b'Usage: trace_convert', self.good('--help'))


if __name__ == '__main__':
    support.main()
