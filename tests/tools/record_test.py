#!/usr/bin/env python3
"""--record FILE: records that a table describes, against the built-in formats and against Python."""
import csv
import io
import json
import struct
import unittest

import support
from support import SED, WORK, ProgramTest, content, needs, run

# A fork's record: big-endian, in another order, with more room for reads and fields of its own.
FORK = """
The record of a fork.
Offset  Size     Field                  Type    Byte order
------  -------  ---------------------  ------  ----------
0       1        branch_taken           bool
1       1        is_branch              u8
2       2        cycles                 u16     big         of our own
4       8        source_registers       u8[8]
12      32       source_memory          u64[4]  big
44      2        destination_registers  u8[2]
46      2        (padding)
48      16       destination_memory     u64[2]  big
64      8        ip                     u64     big
72      12 bits  mode                   u16     big
72      4 bits   ring                   u16     big
74      4        weight                 f32     big
78      2        delta                  i16     big
"""
SIZE = 80


def fork_of(raw):
    """The standard records of `raw` as the fork's, and what is of its own in each."""
    out, own = b'', []
    for n, at in enumerate(range(0, len(raw), 64)):
        ip, branch, taken, d1, d2, s1, s2, s3, s4, *memory = struct.unpack_from('<QBB2B4B6Q', raw, at)
        cycles, mode, ring, delta = n % 65536, n * 7 % 4096, n % 16, n % 1000 - 500
        out += struct.pack('>BBH', taken, branch, cycles)
        out += bytes((s1, s2, s3, s4)) + bytes(4)  # as many slots as the standard record, and more
        out += struct.pack('>4Q', *memory[2:]) + bytes((d1, d2, 0xEE, 0xEE))
        out += struct.pack('>2QQ', *memory[:2], ip)
        out += struct.pack('>Hfh', mode << 4 | ring, n / 4, delta)
        own.append((cycles, mode, ring, n / 4, delta))
    return out, own


def packed(raw):
    """As the standard record with the registers of an array of eight: those that are not 0, in front."""
    out = b''
    for at in range(0, len(raw), 64):
        one = raw[at:at + 64]
        registers = bytes(r for r in one[12:16] if r)
        out += one[:12] + registers.ljust(4, b'\0') + one[16:]
    return out


