#!/usr/bin/env python3
# Records with all words of the layout language in every form (layout_words.cpp). The library
# reads the bytes below, and so do readers that have only the form. All must find equal values.
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib

import support
from form_readers import ImHex, Kaitai

FORMS = ('text', 'markdown', 'json', 'c', 'numpy', 'kaitai', 'imhex')
UTF16 = 'wörd\U0001f600'.encode('utf-16-le')
UNITS = list(struct.unpack('<%dH' % (len(UTF16) // 2), UTF16))

# Examples from DWARF 5, 7.6: 129 is 81 01, -129 is FF 7E. Protocol Buffers: -2 is 3. Standard
# MIDI Files: 2097152 is 81 80 80 00. Half precision: 3C00 is 1; bfloat16: 3F80 is 1.
OPTIONS = b'\x01\x01a' + b'\x07\0'
RECORDS = [
    ('varints', b'\x81\x01' + b'\xff\x7e' + b'\x03' + b'\x81\x80\x80\0' + bytes(129) + b'\x02\x01',
     {'a': 129, 'b': -129, 'c': -2, 'd': 2097152, 'as_many': [0] * 129, 'end': 0x102}),
    ('texts', b'name\0' + UTF16 + b'\0\0' + b'\x02\0\0\x01' + b'\x01AB' + b'ab\0c\0\0' + b'line\n' +
     b'\x09',
     {'name': list(b'name'), 'wide': UNITS, 'data': [0, 1], 'units': [0x4241],
      'padded': list(b'ab\0c'), 'line': list(b'line'), 'end': 9}),
    ('lists', b'\x02' + OPTIONS + b'\0\x01\0\x02\0\x03\x01\0' + b'\x81\x01\x05',
     {'n': 2, 'options': [{'kind': 1, 'value': [97]}, {'kind': 7, 'value': []}],
      'points': [{'x': 1, 'y': 2}, {'x': 3, 'y': 256}], 'numbers': [129, 5]}),
    ('lists', b'\0', {'n': 0, 'options': [], 'points': [], 'numbers': []}),
    ('chain', b'\x01\0\x02\0\x03\x01' + b'\x09',
     {'links': [{'value': 1, 'last': 0}, {'value': 2, 'last': 0}, {'value': 3, 'last': 1}],
      'end': 9}),
    ('chosen', b'\x01\x34\x12\x09', {'tag': 1, 'a': 0x1234, 'end': 9}),
    ('chosen', b'\x02\x81\x01ab\0\x09', {'tag': 2, 'b': 129, 'd': list(b'ab'), 'end': 9}),
    ('chosen', b'\x03\x09', {'tag': 3, 'end': 9}),
    ('chosen', b'\x07\x09', {'tag': 7, 'end': 9}),
    ('chosen', b'\xff\x08\x09', {'tag': 255, 'c': 8, 'end': 9}),
    ('chunk', b'IHDR\0\0\x01\0', {'type': list(b'IHDR'), 'width': 256}),
    ('chunk', b'JHDR\0\0\x01\0', {'type': list(b'JHDR'), 'width': 256}),
    ('chunk', b'tEXt\x01\0', {'type': list(b'tEXt'), 'delay': 256}),
    # A part of 4, 9 or 11 bytes, then two bytes, then the rest.
    ('boxed', b'\x04\x02\0??' + b'ab' + b'\x01\x02\x03\x04',
     {'size': 4, 'x': 2, 'after': list(b'ab'), 'data': [0x201, 0x403]}),
    ('boxed', b'\x09\x02\0??\x01\0\0\0\x05' + b'ab',
     {'size': 9, 'x': 2, 'y': 1, 'z': 5, 'after': list(b'ab'), 'data': []}),
    ('boxed', b'\x0b\x01\0??\x01\0\0\0\x05..' + b'a',
     {'size': 11, 'x': 1, 'y': 1, 'z': 5, 'after': list(b'a'), 'data': []}),
    ('versions', b'\x01\x50' + b'..' + b'\x07\0\0\0',
     {'version': 1, 'has_id': 0, 'size': 0, 'tail': [], 'end': 7}),
    ('versions', b'\x02\xd2' + b'\x05\x01' + b'\x06' + b'ab' + b'.' + b'\x07\0\0\0',
     {'version': 2, 'has_id': 1, 'size': 2, 'id': 0x105, 'level': 6, 'tail': list(b'ab'),
      'end': 7}),
    ('rows', b'\x02\x05' + b'\0\x01\0\x02.' + b'\0\x03\0\x04.',
     {'n': 2, 'stride': 5, 'points': [{'x': 1, 'y': 2}, {'x': 3, 'y': 4}]}),
    # A number in two slices of a varint, a list in a part, and LEB128 with unnecessary bytes.
    ('tagged', b'\0\0' + b'\x8a\x01' + b'\x06\x02' + OPTIONS + b'\x81\x80\x80\x80\0' +
     b'\xfe\xff\x7f' + b'\x09',
     {'number': 17, 'kind': 2, 'size': 6,
      'options': [{'kind': 1, 'value': [97]}, {'kind': 7, 'value': []}], 'index': 1, 'addend': -2,
      'end': 9}),
    ('tagged', b'\0\0' + b'\x08' + b'\x01\0' + b'\x80\x80\x80\x80\0' + b'\x80\x80\0',
     {'number': 1, 'kind': 0, 'size': 1, 'options': [], 'index': 0, 'addend': 0}),
    ('checked', b'\x02ab' + struct.pack('<I', zlib.crc32(b'\x02ab')),
     {'size': 2, 'data': list(b'ab'), 'sum': zlib.crc32(b'\x02ab')}),
    ('coded', b'\x01ab\x09', {'n': 1, 'twice': list(b'ab'), 'end': 9}),
    ('numeral', b'644 \x09', {'mode': 0o644, 'end': 9}),
    ('relative', b'\x06' + b'\x02\0' + b'\x02\0' + b'ab',
     {'pc': 3, 'target': 5, 'n': 2, 'data': list(b'ab')}),
    ('values', b'GIF8' + b'*/\n' + b'\0\x03' + b'\x04' + b'\xfe' + b'\x08' + b'\xb7' + b'..' +
     b'\x3c\0' + b'\x3f\x80' + b'\x01\x02\x03' + bytes(7) + b'\x01' + bytes(7) + b'\x02' +
     b'\x04\x03\x02\x01\x01\x02\x03\x04' + b'0000644\0' + b'\0\x01\0\x02\0\x03\0\x04' + b'P6',
     {'magic': list(b'GIF8'), 'version': 3, 'kind': 4, 'level': -2, 'even': 8, 'flag': 1, 'low': 7,
      'half': 1.0, 'brain': 1.0, 'three': 0x10203, 'wide': [1, 2], 'both': 0x1020304,
      'octal': 0o644, 'points': [{'x': 1, 'y': 2}, {'x': 3, 'y': 4}], 'mode': list(b'P6')}),
]
# Records and offsets of bytes. A change there violates a constant, a list or a range.
REFUSED = [('values', 0), ('values', 4), ('values', 8), ('values', 9), ('values', 10),
           ('values', 43), ('lists', 1), ('tagged', 0)]


def flat(record):
    """Returns a record with the values of its parts."""
    parts = [flat(record.pop(key)) for key in list(record) if re.fullmatch(r'part_\d+', key)]
    for part in parts:
        record.update(part)
    return record


class LayoutWords(support.FormatTest):
    def form(self, form):
        return self.output_of(form)

    def output_of(self, *args):
        done = support.run('layout_words', *args)
        self.assertEqual((done.returncode, done.stderr), (0, b''), args)
        return support.text(done.stdout).decode()

    def test_the_library(self):
        for name, raw, values in RECORDS:
            self.assertEqual(json.loads(self.output_of('decode', name, raw.hex())), values, name)

    def test_no_form_has_a_size_that_is_none(self):
        for form in FORMS:
            text = self.form(form)
            self.assertNotRegex(text, r'\[0\];|size: 0$|"size": 0\b|\bu0\b|uint0_', form)

    def same(self, got, want, name):
        """Checks that `got` contains `want`. `got` may also contain words of slices and lengths."""
        if isinstance(want, dict):
            for key, value in want.items():
                self.same(got[key], value, (name, key))
        elif isinstance(want, list) and want and isinstance(want[0], dict):
            self.assertEqual(len(got), len(want), name)
            for a, b in zip(got, want):
                self.same(a, b, name)
        else:
            self.assertEqual(got, want, name)

    def kaitai(self):
        head = 'meta:\n  id: words\n  imports:\n    - /common/vlq_base128_le\n' \
            '    - /common/vlq_base128_be\ntypes:\n'
        kaitai = Kaitai(head + self.form('kaitai'))
        kaitai.check()
        return kaitai

    def test_kaitai(self):
        kaitai = self.kaitai()
        for name, raw, values in RECORDS:
            if name == 'coded':  # members describe only this part of the record
                self.assertEqual(kaitai.types[name]['seq'], [{'id': 'n', 'type': 'u1'}])
                continue
            got, want = flat(kaitai.whole(name, raw)), dict(values)
            if name == 'varints':
                got['b'], got['c'] = got['b_value'], got['c_value']
            if name == 'numeral':
                want['mode'] = list(b'644')
            if name == 'relative':  # forms contain differences
                got['pc'] = got['pc_value']
                want['target'] = 2
            if name == 'tagged':
                got['addend'] = got['addend_value']
            if name == 'texts':
                self.assertEqual(got['wide'].pop(), 0)
            if name == 'values':
                # Numbers that Kaitai does not support are bytes or text.
                want.update(half=[0x3c, 0], brain=[0x3f, 0x80], wide=list(raw[22:38]),
                            octal='0000644\0')
            self.same(got, want, name)
            # No other keys exist.
            for key in set(got) - set(want):
                self.assertRegex(key, r'^(bits|padding|literal|reserved)_\d+$|_length$|_value$|_big$|'
                                 '^record_begin')

    def test_kaitai_in_a_file_of_several(self):
        # Alignment is relative to the record, not to the file.
        kaitai = self.kaitai()
        kaitai.root['seq'] = [{'id': 'all', 'type': 'versions', 'repeat': 'eos'}]
        (short,), (long,) = ([r for n, r, v in RECORDS if n == 'versions' and v['version'] == i]
                             for i in (1, 2))
        odd = b'\x01\x51' + b'x' + b'.' + b'\x07\0\0\0'
        got = kaitai.file(short + odd + long)['all']
        self.assertEqual([r['end'] for r in got], [7, 7, 7])
        self.assertEqual([r['size'] for r in got], [0, 1, 2])

    def test_kaitai_refuses_what_decode_does(self):
        kaitai = self.kaitai()
        for name, at in REFUSED:
            raw = bytearray(next(r for n, r, _ in RECORDS if n == name))
            raw[at] ^= 0x42
            done = support.run('layout_words', 'decode', name, raw.hex())
            self.assertEqual(done.returncode, 1, (name, at))
            with self.assertRaises(AssertionError, msg=(name, at)):
                kaitai.whole(name, bytes(raw))

    def test_imhex(self):
        imhex = ImHex(self.form('imhex'))
        # The struct ends at features that the language lacks, or that a function computes.
        ends = {'varints': ['a', 'b', 'c'], 'chain': [], 'rows': ['n', 'stride'], 'coded': ['n'],
                'numeral': []}
        for name, raw, values in RECORDS:
            if name in ends:
                got, _ = imhex.read(name, raw, 0)
                self.assertEqual(list(got), ends[name])
                continue
            got, want = imhex.whole(name, raw), dict(values)
            if name == 'values':
                want.update(half=[0x3c, 0], brain=[0x3f, 0x80], wide=(1 << 64) + 2,
                            octal=list(b'0000644\0'), flag=1, low=7)
                got.update(flag=got['bits_0'] >> 4 & 1, low=got['bits_0'] & 15)
            if name == 'relative':
                want.update(pc=6, target=2)
            if name == 'texts':
                want['padded'] = list(b'ab\0c\0\0')
            if name == 'tagged':
                got.update(number=got['bits_0'] >> 3, kind=got['bits_0'] & 7)
            if name == 'versions':
                got.update(has_id=got['bits_0'] >> 7, size=got['bits_0'] & 15)
            self.same(got, want, name)
        text = self.form('imhex')
        self.assertEqual(len(re.findall('which fields alone cannot describe', text)), len(ends))
        for remark in ('le u16 data_length', 'is "GIF8"', 'is 1 or 4', 'is -2 to 9', 'reserved 7-5 = 5',
                       'is "P5" or "P6"', 'is relative to last'):
            self.assertIn(remark, text)

    def test_numpy(self):
        with_numpy = [p for p in (sys.executable, '/usr/bin/python3') if subprocess.run(
            [p, '-c', 'import numpy'], stderr=subprocess.DEVNULL).returncode == 0]
        if not with_numpy:
            self.skipTest('needs NumPy')
        script = self.form('numpy')
        # The script contains no record of variable size.
        self.assertEqual(re.findall(r'^(\w+) = ', script, re.M),
                         ['values', 'values_bits', 'values_values'])
        raw, values = next((r, v) for n, r, v in RECORDS if n == 'values')
        script = 'import numpy, json, sys\n' + script + '''
raw = bytes.fromhex(sys.argv[1])
assert values.itemsize == len(raw)
(one,) = numpy.frombuffer(raw, values)
got = {n: one[n].tolist() for n in values.names if n != 'octal'}
got['octal'] = int(one['octal'], 8)
for name, (word, shift, mask) in values_bits.items():
    got[name] = int(one[word]) >> shift & mask
for name, allowed in values_values.items():
    v = bytes(got[name]) if isinstance(got[name], list) else got[name]
    assert v == allowed if isinstance(allowed, (bytes, int)) else v in allowed
print(json.dumps(got))
'''
        done = subprocess.run([with_numpy[0], '-c', script, raw.hex()], stdout=subprocess.PIPE,
                              check=True, text=True)
        want = dict(values, brain=[0x3f, 0x80], three=[1, 2, 3], wide=list(raw[22:38]),
                    points=list(raw[54:62]))
        self.same(json.loads(done.stdout), want, 'values')

    def test_c(self):
        cc = shutil.which('cc') or shutil.which('gcc') or shutil.which('clang')
        if not cc or sys.byteorder != 'little':
            self.skipTest('needs a C compiler, and a little-endian host')
        program = os.path.join(self.folder, 'words')
        with open(program + '.c', 'w') as f:
            f.write('#include <stddef.h>\n#include <stdio.h>\n#include <stdint.h>\n' +
                    self.form('c') + r'''
#define SIZE(s, n) _Static_assert(sizeof(struct s) == n, "")
SIZE(varints, 0);
SIZE(texts, 0);
SIZE(lists, 1);
SIZE(lists_options, 1);
SIZE(lists_points, 4);
SIZE(chosen, 1);
SIZE(chunk, 4);
SIZE(boxed, 3);
SIZE(versions, 2);
SIZE(rows, 2);
SIZE(relative, 0);
SIZE(numeral, 0);
SIZE(tagged, 2);
SIZE(checked, 1);
SIZE(coded, 1);
SIZE(values, 64);
_Static_assert(offsetof(struct values, points) == 54, "");
int main(void) {
  struct values v;
  if (fread(&v, sizeof v, 1, stdin) != 1) return 1;
  printf("%d %d %d %d %d %d %x %x %s %d\n", __builtin_bswap16(v.version), v.kind, v.level, v.even,
         (int)values_flag(v.bits_0), (int)values_low(v.bits_0), v.both,
         __builtin_bswap32(v.both_big), v.octal, __builtin_bswap16(v.points[1].y));
}
''')
        subprocess.run([cc, '-std=gnu11', '-Wall', '-Werror', '-Wno-unused-function',
                        program + '.c', '-o', program], check=True,
                       env=support.NATIVE)
        raw = next(r for n, r, _ in RECORDS if n == 'values')
        out = subprocess.run([program], input=raw, stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(out, b'3 4 -2 8 1 7 1020304 1020304 0000644 4\n')

    def test_json(self):
        tables = {t['name']: {f['name']: f for f in t['fields']}
                  for t in json.loads(self.form('json'))}
        self.assertEqual(set(tables), {n for n, _, _ in RECORDS})
        varints = tables['varints']
        self.assertEqual([varints[n]['read_as'] for n in 'abcd'],
                         ['uleb128', 'sleb128', 'zigzag', 'vlq'])
        self.assertEqual((varints['a']['size'], varints['a']['sizes']), (None, '1 to 5'))
        self.assertEqual(varints['as_many']['count'], 'a')
        texts = tables['texts']
        self.assertEqual((texts['line']['terminator'], texts['padded']['fill']), (10, 0))
        self.assertEqual(texts['data']['prefix'][0]['type'], 'u16')
        self.assertEqual(texts['units']['prefix'][0]['read_as'], 'uleb128')
        options = tables['lists']['options']
        self.assertEqual((options['read_as'], options['count']), ('list', 'n'))
        self.assertEqual(options['element'][0]['one_of'], [1, 2, 7])
        self.assertTrue(tables['lists']['numbers']['to_end'])
        self.assertEqual(tables['chain']['links']['until'], {'member': 'last', 'minimum': 1})
        chosen = tables['chosen']
        self.assertEqual(chosen['b']['if'], [{'member': 'tag', 'is': 2}])
        self.assertEqual(chosen['c']['if'], [{'member': 'tag', 'is_not': [1, 2, 3, 7]}])
        self.assertEqual(tables['chunk']['width']['if'],
                         [{'member': 'type', 'is': ['IHDR', 'JHDR']}])
        boxed = tables['boxed']
        self.assertEqual((boxed['y']['if'], boxed['y']['sized_by']), ([{'left': True}], 'size'))
        self.assertEqual(boxed['data']['read_as'], 'rest')
        versions = tables['versions']
        self.assertEqual(versions['id']['if'], [{'member': 'has_id'}])
        self.assertEqual(versions['level']['if'], [{'member': 'version', 'minimum': 2}])
        self.assertEqual(versions['reserved']['constant'], 5)
        padding = versions['(padding)']
        self.assertEqual((padding['multiple_of'], padding['from']), (4, 'record'))
        of_boxed = next(t['fields'] for t in json.loads(self.form('json')) if t['name'] == 'boxed')
        self.assertEqual([f['from'] for f in of_boxed if 'from' in f], ['part'])
        self.assertEqual(tables['rows']['points']['stride'], 'stride')
        tagged = tables['tagged']
        self.assertEqual((tagged['(reserved)']['size'], tagged['(reserved)']['constant']), (2, 0))
        self.assertEqual([(tagged[n]['read_as'], tagged[n]['size'], tagged[n]['high_bit'])
                          for n in ('number', 'kind')],
                         [('uleb128', None, 31), ('uleb128', None, 2)])
        self.assertEqual((tagged['index']['read_as'], tagged['index']['size']), ('uleb128', 5))
        self.assertEqual((tagged['options']['read_as'], tagged['options']['sized_by']),
                         ('prefixed', 'size'))
        self.assertEqual([f['name'] for f in tagged['options']['element']], ['kind', 'value'])
        self.assertTrue(tagged['size']['computed'])
        self.assertTrue(tables['checked']['sum']['computed'])
        self.assertEqual(tables['coded']['twice']['count'], 'computed')
        values = tables['values']
        self.assertEqual(values['magic']['constant'], 'GIF8')
        self.assertEqual(values['(literal)']['constant'], '*/\n')
        self.assertEqual(values['version']['constant'], 3)
        self.assertEqual(values['kind']['one_of'], [1, 4])
        self.assertEqual((values['level']['minimum'], values['level']['maximum']), (-2, 9))
        self.assertTrue(values['even']['restricted'])
        self.assertEqual(values['octal']['base'], 8)
        self.assertEqual([f['name'] for f in values['points']['element']], ['x', 'y'])
        # Offsets and the total size of fixed fields.
        at = 0
        for f in values.values():
            if 'low_bit' not in f or f['low_bit'] == 0:
                self.assertEqual(f['offset'], at, f)
                at += f['size']
        self.assertEqual(at, len(next(r for n, r, _ in RECORDS if n == 'values')))

    def test_text(self):
        text = self.form('text')
        self.assertIn('''lists
Offset  Size             Field    Type    Byte order
------  ---------------  -------  ------  ----------
0       1                n        u8
1       list n           options  record
varies  4 x n            points   record
varies  list to the end  numbers  uleb32

Each of options
Offset  Size         Field  Type  Byte order  Values
------  -----------  -----  ----  ----------  ------
0       1            kind   u8                1, 2 or 7
1       u8 + 1 x it  value  u8

Each of numbers
Offset  Size    Field      Type    Byte order
------  ------  ---------  ------  ----------
0       1 to 5  (element)  uleb32
''', text)
        for row in (r'0 +4 +magic +[iu]8\[4\] +"GIF8"', r'7 +2 +version +u16 +big +3',
                    r'10 +1 +level +i8 +-2 to 9', r'11 +1 +even +u8 +restricted',
                    r'12 +3 bits +reserved +u8 +5', r'4 +3 +\(literal\) +"\\x2a/\\x0a"'):
            self.assertRegex(text, '(?m)^%s$' % row)
        markdown = self.form('markdown')
        self.assertIn('| 9 | 1 | kind | u8 |  | 1 or 4 |\n', markdown)
        self.assertIn('\nEach of `options`:\n\n| Offset |', markdown)


support.main()
