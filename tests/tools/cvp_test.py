# CVP-1 and CBP2025 traces in the programs. The conversion to ChampSim is compared with an independent
# implementation, tests/cvp/champsim_model.py, for each improvement alone and for all together.
import csv
import functools
import gzip
import io
import itertools
import json
import os
import struct
import sys

import support
from support import ProgramTest, file_bytes, needs, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cvp'))
import champsim_model  # noqa: E402
import make_cvp  # noqa: E402

# Traces that may not be part of the project.
SAMPLES = os.environ.get('TRACECODEC_SAMPLES', 'TRACECODEC_SAMPLES')
CASE = os.path.join(SAMPLES, '..', 'cases', 'cvp1-made-taken-for-champsim.bin')
KINDS = ('alu', 'load', 'store', 'conditional', 'direct_jump', 'indirect_jump', 'fp', 'slow_alu', 'undefined',
         'direct_call', 'indirect_call', 'return')
ALL = ','.join(champsim_model.NAMES)
# ChampSim's record: the address, two flags, two and four registers, two and four addresses.
RECORD = struct.Struct('<Q8B6Q')


def made(newer, count=3000):
    """Returns the instructions and the content of a made trace."""
    instructions = list(make_cvp.Program(54).run(count))
    return instructions, b''.join(make_cvp.encode(i, newer) for i in instructions)


@functools.cache
def first_instructions(path, count):
    """Returns the content of the first instructions of a CBP2025 trace. The model needs a minute for a whole sample."""
    with gzip.open(path) as f:
        content = f.read(40 * count)
    return content[:next(itertools.islice(champsim_model.decode(content, True), count - 1, None)).end]


