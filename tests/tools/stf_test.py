# Tests the programs with STF and ZSTF traces that tests/stf/make_stf.py makes.
import csv
import io
import json
import os
import struct
import subprocess
import sys

import support
from support import ProgramTest, file_bytes, needs, run

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'stf'))
import make_stf

ROLES = ('', 'state', 'source', 'destination')
KINDS = ('', 'general', 'floating', 'vector', 'control')
DIRECTIONS = ('', 'read', 'write')


def fields(record):
    """Returns the fields of a record as they are in a row of text."""
    name, *f = record
    hexadecimal = lambda v: '0x%x' % v
    if name == 'reg':
        register, role, kind, value = f
        values = {'values': [hexadecimal(v) for v in value]} if kind == 3 else {'value': hexadecimal(value)}
        return dict(reg=register, role=ROLES[role], kind=KINDS[kind], **values)
    if name == 'page_table_walk':
        return dict(address=hexadecimal(f[0]), walk_index=hexadecimal(f[1]), page_size=f[2], levels=len(f[3]),
                    entries=[hexadecimal(v) for level in f[3] for v in level])
    if name == 'event':
        return dict(cause=hexadecimal(f[0]), arguments=list(f[1]))
    names = {'comment': ['text'], 'process': ['hardware_thread', 'process', 'thread'], 'force_pc': ['pc'],
             'target': ['pc'], 'event_target': ['pc'], 'ready_reg': ['reg'],
             'access': ['address', 'size', 'attributes', 'direction'], 'content': ['value'], 'bus_content': ['value'],
             'bus_access': ['address', 'size', 'source_type', 'source_index', 'attributes', 'direction'],
             'micro_op': ['micro_size', 'opcode'], 'opcode32': ['opcode'], 'opcode16': ['opcode']}[name]
    shown = {'text': lambda v: v.decode(), 'direction': lambda v: DIRECTIONS[v]}
    for n in ('pc', 'address', 'value', 'opcode'):
        shown[n] = hexadecimal
    return {n: shown.get(n, lambda v: v)(v) for n, v in zip(names, f)}


