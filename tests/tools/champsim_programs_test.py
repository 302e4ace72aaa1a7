# ChampSim traces to which programs with other records have appended: trace_check reports each
# region once, and every program warns about the first one. Also tests ChampSim's older branch
# rules. The traces are made here from real records.
import collections
import json
import random
import struct

import support
from support import content


def as_forks(raw, first, count, size):
    """Converts records of 64 bytes to records of `size` bytes: other numbers, then the record."""
    noise = random.Random(size)
    out = []
    for i in range(count):
        lead = b''
        while len(lead) + 64 < size:
            number = noise.getrandbits(64) >> noise.randrange(64) if lead else i
            lead += struct.pack('<Q', number)
        out.append(lead + raw[(first + i) * 64:(first + i + 1) * 64])
    return b''.join(out)


class RecordSize(support.FormatTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.raw = content(support.SED)

    def appended(self):
        """Returns records of 64 bytes, odd bytes, 3,000 records of 232 bytes, and records of 64 bytes again."""
        odd = random.Random(1).randbytes(168)
        return self.write('appended.champsim', as_forks(self.raw, 0, 10000, 64) + odd +
                          as_forks(self.raw, 10000, 3000, 232) +
                          as_forks(self.raw, 13000, 9000, 64))

    @support.needs('xz')
    def test_regions_are_findings(self):
        trace = self.appended()
        r = self.run_tool('trace_check', trace)
        self.assertEqual(r.returncode, 1)
        lines = [s for s in r.stdout.splitlines() if ': record-size: ' in s]
        self.assertEqual(len(lines), 2, r.stdout)
        # Positions of the regions: after 10,000 records; then 168 + 3,000 * 232 bytes later.
        self.assertIn('error: record-size: offset 640000, record 10000: there seem to be records of '
                      '232 bytes, not 64, up to offset ', lines[0])
        again = 10000 * 64 + 168 + 3000 * 232
        self.assertIn('records %d bytes after multiples of 64' % (again % 64), lines[1])
        begins = int(lines[1].split('offset ')[1].split(',')[0])
        self.assertLess(abs(begins - again), 128 * 64)
        errors, warnings = (int(r.stdout.splitlines()[-1].split(', ')[i].split()[0]) for i in (1, 2))
        self.assertEqual((errors, warnings), (3, 0), r.stdout)  # one for the bytes at the end

    @support.needs('xz')
    def test_every_program_warns(self):
        trace = self.appended()
        for tool, arguments in (('frontend_sim', []), ('trace_view', ['-s']),
                                ('trace_find', ['--count']), ('trace_diff', [trace]),
                                ('trace_convert', [self.path('o.champsim')]),
                                ('trace_convert', [self.path('o.csv')]),
                                ('trace_report', ['--no-check', self.path('o.html')])):
            if tool not in support.PROGRAMS:
                continue
            r = self.run_tool(tool, trace, *arguments)
            warned = [s for s in r.stderr.splitlines() if 'warning' in s]
            self.assertEqual(warned, [
                '%s: warning: %s: from record 10000 on (offset 640000) there seem to be records of 232 '
                'bytes, not 64: records read from here on are wrong; trace_check finds all such places'
                % (tool, trace)])
            for sound in (support.SED, support.WORK):
                others = [sound] if tool == 'trace_diff' else arguments
                self.assertNotIn('warning', self.run_tool(tool, sound, *others).stderr)

    @support.needs('xz')
    def test_what_helps_with_a_forks_trace(self):
        for size in (72, 88, 232):
            trace = self.write('fork', as_forks(self.raw, 0, 2000, size))
            for tool in ('trace_view', 'frontend_sim', 'trace_check'):
                r = self.run_tool(tool, trace)
                self.assertEqual((r.returncode, r.stdout), (1, ''))
                self.assertIn('it seems to have records of %d bytes' % size, r.stderr)
                self.assertIn('a struct of that size', r.stderr)
                self.assertIn('docs/record-tables.md', r.stderr)
                self.assertIn('docs/descriptors.md', r.stderr)
                self.assertNotIn('name the format', r.stderr)
            # A warning is printed if the user names the format nevertheless.
            r = self.run_tool('trace_view', '-s', '--format', 'champsim', trace)
            self.assertIn('warning: %s: from record 0 on' % trace, r.stderr)
            self.assertIn('records of %d bytes, not 64' % size, r.stderr)


CLASSES = ('direct_jump', 'indirect', 'conditional', 'direct_call', 'indirect_call', 'return', 'other',
           'not_branch')


def branch_class(written, read, older):
    """Returns the class by the first matching rule of ChampSim, either of the current version or of releases up to
    2023-08."""
    sp, flags, ip = (r in read for r in (6, 25, 26))
    other = any(r not in (0, 6, 25, 26) for r in read)
    if 26 not in written:
        return 'not_branch'
    if not sp and not flags and not other:
        return 'direct_jump'
    if not sp and not flags and other and (older or not ip):
        return 'indirect'
    if not sp and ip and 6 not in written and (flags and not other if older else flags or other):
        return 'conditional'
    if sp and ip and 6 in written and not flags:
        return 'indirect_call' if other else 'direct_call'
    return 'return' if sp and not ip and 6 in written else 'other'


class BranchRules(support.FormatTest):
    def setUp(self):
        super().setUp()
        chance = random.Random(7)
        self.records, raw = [], b''
        for i in range(3000):
            registers = [chance.choice((0, 0, 6, 25, 26, 26, 3, 99)) for _ in range(6)]
            self.records.append((registers[:2], registers[2:]))
            raw += struct.pack('<QBB6B', 0x401000 + 4 * i, 26 in registers[:2], 1, *registers)
            raw += bytes(48)
        self.trace = self.write('t.champsim', raw)

    def test_classes(self):
        first = None
        for option, older in ((['--branch-rules', '2022'], True), (['--branch-rules', '2023'], False),
                              ([], False)):
            want = [branch_class(*r, older) for r in self.records]
            rows = [json.loads(s) for s in
                    self.run_ok('trace_view', '--json', *option, self.trace).splitlines()]
            self.assertEqual([r['branch'] for r in rows], want)
            self.run_ok('trace_convert', *option, self.trace, self.path('o.jsonl'))
            with open(self.path('o.jsonl')) as f:
                self.assertEqual([json.loads(s)['branch'] for s in f], want)
            counts = collections.Counter(want)
            if 'frontend_sim' in support.PROGRAMS:
                got = json.loads(self.run_ok('frontend_sim', '--json', *option, self.trace))
                self.assertEqual({k: v['count'] for k, v in got['branches'].items()},
                                 {name: counts[name] for name in CLASSES[:7]})
            first = first or want
        differ = [i for i, (a, b) in enumerate(zip(first, want)) if a != b]
        out = self.run_tool('trace_check', self.trace).stdout
        self.assertIn('note: older-rules: offset %d, record %d: ChampSim releases up to 2023-08 classify '
                      '%d branches differently: the first as %s, now %s\n'
                      % (64 * differ[0], differ[0], len(differ), first[differ[0]], want[differ[0]]), out)

    def test_what_has_no_registers(self):
        trace = support.SED.replace('sed64.champsimtrace.xz', 'rapidbin/r250.data')
        r = self.run_tool('trace_view', '--branch-rules', '2022', trace)
        self.assertEqual(r.returncode, 1)
        self.assertIn('a rapidbin trace has no registers that branch rules depend on', r.stderr)
        r = self.run_tool('trace_view', '--branch-rules', '1999', trace)
        self.assertEqual(r.returncode, 2)
        self.assertIn('--branch-rules: expected one of 2022 or 2023', r.stderr)


class Registers(support.FormatTest):
    """Tests traces with other register numbers."""
    OPTION = ('--map-registers', 'ip=35,sp=7,flags=34')
    # ip, is_branch, registers written, registers read: a compare, a branch, a call, an
    # instruction with registers 6, 25 and 26, and a return.
    RECORDS = ((0x1000, 0, [34], [3, 26]), (0x1004, 1, [35], [35, 34]), (0x2000, 1, [35, 7], [35, 7]),
               (0x3000, 0, [6, 25], [26]), (0x3004, 1, [35, 7], [7]))
    MAPPED = ((0x1000, 0, [25], [3, 35]), (0x1004, 1, [26], [26, 25]), (0x2000, 1, [26, 6], [26, 6]),
              (0x3000, 0, [7, 34], [35]), (0x3004, 1, [26, 6], [6]))
    BRANCHES = ['not_branch', 'conditional', 'direct_call', 'not_branch', 'return']

    @staticmethod
    def pack(records, times=1):
        return b''.join(struct.pack('<QBB', ip, branch, branch) + bytes(written + [0] * (2 - len(written))) +
                        bytes(read + [0] * (4 - len(read))) + bytes(48)
                        for ip, branch, written, read in records * times)

    @staticmethod
    def tools(trace, other=None):
        return [(tool, arguments) for tool, arguments in (
            ('trace_view', ['-c']), ('trace_view', ['-s']), ('trace_find', ['--count']), ('frontend_sim', []),
            ('trace_diff', [other or trace]), ('trace_convert', ['OUT.champsim']), ('trace_convert', ['OUT.jsonl']),
            ('trace_convert', ['OUT.csv']), ('trace_report', ['--no-check', 'OUT.html']))
            if tool in support.PROGRAMS]

    def test_unseen_branches(self):
        # A trace from another machine, whose branches are flagged and read two registers.
        loop = ((0x106c0, 0, [12], [10, 11]), (0x106c4, 0, [15], [2]), (0x106c8, 1, [], [28, 15]))
        for records, more in ((loop, ''), (self.RECORDS, '; register 35 is written by all of them')):
            trace = self.write('t.champsim', self.pack(records, 50))
            flagged = 50 * sum(r[1] for r in records)
            for tool, arguments in self.tools(trace):
                r = self.run_tool(tool, trace, *(a.replace('OUT', self.path('o')) for a in arguments))
                self.assertEqual(r.returncode, 0, r.stderr)
                lines = [s for s in r.stderr.splitlines() if 'warning' in s]
                self.assertEqual(len(lines), 1, (tool, r.stderr))
                self.assertRegex(lines[0], r'^%s: warning: %s: (64|%d) records flagged as branches '
                                 r'do not write register 26' % (tool, trace, flagged))
                self.assertIn('--map-registers ip=N,sp=N,flags=N', lines[0])
                self.assertTrue(lines[0].endswith('flags=N)' + more), lines[0])
            out = self.run_tool('trace_check', trace).stdout
            self.assertEqual(out.count(': warning: unseen-branches: '), 1, out)

    def test_mapped(self):
        trace = self.write('t.champsim', self.pack(self.RECORDS, 20))
        want = self.write('want.champsim', self.pack(self.MAPPED, 20))
        for tool, arguments in self.tools(trace, want) + [('trace_check', [])]:
            arguments = [a.replace('OUT', self.path('o')) for a in arguments]
            if tool == 'trace_diff':
                continue
            got = self.run_tool(tool, *self.OPTION, trace, *arguments)
            right = self.run_tool(tool, want, *(a.replace('/o.', '/w.') for a in arguments))
            self.assertEqual(got.returncode, 0, got.stderr)
            self.assertNotIn('warning', got.stderr)
            if tool != 'frontend_sim':  # its output contains the speed
                self.assertEqual(got.stdout.replace(trace, ''), right.stdout.replace(want, ''), tool)
        for name in ('champsim', 'jsonl', 'csv'):
            with open(self.path('o.' + name), 'rb') as a, open(self.path('w.' + name), 'rb') as b:
                self.assertEqual(a.read(), b.read(), name)
        if 'trace_diff' in support.PROGRAMS:
            self.assertIn('The traces are the same.', self.run_ok('trace_diff', *self.OPTION, trace, trace))
        rows = [json.loads(s) for s in self.run_ok('trace_view', '--json', *self.OPTION, '--skip', '40', '-n', '5',
                                                   trace).splitlines()]
        self.assertEqual([r['branch'] for r in rows], self.BRANCHES)
        self.assertEqual([[x for x in r['destination_registers'] if x] for r in rows], [r[2] for r in self.MAPPED])
        piped = support.run('trace_view', '-c', *self.OPTION, '-', stdin=self.pack(self.RECORDS))
        self.assertEqual(piped.returncode, 0)
        self.assertIn(b'BR(T) | D_R[26, 6] | S_R[26, 6]', piped.stdout)

    @support.needs('zstd')
    def test_packed_and_described(self):
        trace = self.write('t.champsim', self.pack(self.RECORDS, 20))
        want = self.run_ok('trace_view', '-c', *self.OPTION, trace)
        self.run_ok('trace_convert', trace, self.path('t.tpack'))
        self.assertEqual(self.run_ok('trace_view', '-c', *self.OPTION, self.path('t.tpack')), want)
        table = self.write('t.txt', b'0 8 ip u64 little\n8 1 is_branch u8\n9 1 branch_taken u8\n'
                                    b'10 2 destination_registers u8[2]\n12 4 source_registers u8[4]\n'
                                    b'16 48 memory u64[6] little\n')
        self.assertEqual(self.run_ok('trace_view', '-c', '--record', table, *self.OPTION, trace), want)
        r = self.run_tool('trace_view', '-c', '--record', table, trace)
        self.assertIn('records flagged as branches', r.stderr)

    def test_what_cannot_be(self):
        trace = self.write('t.champsim', self.pack(self.RECORDS))
        for numbers in ('ip=35,sp=35', 'ip=6', 'ip=0', 'ip=256', 'pc=3', 'ip', ''):
            r = self.run_tool('trace_view', '--map-registers=' + numbers, trace)
            self.assertEqual(r.returncode, 2, (numbers, r.stderr))
            self.assertIn('--map-registers: expected ip=N', r.stderr)
        r = self.run_tool('trace_view', *self.OPTION, support.SED.replace('sed64.champsimtrace.xz',
                                                                          'rapidbin/r250.data'))
        self.assertEqual(r.returncode, 1)
        self.assertIn('no register numbers', r.stderr)

    def test_flags_that_nothing_writes(self):
        block = ((0x1000, 0, [67, 67], [17, 18]), (0x1003, 1, [26], [26, 25]))
        trace = self.write('t.champsim', self.pack(block, 40))
        for tool, arguments in self.tools(trace):
            r = self.run_tool(tool, trace, *(a.replace('OUT', self.path('o')) for a in arguments))
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertEqual(r.stderr.count('%s: note: %s: 40 conditional branches read the flags' % (tool, trace)), 1,
                             (tool, r.stderr))
            self.assertNotIn('warning', r.stderr)
        self.assertIn(': note: unwritten-flags: 40 conditional branches', self.run_ok('trace_check', trace))
        with_flags = self.write('u.champsim', self.pack(((0x1000, 0, [25], [17]), block[1]), 40))
        self.assertNotIn('note', self.run_tool('trace_view', '-s', with_flags).stderr)


if __name__ == '__main__':
    support.main()