class Cvp(ProgramTest):

    def setUp(self):
        super().setUp()
        self.paths = {}
        for newer, name in ((False, 'made.cvp'), (True, 'made.cbp2025')):
            self.paths[newer] = self.write(name, made(newer)[1])

    def converted(self, path, *options):
        to = self.path('out.champsim')
        r = run('trace_convert', path, to, *options)
        self.assertEqual(r.returncode, 0, r.stderr)
        return file_bytes(to)

    def test_conversion_equals_the_model(self):
        for newer, path in self.paths.items():
            content = file_bytes(path)
            for how in ('original', 'all', *champsim_model.NAMES):
                on = champsim_model.improvements_of(how)
                wanted = b''.join(b''.join(r) for r in champsim_model.converted(content, newer, on, how == 'original'))
                options = {'original': ['--as-original'], 'all': []}.get(how, ['--improvements', how])
                self.assertEqual(self.converted(path, *options), wanted, (newer, how))
            self.assertEqual(self.converted(path, '--improvements', ALL), self.converted(path))

    def test_single_instructions(self):
        """Compares records with those that follow from the instructions, written by hand."""
        def record(ip, written, read, loaded=0, stored=0):
            def slots(all_of, n):
                return [*all_of, *[0] * (n - len(all_of))]
            return RECORD.pack(ip, 0, 0, *slots(written, 2), *slots(read, 4), stored, 0, loaded, 0, 0, 0)

        def access(kind, inputs, *outputs):
            return Instruction(pc=PC, kind=kind, address=EA, size=8, inputs=inputs, outputs=outputs)

        PC, EA, LOAD, STORE = 0x401000, 0x7f0080, make_cvp.LOAD, make_cvp.STORE
        Instruction = make_cvp.Instruction
        before, after, far = (2, EA), (2, EA + 8), (2, EA + 4096)
        update, early = record(PC + 2, [2], [2]), record(PC, [2], [2])
        v1 = (33, (1, 2))
        only = ['--improvements', 'base-update']
        for name, options, instructions, wanted in (
                ('ldr x1, [x2], #8', [], [access(LOAD, (2,), after, (1, 5))],
                 [record(PC, [1], [2], EA), update]),
                ('ldr x1, [x2], #8', only, [access(LOAD, (2,), after, (1, 5))],
                 [record(PC, [1], [2], EA), update]),
                ('ldr x1, [x2, #8]!', only, [access(LOAD, (2,), before, (1, 5))],
                 [early, record(PC + 2, [1], [2], EA)]),
                ('ldr q1, [x2], #8', only, [access(LOAD, (2,), v1, after)], [record(PC, [33], [2], EA), update]),
                ('ldp x1, x3, [x2], #16', only, [access(LOAD, (2,), after, (1, 5), (3, 6))],
                 [record(PC, [1], [2], EA), update]),
                # ChampSim's converters invent the destination x0, which is 67.
                ('str x1, [x2], #8', only, [access(STORE, (2, 1), after)],
                 [record(PC, [67], [2, 1], 0, EA), update]),
                ('str x1, [x2], #8', [], [access(STORE, (2, 1), after)], [record(PC, [], [2, 1], 0, EA), update]),
                ('str q1, [x2], #8', [], [access(STORE, (33, 2), after)], [record(PC, [], [2, 33], 0, EA), update]),
                ('a second source', [], [access(STORE, (1, 2), after)], [record(PC, [2], [1, 2], 0, EA)]),
                ('stp x1, x3, [x2], #16', [], [access(STORE, (2, 1, 3), after)],
                 [record(PC, [], [2, 1, 3], 0, EA), update]),
                ('an output that is not read', [], [access(STORE, (2, 1, 3), (4, EA))],
                 [record(PC, [4], [2, 1, 3], 0, EA)]),
                ('ldp x2, x1, [x2]', [], [access(LOAD, (2,), far, (1, 5))], [record(PC, [2, 1], [2], EA)]),
                ('the first output is not read', [], [access(LOAD, (2,), (1, 5), after, (3, 6))],
                 [record(PC, [1, 2], [2], EA)]),
                ('st1 {v0-v3}, [x2]', [], [access(STORE, (32, 33, 34, 35, 2))],
                 [record(PC, [], [2, 32, 33, 34], 0, EA)]),
                ('st1 {v0-v3}, [x2]', ['--as-original'], [access(STORE, (32, 33, 34, 35, 2))],
                 [record(PC, [67], [32, 33, 34, 35], 0, EA)]),
                ('an instruction keeps its mode', [],
                 [access(LOAD, (2,), far, (1, 5)), access(LOAD, (2,), after, (1, 5))],
                 2 * [record(PC, [2, 1], [2], EA)]),
                ('another instruction at the same address', [],
                 [access(LOAD, (2,), far, (1, 5)), Instruction(pc=PC, kind=make_cvp.SLOW_ALU, inputs=(1,)),
                  access(LOAD, (2,), after, (1, 5))],
                 [record(PC, [2, 1], [2], EA), record(PC, [], [1]), record(PC, [1], [2], EA), update])):
            path = self.write('single.cvp', b''.join(make_cvp.encode(i, False) for i in instructions))
            self.assertEqual(self.converted(path, '--format', 'cvp1', *options), b''.join(wanted), (name, options))

    def test_a_pipe_is_refused_before_it_is_read(self):
        to = self.path('piped.champsim')
        r = run('trace_convert', '-', to, stdin=file_bytes(self.paths[False]))
        self.assertEqual((r.returncode, os.path.exists(to)), (1, False))
        self.assertIn(b'reads a trace twice: save the trace as a file first', r.stderr)

    @needs('gzip')
    def test_conversion_of_the_samples_equals_the_model(self):
        names = 'sample_int_trace.gz', 'sample_fp_trace.gz'
        for name, how in itertools.product(names, ('original', 'all', *champsim_model.NAMES)):
            path = os.path.join(SAMPLES, 'industry', 'cbp2025', name)
            if not os.path.exists(path):
                self.skipTest(path + ' does not exist')
            content = first_instructions(path, 100000)
            path = self.write('sample.cbp2025', content)
            on = champsim_model.improvements_of(how)
            wanted = b''.join(b''.join(r) for r in champsim_model.converted(content, True, on, how == 'original'))
            options = {'original': ['--as-original'], 'all': []}.get(how, ['--improvements', how])
            # The text of a difference would be too long.
            self.assertTrue(self.converted(path, *options) == wanted, (name, how))

    def test_a_made_trace_that_was_taken_for_champsim(self):
        if not os.path.exists(CASE):
            self.skipTest(CASE + ' does not exist')
        # The file ends after the first byte of a record.
        content = file_bytes(CASE)[:-1]
        wanted = b''.join(b''.join(r) for r in champsim_model.converted(content, False, champsim_model.NAMES))
        to = self.path('case.champsim')
        r = run('trace_convert', '--keep-whole', CASE, to)
        self.assertEqual((r.returncode, file_bytes(to)), (1, wanted))
        self.assertIn(b'record 576', r.stderr)

    def test_a_part_is_that_part_of_the_whole(self):
        path = self.paths[False]
        records = [b''.join(r) for r in champsim_model.converted(file_bytes(path), False, champsim_model.NAMES)]
        self.assertEqual(self.converted(path, '--skip', '700', '-n', '900'), b''.join(records[700:1600]))

    def test_converted_traces_follow_champsims_rules(self):
        if 'trace_check' not in support.PROGRAMS:
            return
        for newer, path in self.paths.items():
            self.converted(path)
            r = run('trace_check', '--json', self.path('out.champsim'))
            found = {json.loads(line).get('code') for line in r.stdout.splitlines()} - {None}
            # Conditional branches on a register, which ChampSim's older rules do not know.
            self.assertLessEqual(found, {'older-rules'}, newer)

    def test_options_are_for_champsim_alone(self):
        path = self.paths[True]
        for options in (['--as-original'], ['--improvements', 'flag-reg']):
            for to in ('x.jsonl', 'x.cbp2025'):
                r = run('trace_convert', path, self.path(to), *options)
                self.assertEqual(r.returncode, 2, r.stderr)
                self.assertIn(b"traces that become ChampSim's", r.stderr)
        for options in (['--as-original', '--improvements', 'flag-reg'], ['--improvements', ALL, '--as-original']):
            r = run('trace_convert', path, self.path('x.champsim'), *options)
            self.assertEqual(r.returncode, 2, r.stderr)
            self.assertIn(b'leave out --improvements', r.stderr)
        for value in ('', 'mem', 'mem-regs,', 'mem-regs,,flag-reg'):
            r = run('trace_convert', path, self.path('x.champsim'), '--improvements', value)
            self.assertEqual(r.returncode, 2, value)

    @needs('zstd')
    def test_tracepacks_keep_branch_classes(self):
        path, packed = self.paths[False], self.path('x.tpack')
        self.assertEqual(run('trace_convert', '--as-original', path, packed).returncode, 0)
        r = run('trace_convert', packed, self.path('unpacked.champsim'))
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertEqual(file_bytes(self.path('unpacked.champsim')), self.converted(path, '--as-original'))
        if 'trace_find' in support.PROGRAMS:
            conditional = sum(i.kind == make_cvp.CONDITIONAL for i in made(False)[0])
            for rules in ('2022', '2023'):
                r = run('trace_find', '--count', '--branch', 'conditional', '--branch-rules', rules, packed)
                self.assertEqual(r.stdout, b'%d\n' % conditional, rules)

    def test_copies(self):
        for newer, path in self.paths.items():
            suffix = os.path.splitext(path)[1]
            r = run('trace_convert', path, self.path('copy' + suffix))
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertEqual(file_bytes(self.path('copy' + suffix)), file_bytes(path))
            run('trace_convert', '--skip', '10', '-n', '20', path, self.path('part' + suffix))
            wanted = b''.join(make_cvp.encode(i, newer) for i in made(newer)[0][10:30])
            self.assertEqual(file_bytes(self.path('part' + suffix)), wanted)

    def test_rows_have_all_fields(self):
        for newer, path in self.paths.items():
            text = run('trace_convert', '--to', 'jsonl', path, '-').stdout.decode()
            rows = [json.loads(line) for line in text.splitlines()]
            instructions = made(newer)[0]
            self.assertEqual(len(rows), len(instructions))
            for n, (row, i) in enumerate(zip(rows, instructions)):
                outputs = [(r, v) for r, v in i.outputs if newer or r < make_cvp.FLAGS]
                kind = i.kind if newer else make_cvp.IN_CVP1.get(i.kind, i.kind)
                self.assertEqual((row['index'], row['pc'], row['what']), (n, '0x%x' % i.pc, KINDS[kind]))
                self.assertEqual(row['inputs'], [r for r in i.inputs if newer or r < make_cvp.FLAGS])
                self.assertEqual(row['outputs'], [r for r, _ in outputs])
                values = [part for _, v in outputs for part in (v if isinstance(v, tuple) else (v,))]
                self.assertEqual([int(str(v), 0) for v in row['values']], values)
                if i.kind in (make_cvp.LOAD, make_cvp.STORE):
                    self.assertEqual(int(row['address'], 16), i.address)
                    self.assertEqual(row['size'], i.size * (i.registers if newer else 1))
                if newer:
                    self.assertEqual(bool(row['base_update']), bool(i.base_update))
                self.assertEqual(int(row['target'] or '0', 16), i.target)
            if 'trace_view' in support.PROGRAMS:
                self.assertEqual(run('trace_view', '--json', '-n', 'all', path).stdout.decode(), text)
            text = run('trace_convert', '--to', 'csv', path, '-').stdout.decode()
            self.assertEqual(len(list(csv.DictReader(io.StringIO(text)))), len(instructions))

    def test_other_programs(self):
        branches = [i for i in made(True)[0] if i.kind in make_cvp.BRANCHES]
        path = self.paths[True]
        for program, arguments, wanted in (
                ('trace_check', [path], b'3000 records, 0 errors, 0 warnings'),
                ('trace_check', [self.paths[False]], b'3000 records, 0 errors, 0 warnings'),
                ('trace_find', ['--count', '--branch', 'conditional', self.paths[False]],
                 b'%d' % sum(i.kind == make_cvp.CONDITIONAL for i in branches)),
                ('trace_find', ['--count', '--register', 'X1=1', self.paths[False]],
                 b'%d' % sum((1, 1) in i.outputs for i in made(False)[0])),
                ('trace_find', ['--count', '--branch', 'conditional', path],
                 b'%d' % sum(i.kind == make_cvp.CONDITIONAL for i in branches)),
                ('trace_find', ['--count', '--register', 'X1=1', path],
                 b'%d' % sum((1, 1) in i.outputs for i in made(True)[0])),
                ('frontend_sim', [path], b'3,000'),
                ('trace_view', ['-c', '-n', '1', path],
                 b'[     0] 0x0000000000400000 | indirect_call | BR(T) | IN[x30] | OUT[x30=0x400004]'),
                ('trace_view', ['-n', '1', '--skip', '4', path], b'register_offset        0'),
                ('trace_view', ['--layout', 'cbp2025'], b'register_offset')):
            if program in support.PROGRAMS:
                r = run(program, *arguments)
                self.assertEqual(r.returncode, 0, (program, r.stderr))
                self.assertIn(wanted, r.stdout, program)

    def test_a_cut_trace(self):
        for newer, path in self.paths.items():
            cut = self.write('cut', file_bytes(path)[:-3])
            to = self.path('cut%d.champsim' % newer)
            r = run('trace_convert', cut, to)
            self.assertEqual((r.returncode, os.path.exists(to)), (1, False))
            self.assertIn(b'record 2999', r.stderr)
            r = run('trace_convert', '--keep-whole', cut, to)
            records = list(champsim_model.converted(b''.join(
                make_cvp.encode(i, newer) for i in made(newer, 2999)[0]), newer, champsim_model.NAMES))
            # The last instruction may lie on a page of its own, which decides where data move.
            self.assertEqual(len(file_bytes(to)), 64 * sum(map(len, records)))


if __name__ == '__main__':
    support.main()
