# The programs on x64dbg traces: what they print is compared with Python's own reading of the format,
# with the ChampSim traces of the same runs, and with files that other writers made.
import gzip
import json
import lzma
import os
import re
import struct

import support
from support import content, records
from x64dbg_model import Trace, as_json, delta, header, snapshot


def data(name):
    return os.path.join(os.path.dirname(support.SED), name + '.xz')


WORK, THREADS, LEGACY = (data(n) for n in ('work32.trace32', 'threads3_64.trace64',
                                          'threads3_64_legacybug.trace64'))


class Case(support.FormatTest):
    def file(self, name, raw):
        return self.write(name, raw)


class View(Case):
    def test_json_is_what_python_reads(self):
        for path in (WORK, THREADS):
            want = [as_json(b) for b in Trace(content(path)).blocks]
            lines = self.run_ok('trace_view', '--json', path).splitlines()
            self.assertEqual(len(lines), len(want))
            for line, block in zip(lines, want):
                self.assertEqual(json.loads(line), block)
        self.assertEqual(list(json.loads(lines[0])),
                         ['index', 'offset', 'thread', 'opcode', 'ip', 'registers', 'memory'])

    def test_a_part_keeps_its_numbers(self):
        want = [as_json(b) for b in Trace(content(THREADS)).blocks]
        part = self.run_ok('trace_view', '--json', '--skip', '1000', '-n', '5', THREADS)
        self.assertEqual([json.loads(s) for s in part.splitlines()], want[1000:1005])
        one = [b for b in want if b['thread'] == 6704]
        part = self.run_ok('trace_view', '--json', '--thread', '6704', '--skip', '7', '-n', '3',
                           THREADS)
        self.assertEqual([json.loads(s) for s in part.splitlines()], one[7:10])

    def test_rows_have_the_instruction_in_intel_syntax(self):
        self.assertEqual(
            self.run_ok('trace_view', '-c', '-n', '3', WORK),
            '[     0] 0x0000000004b2c2a9 | T[6700] | cmp eax, edx\n'
            '[     1] 0x0000000004b2c2ab | T[6700] | jnz 0x04B2C2A0 | BR(T)\n'
            "[     2] 0x0000000004b2c2a0 | T[6700] | mov [eax+0x0C], eax | D_M['0x4cb3a9c']\n")

    def test_detail_has_registers_and_words(self):
        text = self.run_ok('trace_view', '-n', '3', WORK)
        block = Trace(content(WORK)).blocks[2]
        for word, name in enumerate(('eax', 'ecx', 'edx', 'ebx', 'esp', 'ebp', 'esi', 'edi', 'eip',
                                     'eflags')):
            self.assertRegex(text.split('Instruction 2')[1],
                             r'\b%s +0x%08x\b' % (name, block['state'][word]))
        address, old, new = block['memory'][0]
        self.assertIn('0x%08x: 0x%08x -> 0x%08x\n' % (address, old, new), text)
        self.assertIn('  writes                 0x%08x, 4 bytes\n' % address, text)

    def test_operands_that_were_lost_are_told(self):
        # rep movsb writes rcx, rsi and rdi, a record holds two; nop has none.
        raw = header() + snapshot(opcode=b'\xf3\xa4') + delta(ip=0x1002)
        path = self.file('t.trace64', raw)
        told = 'note: 1 instruction had more operands than a ChampSim record holds'
        r = self.run_tool('trace_view', path)
        self.assertEqual(r.stderr, 'trace_view: %s\n' % told)
        first, second = r.stdout.split('Instruction 1\n')
        self.assertRegex(first, r'\n  left out +\d operands?, for which')
        self.assertNotIn('left out', second)
        self.assertIn(told, self.run_tool('trace_view', '-c', path).stderr)
        self.assertIn(told, self.run_tool('frontend_sim', path).stderr)
        self.assertEqual(self.run_tool('trace_view', '--json', path).stderr, '')

    def test_statistics(self):
        blocks = Trace(content(THREADS)).blocks
        text = self.run_ok('trace_view', '-s', THREADS)
        self.assertIn('Total Instructions:    30,000\n', text)
        self.assertIn('Unique IPs:            %s\n' % format(len({b['ip'] for b in blocks}), ','),
                      text)
        self.assertIn('Threads:               3\n', text)
        # Of the samples' own table: all classes, and operands; none of these reads two.
        self.assertIn('Branch Instructions:   4,902', text)

    def test_layout_is_of_the_trace_s_width(self):
        self.assertIn('4 x registers    values', self.run_ok('trace_view', '--layout', WORK))
        wide = self.run_ok('trace_view', '--layout', '--format', 'x64dbg')
        self.assertIn('8 x registers    values', wide)
        self.assertRegex(wide, r'\n1372 +4 +last_error +u32 +little\n')

    def test_words_never_seen_have_no_thread(self):
        raw = header() + snapshot()[:3] + bytes([1]) + b'\x90' + snapshot()[9:]
        line = self.run_ok('trace_view', '--json', self.file('t', raw))
        self.assertIsNone(json.loads(line)['thread'])