class Stf(ProgramTest):

    def setUp(self):
        super().setUp()
        self.program = make_stf.Program(54)
        self.instructions = list(self.program.run(1000))
        self.stream = self.program.header() + b''.join(i.data for i in self.instructions)
        self.plain = self.write('made.stf', self.stream)
        self.paths = [self.plain]
        if 'zstd' in support.CODECS:
            self.paths.append(os.path.join(os.path.dirname(support.data('')), 'stf', 'made.zstf'))

    def converted(self, path, to, *options):
        r = run('trace_convert', path, self.path(to), *options)
        self.assertEqual(r.returncode, 0, r.stderr)
        return file_bytes(self.path(to))

    def test_copies(self):
        for path in self.paths:
            self.assertEqual(self.converted(path, 'copy.stf'), self.stream)
            self.assertEqual(self.converted(path, 'first.stf', '-n', '20'), self.program.header() + b''.join(
                i.data for i in self.instructions[:20]))
            # The header of a part has the address of its first instruction.
            part = self.instructions[310:330]
            made = self.converted(path, 'part.stf', '--skip', '310', '-n', '20')
            self.assertTrue(made.endswith(b'\x13' + b''.join(i.data for i in part)))
            self.assertIn(struct.pack('<BQB', 9, self.instructions[309].next_pc, 19), made)
            if 'trace_view' in support.PROGRAMS:
                rows = run('trace_view', '-c', '-n', 'all', self.path('part.stf')).stdout.decode().splitlines()
                self.assertEqual([int(row.split()[2], 16) for row in rows], [i.pc for i in part])

    @needs('zstd')
    def test_zstf_files(self):
        """Reads what trace_convert writes, without the library."""
        count = 100003
        program = make_stf.Program(1, make_stf.EVENT64)
        instructions = list(program.run(200))
        # A trace that repeats itself, with addresses that begin again.
        head = program.header()
        again = make_stf.encode(('force_pc', program.start), 0, 0)
        loop = b''.join(i.data for i in instructions)
        stream = head + (again + loop) * 500 + again + b''.join(i.data for i in instructions[:3])
        path = self.write('long.stf', stream)
        made = self.converted(path, 'long.zstf')
        self.assertEqual(made[:4], b'ZSTF')
        per_chunk, index = struct.unpack_from('<QQ', made, 4)
        self.assertEqual((per_chunk, struct.unpack_from('<Q', made, index)), (100000, (2,)))
        entries = list(struct.iter_unpack('<QQQ', made[index + 8:]))
        ends = [at for at, _, _ in entries[1:]] + [index]
        chunks = [subprocess.run(['zstd', '-qdc'], input=made[at:end], stdout=subprocess.PIPE, check=True).stdout
                  for (at, _, _), end in zip(entries, ends)]
        self.assertEqual([len(c) for c in chunks], [size for _, _, size in entries])
        self.assertEqual([pc for _, pc, _ in entries], [0, instructions[-1].next_pc])
        self.assertTrue(b''.join(chunks) == stream)
        self.assertTrue(self.converted(self.path('long.zstf'), 'again.stf') == stream)
        if 'trace_find' in support.PROGRAMS:
            self.assertEqual(run('trace_find', '--count', '--skip', '100000', self.path('long.zstf')).stdout, b'3\n')
        if 'trace_check' in support.PROGRAMS:
            r = run('trace_check', self.path('long.zstf'))
            self.assertEqual((r.returncode, b'%d records, 0 errors, 0 warnings' % count in r.stdout), (0, True), r.stdout)

    def test_rows_are_the_records(self):
        wanted = [dict(index=n, ip='0x%x' % i.pc, descriptor=r[0], **fields(r),
                       branch=i.branch if r[0].startswith('opcode') else '')
                  for n, i in enumerate(self.instructions) for r in i.records]
        for path in self.paths:
            text = run('trace_convert', '--to', 'jsonl', path, '-').stdout.decode()
            rows = [{k: v for k, v in json.loads(line).items() if v is not None} for line in text.splitlines()]
            self.assertEqual(len(rows), len(wanted))
            for row, one in zip(rows, wanted):
                self.assertEqual(row, one)
            if 'trace_view' in support.PROGRAMS:
                self.assertEqual(run('trace_view', '--json', '-n', 'all', path).stdout.decode(), text)
            text = run('trace_convert', '--to', 'csv', path, '-').stdout.decode()
            self.assertEqual(len(list(csv.DictReader(io.StringIO(text)))), len(wanted))

    def test_conversion_to_champsim(self):
        for path in self.paths:
            made = self.converted(path, 'out.champsim')
            records = list(struct.iter_unpack('<QBB2B4B2Q4Q', made))
            self.assertEqual([r[0] for r in records], [i.pc for i in self.instructions])
            self.assertEqual([(r[1], r[2]) for r in records],
                             [(int(i.branch != 'not_branch'), int(bool(i.target))) for i in self.instructions])
            for r, i in zip(records, self.instructions):
                for slots, kind in ((r[9:11], 2), (r[11:15], 1)):
                    addresses = [a[1] for a in i.records if a[0] == 'access' and a[4] == kind]
                    self.assertEqual([a for a in slots if a], addresses)
            if 'trace_check' in support.PROGRAMS:
                r = run('trace_check', '--json', self.path('out.champsim'))
                found = {json.loads(line).get('code') for line in r.stdout.splitlines()} - {None}
                # Records force_pc lead to other addresses.
                self.assertEqual(found, {'older-rules', 'flow'})

    def test_other_programs(self):
        def count(of):
            return b'%d\n' % sum(map(of, self.instructions))

        def has_value(i, register, value):
            return any(r[0] == 'reg' and r[1] == register and r[3] == 1 and r[4] == value for r in i.records)

        for path in self.paths:
            for program, arguments, wanted in (
                    ('trace_check', [path], b'1000 records, 0 errors, 0 warnings'),
                    ('trace_find', ['--count', '--branch', 'conditional', path], count(lambda i: i.branch == 'conditional')),
                    ('trace_find', ['--count', '--register', 'a0=1', path], count(lambda i: has_value(i, 10, 1))),
                    ('frontend_sim', [path], b'1,000'),
                    ('trace_view', ['--about', path], b'made by make_stf.py'),
                    ('trace_view', ['-n', '1', '--skip', '3', path], b'page_table_walk'),
                    ('trace_view', ['--layout', 'stf'], b'walk_index')):
                if program in support.PROGRAMS:
                    r = run(program, *arguments)
                    self.assertEqual(r.returncode, 0, (program, r.stderr))
                    self.assertIn(wanted, r.stdout, (program, arguments))

    @needs('zstd')
    def test_tracepacks_keep_opcodes(self):
        self.converted(self.plain, 'x.tpack')
        if 'trace_find' in support.PROGRAMS:
            r = run('trace_find', '--count', '--branch', 'direct_call', self.path('x.tpack'))
            self.assertEqual(r.stdout, b'%d\n' % sum(i.branch == 'direct_call' for i in self.instructions))
        if 'trace_view' in support.PROGRAMS:
            self.assertIn(b'riscv64', run('trace_view', '--about', self.path('x.tpack')).stdout)

    def test_damaged_traces(self):
        cut = self.write('cut.stf', self.stream[:-1])
        r = run('trace_convert', cut, self.path('cut.champsim'))
        self.assertEqual((r.returncode, os.path.exists(self.path('cut.champsim'))), (1, False))
        self.assertIn(b'record 999', r.stderr)
        self.assertEqual(run('trace_convert', '--keep-whole', cut, self.path('kept.stf')).returncode, 1)
        self.assertEqual(file_bytes(self.path('kept.stf')), self.stream[:-len(self.instructions[-1].data)])
        at = len(self.program.header())
        for content, word in ((self.stream[:at] + b'\xfa' + self.stream[at:], b'descriptor: invalid value for the field (it '
                               b'begins with the byte 0xfa)'), (self.stream[:40], b'inside the header'),
                              (self.stream[:at - 1], b'inside the header')):
            r = run('trace_convert', self.write('bad.stf', content), self.path('bad.champsim'))
            self.assertEqual(r.returncode, 1)
            self.assertIn(word, r.stderr)


if __name__ == '__main__':
    support.main()
