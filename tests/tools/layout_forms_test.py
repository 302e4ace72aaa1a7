#!/usr/bin/env python3
# What trace_view --layout=FORM prints, read by something that knows the form and not the library:
# NumPy, a C compiler, Python's json, and small readers of what Kaitai's user guide and ImHex's
# documentation say. The values that they find in the samples are those of trace_view --json.
import ast
import json
import os
import re
import shutil
import struct
import subprocess
import sys

import support

SAMPLES = {'champsim': support.SED, 'rapidbin': os.path.join(
    support._arguments.data, 'rapidbin', 'r250.data')}
FORMATS = ['champsim', 'cloudsuite', 'rapidbin', 'x64dbg', 'umtracer']


# Kaitai: a .ksy file as mappings, and a reader of what it says.
def parse_yaml(text):
    """The YAML that is needed: mappings, lists of mappings, scalars; indented, with comments."""
    lines = []
    for line in text.splitlines():
        line = line.split('#')[0].rstrip()
        if line.strip():
            lines.append((len(line) - len(line.lstrip()), line.strip()))

    def block(i, indent):
        if lines[i][1].startswith('- '):
            items = []
            while i < len(lines) and lines[i][0] == indent and lines[i][1].startswith('- '):
                lines[i] = (indent + 2, lines[i][1][2:])
                item, i = block(i, indent + 2)
                items.append(item)
            return items, i
        mapping = {}
        while i < len(lines) and lines[i][0] == indent and not lines[i][1].startswith('- '):
            key, _, value = lines[i][1].partition(':')
            i += 1
            if value.strip():
                mapping[key] = value.strip()
            elif i < len(lines) and lines[i][0] > indent:
                mapping[key], i = block(i, lines[i][0])
            else:
                mapping[key] = None
        return mapping, i

    result, end = block(0, 0)
    assert end == len(lines), lines[end]
    return result


class Kaitai:
    def __init__(self, text):
        self.root = parse_yaml(text)
        self.types = self.root['types']

    def check(self):
        """Names and types are such as Kaitai knows."""
        assert re.fullmatch('[a-z][a-z0-9_]*', self.root['meta']['id'])
        for name, one in self.types.items():
            ids = [f['id'] for f in one['seq']] + list(one.get('instances') or {})
            assert len(set(ids)) == len(ids), (name, ids)
            for id in ids + [name]:
                assert re.fullmatch('[a-z][a-z0-9_]*', id), id

    def value(self, expression, fields):
        names = {n.id for n in ast.walk(ast.parse(expression)) if isinstance(n, ast.Name)}
        return eval(expression, {'__builtins__': {}}, {n: fields[n] for n in names})

    def one(self, field, raw, at, fields):
        if 'size' in field:
            n = self.value(field['size'], fields)
            return raw[at:at + n], at + n
        simple = re.fullmatch('([usf])([1248])(le|be)?', field['type'])
        if not simple:
            return self.read(field['type'], raw, at)
        kind, size, order = simple.groups()
        assert (size == '1') == (order is None), field
        code = {'u': dict(zip('1248', 'BHIQ')), 's': dict(zip('1248', 'bhiq')),
                'f': {'4': 'f', '8': 'd'}}[kind][size]
        form = ('>' if order == 'be' else '<') + code
        return struct.unpack_from(form, raw, at)[0], at + int(size)

    def seq(self, seq, raw, at):
        fields = {}
        for f in seq:
            if f.get('repeat') == 'eos':
                fields[f['id']] = []
                while at < len(raw):
                    v, at = self.one(f, raw, at, fields)
                    fields[f['id']].append(v)
            elif f.get('repeat') == 'expr':
                fields[f['id']] = []
                for _ in range(self.value(f['repeat-expr'], fields)):
                    v, at = self.one(f, raw, at, fields)
                    fields[f['id']].append(v)
            else:
                fields[f['id']], at = self.one(f, raw, at, fields)
        return fields, at

    def read(self, type, raw, at):
        fields, at = self.seq(self.types[type]['seq'], raw, at)
        for id, instance in (self.types[type].get('instances') or {}).items():
            fields[id] = self.value(instance['value'], fields)
        return fields, at

    def file(self, raw):
        fields, at = self.seq(self.root['seq'], raw, 0)
        assert at == len(raw)
        return fields


# ImHex: structs of a pattern file, and the placements at its end.
class ImHex:
    FIELD = re.compile(r'(?:(le|be) )?([us]8|[us]16|[us]32|[us]64|float|double) (\w+)'
                       r'(?:\[([\w *]+)\])?;')
    CODES = {'u8': 'B', 's8': 'b', 'u16': 'H', 's16': 'h', 'u32': 'I', 's32': 'i', 'u64': 'Q',
             's64': 'q', 'float': 'f', 'double': 'd'}

    def __init__(self, text):
        text = re.sub(r'//.*', '', text)
        self.structs = {}
        text = re.sub(r'import std.mem;', '', text)
        for name, body in re.findall(r'struct (\w+) \{(.*?)\};', text, re.S):
            fields = []
            for line in filter(None, map(str.strip, body.splitlines())):
                gap = re.fullmatch(r'padding\[(\d+)\];', line)
                field = self.FIELD.fullmatch(line)
                assert gap or field, line
                fields.append(('gap', int(gap[1])) if gap else field.groups())
            self.structs[name] = fields
        rest = re.sub(r'struct \w+ \{.*?\};', '', text, flags=re.S)
        self.placed = [line for line in map(str.strip, rest.splitlines()) if line]

    def read(self, name, raw, at):
        values = {}
        for f in self.structs[name]:
            if f[0] == 'gap':
                at += f[1]
                continue
            order, kind, id, count = f
            n = eval(count, {}, values) if count else 1
            got = struct.unpack_from(f'{">" if order == "be" else "<"}{n}{self.CODES[kind]}',
                                     raw, at)
            values[id] = list(got) if count else got[0]
            at += struct.calcsize(f'<{n}{self.CODES[kind]}')
        return values, at

    def file(self, raw):
        """The struct at 0, if there is one, and the records."""
        begin, at = None, 0
        *first, last = self.placed
        if first:
            begin, at = self.read(re.fullmatch(r'(\w+) begin @ 0;', first[0])[1], raw, 0)
        name = re.fullmatch(r'(\w+) records\[while\(!std::mem::eof\(\)\)\] @ .+;', last)[1]
        records = []
        while at < len(raw):
            record, at = self.read(name, raw, at)
            records.append(record)
        return begin, records


class LayoutForms(support.FormatTest):
    def form(self, form, format):
        return self.run_ok('trace_view', f'--layout={form}', format)

    def samples(self):
        """Each sample's format, bytes, and the records that trace_view shows."""
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
            # As many rows, and the names, as the text has.
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
            self.assertEqual(done.returncode, 2)
            self.assertIn(f'what varies in size is no numpy dtype: {why}', done.stderr)

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
                    if f['offset'] is None or 'count' in f or 'conditional' in f:
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
        subprocess.run([cc, '-std=gnu11', program + '.c', '-o', program], check=True)
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


CHAMPSIM = ['ip', 'is_branch', 'branch_taken', 'destination_registers', 'source_registers',
            'destination_memory', 'source_memory']
KEYS = {'champsim': CHAMPSIM, 'rapidbin': ['location', 'decor', 'thread']}


def number(v):
    """JSON shows addresses as text."""
    if isinstance(v, list):
        return [number(x) for x in v]
    return int(v, 16) if isinstance(v, str) else int(v)


support.main()