class Check(Case):
    def test_sound_and_defective(self):
        self.assertIn('30000 records, 0 errors, 0 warnings', self.run_ok('trace_check', THREADS))
        r = self.run_tool('trace_check', '--all', LEGACY)
        self.assertEqual(r.returncode, 1)
        self.assertEqual(len(re.findall(': error: thread-bit: ', r.stdout)), 174)
        self.assertIn('30000 records, 174 errors', r.stdout)


class Simulate(Case):
    def test_branches_are_those_of_the_champsim_trace_of_the_run(self):
        for predictor in ('bimodal', 'gshare'):
            rich, plain = (json.loads(self.run_ok('frontend_sim', '--json', path, '--predictor',
                                                  predictor)) for path in (WORK, support.WORK))
            self.assertEqual((rich['format'], plain['format']), ('x64dbg', 'champsim'))
            for key in ('instructions', 'branches', 'direction', 'fetch_blocks',
                        'instruction_cache', 'unique_ips', 'memory_reads', 'memory_writes'):
                self.assertEqual(rich[key], plain[key])

    def test_clipped_instructions_are_reported(self):
        r = self.run_tool('frontend_sim', WORK)
        self.assertRegex(r.stderr, r'note: \d+ instructions had more operands')


class Convert(Case):
    def test_to_champsim(self):
        unpack = {'': bytes, '.xz': lzma.decompress, '.gz': gzip.decompress}
        for codec in ('', '.xz') + (('.gz',) if 'gzip' in support.CODECS else ()):
            out = self.path('w.champsimtrace' + codec)
            r = self.run_tool('trace_convert', WORK, out)
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertRegex(r.stderr, r'note: \d+ instructions had more operands')
            got, want = records(unpack[codec](support.file_bytes(out))), records(content(support.WORK))
            self.assertEqual(len(got), len(want))
            for g, w in zip(got, want):
                for key in ('ip', 'is_branch', 'branch_taken'):
                    self.assertEqual(g[key], w[key])
                self.assertEqual(support.branch_class(g), support.branch_class(w))
                for key in ('source_memory', 'destination_memory'):
                    self.assertEqual(sorted(g[key]), sorted(w[key]))

    def test_cloudsuite_has_the_thread(self):
        out = self.path('t')
        self.run_ok('trace_convert', '--to', 'cloudsuite', THREADS, out)
        blocks = Trace(content(THREADS)).blocks
        for r, b in zip(records(support.file_bytes(out), 'cloudsuite'), blocks):
            self.assertEqual(r['asid'], [b['thread'] & 255, b['thread'] >> 8])

    def test_whole_traces_byte_for_byte(self):
        for path, name in ((WORK, 'a.trace32'), (THREADS, 'a.trace64')):
            for mode in ([], ['--mode', 'raw'], ['--mode', 'union']):
                out = self.path(name)
                self.run_ok('trace_convert', *mode, path, out)
                self.assertEqual(support.file_bytes(out), content(path))
            small, again = self.path('small-' + name), self.path('again-' + name)
            self.run_ok('trace_convert', '--mode', 'minimal', path, small)
            self.assertLess(os.path.getsize(small), len(content(path)))
            self.run_ok('trace_convert', '--mode', 'union', small, again)
            self.assertEqual(support.file_bytes(again), content(path))

    def test_parts(self):
        out = self.path('p.trace64')
        blocks = Trace(content(THREADS)).blocks
        for options, want in ((['--skip', '600', '--limit', '1000'], blocks[600:1600]),
                              (['--thread', '6708'], [b for b in blocks if b['thread'] == 6708]),
                              (['--thread', '6708', '--skip', '9', '--limit', '9', '--mode',
                                'union'], [b for b in blocks if b['thread'] == 6708][9:18])):
            self.run_ok('trace_convert', *options, THREADS, out)
            got = Trace(support.file_bytes(out)).blocks
            self.assertEqual(len(got), len(want))
            for g, w in zip(got, want):
                for key in ('opcode', 'ip', 'thread', 'memory', 'state'):
                    self.assertEqual(g[key], w[key])
            self.assertEqual(len(got[0]['registers']), 172)
            self.assertIn(' 0 errors, 0 warnings', self.run_ok('trace_check', out))

    def test_snapshots(self):
        out = self.path('s.trace64')
        self.run_ok('trace_convert', '--mode', 'minimal', '--snapshots', '100', THREADS, out)
        full = [b['index'] for b in Trace(support.file_bytes(out)).blocks
                if len(b['registers']) == 172]
        self.assertEqual(full, list(range(0, 30000, 100)))

    def test_repair(self):
        out = self.path('r.trace64')
        r = self.run_tool('trace_convert', '--repair', '--verbose', LEGACY, out)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertEqual(support.file_bytes(out), content(THREADS))
        bad, good = content(LEGACY), content(THREADS)
        places = [int(s) for s in re.findall(r'mended: offset (\d+), instruction', r.stderr)]
        self.assertEqual([p + 3 for p in places],
                         [i for i in range(len(good)) if good[i] != bad[i]])
        self.assertTrue(r.stderr.endswith('\ntrace_convert: note: 174 places mended\n'))
        # Without --verbose the first five, and how many they are.
        for short in (out, self.path('r.jsonl'), self.path('r/')):
            told = self.run_tool('trace_convert', '--repair', LEGACY, short).stderr
            self.assertEqual(told.splitlines()[:5], r.stderr.splitlines()[:5])
            self.assertEqual(told.splitlines()[5:], [
                'trace_convert: note: 174 places mended; --verbose tells of each'])
        # An error stands alone: before it nothing was mended.
        broken = self.write('b.trace64', content(LEGACY)[:1000])
        for name in ('b2.trace64', 'b2.jsonl', 'b2/'):
            r = self.run_tool('trace_convert', '--repair', broken, self.path(name))
            self.assertEqual(r.returncode, 1)
            self.assertRegex(r.stderr, r'\A[^\n]*record 0[^\n]*\n\Z')
        # Read on request by the others; refused, with the place, without.
        self.assertEqual(self.run_ok('trace_view', '--json', '--repair', LEGACY),
                         self.run_ok('trace_view', '--json', THREADS))
        r = self.run_tool('trace_view', '--json', LEGACY)
        self.assertEqual(r.returncode, 1)
        self.assertRegex(r.stderr, 'offset 19[0-9][0-9], record 5')

    def test_repair_of_a_cut_trace(self):
        trace = Trace(content(WORK))
        cut, out = self.file('cut', content(WORK)[:trace.ends[99] + 5]), self.path('o.trace32')
        r = self.run_tool('trace_convert', cut, out)
        self.assertEqual(r.returncode, 1)
        self.assertFalse(os.path.exists(out))
        r = self.run_tool('trace_convert', '--repair', cut, out)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn('cut: ', r.stderr)
        self.assertEqual(support.file_bytes(out), content(WORK)[:trace.ends[99]])
        self.run_tool('trace_convert', '--repair', cut, self.path('o'))
        self.assertEqual(len(records(support.file_bytes(self.path('o')))), 100)

    def test_user_blocks_are_kept(self):
        user = b'\x80' + struct.pack('<I', 3) + b'abc'
        raw = header() + user + snapshot() + user + delta() + user
        for mode in ('raw', 'union', 'minimal'):
            out = self.path(mode + '.trace64')
            self.run_ok('trace_convert', '--mode', mode, self.file('u', raw), out)
            self.assertEqual(support.file_bytes(out).count(user), 3, mode)
        self.assertEqual(support.file_bytes(self.path('raw.trace64')), raw)

    def test_parts_share_the_user_blocks(self):
        user = [b'\x80' + struct.pack('<I', 3) + b'ab' + bytes([c]) for c in b'0123']
        raw = header() + user[0] + snapshot() + user[1] + user[2] + delta() + user[3]
        for mode in ('union', 'minimal'):
            for options, want in ((['--limit', '1'], [0, 1, 2]), (['--limit', '2'], [0, 1, 2, 3]),
                                  (['--skip', '1', '--limit', '1'], [3]), (['--skip', '1'], [3]),
                                  (['--skip', '1', '--limit', '9'], [3])):
                out = self.path('o.trace64')
                # What is wrong behind a part is not read.
                for rest in (b'', b'\x05') if options[-2:] == ['--limit', '1'] else (b'',):
                    self.run_ok('trace_convert', '--mode', mode, *options,
                                self.file('u', raw + rest), out)
                    got = support.file_bytes(out)
                    self.assertEqual([n for n in range(4) if user[n] in got], want)

    def test_what_cannot_be(self):
        for arguments, words in (
                (['--mode', 'raw', '--skip', '1', WORK, self.path('a.trace32')], 'whole trace'),
                ([WORK, self.path('a.trace64')], 'the trace is of 32 bits'),
                (['--to', 'x64dbg', support.WORK, self.path('a')], 'cannot be written'),
                (['--to', 'champsim', '--mode', 'raw', WORK, self.path('a')], '--mode'),
                (['--snapshots', '0', WORK, self.path('a.trace32')], '--snapshots')):
            r = self.run_tool('trace_convert', *arguments)
            self.assertEqual(r.returncode, 2, r.stderr)
            self.assertIn(words, r.stderr)
            self.assertFalse(os.path.exists(arguments[-1]))


