# The programs on x64dbg traces: their output is compared with Python's own reading of the
# format, with the ChampSim traces of the same runs, and with files from other writers.
import gzip
import json
import lzma
import os
import re
import struct

import support
from support import content, records
import x86_model
from x64dbg_model import (WORDS, Trace, as_json, changes, delta, flags, header, next_of_thread,
                          of_block, regdump, snapshot, value_of)


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
                self.assertEqual(of_block(json.loads(line)), block)
        self.assertEqual(list(json.loads(lines[0])),
                         ['index', 'thread', 'ip', 'opcode', 'disassembly', 'registers', 'memory',
                          'branch', 'taken', 'target', 'flags', 'changes', 'offset'])

    def test_json_has_what_an_instruction_does(self):
        """Tests the effects of instructions in each thread. The effects of a thread's last instruction are not in
        the file."""
        for path, arch in ((WORK, 'x86'), (THREADS, 'x64')):
            blocks = Trace(content(path)).blocks
            rows = map(json.loads, self.run_ok('trace_view', '--json', path).splitlines())
            unknown = 0
            for row, b, after in zip(rows, blocks, next_of_thread(blocks), strict=True):
                want = [flags(arch, b['state']), None if after is None
                        else flags(arch, after['state'])]
                self.assertEqual([row['flags']['old'], row['flags']['new']], want)
                self.assertEqual(row['changes'], None if after is None
                                 else changes(arch, b['state'], after['state']), b['index'])
                unknown += after is None
                if row['taken'] is not None and after is not None and after['ip'] != (
                        b['ip'] + len(b['opcode']) // 2):
                    self.assertEqual((row['taken'], row['target']), (True, hex(after['ip'])))
            self.assertEqual(unknown, 1 if path == WORK else 3)

    def test_kinds_of_accesses(self):
        """Compares the kinds of accesses with those from Valgrind and Capstone for the same run."""
        blocks, kinds = Trace(content(THREADS)).blocks, set()
        rows = map(json.loads, self.run_ok('trace_view', '--json', THREADS).splitlines())
        truth = records(content(data('threads3_64.champsimtrace')))
        for row, b, r in zip(rows, blocks, truth, strict=True):
            kind = support.branch_class(r)
            self.assertEqual(row['branch'], kind)
            self.assertEqual(row['taken'] or False, support.branch_taken(r, kind))
            width = x86_model.width(b['opcode'])
            for m in row['memory']:
                at = int(m['address'], 0)
                read, write = (any(a and at < a + width and a < at + 8 for a in r[key])
                               for key in ('source_memory', 'destination_memory'))
                want = 'read_write' if read and write else 'read' if read else 'write'
                self.assertEqual(m['kind'], want, b['index'])
                self.assertEqual(m['size'], min(width, 8), b['index'])
                kinds.add(want)
        self.assertEqual(len(kinds), 3)

    def test_effects(self):
        # Expected output for push esi, push ebx and sub esp, 0x1C, derived by hand from the blocks'
        # words.
        self.assertEqual(self.run_ok('trace_view', '--effects', '-n', '3', '--skip', '240', WORK),
                         '[   240] 0x0000000004014932 | T[6700] | push esi | D_M[\'0xfe8ba6e0\'] | '
                         'esp: fe8ba6e4 -> fe8ba6e0 | [fe8ba6e0]: 0 -> fe8ba70c\n'
                         '[   241] 0x0000000004014933 | T[6700] | push ebx | D_M[\'0xfe8ba6dc\'] | '
                         'esp: fe8ba6e0 -> fe8ba6dc | [fe8ba6dc]: 0 -> 4cb2ff4\n'
                         '[   242] 0x0000000004014934 | T[6700] | sub esp, 0x1C | '
                         'esp: fe8ba6dc -> fe8ba6c0 | PF: 0 -> 1 | AF: 1 -> 0 | SF: 0 -> 1\n')
        last = self.run_ok('trace_view', '--effects', '--skip', '29999', THREADS)
        self.assertIn(' | registers: unknown', last)
        for other in (['--effects', support.SED], ['--effects', '-s', WORK]):
            self.assertEqual(self.run_tool('trace_view', *other).returncode, 2, other)

    def test_a_part_keeps_its_numbers(self):
        want = [as_json(b) for b in Trace(content(THREADS)).blocks]
        part = self.run_ok('trace_view', '--json', '--skip', '1000', '-n', '5', THREADS)
        self.assertEqual([of_block(json.loads(s)) for s in part.splitlines()], want[1000:1005])
        one = [b for b in want if b['thread'] == 6704]
        part = self.run_ok('trace_view', '--json', '--thread', '6704', '--skip', '7', '-n', '3',
                           THREADS)
        self.assertEqual([of_block(json.loads(s)) for s in part.splitlines()], one[7:10])

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

    def synthetic(self, arch):
        """Returns a trace with distinct bytes in REGDUMP, and its only block."""
        word = 8 if arch == 'x64' else 4
        raw = bytes((7 * i + 3) % 251 for i in range(WORDS[arch] * word))
        values = [int.from_bytes(raw[i:i + word], 'little') for i in range(0, len(raw), word)]
        whole = header(arch) + snapshot(arch=arch, values=values)
        return self.file('t' + arch, whole), Trace(whole).blocks[0]

    def test_registers_by_name(self):
        for arch in ('x64', 'x86'):
            path, block = self.synthetic(arch)
            got = json.loads(self.run_ok('trace_view', '--json', '--registers', 'all', path))
            self.assertEqual(got['registers'], as_json(block)['registers'])
            # A flag byte, a word of a vector, the lower half of a word: all are present, each
            # once.
            self.assertGreater(len(got['registers']), WORDS[arch])
            state = got['state']
            flags = state.pop('flags')
            fields = [n for n, _, _ in regdump(arch)]
            self.assertLessEqual({n for n in fields if n[:3] in ('xmm', 'ymm') or n[1:] == 's'},
                                 set(state))
            for name, value in state.items():
                number, size = value_of(block, name)
                self.assertEqual(value, '0x%0*x' % (2 * size, number), name)
            eflags = value_of(block, 'rflags' if arch == 'x64' else 'eflags')[0]
            bits = {'CF': 0, 'PF': 2, 'AF': 4, 'ZF': 6, 'SF': 7, 'TF': 8, 'IF': 9, 'DF': 10,
                    'OF': 11, 'NT': 14, 'RF': 16, 'VM': 17, 'AC': 18, 'VIF': 19, 'VIP': 20, 'ID': 21}
            want = [n for n, b in bits.items() if eflags >> b & 1]
            if eflags >> 12 & 3:
                want.append('IOPL=%d' % (eflags >> 12 & 3))
            self.assertEqual(flags, want)
            self.assertIn('\n  flags                  %s\n' % ' '.join(want),
                          self.run_ok('trace_view', path))

    def test_chosen_registers(self):
        path, block = self.synthetic('x64')
        xmm3, cs, rax = (value_of(block, n)[0] for n in ('xmm3', 'cs', 'rax'))
        row = self.run_ok('trace_view', '-c', '--registers', 'xmm3,cs', '--registers', 'al', path)
        self.assertTrue(row.endswith(' | xmm3 0x%032x | cs 0x%04x | al 0x%02x\n' %
                                     (xmm3, cs, rax & 255)), row)
        text = self.run_ok('trace_view', '--registers', 'xmm3,segments', path)
        self.assertIn('registers              xmm3   0x%032x\n' % xmm3, text)
        self.assertIn(' cs     0x%04x' % cs, text)
        self.assertNotIn('rax', text)
        state = json.loads(self.run_ok('trace_view', '--json', '--registers', 'ymm', path))['state']
        self.assertEqual(list(state), ['ymm%d' % i for i in range(16)])
        for options in (['--registers', 'eaxx', path], ['--registers', 'rax', '-s', path],
                        ['--registers', 'rax', support.WORK], ['--registers', 'rax', WORK]):
            r = self.run_tool('trace_view', *options)
            self.assertEqual((r.returncode, r.stdout), (2, ''), r.stderr)
            self.assertIn('--registers', r.stderr)

    @staticmethod
    def touches(blocks, word):
        """Returns {address of a byte: (block, value before, value after)}. The value before is None if it cannot
        be trusted, as for a push."""
        bytes_of = {}
        for n, b in enumerate(blocks):
            code, stack = bytes.fromhex(b['opcode']), b['state'][4]
            push = code[0] in (0xE8, 0x68, 0x6A, 0x9C, 0xFF) or 0x50 <= code[0] < 0x58
            for a, old, new in b['memory']:
                trusted = not (push and stack - 16 <= a < stack)
                for i in range(word):
                    after = (old if new is None else new) >> 8 * i & 255
                    bytes_of.setdefault(a + i, []).append(
                        (n, old >> 8 * i & 255 if trusted else None, after))
        return bytes_of

    @staticmethod
    def memory(touched, n, address):
        """Returns a byte before block `n`, from earlier blocks or else from later ones, or None if it is unknown."""
        here = touched.get(address, [])
        before = [after for k, _, after in here if k < n]
        return before[-1] if before else here[0][1] if here else None

    def test_memory(self):
        for path, word, starts in ((WORK, 4, (0, 1271, 30_000)), (THREADS, 8, (3, 7000, 29_990))):
            blocks = Trace(content(path)).blocks
            touched = self.touches(blocks, word)
            known = unknown = 0
            for n in starts:
                near = [a for b in blocks[max(0, n - 20):n + 20] for a, _, _ in b['memory']]
                for address in (near[0] - 9, near[len(near) // 2] - 4, near[-1] + 2):
                    out = self.run_ok('trace_view', '--json', '--skip', str(n), '-n', '5',
                                      '--memory', '%#x+24' % address, path)
                    for k, line in enumerate(out.splitlines()):
                        got = json.loads(line)['memory_at']
                        want = [self.memory(touched, n + k, address + i) for i in range(24)]
                        self.assertEqual(got['address'], hex(address))
                        self.assertEqual(got['bytes'], ''.join('??' if w is None else '%02x' % w
                                                               for w in want), (n + k, hex(address)))
                        known += 24 - want.count(None)
                        unknown += want.count(None)
            self.assertGreater(known, 100)
            self.assertGreater(unknown, 10)

    def test_memory_of_one_thread_and_as_text(self):
        blocks = Trace(content(THREADS)).blocks
        # Other threads of the trace write between the instructions of this one.
        one = [b['index'] for b in blocks if b['thread'] == 6704]
        touched = self.touches(blocks, 8)
        address = blocks[one[40]]['memory'][0][0] if blocks[one[40]]['memory'] else next(
            b['memory'][0][0] for b in blocks[one[40]:] if b['memory'])
        out = self.run_ok('trace_view', '--json', '--thread', '6704', '--skip', '30', '-n', '60',
                          '--memory', '%d-%d' % (address, address + 7), THREADS).splitlines()
        self.assertEqual(len(out), 60)
        for line, n in zip(out, one[30:90]):
            want = [self.memory(touched, n, address + i) for i in range(8)]
            self.assertEqual(json.loads(line)['memory_at']['bytes'],
                             ''.join('??' if w is None else '%02x' % w for w in want))
        raw = header() + snapshot(opcode=b'\x8b\x00') + delta()
        at = len(header())
        # One access: "Hi!\n" and 4 more bytes at 0x2004, which stay unchanged.
        raw = raw[:at + 2] + b'\x01' + raw[at + 3:]
        end = at + len(snapshot(opcode=b'\x8b\x00'))
        raw = raw[:end] + b'\x01' + struct.pack('<Q8s', 0x2004, b'Hi!\n\xff\x00~ ') + raw[end:]
        path = self.file('m.trace64', raw)
        text = self.run_ok('trace_view', '-n', '1', '--memory', '0x1ffe+20', path)
        self.assertIn(
            '  memory                 0x0000000000001ff0' + 45 * ' ' + '?? ??  |              ??|\n'
            '                         0x0000000000002000  ?? ?? ?? ?? 48 69 21 0a  ff 00 7e 20 ?? ?? '
            '?? ??  |????Hi!...~ ????|\n'
            '                         0x0000000000002010  ?? ??' + 45 * ' ' + '|??|\n', text)
        row = self.run_ok('trace_view', '-c', '-n', '1', '--memory', '0x2003+3', path)
        self.assertTrue(row.endswith(" | M['0x2003': ??4869]\n"), row)

    def test_memory_that_cannot_be_shown(self):
        for options, words in ((['--memory', '5x', WORK], '--memory'),
                               (['--memory', '0+1048577', WORK], '1048576 bytes at most'),
                               (['--memory', '0x100000000', WORK], '32 bits'),
                               (['--memory', '1', '-s', WORK], '--memory'),
                               (['--memory', '1', support.WORK], 'x64dbg and UMTracer')):
            r = self.run_tool('trace_view', *options)
            self.assertEqual((r.returncode, r.stdout), (2, ''), r.stderr)
            self.assertIn(words, r.stderr)
        r = self.run_tool('trace_view', '--memory', '1', '-', stdin=content(WORK))
        self.assertEqual((r.returncode, r.stdout), (2, ''))
        self.assertIn('instead of a pipe', r.stderr)
        # The whole instructions before a truncation are shown, and the truncation is reported
        # as usual.
        cut = self.file('cut.trace32', content(WORK)[:Trace(content(WORK)).ends[9] + 5])
        r = self.run_tool('trace_view', '-c', '-n', 'all', '--memory', '0x10+4', cut)
        self.assertEqual((r.returncode, len(r.stdout.splitlines())), (1, 10))

    def test_operands_that_were_lost_are_told(self):
        # rep movsb writes rcx, rsi and rdi, but a record holds two registers; nop writes none.
        raw = header() + snapshot(opcode=b'\xf3\xa4') + delta(ip=0x1002)
        path = self.file('t.trace64', raw)
        told = 'note: 1 instruction had more operands than a ChampSim record holds'
        r = self.run_tool('trace_view', path)
        self.assertEqual(r.stderr, 'trace_view: %s\n' % told)
        first, second = r.stdout.split('Instruction 1\n')
        self.assertRegex(first, r'\n  left out +\d operands?, which a ChampSim record cannot store')
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
        # From the samples' own table: all classes of branches.
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
        # Without --verbose, the first five places and their number are reported.
        for short in (out, self.path('r.jsonl'), self.path('r/')):
            told = self.run_tool('trace_convert', '--repair', LEGACY, short).stderr
            self.assertEqual(told.splitlines()[:5], r.stderr.splitlines()[:5])
            self.assertEqual(told.splitlines()[5:], [
                'trace_convert: note: 174 places mended; --verbose lists all'])
        # Nothing was repaired before the error, so only the error is reported.
        broken = self.write('b.trace64', content(LEGACY)[:1000])
        for name in ('b2.trace64', 'b2.jsonl', 'b2/'):
            r = self.run_tool('trace_convert', '--repair', broken, self.path(name))
            self.assertEqual(r.returncode, 1)
            self.assertRegex(r.stderr, r'\A[^\n]*record 0[^\n]*\n\Z')
        # Other programs read the trace if --repair is set; otherwise they report the position
        # of the damage.
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

    def opcodes(self, program, *args):
        """Returns the opcodes that a program reads with --repair, and its messages."""
        r = self.run_tool(program, *args)
        self.assertEqual(r.returncode, 0, r.stderr)
        return [json.loads(s)['opcode'] for s in r.stdout.splitlines()], r.stderr

    def every_reader(self, path, want, lost):
        """Checks that all programs read the same records and report the skipped bytes."""
        for program in ('trace_view', 'trace_find'):
            got, told = self.opcodes(program, '--json', '--repair', path)
            self.assertEqual(got, want)
            self.assertRegex(told, lost)
        rows = self.run_tool('trace_convert', '--repair', '--to', 'jsonl', path, '-')
        self.assertEqual([json.loads(s)['opcode'] for s in rows.stdout.splitlines()], want)
        self.assertRegex(rows.stderr, lost)
        out = self.path('mended.trace32')
        r = self.run_tool('trace_convert', '--repair', path, out)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertRegex(r.stderr, lost)
        self.assertEqual([b['opcode'] for b in Trace(support.file_bytes(out)).blocks], want)
        self.assertIn(' %d records, ' % len(want), self.run_tool('trace_check', path).stdout)
        self.assertEqual(self.run_tool('trace_diff', '--repair', path, out).returncode, 0)

    def test_torn_blocks(self):
        """Tests missing bytes, from each place in some blocks up to the beginning of a later block."""
        for name, keep in ((WORK, 40), (THREADS, 40), (WORK, 24), (THREADS, 24)):
            trace = Trace(content(name))
            starts = [trace.blocks[i]['offset'] for i in range(keep + 1)]
            raw, opcodes = content(name), [b['opcode'] for b in trace.blocks[:keep]]
            for cut in range(starts[20] + 1, starts[22], 7):
                if cut in starts:
                    continue
                whole = max(i for i in range(keep) if starts[i] < cut)
                path = self.file('torn', raw[:cut] + raw[starts[23]:starts[keep]])
                want = opcodes[:whole] + opcodes[23:]
                got, _ = self.opcodes('trace_find', '--json', '--repair', path)
                self.assertEqual(got, want, (name, cut - starts[whole]))

    def test_appended_traces(self):
        trace = Trace(content(WORK))
        one = content(WORK)[:trace.ends[699]]
        other = content(THREADS)[:Trace(content(THREADS)).ends[10]]
        front = trace.blocks[0]['offset']
        opcodes = [b['opcode'] for b in trace.blocks[:700]]
        appended = 'offset %d, instruction 700: %d bytes skipped: the header of an appended trace' % (
            len(one), front)
        for raw, lost in (
                (one + one, appended),
                (one + other + one, 'another trace of x64 code was appended'),
                (one + one[:30] + one[front:], '30 bytes skipped.*header is damaged'),
                (one[:-3] + one, r'%d bytes skipped' % (len(one) - 3 - trace.ends[698]))):
            path = self.file('appended.trace32', raw)
            want = opcodes + opcodes if raw[:len(one)] == one else opcodes[:-1] + opcodes
            self.every_reader(path, want, lost)
        self.every_reader(self.file('appended.trace32', 3 * one), 3 * opcodes, appended)
        path = self.file('appended.trace32', one + one)
        r = self.run_tool('trace_view', '-s', path)
        self.assertEqual(r.returncode, 1)
        self.assertIn('a second file header: another trace was appended here; repair continues after it',
                      r.stderr)
        self.assertIn('second-header', self.run_tool('trace_check', path).stdout)
        # If there are many places, only the first ones and their number are reported.
        r = self.run_tool('trace_find', '--count', '--repair', self.file('many', 9 * one))
        self.assertEqual(r.stderr.count('\n'), 6)
        self.assertIn('8 places skipped, with %d bytes' % (8 * front), r.stderr)

    def test_registers_after_damage(self):
        """Tests that registers are unknown after damage up to the next snapshot."""
        trace = Trace(content(THREADS))
        ends, raw = trace.ends, content(THREADS)
        path = self.file('gap', raw[:ends[99] + 5] + raw[ends[100]:])
        rows = [json.loads(s) for s in
                self.run_ok('trace_view', '--json', '--repair', '--registers', 'rsp', path).splitlines()]
        snapshots = [i for i, b in enumerate(trace.blocks) if len(b['registers']) == 172]
        self.assertEqual(len(rows), 29999)
        for i in (100, 101, snapshots[1] - 2):
            self.assertEqual((rows[i]['state'], rows[i]['flags'], rows[i]['changes']),
                             (None, {'old': None, 'new': None}, None))
        self.assertEqual(int(rows[snapshots[1] - 1]['state']['rsp'], 0),
                         trace.blocks[snapshots[1]]['state'][4])

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
                # Damage after a part is not read.
                for rest in (b'', b'\x05') if options[-2:] == ['--limit', '1'] else (b'',):
                    self.run_ok('trace_convert', '--mode', mode, *options,
                                self.file('u', raw + rest), out)
                    got = support.file_bytes(out)
                    self.assertEqual([n for n in range(4) if user[n] in got], want)

    def test_what_cannot_be(self):
        for arguments, words in (
                (['--mode', 'raw', '--skip', '1', WORK, self.path('a.trace32')], 'whole trace'),
                ([WORK, self.path('a.trace64')], 'the trace has 32 bits'),
                (['--to', 'x64dbg', support.WORK, self.path('a')], 'cannot be written'),
                (['--to', 'champsim', '--mode', 'raw', WORK, self.path('a')], '--mode'),
                (['--snapshots', '0', WORK, self.path('a.trace32')], '--snapshots')):
            r = self.run_tool('trace_convert', *arguments)
            self.assertEqual(r.returncode, 2, r.stderr)
            self.assertIn(words, r.stderr)
            self.assertFalse(os.path.exists(arguments[-1]))


class BadInput(Case):
    """Tests bad input. Each program prints everything whole, then one line with offset and field."""
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

    def test_several_threads_and_names_are_refused(self):
        trace, out = self.file('t.trace64', self.whole), self.path('u.trace64')
        for threads in (['--thread', '1', '--thread', '2'], ['--thread', 'main']):
            for program, more in (('trace_convert', [out]), ('trace_view', []), ('trace_find', ['--ip', '0x1'])):
                r = self.run_tool(program, *threads, trace, *more)
                self.assertNotEqual(r.returncode, 0, (program, threads))
                self.assertIn('thread', r.stderr)
                self.assertEqual(r.stdout, '')
        self.assertFalse(os.path.exists(out))


if __name__ == '__main__':
    support.main()
