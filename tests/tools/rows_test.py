# Text rows of trace_convert: JSON lines and CSV are read with Python's own modules. They are
# compared with Python's reading of the formats, with the samples' generator, and with each
# other.
import csv
import gzip
import io
import json
import lzma
import os
import shutil
import struct
import subprocess

import support
from support import CODECS, SED, WORK, content, file_bytes, records

FOLDER = os.path.dirname(SED)
OPERATIONS = ('acquire', 'release', 'read', 'write', 'fork', 'join', 'begin', 'end', 'request',
              'branch')
EXEC_TYPES = {0: 'instruction', 1: 'thread begin', 2: 'thread end', 3: 'application end',
              4: 'system call entry', 5: 'system call exit', 6: 'skipped system call exit',
              8: 'asynchronous procedure call', 9: 'exception', 10: 'callback',
              11: 'unknown context change'}
INSTRUCTION_TYPES = {0: 'normal', 1: 'software interrupt', 2: 'fast system call 32',
                     3: 'fast system call 64', 4: 'alternate system call',
                     5: 'WOW64 system call', 6: 'other system call', 8: 'nop', 9: 'prefetch'}
CONVENTIONS = ('unknown', 'fast 32', 'fast 64', 'alternate', 'WOW64', 'interrupt')
csv.field_size_limit(1 << 24)


def sample(name):
    return os.path.join(FOLDER, name)


def as_hex(n):
    return '0x%x' % n


def json_rows(text):
    assert text == '' or text.endswith('\n')
    return [json.loads(line) for line in text.splitlines()]


def csv_rows(text):
    assert '\r' not in text
    lines = list(csv.reader(io.StringIO(text, newline=''), strict=True))
    assert all(len(line) == len(lines[0]) for line in lines)
    return lines[0], lines[1:]


def as_cells(row):
    """Returns the CSV names and cells for a row of JSON."""
    names, cells = [], []
    for key, value in row.items():
        # Arrays with a fixed number of elements are spread over columns.
        spread = key in ('destination_registers', 'source_registers', 'destination_memory',
                         'source_memory', 'asid')
        for i, v in enumerate(value) if spread else [(None, value)]:
            names.append(key if i is None else '%s_%d' % (key, i))
            if v is None:
                cells.append('')
            elif isinstance(v, bool):
                cells.append(str(int(v)))
            elif isinstance(v, (list, dict)):
                cells.append(json.dumps(v, separators=(',', ':'), ensure_ascii=False))
            elif isinstance(v, str) and v.startswith('0x'):
                cells.append(str(int(v, 16)))
            else:
                cells.append(str(v))
    return names, cells


class Case(support.FormatTest):
    def both(self, trace, *args):
        """Returns the rows of a trace, after a check that CSV contains the same values."""
        rows = json_rows(self.run_ok('trace_convert', '--to', 'jsonl', *args, trace, '-'))
        header, lines = csv_rows(self.run_ok('trace_convert', '--to', 'csv', *args, trace, '-'))
        self.assertEqual(len(lines), len(rows))
        for row, line in zip(rows, lines):
            names, cells = as_cells(row)
            self.assertEqual(names, header)
            self.assertEqual(cells, line)
        return rows

    def fails(self, code, about, *args, **more):
        r = self.run_tool('trace_convert', *args, **more)
        self.assertEqual(r.returncode, code, (args, r.stderr))
        self.assertIn(about, r.stderr, args)
        return r.stdout

    def left(self):
        return sorted(os.listdir(self.folder))