class BadInput(Case):
    """Each program, on each of these: everything whole, then one line that names offset and field."""
    whole = header() + snapshot() + delta()
    cases = {
        'version': (header(ver=2) + snapshot(), 'ver'),
        'no version': (header(ver=None) + snapshot(), 'ver'),
        'architecture': (header(arch='arm') + snapshot(), 'arch'),
        'compression': (header(compression='zip') + snapshot(), 'compression'),
        'length': (b'TRAC' + struct.pack('<I', 1 << 20) + b'{}', 'json'),
        'huge length': (b'TRAC' + b'\xff' * 4 + b'{}', 'length'),
        'no JSON': (b'TRAC' + struct.pack('<I', 4) + b'nope' + snapshot(), 'json'),
        'type 1': (whole + b'\x01' + bytes(9), 'type'),
        'type 0x7f': (whole + b'\x7f' + bytes(9), 'type'),
        'position': (whole + bytes([0, 1, 0, 1, 0x90, 172]) + bytes(8), 'positions'),
        'registers past the end': (whole + bytes([0, 255, 0, 1, 0x90]), 'positions'),
        'accesses past the end': (whole + bytes([0, 0, 255, 1, 0x90]), 'access_flags'),
        'huge user block': (whole + b'\x80' + b'\xff' * 4 + b'abc', 'data'),
        'no snapshot': (header() + delta(), 'registers'),
        'no opcode': (whole + bytes([0, 0, 0, 0]), 'opcode_size'),
    }

    def test_all(self):
        for name, (raw, field) in self.cases.items():
            path = self.file('bad', raw)
            r = self.run_tool('trace_view', '--json', path)
            self.assertEqual(r.returncode, 1, name)
            self.assertEqual(len(r.stdout.splitlines()), 2 if raw.startswith(self.whole) else 0, name)
            self.assertRegex(r.stderr, r'^trace_view: .*bad: offset \d+,.* field %s: ' % field, name)
            self.assertEqual(r.stderr.count('\n'), 1, name)
            for program, arguments in (('frontend_sim', [path]), ('trace_check', [path]),
                                       ('trace_convert', [path, self.path('out')])):
                r = self.run_tool(program, *arguments)
                self.assertEqual(r.returncode, 1, (name, program, r.stderr))
            self.assertFalse(os.path.exists(self.path('out')), name)

    def test_every_truncation(self):
        ends = [len(header()), len(header() + snapshot()), len(self.whole)]
        for n in list(range(1, 120)) + list(range(ends[1] - 12, len(self.whole))):
            r = self.run_tool('trace_view', '--json', self.file('cut', self.whole[:n]))
            whole = sum(n >= e for e in ends[1:])
            self.assertEqual(len(r.stdout.splitlines()), whole, n)
            self.assertEqual(r.returncode, 0 if n in ends else 1, (n, r.stderr))
            if n not in ends:
                self.assertRegex(r.stderr, r'offset \d+,.*field \w+: the trace ends inside')

    def test_options_of_other_formats_are_refused(self):
        for option in (['--thread', '1'], ['--repair']):
            r = self.run_tool('trace_view', *option, support.WORK)
            self.assertEqual(r.returncode, 1)
            self.assertIn('champsim trace has no', r.stderr)


if __name__ == '__main__':
    support.main()
