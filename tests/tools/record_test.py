#!/usr/bin/env python3
"""Tests --record FILE: compares records that a table describes with the built-in formats and with Python."""
import csv
import io
import json
import struct
import unittest

import support
from support import SED, WORK, ProgramTest, content, needs, run

# A fork's record: big-endian, in another order, with more slots for loads and with fields of
# its own.
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
    """Converts the standard records of `raw` to the fork's records, and also returns the fork's additional fields."""
    out, own = b'', []
    for n, at in enumerate(range(0, len(raw), 64)):
        ip, branch, taken, d1, d2, s1, s2, s3, s4, *memory = struct.unpack_from('<QBB2B4B6Q', raw, at)
        cycles, mode, ring, delta = n % 65536, n * 7 % 4096, n % 16, n % 1000 - 500
        out += struct.pack('>BBH', taken, branch, cycles)
        out += bytes((s1, s2, s3, s4)) + bytes(4)  # more slots than in the standard record
        out += struct.pack('>4Q', *memory[2:]) + bytes((d1, d2, 0xEE, 0xEE))
        out += struct.pack('>2QQ', *memory[:2], ip)
        out += struct.pack('>Hfh', mode << 4 | ring, n / 4, delta)
        own.append((cycles, mode, ring, n / 4, delta))
    return out, own