class Record(ProgramTest):
    program = 'trace_view'

    def table(self, text=FORK):
        return self.write('table.txt', text.encode())

    def of_layout(self, name):
        return self.write(name + '.txt', run('trace_view', '--layout', name).stdout)

    def test_the_standard_record(self):
        table = self.of_layout('champsim')
        for trace in (SED, WORK):
            out = self.path('o')
            r = run('trace_convert', '--record', table, trace, out, '--to', 'champsim')
            self.assertEqual((r.returncode, r.stderr), (0, b''))
            self.assertEqual(support.file_bytes(out), content(trace))
            for args in (['-c', '-n', '100', '--skip', '3000'], ['-s'], ['-c', '--shard', '2/3', '-n', '9']):
                self.assertEqual(self.good('--record', table, trace, *args), self.good(trace, *args))
            for program, *args in (('trace_check',), ('trace_find', '--branch', 'return')):
                self.assertEqual(run(program, '--record', table, trace, *args).stdout,
                                 run(program, trace, *args).stdout, program)

    def test_the_front_end(self):
        table = self.of_layout('champsim')
        described, own = ([json.loads(run('frontend_sim', SED, '--json', *a, *more).stdout)
                           for more in ([], ['--repeat', '2'], ['--shard', '1/4'])]
                          for a in (['--record', table], []))
        for d, o in zip(described, own):
            for timed in [k for k in o if 'second' in k or 'per_s' in k]:
                del d[timed], o[timed]
            self.assertEqual(d, o)

    def test_cloudsuite(self):
        raw = b''.join(struct.pack('<QBB4B4B6x4Q4Q2B6x', 64 + 4 * n, 0, 0, 1, 2, 3, 0, 4, 0, 0, 0,
                                   n, 0, 5, 0, 6, 0, 0, 7, n % 3, 1) for n in range(50))
        trace = self.write('t', raw)
        out = self.path('o')
        r = run('trace_convert', '--record', self.of_layout('cloudsuite'), trace, out, '--to', 'cloudsuite')
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        self.assertEqual(support.file_bytes(out), raw)

    def test_a_fork(self):
        raw = content(SED)[:64 * 3000]
        fork, own = fork_of(raw)
        trace, table, out = self.write('fork.bin', fork), self.table(), self.path('o')
        r = run('trace_convert', '--record', table, trace, out, '--to', 'champsim')
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        self.assertEqual(support.file_bytes(out), packed(raw))
        rows = list(csv.DictReader(io.StringIO(
            run('trace_convert', '--record', table, trace, '-', '--to', 'csv').stdout.decode())))
        lines = [json.loads(s) for s in run('trace_convert', '--record', table, trace, '-', '--to',
                                            'jsonl').stdout.splitlines()]
        self.assertEqual((len(rows), len(lines)), (3000, 3000))
        for n, (row, line, mine) in enumerate(zip(rows, lines, own)):
            ip, branch, taken, *operands = struct.unpack_from('<QBB2B4B6Q', raw, 64 * n)
            self.assertEqual((int(row['index']), int(row['ip']), int(row['branch_taken'])), (n, ip, taken))
            self.assertEqual([int(row['source_memory_%d' % i]) for i in range(4)], operands[8:])
            self.assertEqual((int(row['cycles']), int(row['mode']), int(row['ring']),
                              float(row['weight']), int(row['delta'])), mine)
            self.assertEqual((line['index'], line['ip'], line['branch_taken'], line['is_branch']),
                             (n, hex(ip), bool(taken), branch))
            self.assertEqual(line['destination_memory'], [hex(v) for v in operands[6:8]])
            self.assertEqual(line['source_registers'], list(operands[2:6]) + [0] * 4)
            self.assertEqual(tuple(line[k] for k in ('cycles', 'mode', 'ring', 'weight', 'delta')), mine)
        self.assertEqual(self.good('--record', table, trace, '--json', '--skip', '7', '-n', '2'),
                         run('trace_convert', '--record', table, trace, '-', '--to', 'jsonl', '--skip',
                             '7', '--limit', '2').stdout)
        detail = self.good('--record', table, trace, '-n', '1', '--skip', '600').decode()
        self.assertRegex(detail, r'(?m)^  delta +100$')
        self.assertRegex(detail, r'(?m)^  weight +150$')

    @needs('xz')
    def test_compressed_and_piped(self):
        import lzma
        raw = content(SED)[:64 * 500]
        fork = fork_of(raw)[0]
        wanted = run('trace_view', '--record', self.table(), self.write('f', fork), '-c', '-n', 'all').stdout
        packed_file = self.write('f.xz', lzma.compress(fork))
        self.assertEqual(self.good('--record', self.table(), packed_file, '-c', '-n', 'all'), wanted)
        self.assertEqual(self.good('--record', self.table(), '-', '-c', '-n', 'all', stdin=fork), wanted)

    def test_cut_anywhere(self):
        fork = fork_of(content(SED)[:64 * 3])[0]
        table = self.table()
        for cut in list(range(0, SIZE + 1, 7)) + [SIZE + 1, 2 * SIZE, 3 * SIZE - 1]:
            trace = self.write('cut', fork[:cut])
            for args in (['--json', '-n', 'all'], ['-c', '-n', 'all']):
                r = run('trace_view', '--record', table, trace, *args)
                self.assertEqual(r.stdout.count(b'\n'), cut // SIZE, cut)
                self.assertEqual(r.returncode, 0 if cut and cut % SIZE == 0 else 1, cut)
                if cut % SIZE:
                    self.assertIn(b'record %d' % (cut // SIZE), r.stderr)
                    self.assertIn(b'after %d of 80 bytes' % (cut % SIZE), r.stderr)
        r = run('trace_check', '--record', table, self.write('cut', fork[:2 * SIZE + 3]))
        self.assertIn(b'error: trailing-bytes: offset 162, record 2: the trace ends inside the record, '
                      b'after 3 of 80 bytes', r.stdout)

    def test_findings_are_at_their_own_offsets(self):
        fork = bytearray(fork_of(content(SED)[:64 * 100])[0])
        fork[60 * SIZE + 1] = 7  # is_branch
        r = run('trace_check', '--record', self.table(), self.write('f', bytes(fork)))
        self.assertIn(b'error: flag-value: offset %d, record 60: ' % (60 * SIZE), r.stdout)

    def test_check_of_records_that_are_no_instructions(self):
        table = self.table('0 2 thread u16 big\n2 8 address u64')
        whole, cut = self.write('whole', bytes(range(100))), self.write('cut', bytes(range(93)))
        r = run('trace_check', '--record', table, whole, cut, self.write('none', b''))
        self.assertEqual(r.stdout.decode().replace(whole, 'whole').replace(cut, 'cut').replace(
            self.path('none'), 'none').split('\n'),
            ['whole: 10 records, 0 errors, 0 warnings, 0 notes',
             'cut: error: cut: offset 92, record 9: address: the trace ends inside the record, '
             'after 3 of 10 bytes',
             'cut: 9 records, 1 error, 0 warnings, 0 notes',
             'none: error: header: offset 0: empty, expected records of 10 bytes',
             'none: 0 records, 1 error, 0 warnings, 0 notes', ''])
        self.assertEqual(r.returncode, 1)
        for name, about in (('champsim', b'has no field of this name'), ('x64dbg', b'not x64dbg')):
            r = run('trace_check', '--record', table, whole, '--format', name)
            self.assertEqual((r.returncode, r.stdout), (1, b''))
            self.assertIn(about, r.stderr)

    def test_what_an_instruction_needs(self):
        trace = self.write('t', bytes(range(1, 101)))
        table = self.table('0 2 thread u16 big\n2 8 address u64')
        self.assertEqual(self.good('--record', table, trace, '--json').count(b'\n'), 10)
        self.bad(1, '--record', table, trace, '-c', about=b'field ip: the record that is described has no')
        real = self.table('0 8 ip f64\n')
        self.bad(1, '--record', real, trace, '-c', about=b'field ip: floating point is nothing that')
        many = self.table('0 8 ip u64\n8 2 source_registers u16\n')
        self.bad(1, '--record', many, trace, '-c',
                 about=b'offset 8, record 0, field source_registers: 2569 needs more than 8 bits')
        full = self.table('0 8 ip u64\n8 12 source_registers u8[12]\n')
        self.bad(1, '--record', full, trace, '-c',
                 about=b'field source_registers: has more than 4 elements that are not 0')
        three = self.table('0 8 ip u64\n8 2 destination_registers u8[2]\n')
        self.assertEqual(self.good('--record', three, trace, '-c', '--format', 'cloudsuite').count(b'\n'), 10)
        three = self.table('0 8 ip u64\n8 4 destination_registers u8[4]\n')
        self.bad(1, '--record', three, trace, '-c', about=b'(--format cloudsuite) has 4')
        self.good('--record', three, self.write('t', bytes(range(1, 97))), '-c', '--format', 'cloudsuite')

    def test_what_goes_together(self):
        trace, table = self.write('t', bytes(640)), self.table()
        self.bad(1, '--record', self.path('none'), trace, about=b'No such file')
        self.bad(1, '--record', self.table('0 8 ip q64\n'), trace, about=b"line 1: type: unknown, 'q64'")
        self.bad(2, '--record', self.table(), trace, '--layout', about=b'--record')
        self.bad(1, '--record', table, trace, '-c', '--format', 'x64dbg', about=b'not x64dbg')


if __name__ == '__main__':
    support.main()