class ChampSim(Case):
    def wanted(self, all_records):
        result = []
        for i, r in enumerate(all_records):
            kind = support.branch_class(r)
            taken = support.branch_taken(r, kind)
            behind = all_records[i + 1]['ip'] if i + 1 < len(all_records) else 0
            row = {'index': i, **r, 'branch': kind, 'target': as_hex(behind if taken else 0)}
            row['ip'] = as_hex(r['ip'])
            for key in ('destination_memory', 'source_memory'):
                row[key] = [as_hex(a) for a in r[key]]
            result.append(row)
        return result

    def test_rows_are_the_records(self):
        for trace in (SED, WORK):
            self.assertEqual(self.both(trace), self.wanted(records(content(trace))))

    def test_cloudsuite(self):
        wide = support.as_cloudsuite(records(content(WORK))[:500], [7, 1])
        rows = self.both(self.write('t', wide), '--cloudsuite')
        self.assertEqual(rows, self.wanted(records(wide, 'cloudsuite')))
        self.assertEqual(rows[0]['asid'], [7, 1])

    def test_trace_view_says_the_same(self):
        self.assertEqual(self.run_ok('trace_convert', '--to', 'jsonl', SED, '-'),
                         self.run_ok('trace_view', '--json', SED))

    def test_order_of_columns(self):
        text = self.run_ok('trace_convert', '--to', 'csv', '--limit', '1', SED, '-')
        self.assertEqual(
            text.splitlines()[0],
            'index,ip,is_branch,branch_taken,destination_registers_0,destination_registers_1,'
            'source_registers_0,source_registers_1,source_registers_2,source_registers_3,'
            'destination_memory_0,destination_memory_1,source_memory_0,source_memory_1,'
            'source_memory_2,source_memory_3,branch,target')

    def test_part(self):
        whole = self.both(SED)
        self.assertEqual(self.both(SED, '--skip', '4095', '--limit', '5'), whole[4095:4100])
        self.assertEqual(self.both(SED, '--skip', '49999'), whole[49999:])

    def test_largest_values(self):
        r = {'ip': 2 ** 64 - 1, 'is_branch': 255, 'branch_taken': 1,
             'destination_registers': [255, 0], 'source_registers': [255] * 4,
             'destination_memory': [2 ** 63, 1], 'source_memory': [2 ** 64 - 1] * 4}
        rows = self.both(self.write('t', support.pack(r)), '--format', 'champsim')
        self.assertEqual(rows, self.wanted([r]))

    def test_kernel_addresses_survive(self):
        rows = self.both(SED, '--limit', '3')
        self.assertTrue(all(isinstance(r['ip'], str) for r in rows))