def packed(raw):
    """Returns the standard record with the registers of an array of eight. Nonzero registers come first."""
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
        for name, about in (('champsim', b'lacks this field'), ('x64dbg', b'not x64dbg')):
            r = run('trace_check', '--record', table, whole, '--format', name)
            self.assertEqual((r.returncode, r.stdout), (1, b''))
            self.assertIn(about, r.stderr)

    def test_what_an_instruction_needs(self):
        trace = self.write('t', bytes(range(1, 101)))
        table = self.table('0 2 thread u16 big\n2 8 address u64')
        self.assertEqual(self.good('--record', table, trace, '--json').count(b'\n'), 10)
        self.bad(1, '--record', table, trace, '-c', about=b'field ip: the described record lacks this field')
        real = self.table('0 8 ip f64\n')
        self.bad(1, '--record', real, trace, '-c', about=b'field ip: instructions have no floating-point')
        two = self.table('0 8 ip u64\n8 2 destination_registers u8[2]\n')
        self.assertEqual(self.good('--record', two, trace, '-c', '--format', 'cloudsuite').count(b'\n'), 10)

    # A fork's record with more operands than ChampSim's. The table has only lines of fields.
    WIDE = """
0    8   ip                     u64
8    1   is_branch              u8
9    1   branch_taken           u8
10   6   destination_registers  u8[6]
16   8   source_registers       u8[8]
24   24  destination_memory     u64[3]
48   56  source_memory          u64[7]
"""

    @staticmethod
    def wide(ip, written, read, stores, loads, branch=0, taken=0):
        return struct.pack('<QBB6s8s3Q7Q', ip, branch, taken, bytes(written), bytes(read),
                           *(stores + [0] * 3)[:3], *(loads + [0] * 7)[:7])

    def wide_trace(self):
        # The second and the fourth record have more operands than ChampSim's, and the fourth
        # more than CloudSuite's. The third is a conditional branch by ChampSim's rules, but
        # its register 26 is in a slot that ChampSim's record lacks.
        return self.write('wide', b''.join((
            self.wide(0x1000, [0, 3], [0, 0, 4], [0, 0x10], [0x20]),
            self.wide(0x1004, [1, 2, 3], [1, 2, 3, 4], [1, 2, 3], [4, 5, 6, 7]),
            self.wide(0x1008, [0, 0, 0, 0, 26], [26, 25], [], [], 1, 1),
            self.wide(0x1010, [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6, 7], [], [1, 0, 3, 4, 5, 6, 0x77])))), \
            self.table(self.WIDE)

    def test_more_operands_than_a_record_has(self):
        trace, table = self.wide_trace()
        self.assertEqual(self.good('--record', table, trace, '-c').decode().split('\n'), [
            "[     0] 0x0000000000001000 | D_R[3] | S_R[4] | D_M['0x10'] | S_M['0x20']",
            "[     1] 0x0000000000001004 | D_R[1, 2, 3] | S_R[1, 2, 3, 4] | D_M['0x1', '0x2', '0x3'] | "
            "S_M['0x4', '0x5', '0x6', '0x7']",
            "[     2] 0x0000000000001008 | BR(T) | D_R[26] | S_R[26, 25]",
            "[     3] 0x0000000000001010 | D_R[1, 2, 3, 4, 5] | S_R[1, 2, 3, 4, 5, 6, 7] | "
            "S_M['0x1', '0x3', '0x4', '0x5', '0x6', '0x77']", ''])
        statistics = json.loads(self.good('--record', table, trace, '-s', '--json'))
        self.assertEqual([statistics[k] for k in ('instructions', 'branches', 'taken')], [4, 1, 1])
        r = run('trace_check', '--record', table, trace)
        self.assertEqual((r.returncode, r.stdout),
                         (0, (trace + ': 4 records, 0 errors, 0 warnings, 0 notes\n').encode()))
        # The third store of the second instruction, and the sixth load of the last.
        for option, address, index in (('--writes', '0x3', 1), ('--reads', '0x77', 3)):
            r = run('trace_find', '--record', table, trace, option, address)
            self.assertEqual([int(s[1:7]) for s in r.stdout.splitlines()], [index])
        r = run('trace_diff', '--record', table, trace, trace)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        r = run('frontend_sim', '--record', table, trace, '--json')
        self.assertEqual(json.loads(r.stdout)['instructions'], 4)
        r = run('trace_report', '--record', table, trace, self.path('report.html'))
        self.assertEqual((r.returncode, r.stderr), (0, b''))

    def test_conversions_count_what_has_no_room(self):
        trace, table = self.wide_trace()
        for to, form, lost in (('champsim', '<QBB2B4B2Q4Q', b'2 instructions'),
                               ('cloudsuite', '<QBB4B4B6x4Q4Q8x', b'1 instruction')):
            out = self.path('o.' + to)
            r = run('trace_convert', '--record', table, trace, out, '--to', to)
            self.assertEqual((r.returncode, r.stderr), (
                0, b'trace_convert: note: ' + lost + b' had more operands than a record holds\n'), to)
            w, s = (2, 2) if to == 'champsim' else (4, 4)
            fit = lambda values, n: (values + [0] * n)[:n]  # noqa: E731
            self.assertEqual(support.file_bytes(out), b''.join(
                struct.pack(form, ip, branch, branch, *fit(written, w), *fit(read, 4), *fit(stores, s), *fit(loads, 4))
                for ip, branch, written, read, stores, loads in (
                    (0x1000, 0, [3], [4], [0x10] if w == 2 else [0, 0x10], [0x20]),
                    (0x1004, 0, [1, 2, 3], [1, 2, 3, 4], [1, 2, 3], [4, 5, 6, 7]),
                    (0x1008, 1, [26], [26, 25], [], []),
                    (0x1010, 0, [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6, 7], [], [1, 3, 4, 5, 6, 7]))), to)

    def test_registers_of_more_than_eight_bits(self):
        table = self.table('0 8 ip u64\n8 4 source_registers u16[2] big\n12 2 is_branch u16')
        trace = self.write('t', b''.join(struct.pack('<Q', 0x1000 + 4 * n) + struct.pack('>HH', n, 5) +
                                         struct.pack('<H', n) for n in (7, 256, 300)))
        self.assertEqual(run('trace_view', '--record', table, trace, '-c').stdout.decode().split('\n'), [
            '[     0] 0x000000000000101c | BR(N) | S_R[7, 5]', '[     1] 0x0000000000001400 | BR(N) | S_R[5]',
            '[     2] 0x00000000000014b0 | BR(N) | S_R[5]', ''])
        for program, *args in (('trace_view', '-c'), ('trace_convert', self.path('o'), '--to', 'champsim')):
            r = run(program, '--record', table, trace, *args)
            self.assertEqual(r.returncode, 0)
            self.assertIn(b'2 instructions had register numbers above 255', r.stderr)
        self.assertEqual([support.file_bytes(self.path('o'))[64 * n + 12:64 * n + 14] for n in range(3)],
                         [b'\x07\x05', b'\x05\0', b'\x05\0'])

    def test_header_of_the_file(self):
        fork = fork_of(content(SED)[:64 * 100])[0]
        plain = [self.good('--record', self.table(), self.write('plain', fork), *a)
                 for a in (['-c', '-n', 'all'], ['--json'], ['-s'])]
        for header, line in ((b'MAGIC' + bytes(11), 'header: 16 4d41474943\n'), (b'x' * 7, 'header: 7\n')):
            table = self.table(line + FORK)
            trace = self.write('plain', header + fork)
            self.assertEqual([self.good('--record', table, trace, *a)
                              for a in (['-c', '-n', 'all'], ['--json'], ['-s'])], plain)
            self.assertEqual([self.good('--record', self.table(), '--record-offset', str(len(header)), trace, *a)
                              for a in (['-c', '-n', 'all'], ['--json'], ['-s'])], plain)
            half = self.good('--record', self.table(), self.write('p', fork), '-c', '--shard', '2/4', '-n', 'all')
            table = self.table(line + FORK)  # the same file again
            self.assertEqual(self.good('--record', table, '-', '-c', '-n', 'all', stdin=header + fork), plain[0])
            self.assertEqual(self.good('--record', table, trace, '-c', '--shard', '2/4', '-n', 'all'), half)
            cut = self.write('cut', (header + fork)[:len(header) + SIZE + 3])
            r = run('trace_view', '--record', table, cut, '--json')
            self.assertIn(b'offset %d, record 1, field cycles' % (len(header) + SIZE + 2), r.stderr)
            for n in (0, 3, len(header)):
                r = run('trace_view', '--record', table, self.write('cut', (header + fork)[:n]), '-c')
                self.assertEqual((r.returncode, r.stdout), (1, b''), n)
            fault = bytearray(header + fork)
            fault[len(header) + 60 * SIZE + 1] = 7
            r = run('trace_check', '--record', table, self.write('f', bytes(fault)))
            self.assertIn(b'error: flag-value: offset %d, record 60: ' % (len(header) + 60 * SIZE), r.stdout)
        table = self.table('header: 16 4d41474943\n' + FORK)
        self.bad(1, '--record', table, self.write('p', bytes(16) + fork), '-c',
                 about=b'offset 0: does not begin with the header of its record table')
        self.bad(2, '--record-offset', '16', self.path('p'), about=b'--record-offset requires --record')

    # Records of files named x.champsim2, according to the struct of their tracer.
    VERSION2 = '<QBB2B4B2Q4Q2Q4Q4B2BBB8x256s128s'

    def version2(self, n):
        out = []
        for i in range(n):
            load = i % 2 == 0
            out.append(struct.pack(
                self.VERSION2, 0x7f0000401000 + 5 * i + i % 3, 0, 0, 7, 0, 5, 0, 0, 0, 0, 0,
                0x7ffc00001000 + 8 * i if load else 0, 0, 0, 0, 0, 0, 0x12345000 + 8 * i if load else 0, 0, 0, 0,
                8 * load, 0, 0, 0, 0, 0, 1, i % 3, struct.pack('<Q', ~i & (1 << 64) - 1) if load else b'', b''))
        return b''.join(out)

    def test_records_of_version_2(self):
        raw = self.version2(300)
        trace = self.write('x.champsim2', raw)
        standard = self.write('x.champsimtrace', b''.join(raw[at:at + 64] for at in range(0, len(raw), 512)))
        for args in (['-c', '-n', 'all'], ['-c', '--shard', '2/3', '-n', 'all'], ['-s', '--json']):
            plain = self.good('--format', 'champsim', standard, *args)
            for how in ([], ['--record', 'champsim2']):
                self.assertEqual(self.good(*how, trace, *args).replace(b'.champsim2', b'.champsimtrace'), plain)
        out = self.path('o')
        r = run('trace_convert', trace, out, '--to', 'champsim')
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        self.assertEqual(support.file_bytes(out), support.file_bytes(standard))
        line = json.loads(self.good(trace, '--json', '-n', '1', '--skip', '2').splitlines()[0])
        self.assertEqual((line['source_memory_pa'][0], line['source_memory_size'], line['privilege'], line['instr_type']),
                         ('0x12345010', [8, 0, 0, 0], 1, 2))
        self.assertEqual(line['source_memory_value'][:8], [0xFD] + 7 * [0xFF])
        self.assertEqual(self.good('--record', 'champsim2', '--layout'), self.good('--layout', trace))
        self.assertIn(b'384     128   destination_memory_value', self.good('--layout', trace))
        for program in ('trace_check', 'frontend_sim'):
            self.assertEqual(run(program, trace).returncode, 0, program)
        r = run('trace_convert', trace, '-', '--to', 'csv')
        rows = list(csv.DictReader(io.StringIO(r.stdout.decode())))
        self.assertEqual((len(rows), rows[4]['source_memory_pa_0']), (300, str(0x12345020)))
        # A trace with other values there is reported as unknown, and can be read by the
        # table's name.
        odd = self.write('odd', b''.join(raw[at:at + 118] + b'\x77' + raw[at + 119:at + 512]
                                         for at in range(0, len(raw), 512)))
        self.bad(1, odd, about=b'records of 512 bytes')
        self.bad(1, odd, about=b'--record champsim2')
        self.assertEqual(self.good('--record', 'champsim2', odd, '-c').count(b'\n'), 10)

    def test_records_after_the_header_chtrcv2(self):
        records = [struct.pack('<QBB8B4B2x2Q4Q', 0x401000 + 4 * i, 0, 0, *range(40, 48), 5, 6, 0, 0, 0, 0, 0x1000, 0, 0, 0)
                   for i in range(20)]
        trace = self.write('x', b'CHTRCV2\0' + struct.pack('<II', 2, 72) + b''.join(records))
        for how in ([], ['--record', 'chtrcv2']):
            self.assertEqual(self.good(*how, trace, '-c', '-n', '1'),
                             b'[     0] 0x0000000000401000 | D_R[40, 41, 42, 43, 44, 45, 46, 47] | S_R[5, 6] | '
                             b"S_M['0x1000']\n")
            self.assertEqual(self.good(*how, trace, '-c', '-n', 'all').count(b'\n'), 20)
        r = run('trace_convert', trace, self.path('o'), '--to', 'champsim')
        self.assertEqual((r.returncode, r.stderr), (
            0, b'trace_convert: note: 20 instructions had more operands than a record holds\n'))
        self.bad(1, '--record', 'chtrcv2', self.write('y', b''.join(records)), about=b'does not begin with the header')

    def test_the_size_of_a_forks_record(self):
        # Ten records of 88 bytes, in all not a multiple of 224, with two counters before the
        # ip.
        ips = [0x401000]
        for step in (4, 2, 7, 5, 3, 1, 6, 4, 9):
            ips.append(ips[-1] + step)
        raw = b''.join(struct.pack('<qQQH62x', n, 5 * n, ip, 7) for n, ip in enumerate(ips))
        self.bad(1, self.write('fork', raw), about=b'it seems to have records of 88 bytes')
        r = run('trace_view', self.path('fork'))
        self.assertLess(r.stderr.index(b'--record FILE'), r.stderr.index(b'struct'))
        # The records may also be in reverse order, as written by a tracer that begins at the
        # end.
        back = b''.join(struct.pack('<QQQQ56x', 0xffffffffffffffff, 0x5551000017d8, ip, 0x10000ffff)
                        for ip in reversed(ips))
        self.bad(1, self.write('fork', back), about=b'it seems to have records of 88 bytes')
        wide = b''.join(struct.pack('<QQ', ip, 0x0707070707070707).ljust(6232, b'\x07') for ip in ips)
        self.bad(1, self.write('fork', wide), about=b'it seems to have records of 6232 bytes')

    def test_names_of_fields(self):
        name = 'a_name_that_is_longer_than_its_column'
        table = self.table('0 8 ip u64\n8 1 index u8\n9 1 %s u8\n10 1 =HYPERLINK(1) u8\n11 1 twenty_three_characters u8\n'
                           % name)
        trace = self.write('t', bytes(range(1, 13)))
        self.assertEqual(self.good('--record', table, trace).decode().split('\n')[1:6], [
            '  ip                     0x807060504030201', '  index                  9', '  %s 10' % name,
            '  =HYPERLINK(1)          11', '  twenty_three_characters 12'])
        fields = ['record_index', 'ip', 'index', name, '=HYPERLINK(1)', 'twenty_three_characters']
        line = json.loads(self.good('--record', table, trace, '--json'), object_pairs_hook=list)
        self.assertEqual(line, list(zip(fields, [0, '0x807060504030201', 9, 10, 11, 12])))
        for more, guard in (([], ''), (['--guard-formulas'], "'")):
            r = run('trace_convert', '--record', table, trace, '-', '--to', 'csv', *more)
            self.assertEqual(r.stdout.decode().split('\n')[0],
                             ','.join(fields[:4] + [guard + fields[4], fields[5]]))
        r = run('trace_convert', '--record', table, trace, '-', '--to', 'jsonl', '--guard-formulas')
        self.assertEqual(r.returncode, 2)

    def found(self, *args):
        r = run('trace_find', *args)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        return r.stdout

    def test_fields_of_what_is_found(self):
        raw = content(SED)[:64 * 3000]
        fork, own = fork_of(raw)
        trace, table = self.write('fork.bin', fork), self.table()
        ips = [struct.unpack_from('<Q', raw, 64 * n)[0] for n in range(3000)]
        where = [n for n, ip in enumerate(ips) if ip == ips[100]]
        rows = [json.loads(s) for s in
                self.found('--record', table, '--json', '--ip', hex(ips[100]), trace).splitlines()]
        self.assertEqual([r['index'] for r in rows], where)
        for row in rows:
            mine = tuple(row[k] for k in ('cycles', 'mode', 'ring', 'weight', 'delta'))
            self.assertEqual((int(row['ip'], 16), mine), (ips[100], own[row['index']]))
        # The output has the form of trace_view, also with --last.
        for form in (['--json'], ['--detail']):
            viewed = b''.join(run('trace_view', '--record', table, *(f for f in form if f != '--detail'), '-n', '1',
                                  '--skip', str(n), trace).stdout for n in where)
            self.assertEqual(self.found('--record', table, *form, '--ip', hex(ips[100]), trace), viewed)
            last = self.found('--record', table, *form, '--ip', hex(ips[100]), '--last', trace)
            self.assertTrue(viewed.endswith(last) and last)
        self.assertTrue(self.found('--record', table, '-m', '1', trace).startswith(b'[     0] 0x'))

    @needs('zstd')
    def test_fields_of_what_is_found_without_an_option(self):
        fork = fork_of(content(SED)[:64 * 50])[0]
        pack = self.path('fork.tpack')
        r = run('trace_convert', '--record', self.table(), self.write('fork.bin', fork), pack)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        for trace in (pack, self.write('x.champsim2', self.version2(50))):
            for found, viewed in ((['--json'], ['--json']), (['--detail'], ['-n', 'all'])):
                rows = self.found(*found, trace)
                self.assertEqual(rows, self.good(*viewed, trace))
            self.assertNotIn(b'D_R', rows)

    def test_places_of_described_records(self):
        trace = self.write('t', struct.pack('<QBQBQB', 0x401000, 7, 0x401006, 8, 0x402000, 9))
        table, symbols = self.table('0 8 ip u64\n8 1 x u8\n'), self.write('nm', b'401000 t f\n401010 t g\n')
        options = ('--record', table, '--symbols', symbols, trace)
        for out in (self.good(*options, '--json'), self.found(*options, '--json')):
            rows = [json.loads(s) for s in out.splitlines()]
            self.assertEqual(rows[1], {'index': 1, 'ip': '0x401006', 'x': 8, 'symbol': 'f', 'symbol_offset': '0x6'})
        for out in (self.good(*options), self.found(*options, '--detail')):
            self.assertRegex(out.decode(), r'(?s)Record 1\n  ip +0x401006\n  x +8\n  in +f\+0x6\n\nRecord 2')
        self.bad(2, '--record', self.table('0 9 x u8[9]\n'), '--symbols', symbols, trace, about=b'need records with an ip')

    def test_options_that_records_of_their_own_do_not_have(self):
        trace, table = self.write('t', bytes(range(1, 81)) * 2), self.table()
        known = self.write('x.champsim2', self.version2(50))
        for which in (['--record', table, trace], [known]):
            for option in (['--effects'], ['--registers', 'rax'], ['--memory', '0x10']):
                self.bad(2, *which, *option, '--json', about=option[0].encode())
            r = run('trace_view', *which, '--repair', '--json')
            self.assertNotEqual(r.returncode, 0)
            self.assertIn(b'defect to repair', r.stderr)
            r = run('trace_view', *which, '--thread', '1', '--thread', '2')
            self.assertNotEqual(r.returncode, 0)
            self.assertIn(b'only RapidBin traces accept several', r.stderr)
        r = run('trace_view', '--thread', '1', '--json', known)
        self.assertEqual((r.returncode, r.stdout), (1, b''))
        self.assertIn(b'no threads to select', r.stderr)

    def test_what_goes_together(self):
        trace, table = self.write('t', bytes(640)), self.table()
        self.bad(1, '--record', self.path('none'), trace, about=b'No such file')
        self.bad(1, '--record', self.table('0 8 ip q64\n'), trace, about=b"line 1: type: unknown, 'q64'")
        self.bad(2, '--record', self.table(), trace, '--layout', about=b'--record')
        self.bad(1, '--record', table, trace, '-c', '--format', 'x64dbg', about=b'not x64dbg')


if __name__ == '__main__':
    support.main()
