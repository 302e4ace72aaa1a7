# --memory-limit: the dictionaries (xz) and windows (zstd) that each program accepts when it
# reads a trace.
import lzma
import os
import struct
import unittest
import zlib

import support
from support import PROGRAMS, SED, content, needs

RAW = content(SED)[:64 * 100]
MIB = 1 << 20


def xz(raw, mebibytes):
    """Compresses like `xz -0`, but the block's header requests another dictionary size: a power of two MiB, or one
    and a half times as much (xz-file-format 1.2.1, 5.3.1)."""
    out = bytearray(lzma.compress(raw, preset=0))
    bits = next(b for b in range(40) if (2 | (b & 1)) << (b // 2 + 11) == mebibytes * MIB)
    assert out[12:16] == b'\x02\x00\x21\x01' and len(out) > 24
    out[16] = bits
    out[20:24] = struct.pack('<I', zlib.crc32(out[12:20]))
    return bytes(out)


def zstd(raw, mebibytes, eighths=0):
    """Returns a frame with one uncompressed block. The window is a power of two MiB, plus a number of eighths (RFC
    8878, 3.1.1)."""
    window = (mebibytes * MIB).bit_length() - 1 - 10
    return struct.pack('<IBB', 0xFD2FB528, 0, window << 3 | eighths) + \
        struct.pack('<I', len(raw) << 3 | 1)[:3] + raw


def zstd_in_one(size):
    """Returns the start of a frame with a window that equals its content."""
    return struct.pack('<IBQ', 0xFD2FB528, 0xE0, size) + struct.pack('<I', 64 << 3 | 1)[:3] + RAW[:64]


FILES = [codec for codec in (('xz', xz, 384), ('zstd', zstd, 512)) if codec[0] in support.CODECS]


class MemoryLimit(support.ProgramTest):
    def commands(self, path):
        """Returns a command line of each program for the trace."""
        return [(name, arguments) for name, arguments in (
            ('trace_view', (path,)), ('trace_convert', (path, '-')),
            ('trace_find', (path, '--branch', 'conditional')), ('trace_diff', (path, path)),
            ('trace_check', (path,)), ('trace_report', (path, self.path('o.html'))),
            ('frontend_sim', (path,))) if name in PROGRAMS]

    def test_each_program(self):
        for codec, make, most in FILES:
            path = self.write('t.' + codec, make(RAW, most))
            for self.program, arguments in self.commands(path):
                usual = b'%s data: needs %d MiB of memory, but the limit is 256 MiB; raise the memory ' \
                    b'limit (--memory-limit)' % (codec.encode(), most)
                r = self.run_program(*arguments)
                self.assertNotEqual(r.returncode, 0, arguments)
                self.assertIn(usual, r.stderr, (self.program, arguments))
                self.assertEqual(r.stderr.count(b'\n'), 1, arguments)
                for limit in ('1G', '%dM' % most, '%dK' % (most << 10), str(most << 20)):
                    r = self.run_program('--memory-limit', limit, *arguments)
                    self.assertEqual((r.returncode, r.stderr), (0, b''), (self.program, limit))
                r = self.run_program('--memory-limit', '%dM' % (most - 1), *arguments)
                self.assertIn(b'needs %d MiB of memory, but the limit is %d MiB' % (most, most - 1),
                              r.stderr)

    def test_as_much_as_the_limit(self):
        self.program = 'trace_view'
        for codec, make, _ in FILES:
            expected = self.good('--json', self.write('plain', RAW))
            for most in (64, 128, 256):
                path = self.write('t.' + codec, make(RAW, most))
                self.assertEqual(self.good('--json', path), expected)
                self.assertEqual(self.good('--json', path, '--memory-limit', '%dM' % most), expected)
                self.bad(1, path, '--memory-limit', '%dM' % (most - 1), about=b'needs %d MiB' % most)

    @needs('zstd')
    def test_windows_between_and_beyond(self):
        self.program = 'trace_view'
        path = self.write('t.zst', zstd(RAW, 256, 1))
        self.bad(1, path, about=b'needs 288 MiB of memory, but the limit is 256 MiB')
        self.good(path, '--memory-limit', '288M')
        path = self.write('t.zst', zstd_in_one(300 * MIB))
        self.bad(1, path, about=b'needs 300 MiB of memory, but the limit is 256 MiB')
        path = self.write('t.zst', zstd(RAW, 1 << 20))  # more than libzstd supports
        for limit in ('256M', '4000G'):
            self.bad(1, path, '--memory-limit', limit,
                     about=b'zstd data: needs 1048576 MiB of memory, but libzstd decodes up to')

    @unittest.skipUnless(FILES, 'needs xz or zstd')
    @needs('simdjson')
    def test_metadata(self):
        self.program = 'trace_view'
        beside = os.path.join(os.path.dirname(SED), 'rapidbin', 'r250.')
        json, trace = support.file_bytes(beside + 'json'), beside + 'data'
        for codec, make, most in FILES:
            path = self.write('m.json.' + codec, make(json, most))
            self.bad(1, '--metadata', path, trace, about=b'm.json.%s: ' % codec.encode())
            self.bad(1, '--metadata', path, trace, about=b'needs %d MiB' % most)
            self.good('--metadata', path, trace, '--memory-limit', '1G')

    def test_usage(self):
        for self.program, arguments in self.commands(SED):
            for size in ('', 'M', '-1', '1.5G', '1T', '1MB', '0x10', ' 1', '18446744073709551616',
                         '18014398509481984K', '17179869184G'):
                r = self.run_program('--memory-limit=' + size, *arguments)
                self.assertEqual(r.stdout, b'')
                self.assertEqual(r.returncode, 2, (self.program, size, r.stderr))
            self.assertIn(b'--memory-limit SIZE', self.good('--help'))


if __name__ == '__main__':
    support.main()
