#!/usr/bin/env python3
# The forms that trace_view --layout=FORM prints are read by tools that know the form but not
# the library: NumPy, a C compiler, Python's json, and small readers written after Kaitai's
# user guide and ImHex's documentation. The values in the samples must equal those of
# trace_view --json.
import json
import os
import re
import shutil
import subprocess
import sys

import support
import x64dbg_model
from form_readers import ImHex, Kaitai, Stream

SAMPLES = {'champsim': support.SED, 'rapidbin': os.path.join(
    support._arguments.data, 'rapidbin', 'r250.data')}
FORMATS = ['champsim', 'cloudsuite', 'rapidbin', 'x64dbg', 'umtracer']


class LayoutForms(support.FormatTest):
    def form(self, form, format):
        return self.run_ok('trace_view', f'--layout={form}', format)

    def samples(self):
        """Yields each sample's format, bytes, and the records that trace_view prints."""
        for format, path in SAMPLES.items():
            shown = self.run_ok('trace_view', '--json', path)
            yield format, support.content(path), [json.loads(line) for line in shown.splitlines()]

    def test_a_format_s_name_is_its_layout(self):
        for format in FORMATS:
            by_name = self.run_ok('trace_view', '--layout', format)
            self.assertEqual(by_name, self.run_ok('trace_view', '--layout', '--format', format))
            self.assertEqual(by_name, self.form('text', format))
        for format, path in SAMPLES.items():
            for form in ('text', 'json', 'c', 'numpy', 'kaitai', 'imhex', 'markdown'):
                self.assertEqual(self.form(form, path), self.form(form, format))

    def test_json(self):
        for format in FORMATS:
            tables = json.loads(self.form('json', format))
            rows = [f for t in tables for f in t['fields']]
            # The rows have the number and the names of the rows in the text form.
            lines = [l for l in self.form('text', format).splitlines() if re.match(r'(\d+|varies) +\S', l)]
            self.assertEqual(len(rows), len(lines), format)
            for row, line in zip(rows, lines):
                offset = 'varies' if row['offset'] is None else str(row['offset'])
                self.assertEqual(line.split()[0], offset)
                self.assertIn(f' {row["name"]}', line)
        (champsim,) = json.loads(self.form('json', 'champsim'))
        self.assertEqual(champsim['fields'][5], {'name': 'destination_memory', 'offset': 16,
                                                 'size': 16, 'type': 'u64[2]', 'order': 'little'})

    def same(self, format, ours, shown):
        self.assertEqual(len(ours), len(shown))
        for i, (a, b) in enumerate(zip(ours, shown)):
            for key in KEYS[format]:
                want = number(b[key])
                self.assertEqual(a[key], want, (format, i, key))

    def test_kaitai(self):
        for format in FORMATS:
            Kaitai(self.form('kaitai', format)).check()
        for format, raw, shown in self.samples():
            self.same(format, Kaitai(self.form('kaitai', format)).file(raw)['records'], shown)

    def test_kaitai_of_x64dbg(self):
        for sample in ('threads3_64.trace64.xz', 'work32.trace32.xz'):
            path = os.path.join(support._arguments.data, sample)
            raw = support.content(path)
            narrow = sample.endswith('32.xz')
            if narrow and 'simdjson' not in support.PARTS:
                continue  # only the trace itself shows that its words have 4 bytes
            kaitai = Kaitai(self.form('kaitai', path if narrow else 'x64dbg'))
            # The first 4,000 blocks, which are read quickly, followed by a user block.
            trace = x64dbg_model.Trace(raw)
            raw = raw[:trace.ends[3999]]
            got = kaitai.file(raw + b'\x81\x03\0\0\0abc')
            self.assertEqual(json.loads(bytes(got['json']).rstrip(b'\0')), trace.header)
            *blocks, user = [b['body'] for b in got['blocks']]
            self.assertEqual(user, {'type': 0x81, 'size': 3, 'data': list(b'abc')})
            self.assertEqual(len(blocks), 4000)
            for a, b in zip(blocks, trace.blocks):
                self.assertEqual(a.get('thread'), b['own_thread'])
                self.assertEqual(bytes(a['opcode']).hex(), b['opcode'])
                self.assertEqual(a['values'], [v for _, v in b['registers']])
                new = [v.get('value') for v in a['new_values']]
                self.assertEqual(list(zip(a['addresses'], a['old_values'], new)), b['memory'])
            with self.assertRaises(AssertionError):  # 1 is not a block type
                kaitai.file(raw + b'\x01\x03\0\0\0abc')

    def test_kaitai_of_umtracer(self):
        folder = os.path.join(support._arguments.data, 'umtracer', 'plain64')
        expected = {}
        for line in support.content(folder + '.expected.jsonl.xz').splitlines():
            row = json.loads(line)
            expected.setdefault(row['t'], []).append(row)
        kaitai = Kaitai(self.form('kaitai', 'umtracer'))
        self.assertNotIn('seq', kaitai.root)  # a trace is not a single file

        def read(name):
            raw = support.file_bytes(os.path.join(folder, name))
            return kaitai.read(name.replace('.', '_'), Stream(raw)).plain()

        def same(rows, table, **keys):
            self.assertEqual(len(rows), len(expected[table]))
            for row, want in zip(rows, expected[table]):
                for key, name in keys.items():
                    self.assertEqual(row[key], number(want[name]), (table, key))

        instructions = read('ins.itable')['rows']
        same(instructions, 'ins', id='id', type='type', code64='cs64', module_id='mod',
             address='addr')
        for row, want in zip(instructions, expected['ins']):
            self.assertEqual(bytes(row['code'][:row['code_size']]).hex(), want['code'])
        modules = read('module.itable')
        self.assertGreater(modules['extra']['extra_size'], 0)
        same([m['record'] for m in modules['rows']], 'module', load_eid='load',
             unload_eid='unload', start_address='start', end_address='end')
        same(read('thread.itable')['rows'], 'thread', id='id', win_tid='win', tib_address='tib',
             first_eid='first', last_eid='last', record_count='count')
        same(read('address_space.itable')['rows'], 'range', first='first', last='last')
        records = len(expected['exec'])
        self.assertEqual(read('exec.vtable')['header']['record_count'], records)
        offsets = read('exec.offsets')['offsets']
        self.assertIn(len(offsets), (records, records + 1))
        self.assertEqual(offsets, sorted(offsets))
        self.assertEqual(len(read('exec.prev_next.column')['rows']), records)
        raw = support.file_bytes(os.path.join(folder, 'syscall.vtable'))
        places = read('syscall.offsets')['rows']
        same([kaitai.read('syscall_record', Stream(raw[p['offset']:][:p['size']])).plain()
              for p in places], 'sys', raw_id='raw', uniform_id='uid', begin_eid='begin',
             end_eid='end', convention='conv', stack_pointer='sp')
        names = {bytes(n).split(b'\0')[0].decode() for n in read('context_map.itable')['names']}
        self.assertTrue({r['name'] for r in expected['reg']} <= names)

    def test_imhex(self):
        for format in FORMATS:
            ImHex(self.form('imhex', format))
        for format, raw, shown in self.samples():
            begin, records = ImHex(self.form('imhex', format)).file(raw)
            if format == 'rapidbin':
                self.assertEqual(begin['events'], len(records))
                records = [{'location': r['bits_0'] >> 48 & 0x7fff,
                            'decor': r['bits_0'] >> 14 & 0x3ffffffff,
                            'thread': r['bits_0'] & 0x3ff} for r in records]
            self.same(format, records, shown)

    def test_numpy(self):
        with_numpy = [p for p in (sys.executable, '/usr/bin/python3') if subprocess.run(
            [p, '-c', 'import numpy'], stderr=subprocess.DEVNULL).returncode == 0]
        if not with_numpy:
            self.skipTest('needs NumPy')
        for format, raw, shown in self.samples():
            with open(os.path.join(self.folder, 'raw'), 'wb') as f:
                f.write(raw)
            script = self.form('numpy', format) + '''
import json, sys
raw = open(sys.argv[1], 'rb').read()
begin = header.itemsize if 'header' in globals() else 0
record = event if begin else instruction
all = numpy.frombuffer(raw, record, offset=begin)
fields = {n: all[n].tolist() for n in all.dtype.names}
for name, (word, shift, mask) in (event_bits if begin else {}).items():
    fields[name] = ((all[word] >> shift) & mask).tolist()
print(json.dumps(fields))
'''
            done = subprocess.run([with_numpy[0], '-c', script, os.path.join(self.folder, 'raw')],
                                  stdout=subprocess.PIPE, check=True, text=True)
            fields = json.loads(done.stdout)
            self.same(format, [dict(zip(fields, v)) for v in zip(*fields.values())], shown)

    def test_numpy_does_not_hold_what_varies(self):
        for format, why in (('x64dbg', 'block: thread, user_block: data'),
                            ('umtracer', 'decoded_instruction: slots')):
            done = self.run_tool('trace_view', '--layout=numpy', format)
            self.assertEqual((done.returncode, done.stdout), (2, ''))
            self.assertIn(f'a numpy dtype cannot have a variable size: {why}', done.stderr)

    def test_c(self):
        cc = shutil.which('cc') or shutil.which('gcc') or shutil.which('clang')
        if not cc:
            self.skipTest('needs a C compiler')
        for format in FORMATS:
            tables = json.loads(self.form('json', format))
            checks = ''
            for t in tables:
                end = 0
                for f in t['fields']:
                    if f['offset'] is None or not f['size'] or 'count' in f or 'conditional' in f:
                        break
                    end = f['offset'] + f['size']
                    if '(padding)' in f['name'] or 'high_bit' in f:
                        continue
                    member = f['name'].replace('.', '_')
                    of = f'offsetof(struct {t["name"]}, {member})'
                    size = f'sizeof(((struct {t["name"]} *)0)->{member})'
                    checks += f'_Static_assert({of} == {f["offset"]} && {size} == {f["size"]}, "");\n'
                checks += f'_Static_assert(sizeof(struct {t["name"]}) == {end}, "");\n'
            source = os.path.join(self.folder, format + '.c')
            with open(source, 'w') as f:
                f.write('#include <stddef.h>\n' + self.form('c', format) + checks)
            subprocess.run([cc, '-std=c11', '-Wall', '-Werror', '-Wno-unused-function',
                            '-fsyntax-only', source], check=True)

    def test_c_reads_a_sample(self):
        cc = shutil.which('cc') or shutil.which('gcc') or shutil.which('clang')
        if not cc or sys.byteorder != 'little':
            self.skipTest('needs a C compiler, and a little-endian host')
        program = os.path.join(self.folder, 'events')
        with open(program + '.c', 'w') as f:
            f.write('#include <stdio.h>\n' + self.form('c', 'rapidbin') + r'''
int main(void) {
  struct header h;
  struct event e;
  if (fread(&h, sizeof h, 1, stdin) != 1) return 1;
  while (fread(&e, sizeof e, 1, stdin) == 1) {
    uint64_t w = __builtin_bswap64(e.bits_0);
    printf("{\"location\": %d, \"decor\": %lld, \"thread\": %d}\n", (int)event_location(w),
           (long long)event_decor(w), (int)event_thread(w));
  }
}
''')
        subprocess.run([cc, '-std=gnu11', program + '.c', '-o', program], check=True,
                       env=support.NATIVE)
        raw = support.content(SAMPLES['rapidbin'])
        out = subprocess.run([program], input=raw, stdout=subprocess.PIPE, check=True).stdout
        shown = self.run_ok('trace_view', '--json', SAMPLES['rapidbin'])
        self.same('rapidbin', [json.loads(l) for l in out.splitlines()],
                  [json.loads(l) for l in shown.splitlines()])

    def test_errors(self):
        for argument in ('--layout=', '--layout=foo'):
            done = self.run_tool('trace_view', argument, 'champsim')
            self.assertEqual(done.returncode, 2)
            self.assertIn('--layout: expected one of text, json', done.stderr)
        done = self.run_tool('trace_view', '--layout', 'std')
        self.assertEqual(done.returncode, 2)
        self.assertIn('std is text', done.stderr)


CHAMPSIM = ['ip', 'is_branch', 'branch_taken', 'destination_registers', 'source_registers',
            'destination_memory', 'source_memory']
KEYS = {'champsim': CHAMPSIM, 'rapidbin': ['location', 'decor', 'thread']}


def number(v):
    """Returns a number from JSON, which contains addresses as text."""
    if isinstance(v, list):
        return [number(x) for x in v]
    return int(v, 16) if isinstance(v, str) else int(v)


support.main()
