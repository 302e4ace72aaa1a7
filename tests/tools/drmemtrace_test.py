# drmemtrace traces in the programs. The traces come from an independent encoder, tests/drmemtrace/make_drmemtrace.py,
# and the expected ChampSim records from the registers of each instruction, written by hand.
import csv
import gzip
import io
import json
import os
import struct
import sys

import support
from support import ProgramTest, file_bytes, needs, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'drmemtrace'))
import make_drmemtrace as made  # noqa: E402

# ChampSim's record: the address, two flags, two and four registers, two and four addresses.
RECORD = struct.Struct('<QBB2B4B2Q4Q')
IP, SP, FLAGS, UNNAMED = 26, 6, 25, 56
# Registers that each instruction of the program writes and reads, by its code. None: not compared.
X86 = {'488b07': ((10,), (3,)), '4801d8': ((10, 25), (10, 7)), '488906': ((), (4, 10)), '7502': ((26,), (26, 25)),
       '6690': ((), ()), 'eb00': ((26,), (26,)), 'e8': ((26, 6), (26, 6)), 'c3': ((26, 6), (6,)),
       'ffd1': ((26, 6), (26, 6, 9)), 'c4e26d900488': None, 'f3a4': None, '0f05': None, 'ffe2': ((26,), (8,))}


def of_regdeps(step):
    """Returns the registers of ChampSim's record of a REGDEPS instruction."""
    code = step.code.hex()
    written, read, writes_flags, reads_flags = (*(made.SYNTHETIC.get(code) or made.SYNTHETIC[code[:2]]), 0, 0)[:4]

    def numbers(of):
        return [{6: 254, 25: 255, 26: 1}.get(r, r) for r in of]
    kind = step.branch
    written = numbers(written) + [FLAGS] * writes_flags
    read = [FLAGS] * (reads_flags and kind == 2) + numbers(read) + [FLAGS] * (reads_flags and kind != 2)
    if kind == 7:
        return written, read
    written = ([IP, SP] if kind in (3, 4, 5) else [IP]) + written
    return written, {0: [], 1: read or [UNNAMED], 2: [IP] + (read or [FLAGS]), 3: [IP, SP],
                     4: [IP, SP] + (read or [UNNAMED]), 5: [SP] + read}[kind]


def of_x86(step):
    code = step.code.hex()
    return X86[code] if code in X86 else X86[code[:2]]


def slots(values, n):
    return (list(values) + [0] * n)[:n]


def records_of(steps, registers, extra=True):
    """Yields the fields of ChampSim's records. The registers are None if they are not known here."""
    for s in steps:
        reads = [a for write, a, _ in s.accesses if not write]
        writes = [a for write, a, _ in s.accesses if write]
        known = registers(s)
        for at in range(4, len(reads), 4) if extra else ():
            yield s.pc, 0, 0, None, [0, 0], slots(reads[at:], 4)
        taken = s.branch != 7 and s.type != made.UNTAKEN
        shape = known and slots(known[0], 2) + slots(known[1], 4)
        yield s.pc, int(s.branch != 7), int(taken), shape, slots(writes, 2), slots(reads, 4)


class DrmemtraceTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.steps = list(made.program(20))
        self.chunks = made.records(self.steps, 70, chunk=100)
        self.content = made.content(self.chunks)
        self.plain = self.write('made.trace', self.content)

    def converted(self, path, *options):
        to = self.path('out.champsim')
        r = run('trace_convert', path, to, *options)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.note = r.stderr
        return [RECORD.unpack_from(file_bytes(to), at) for at in range(0, os.path.getsize(to), RECORD.size)]

    def compare(self, found, wanted):
        wanted = list(wanted)
        self.assertEqual(len(found), len(wanted))
        for n, (f, w) in enumerate(zip(found, wanted)):
            self.assertEqual((f[0], f[1], f[2]), w[:3], n)
            if w[3] is not None:
                self.assertEqual(list(f[3:9]), w[3], n)
            self.assertEqual((list(f[9:11]), list(f[11:15])), w[4:], n)

    @needs('zydis')
    def test_conversion_of_x86(self):
        self.compare(self.converted(self.plain), records_of(self.steps, of_x86))
        self.assertIn(b'80 accesses beyond four reads and two writes in 20 further records', self.note)
        self.compare(self.converted(self.plain, '--extra-accesses', 'drop'), records_of(self.steps, of_x86, False))
        self.assertIn(b'80 accesses beyond four reads and two writes left out', self.note)

    def test_conversion_of_regdeps(self):
        chunks = made.records(self.steps, 71, filetype=made.X86_64 | made.ENCODINGS | made.REGDEPS,
                              encode=made.synthetic)
        path = self.write('regdeps.trace', made.content(chunks))
        wanted = [w for w in records_of(self.steps, of_regdeps)]
        self.compare(self.converted(path), wanted)

    def test_conversion_without_encodings_keeps_the_classes(self):
        def shapes(step):
            return made_shapes[step.branch]
        made_shapes = {0: ([IP], []), 1: ([IP], [UNNAMED]), 2: ([IP], [IP, FLAGS]), 3: ([IP, SP], [IP, SP]),
                       4: ([IP, SP], [IP, SP, UNNAMED]), 5: ([IP, SP], [SP]), 7: ([], [])}
        for version in (1, 4, 7):
            path = self.write('v%d.trace' % version,
                              made.content(made.records(self.steps, 72, version=version, filetype=0)))
            self.compare(self.converted(path), records_of(self.steps, shapes))

    def test_converted_traces_follow_champsims_rules(self):
        if 'trace_check' not in support.PROGRAMS:
            return
        self.converted(self.plain)
        r = run('trace_check', self.path('out.champsim'))
        self.assertIn(b'0 errors, 0 warnings, 0 notes', r.stdout)

    def test_rows_are_the_records(self):
        text = run('trace_convert', '--to', 'jsonl', self.plain, '-').stdout.decode()
        rows = [json.loads(line) for line in text.splitlines()]
        wanted, repeats = [], 0
        for n, (kind, size, value) in enumerate(struct.iter_unpack('<HHQ', self.content)):
            if kind == made.MARKER and size == made.CHUNK_FOOTER:
                repeats = 2
            if kind == made.MARKER and size in (made.TIMESTAMP, made.CPU_ID) and repeats:
                repeats -= 1
                continue
            wanted.append((n, size, value))
        self.assertEqual([(r['index'], r['size'], int(r['value'], 16)) for r in rows], wanted)
        self.assertEqual(sum(r['kind'] == 'syscall' for r in rows), 20)
        self.assertEqual({r['thread'] for r in rows[4:]}, {70})
        if 'trace_view' in support.PROGRAMS:
            self.assertEqual(run('trace_view', '--json', '-n', 'all', self.plain).stdout.decode(), text)
        text = run('trace_convert', '--to', 'csv', '--skip', '5', '-n', '7', self.plain, '-').stdout.decode()
        found = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual([int(r['index']) for r in found], [n for n, _, _ in wanted[5:12]])

    def test_containers(self):
        found = self.converted(self.plain)
        paths = []
        if 'gzip' in support.CODECS:
            paths.append(self.write('a.trace.gz', gzip.compress(self.content)))
        if 'zip' in support.CODECS:
            paths.append(self.write('a.trace.zip', made.zipped(self.chunks)))
        for path in paths:
            self.assertEqual(self.converted(path), found, path)

    def test_folders(self):
        os.mkdir(self.path('f'))
        os.mkdir(self.path('f/trace'))
        steps = {70: self.steps, 80: list(made.program(12)), 90: list(made.program(3))}
        for thread, some in steps.items():
            self.write('f/trace/x.%d.1.trace' % thread, made.content(made.records(some, thread, 1000 + thread)))
        whole = sum(steps.values(), [])
        folder = self.path('f')
        found = self.converted(folder)
        self.compare([(*f[:3], *6 * [0], *f[9:]) for f in found],
                     [(*w[:3], None, *w[4:]) for w in records_of(whole, of_x86)])
        self.assertIn(b'the thread changes 2 times', self.note)
        by_time = self.converted(folder, '--order', 'time')
        self.assertEqual(sorted(by_time), sorted(found))
        self.assertNotEqual(by_time, found)
        for thread, some in steps.items():
            self.compare([(*f[:3], *6 * [0], *f[9:]) for f in self.converted(folder, '--order', 'time', '--thread', str(thread))],
                         [(*w[:3], None, *w[4:]) for w in records_of(some, of_x86)])
        for options in ([], ['--order', 'time']):
            if 'trace_check' in support.PROGRAMS:
                r = run('trace_check', folder, *options)
                self.assertIn(b'0 errors, 0 warnings, 0 notes', r.stdout)
        r = run('trace_convert', folder, self.path('s.champsim'), '--order', 'schedule')
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'contains neither serial_schedule.bin nor cpu_schedule.bin', r.stderr)
        # Threads in the order 90, 70, 80, each as a whole.
        entries = b''.join(struct.pack('<4Q', t, 1000 + t, 0, 0) for t in (90, 70, 80))
        if 'gzip' in support.CODECS:
            self.write('f/trace/serial_schedule.bin.gz', gzip.compress(entries))
        else:
            self.write('f/trace/serial_schedule.bin', entries)
        self.compare([(*f[:3], *6 * [0], *f[9:]) for f in self.converted(folder, '--order', 'schedule')],
                     [(*w[:3], None, *w[4:]) for w in records_of(steps[90] + steps[70] + steps[80], of_x86)])
        if 'gzip' in support.CODECS:
            self.write('f/trace/serial_schedule.bin.gz', gzip.compress(entries + entries[:32]))
            r = run('trace_convert', folder, self.path('s.champsim'), '--order', 'schedule')
            self.assertEqual(r.returncode, 1)
            self.assertIn(b'the schedule is of another trace', r.stderr)
        r = run('trace_convert', folder, self.path('f/trace/out.champsim'))
        self.assertEqual((r.returncode, os.path.exists(self.path('f/trace/out.champsim'))), (2, False))

    def test_other_programs(self):
        conditional = sum(s.branch == 2 for s in self.steps)
        for program, arguments, wanted in (
                ('trace_check', [self.plain], b'0 errors, 0 warnings, 0 notes'),
                ('trace_find', ['--count', '--branch', 'conditional', self.plain], b'%d' % conditional),
                ('frontend_sim', [self.plain], b'%d' % len(self.steps)),
                ('trace_view', ['-c', '-n', '1', '--skip', '3', self.plain],
                 b'[     3] | thread 70 | type thread | size 4 | value 0x46'),
                ('trace_view', ['--about', self.plain], b'chunk_instr_count      100'),
                ('trace_view', ['-s', self.plain], b'Total Instructions:    %d' % len(self.steps)),
                ('trace_view', ['--layout', 'drmemtrace'], b'value')):
            if program in support.PROGRAMS:
                r = run(program, *arguments)
                self.assertEqual(r.returncode, 0, (program, r.stderr))
                self.assertIn(wanted, r.stdout, program)

    @needs('zstd')
    @needs('zydis')
    def test_tracepacks_keep_code_and_lengths(self):
        packed = self.path('x.tpack')
        self.assertEqual(run('trace_convert', self.plain, packed).returncode, 0)
        r = run('trace_convert', packed, self.path('unpacked.champsim'))
        self.assertEqual(r.returncode, 0, r.stderr)
        content = file_bytes(self.path('unpacked.champsim'))
        self.converted(self.plain)
        self.assertEqual(content, file_bytes(self.path('out.champsim')))
        if 'trace_find' in support.PROGRAMS:
            r = run('trace_find', '--count', '--mnemonic', 'vpgatherdd', packed)
            self.assertEqual(r.stdout, b'40\n')

    def test_a_cut_trace(self):
        cut = self.write('cut.trace', self.content[:-30])
        r = run('trace_convert', cut, self.path('cut.champsim'))
        self.assertEqual((r.returncode, os.path.exists(self.path('cut.champsim'))), (1, False))
        self.assertIn(b'record %d' % (len(self.content) // 12 - 3), r.stderr)
        r = run('trace_convert', '--keep-whole', cut, self.path('cut.champsim'))
        self.assertTrue(os.path.exists(self.path('cut.champsim')))

    def test_options_are_for_champsim_alone(self):
        for to in ('x.jsonl', 'x.cloudsuite'):
            r = run('trace_convert', self.plain, self.path(to), '--extra-accesses', 'drop')
            self.assertEqual(r.returncode, 2, r.stderr)
        r = run('trace_convert', self.plain, self.path('x.champsim'), '--order', 'alphabet')
        self.assertEqual(r.returncode, 2)


if __name__ == '__main__':
    support.main()