class Output(Case):
    def test_name_and_compression(self):
        trace = self.write('t', content(WORK)[:64 * 3000])
        plain = {}
        for form in ('jsonl', 'csv'):
            self.run_ok('trace_convert', trace, self.path('o.' + form))
            plain[form] = file_bytes(self.path('o.' + form))
            self.assertEqual(self.run_ok('trace_convert', '--to', form, trace, '-'),
                             plain[form].decode())
            # --to and --codec take precedence over the name.
            self.run_ok('trace_convert', '--to', form, trace, self.path('other.trace64'))
            self.assertEqual(file_bytes(self.path('other.trace64')), plain[form])
            for suffix, codec, unpack in (('gz', 'gzip', gzip.decompress),
                                          ('xz', 'xz', lzma.decompress)):
                if codec not in CODECS:
                    continue
                name = self.path('o.%s.%s' % (form, suffix))
                self.run_ok('trace_convert', trace, name)
                self.assertEqual(unpack(file_bytes(name)), plain[form])
                self.run_ok('trace_convert', '--codec', codec, trace, self.path('p.' + form))
                self.assertEqual(unpack(file_bytes(self.path('p.' + form))), plain[form])
            if 'zstd' in CODECS and support.has_program('zstd'):
                name = self.path('o.%s.zst' % form)
                self.run_ok('trace_convert', trace, name)
                done = subprocess.run(['zstd', '-dc', name], stdout=subprocess.PIPE, check=True)
                self.assertEqual(done.stdout, plain[form])
        self.assertEqual(len(json_rows(plain['jsonl'].decode())), 3000)
        self.assertEqual(len(csv_rows(plain['csv'].decode())[1]), 3000)
        # If a trace format is requested, the output does not consist of rows.
        self.run_ok('trace_convert', '--to', 'champsim', trace, self.path('t.csv'))
        self.assertEqual(file_bytes(self.path('t.csv')), file_bytes(trace))

    def test_standard_input(self):
        raw = content(WORK)[:64 * 100]
        rows = json_rows(self.run_ok('trace_convert', '--to', 'jsonl', '-', '-', stdin=raw))
        self.assertEqual([int(r['ip'], 16) for r in rows], [r['ip'] for r in records(raw)])

    def test_nothing_left(self):
        for args in (['--limit', '0'], ['--skip', '3000']):
            for form in ('jsonl', 'csv'):
                trace = self.write('t', content(WORK)[:64 * 3000])
                self.fails(1, 'no records are left', trace, self.path('o.' + form), *args)
                self.assertEqual(self.left(), ['t'])
        self.fails(1, 'empty', self.write('t', b''), self.path('o.csv'))
        self.assertEqual(self.left(), ['t'])

    def test_cut(self):
        raw = content(WORK)[:64 * 1000 + 10]
        trace = self.write('cut', raw)
        for form in ('jsonl', 'csv'):
            out = self.path('o.' + form)
            self.fails(1, 'offset 64010', trace, out)
            self.assertEqual(self.left(), ['cut'])
            stdout = self.fails(1, 'offset 64010', '--to', form, trace, '-')
            self.fails(1, 'offset 64010', '--keep-whole', trace, out)
            self.assertEqual(file_bytes(out).decode(), stdout)
            self.assertEqual(len(stdout.splitlines()), 1000 + (form == 'csv'))
            os.remove(out)

    def test_full_disk(self):
        if not os.path.exists('/dev/full'):
            self.skipTest('no /dev/full')
        for form in ('jsonl', 'csv'):
            with open('/dev/full', 'wb') as full:
                r = support.run('trace_convert', '--to', form, WORK, '-', stdout=full)
            self.assertEqual(r.returncode, 1)

    def test_usage(self):
        trace = self.write('t', content(WORK)[:6400])
        out = self.path('o.csv')
        for about, *args in (('--mode', '--mode', 'minimal'), ('--snapshots', '--snapshots', '5'),
                             ('--dialect', '--dialect', 'rapid'), ('--renumber', '--renumber'),
                             ('--table is for', '--table', 'ins'),
                             ('--disassembly', '--disassembly'), ('--variable', '--variable', '1'),
                             ('--metadata', '--metadata', 'x'), ("got 'xml'", '--to', 'xml'),
                             ("got 'none'", '--table', 'none'),
                             ('lz4 can be read', '--codec', 'lz4'), ('zip can be read', '--codec', 'zip')):
            self.fails(2, about, trace, out, *args)
        self.fails(2, 'JSON lines and CSV', trace, self.path('o.trace'), '--disassembly')
        self.fails(2, 'JSON lines and CSV', trace, self.path('o.trace'), '--table', 'ins')
        self.fails(2, 'same file', trace, trace, '--to', 'csv')
        self.fails(1, 'no threads', trace, out, '--thread', '1')
        self.assertEqual(self.left(), ['t'])
        self.assertEqual(file_bytes(trace), content(WORK)[:6400])


