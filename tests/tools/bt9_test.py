# BT9 traces in the programs. tests/bt9/make_bt9.py makes the traces, and lists their instructions
# without reading them.
import csv
import io
import json
import os
import sys

import support
from champsim_records import champsim_record
from support import ProgramTest, file_bytes, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'bt9'))
import make_bt9  # noqa: E402


class Bt9(ProgramTest):

    def setUp(self):
        super().setUp()
        self.made = make_bt9.Program(54, 25, 800)
        self.bt9 = self.write('made.bt9', self.made.text().encode())
        self.instructions = self.made.instructions()

    def test_rows_have_every_instruction(self):
        text = run('trace_convert', '--to', 'jsonl', self.bt9, '-').stdout.decode()
        rows = [json.loads(line) for line in text.splitlines()]
        self.assertEqual([(int(r['ip'], 16), r['branch'], bool(r['taken']), int(r['target'], 16)) for r in rows],
                         self.instructions)
        branches = [r for r in rows if r['branch'] != 'not_branch']
        self.assertEqual([r['step'] for r in branches], list(range(1, len(self.made.steps) + 1)))
        self.assertEqual([r['index'] for r in rows], list(range(len(rows))))
        if 'trace_view' in support.PROGRAMS:
            self.assertEqual(run('trace_view', '--json', '-n', 'all', self.bt9).stdout.decode(), text)
        part = run('trace_convert', '--to', 'csv', '--skip', '50', '-n', '7', self.bt9, '-').stdout.decode()
        self.assertEqual([int(r['index']) for r in csv.DictReader(io.StringIO(part))], list(range(50, 57)))

    def test_converts_to_champsim(self):
        to = self.path('made.champsim')
        r = run('trace_convert', self.bt9, to)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertEqual(file_bytes(to), b''.join(champsim_record(*i[:3]) for i in self.instructions))

    def test_other_programs(self):
        conditional = sum(i[1] == 'conditional' for i in self.instructions)
        first = self.instructions[self.made.first]
        for program, arguments, wanted in (
                ('trace_check', [self.bt9], b'801 records, 0 errors, 0 warnings'),
                ('trace_find', ['--count', '--branch', 'conditional', self.bt9], b'%d\n' % conditional),
                ('frontend_sim', [self.bt9], '{:,}'.format(len(self.instructions)).encode()),
                ('trace_view', ['-c', '-n', '1', '--skip', str(self.made.first), self.bt9],
                 b'0x%016x | %s | BR(T) | edge 1\n' % (first[0], first[1].encode())),
                ('trace_view', ['-n', '1', self.bt9], b'edge                   0\n')):
            if program in support.PROGRAMS:
                r = run(program, *arguments)
                self.assertEqual(r.returncode, 0, (program, r.stderr))
                self.assertIn(wanted, r.stdout, program)

    def test_a_cut_trace(self):
        text = file_bytes(self.bt9)
        cut = self.write('cut.bt9', text[:-8])
        to = self.path('cut.champsim')
        r = run('trace_convert', cut, to)
        self.assertEqual((r.returncode, os.path.exists(to)), (1, False))
        self.assertIn(b'the trace ends before the line EOF', r.stderr)
        r = run('trace_convert', '--keep-whole', cut, to)
        self.assertEqual(file_bytes(to), b''.join(
            champsim_record(*i[:3]) for i in self.instructions[:len(file_bytes(to)) // 64]))
        self.assertGreater(len(file_bytes(to)) // 64, len(self.instructions) - 30)


if __name__ == '__main__':
    support.main()