class Parts(Case):
    """Tests that the rows of all parts equal the rows of the whole trace or table."""

    def rows(self, form, *args):
        lines = self.run_ok('trace_convert', '--to', form, *args, '-').splitlines()
        return (lines[1:], lines[0]) if form == 'csv' else (lines, None)

    def check(self, trace, *args, parts=3):
        for form in ('jsonl', 'csv'):
            whole, header = self.rows(form, *args, trace)
            joined = []
            for i in range(parts):
                part, names = self.rows(form, *args, '--shard', f'{i}/{parts}', trace)
                self.assertEqual(names, header, args)
                self.assertEqual(len(part),
                                 len(whole) * (i + 1) // parts - len(whole) * i // parts, args)
                joined += part
            self.assertEqual(joined, whole, args)
        return len(whole)

    def test_champsim(self):
        trace = self.write('t', content(WORK)[:64 * 1000])
        wide = support.as_cloudsuite(records(content(WORK))[:500], [7, 1])
        self.assertEqual(self.check(trace), 1000)
        self.assertEqual(self.check(trace, '--skip', '17', '--limit', '100', parts=7), 100)
        self.assertEqual(self.check(self.write('w', wide), '--cloudsuite'), 500)

    def test_rapidbin(self):
        for name in ('rapidbin/r250.data', 'rapidbin/r250.std'):
            events = self.check(sample(name), '--no-metadata')
            self.assertGreater(events, 250)
            some = self.check(sample(name), '--no-metadata', '--thread', '0')
            self.assertTrue(3 < some < events)
            self.assertEqual(
                self.check(sample(name), '--no-metadata', '--skip', '200', '--limit', '10'), 10)

    @support.needs('simdjson', 'zydis', 'xz')
    def test_x64dbg(self):
        trace = sample('threads3_64.trace64.xz')
        thread = str(json_rows(self.run_ok('trace_convert', '--to', 'jsonl', '--limit', '1', trace,
                                           '-'))[0]['thread'])
        instructions = self.check(trace)
        self.assertTrue(10 < self.check(trace, '--thread', thread) < instructions)
        self.assertEqual(self.check(trace, '--skip', '50', '--limit', '11'), 11)

    def test_umtracer(self):
        folder = sample('umtracer/plain64')
        self.assertEqual(self.check(folder), 1500)  # records, not its 1,414 instructions
        self.assertEqual(self.check(folder, '--limit', '1500', parts=4), 1500)
        self.assertEqual(self.check(folder, '--skip', '1450', parts=4), 50)
        rows, _ = self.rows('jsonl', folder)
        of_thread = sum(json.loads(r)['thread_id'] == 1 for r in rows)
        self.assertEqual(self.check(folder, '--thread', '1'), of_thread)
        self.assertEqual(self.check(folder, '--thread', '1', '--skip', '9', '--limit', '8'), 8)

    def test_umtracer_tables(self):
        folder = sample('umtracer/plain64')
        self.assertEqual(self.check(folder, '--table', 'ins', parts=2), 90)
        self.assertEqual(self.check(folder, '--table', 'ins', '--skip', '80', '--limit', '9'), 9)
        for table in ('syscall', 'module', 'thread', 'context', 'ranges'):
            self.assertGreater(self.check(folder, '--table', table, parts=2), 1, table)

    def test_an_empty_part_is_no_output(self):
        folder = sample('umtracer/plain64')
        self.fails(1, 'no records are left', '--shard', '0/9223372036854775808', folder,
                   self.path('o.csv'))
        self.assertEqual(self.left(), [])
        rows, _ = self.rows('jsonl', folder)
        last, _ = self.rows('jsonl', folder, '--shard', f'{2 ** 63 - 1}/{2 ** 63}')
        self.assertEqual(last, rows[-1:])

    def test_damage_is_its_part_s(self):
        folder = self.path('trace')
        shutil.copytree(sample('umtracer/plain64'), folder, copy_function=shutil.copyfile)
        with open(os.path.join(folder, 'exec.offsets'), 'r+b') as f:
            f.seek(8 * 1400)
            f.write(b'\xff' * 7 + b'\x7f')
        for args in ([], ['--thread', '1']):
            codes = [self.run_tool('trace_convert', folder, self.path('o.csv'), *args, '--shard',
                                   f'{i}/3').returncode for i in range(3)]
            self.assertEqual(codes, [0, 0, 1], args)


class RapidBin(Case):
    def events(self, name):
        result = []
        for line in content(sample('rapidbin/%s.dump.jsonl.xz' % name)).splitlines()[1:]:
            d = json.loads(line)
            result.append({'index': d['i'], 'sign': False, 'location': d['loc'],
                           'decor': d['decor'], 'operation': OPERATIONS[d['code']],
                           'thread': d['thread']})
        return result

    def test_rows_are_the_events(self):
        for name in ('r250', 'r6000'):
            want = self.events(name)
            for suffix in ('.data', '.std'):
                self.assertEqual(self.both(sample('rapidbin/' + name + suffix), '--no-metadata'),
                                 want)

    @support.needs('simdjson')
    def test_metadata(self):
        names = json.loads(file_bytes(sample('rapidbin/r6000.json')))
        by = {key: {r['trace_id']: r['wasm_id'] for r in names[key]} for key in names
              if key.endswith('_records')}
        rows = self.both(sample('rapidbin/r6000.data'))
        self.assertEqual(len(rows), 6002)
        for e in rows:
            place = by['location_records'][e['location']]
            self.assertEqual((e['function'], e['instruction']), (place['fidx'], place['iidx']))
            if e['operation'] in ('read', 'write'):
                memory = by['memory_records'][e['decor']]
                self.assertEqual((int(e['address'], 16), e['access_width'], e['lock']),
                                 (memory['address'], memory['access_width'], None))
            elif e['operation'] in ('acquire', 'release', 'request'):
                self.assertEqual((int(e['lock'], 16), e['address']),
                                 (by['lock_records'][e['decor']], None))
            else:
                self.assertEqual((e['address'], e['access_width'], e['lock']), (None,) * 3)

    def test_parts(self):
        trace = sample('rapidbin/r6000.data')
        whole = self.both(trace, '--no-metadata')
        self.assertEqual(self.both(trace, '--no-metadata', '--thread', '3', '--lock', '1'),
                         [e for e in whole if e['thread'] == 3 and e['decor'] == 1 and
                          e['operation'] in ('acquire', 'release', 'request')])
        self.assertEqual(self.both(trace, '--no-metadata', '--skip', '6000', '--limit', '1'),
                         whole[6000:6001])
        anew = self.both(trace, '--renumber', '--skip', '5000')
        self.assertEqual([e['operation'] for e in anew], [e['operation'] for e in whole[5000:]])
        self.assertEqual((anew[0]['location'], anew[0]['thread']), (0, 0))

    def test_undefined_and_sign(self):
        raw = struct.pack('>hiiq', 1, 0, 0, 2)
        raw += struct.pack('>QQ', 1 << 63 | 5 << 48 | 12 << 10, 9 << 10)
        rows = self.both(self.write('t.data', raw), '--format', 'rapidbin')
        self.assertEqual([(e['sign'], e['operation']) for e in rows],
                         [(True, '12'), (False, 'branch')])

    def test_unfinished(self):
        raw = bytes(18) + file_bytes(sample('rapidbin/r250.data'))[18:]
        trace = self.write('t.data', raw)
        out = self.path('o.jsonl')
        self.fails(1, 'never finished', '--format', 'rapidbin', trace, out)
        self.assertEqual(self.left(), ['t.data'])
        r = self.run_tool('trace_convert', '--repair', '--format', 'rapidbin', trace, out)
        self.assertEqual((r.returncode, r.stderr.count('mended')), (0, 1))
        self.assertEqual(len(json_rows(file_bytes(out).decode())), 256)


@support.needs('simdjson', 'zydis')
class X64dbg(Case):
    COLUMNS = ['index', 'thread', 'ip', 'opcode', 'registers', 'memory', 'branch', 'taken', 'target',
               'flags', 'changes', 'offset']

    def check(self, name, rows):
        import x64dbg_model
        trace = x64dbg_model.Trace(content(sample(name)))
        self.assertEqual(len(rows), len(trace.blocks))
        for row, block in zip(rows, trace.blocks):
            self.assertEqual(list(row), self.COLUMNS)
            self.assertEqual(x64dbg_model.of_block(row), x64dbg_model.as_json(block))

    def test_rows_are_the_blocks(self):
        for name in ('work32.trace32.xz', 'threads3_64.trace64.xz'):
            rows = self.both(sample(name))
            self.check(name, rows)

    def test_trace_view_says_the_same(self):
        name = sample('threads3_64.trace64.xz')
        rows = self.both(name, '--limit', '4000', '--disassembly')
        self.assertEqual(rows, json_rows(self.run_ok('trace_view', '--json', '-n', '4000', name)))

    def test_disassembly(self):
        rows = self.both(sample('work32.trace32.xz'), '--disassembly', '--limit', '3')
        self.assertEqual([r['disassembly'] for r in rows],
                         ['cmp eax, edx', 'jnz 0x04B2C2A0', 'mov [eax+0x0C], eax'])
        self.assertEqual(list(rows[0]), self.COLUMNS[:4] + ['disassembly'] + self.COLUMNS[4:])

    def test_a_mode_is_of_traces(self):
        for args in (['o.csv'], ['o.trace32', '--to', 'jsonl']):
            self.fails(2, '--mode', '--mode', 'minimal', sample('work32.trace32.xz'),
                       self.path(args[0]), *args[1:])
        self.assertEqual(self.left(), [])

    def test_parts(self):
        name = sample('threads3_64.trace64.xz')
        whole = self.both(name)
        threads = sorted({r['thread'] for r in whole})
        self.assertEqual(len(threads), 3)
        for t in threads[:2]:
            of_it = [r for r in whole if r['thread'] == t]
            got = self.both(name, '--thread', str(t), '--skip', '10', '--limit', '20')
            self.assertEqual(got, of_it[10:30])

    def test_repair(self):
        bug = sample('threads3_64_legacybug.trace64.xz')
        self.fails(1, 'offset 1957, record 5', bug, self.path('o.jsonl'))
        self.assertEqual(self.left(), [])
        r = self.run_tool('trace_convert', '--repair', bug, self.path('o.jsonl'))
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn('174 places mended', r.stderr)
        rows = json_rows(file_bytes(self.path('o.jsonl')).decode())
        self.assertEqual(rows, json_rows(
            self.run_ok('trace_convert', '--to', 'jsonl', sample('threads3_64.trace64.xz'), '-')))

    def test_cut_anywhere(self):
        import x64dbg_model
        trace = x64dbg_model.Trace(content(sample('work32.trace32.xz')))
        whole = self.run_ok('trace_convert', '--to', 'jsonl', '--limit', '6',
                            sample('work32.trace32.xz'), '-').splitlines()
        # The trace ends after each byte of the blocks that follow the first one, a snapshot.
        for end in range(trace.ends[0], trace.ends[3] + 1):
            n = sum(e <= end for e in trace.ends[:5])
            r = self.run_tool('trace_convert', '--to', 'jsonl', '-', '-', stdin=trace.raw[:end])
            rows = r.stdout.splitlines()
            self.assertEqual(rows[:-1], whole[:n - 1], end)
            # The effects of the last instruction are stored in the block after it.
            last = json.loads(rows[-1])
            self.assertEqual(x64dbg_model.of_block(last),
                             x64dbg_model.of_block(json.loads(whole[n - 1])), end)
            self.assertEqual((last['changes'], last['flags']['new']), (None, None))
            self.assertEqual(r.returncode, 0 if end in trace.ends[:5] else 1, end)


class UMTracer(Case):
    SAMPLES = ('plain32', 'plain64', 'awkward32', 'awkward64')

    def expected(self, name):
        tables = {}
        for line in content(sample('umtracer/' + name + '.expected.jsonl.xz')).splitlines():
            row = json.loads(line)
            tables.setdefault(row['t'], []).append(row)
        return tables

    def copy(self, name):
        folder = self.path('trace')
        shutil.copytree(sample('umtracer/' + name), folder, copy_function=shutil.copyfile)
        return folder

    def test_execution_records(self):
        special = {0xFFFF: 'MEM0', 0xFFFE: 'MEM1', 0xFFFD: 'AGEN'}
        for name in self.SAMPLES:
            e = self.expected(name)
            names = {r['id']: r['name'] for r in e['reg']}
            instructions = {i['id']: i for i in e['ins']}
            rows = self.both(sample('umtracer/' + name), '--disassembly')
            self.assertEqual(len(rows), len(e['exec']))
            for row, want in zip(rows, e['exec']):
                self.assertEqual((row['id'], row['thread_id'], row['type'], row['flags'],
                                  row['previous'], row['next']),
                                 (want['id'], want['tid'], EXEC_TYPES[want['type']],
                                  want['flags'], want['prev'], want['next']))
                self.assertEqual(row['instruction_id'], want.get('ins'))
                self.assertEqual(row['syscall_id'], want.get('sys'))
                self.assertEqual(row['exit_code'], want.get('code'))
                if 'ins' in want:
                    ins = instructions[want['ins']]
                    self.assertEqual((row['code'], row['disassembly']), (ins['code'], ins['asm']))
                    values = [[], []]
                    for i, (slot, value) in enumerate(zip(ins['dec']['slots'], want['slots'])):
                        memory = slot[4] != 0
                        v = {'name': special.get(slot[0]) or names[slot[0]] or None,
                             'when': 'before' if i < ins['dec']['fa'] else 'after'}
                        if memory:
                            width = (1 << 8 * min(slot[4], 8)) - 1
                            v['address'] = as_hex(int(value[0], 16) & width)
                        v['value'] = value[1]
                        values[memory].append(v)
                    self.assertEqual([row['registers'], row['memory']], values)
                elif 'regs' in want:
                    self.assertEqual([(m['when'], int(m['address'], 16), m['value'])
                                      for m in row['memory']],
                                     [('context', int(a, 16), v) for a, v in want['mem']])
                    self.assertGreater(len(row['registers']), 8)
                else:
                    self.assertEqual((row['registers'], row['memory']), ([], []))

    def test_tables(self):
        for name in self.SAMPLES:
            e, folder = self.expected(name), sample('umtracer/' + name)
            self.assertEqual(
                self.both(folder, '--table', 'thread'),
                [{'id': t['id'], 'win_tid': t['win'], 'tib_address': as_hex(int(t['tib'], 16)),
                  'first_eid': t['first'], 'last_eid': t['last'], 'record_count': t['count']}
                 for t in e['thread']])
            self.assertEqual(
                self.both(folder, '--table', 'ranges'),
                [{'id': i, 'first': as_hex(int(r['first'], 16)), 'last': as_hex(int(r['last'], 16))}
                 for i, r in enumerate(e['range'])])
            self.assertEqual(
                [(m['id'], m['load_eid'], m['unload_eid'], int(m['start_address'], 16),
                  int(m['end_address'], 16), m['win_name'], m['device_name'])
                 for m in self.both(folder, '--table', 'module')],
                [(m['id'], m['load'], m['unload'], int(m['start'], 16), int(m['end'], 16),
                  m['win'], m['dev']) for m in e['module']])
            self.assertEqual(
                [(i['id'], i['type'], i['code64'], i['module_id'], int(i['address'], 16),
                  i['code'], i['disassembly'], i['category'], i['mnemonic'], i['form'],
                  i['flags'], i['operand_size'], i['address_size'], i['operand_count'])
                 for i in self.both(folder, '--table', 'ins')],
                [(i['id'], INSTRUCTION_TYPES[i['type']], i['cs64'], i['mod'], int(i['addr'], 16),
                  i['code'], i['asm'], i['dec']['cat'], i['dec']['mn'], i['dec']['form'],
                  i['dec']['flags'], i['dec']['osz'], i['dec']['asz'], len(i['dec']['opers']))
                 for i in e['ins']])
            self.assertEqual(
                [(s['id'], s['raw_id'], s['uniform_id'], s['convention'], s['completed'],
                  s['begin_eid'], s['end_eid'], int(s['stack_pointer'], 16),
                  s['result'] and int(s['result'], 16), [int(a, 16) for a in s['arguments']],
                  s['extra_count'], s['extras']) for s in self.both(folder, '--table', 'syscall')],
                [(s['id'], s['raw'], s['uid'], CONVENTIONS[s['conv']], s['done'], s['begin'],
                  s['end'], int(s['sp'], 16), s['res'] and int(s['res'], 16),
                  [int(a, 16) for a in s['args']], s['nx'], s['x']) for s in e['sys']])
            registers = self.both(folder, '--table', 'context')
            self.assertEqual([(r['id'], r['name'], r['common_name']) for r in registers],
                             [(r['id'], r['name'], r['common']) for r in e['reg']])
            for r, want in zip(registers, e['reg']):
                for key, m in (('map32', want['m32']), ('map64', want['m64'])):
                    there = m[0] != 0xFFFF and m[1] != 0
                    self.assertEqual(r[key] and list(r[key].values()), m if there else None)

    def test_names(self):
        header = self.write('xed-category-enum.h', b'''typedef enum {
  XED_CATEGORY_INVALID, XED_CATEGORY_FIRST=76,
  XED_CATEGORY_LAST
} xed_category_enum_t;''')
        rows = self.both(sample('umtracer/plain64'), '--table', 'ins', '--names', header)
        self.assertEqual({r['category_name'] for r in rows if r['category'] == 76}, {'FIRST'})
        self.assertEqual({r['mnemonic_name'] for r in rows}, {None})
        calls = self.both(sample('umtracer/plain64'), '--table', 'syscall')
        known = calls[0]['uniform_id']
        header = self.write('syscalls.h', b'enum { SYSCALL_OF_THE_TEST = %d };' % known)
        named = self.both(sample('umtracer/plain64'), '--table', 'syscall', '--names', header)
        self.assertEqual([r['uniform_name'] for r in named],
                         ['OF_THE_TEST' if c['uniform_id'] == known else None for c in calls])
        self.fails(2, '--names', sample('umtracer/plain64'), self.path('o.csv'), '--names', header)

    def test_parts(self):
        folder = sample('umtracer/plain64')
        whole = self.both(folder)
        self.assertEqual(self.both(folder, '--thread', '1', '--skip', '3', '--limit', '4'),
                         [r for r in whole if r['thread_id'] == 1][3:7])
        threads = self.both(folder, '--table', 'thread')
        self.assertEqual(self.both(folder, '--table', 'thread', '--skip', '1'), threads[1:])
        for args in (['--table', 'ins', '--thread', '1'], ['--table', 'ins', '--disassembly']):
            self.fails(2, args[-1] if args[-1][0] == '-' else args[2], folder,
                       self.path('o.csv'), *args)

    def test_empty_table(self):
        folder = self.copy('plain64')
        with open(os.path.join(folder, 'address_space.itable'), 'r+b') as f:
            f.seek(8)
            f.write(bytes(8))
        self.run_ok('trace_convert', '--table', 'ranges', folder, self.path('o.csv'))
        self.assertEqual(file_bytes(self.path('o.csv')), b'id,first,last\n')
        self.run_ok('trace_convert', '--table', 'ranges', folder, self.path('o.jsonl'))
        self.assertEqual(file_bytes(self.path('o.jsonl')), b'')

    def damaged(self, record, at, value):
        """Returns a copy with 4 changed bytes in an execution record."""
        folder = self.copy('plain64')
        offsets = file_bytes(os.path.join(folder, 'exec.offsets'))
        with open(os.path.join(folder, 'exec.vtable'), 'r+b') as f:
            f.seek(struct.unpack_from('<Q', offsets, 8 * record)[0] + at)
            f.write(struct.pack('<I', value))
        return folder

    def test_bad_record(self):
        rows = self.both(sample('umtracer/plain64'))
        instruction = next(r['id'] for r in rows if r['id'] > 20 and r['type'] == 'instruction')
        # Both fields exceed their tables: one record has no instruction, the other no context.
        # The missing context is found while the row is written.
        context = next(r['id'] for r in rows if r['id'] > 20 and r['type'] == 'thread begin')
        for record, at in ((instruction, 6), (context, 6)):
            folder = self.damaged(record, at, 0x7FFFFFFF)
            for form in ('jsonl', 'csv'):
                out = self.path('o.' + form)
                self.fails(1, 'record %d' % record, folder, out)
                self.assertFalse(os.path.exists(out))
                text = self.fails(1, 'record %d' % record, '--keep-whole', '--to', form, folder,
                                  '-')
                want = self.run_ok('trace_convert', '--to', form, '--limit', str(record),
                                   sample('umtracer/plain64'), '-')
                self.assertEqual(text, want)
            shutil.rmtree(folder)

    def test_interrupted_trace(self):
        folder = self.copy('plain64')
        path = os.path.join(folder, 'exec.vtable')
        with open(path, 'r+b') as f:
            f.truncate(os.path.getsize(path) // 2)
        self.fails(1, 'lies outside exec.vtable, which has ', folder, self.path('o.csv'))
        self.assertFalse(os.path.exists(self.path('o.csv')))
        self.run_ok('trace_convert', '--repair', folder, self.path('o.csv'))
        header, lines = csv_rows(file_bytes(self.path('o.csv')).decode())
        self.assertTrue(100 < len(lines) < 1500)


if __name__ == '__main__':
    support.main()
