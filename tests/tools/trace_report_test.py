# trace_report: its numbers equal the numbers of other programs. The page is valid HTML without
# external resources. It is small for any trace, and a browser shows all of it.
import base64
import collections
import gzip
import hashlib
import html
import html.parser
import json
import lzma
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import model
import pictures
import support
from support import SED, WORK, content, pack, records

LIMIT = 2_000_000  # maximum size of a report in bytes

# Library to be preloaded: a file that a program opens as $FAILS for the second time cannot be
# read.
FAILS = r'''
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int failing = -1, opened;
static int watch(int fd, const char* path) {
  if (fd >= 0 && strcmp(path, getenv("FAILS")) == 0 && ++opened == 2) failing = fd;
  return fd;
}
#define OPEN(name) \
  int name(const char* path, int flags, ...) { \
    va_list more; \
    va_start(more, flags); \
    const int mode = va_arg(more, int); \
    va_end(more); \
    return watch(((int (*)(const char*, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode), path); \
  }
OPEN(open)
OPEN(open64)
ssize_t read(int fd, void* to, size_t n) {
  if (fd == failing) return errno = EIO, -1;
  return ((ssize_t (*)(int, void*, size_t))dlsym(RTLD_NEXT, "read"))(fd, to, n);
}
int close(int fd) {
  if (fd == failing) failing = -1;
  return ((int (*)(int))dlsym(RTLD_NEXT, "close"))(fd);
}
'''
PREDICTORS = ('bimodal', 'gshare', 'always-taken')


def sample(name):
    return os.path.join(os.path.dirname(SED), name)


def in_spaces(raw, *spaces):
    """Returns a CloudSuite trace that contains ChampSim's records once in each address space."""
    return b''.join(support.as_cloudsuite(records(raw), [n, 0]) for n in spaces)


class Page(html.parser.HTMLParser):
    """Parser of a report. Fails for unbalanced elements."""
    VOID = {'meta'}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.texts, self.figures, self.tables, self.problems = [], {}, {}, [], []
        self.tags, self.links, self.scripts, self.loaded = set(), [], [], ''
        self.section = 'head'
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append('not closed: %s' % self.open)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        names = [k for k, _ in attributes]
        if len(set(names)) != len(names) or any(k.startswith('on') for k in names):
            self.problems.append('attributes of %s: %s' % (tag, names))
        if tag == 'section':
            self.section = dict(attributes)['id']
        if tag == 'a':
            self.links.append(dict(attributes))
        if tag == 'script':
            self.scripts += [attributes]
        if tag == 'table':
            self.tables.append((self.section, []))
        if tag == 'tr':
            self.tables[-1][1].append([])
        if tag in ('td', 'th'):
            self.tables[-1][1][-1].append('')
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append('</%s> closes another' % tag)
        if tag == 'section':
            self.section = 'behind'

    def handle_data(self, data):
        if 'script' in self.open:
            self.loaded += data
            return
        self.texts[self.section] = self.texts.get(self.section, '') + data
        if 'dt' in self.open:
            self.name = data
        elif 'dd' in self.open and 'small' not in self.open:
            self.figures[self.name] = self.figures.get(self.name, '') + data
        elif ('td' in self.open or 'th' in self.open) and 'pre' not in self.open:
            self.tables[-1][1][-1][-1] += data

    def number(self, name):
        return int(self.figures[name].replace(',', ''))

    def rows(self, section, nth=0):
        """Returns the rows of a table as dictionaries by column."""
        head, *rows = [t for s, t in self.tables if s == section][nth]
        return [dict(zip(head, r)) for r in rows]


class ReportTest(support.ProgramTest):
    """Shared code of the tests: reports, and hostile traces."""
    program = 'trace_report'

    def page(self, *args, code=0, about=b'', **more):
        out = self.path('out.html')
        if os.path.exists(out):
            os.remove(out)
        if code == 0:
            self.assertEqual(self.good(*args, out, **more), b'')
        else:
            self.assertEqual(self.bad(code, *args, out, about=about, **more), b'')
        self.raw = support.file_bytes(out)
        return self.sound(self.raw)

    def status_of(self, arguments):
        """Returns the expected exit status, which is 1 if trace_check finds errors in the trace."""
        return support.run('trace_check', *arguments).returncode

    def sound(self, raw):
        self.assertLess(len(raw), LIMIT)
        text = raw.decode()  # all of it is UTF-8
        page = Page(text)
        self.assertEqual(page.problems, [])
        self.assertTrue(text.startswith(
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'))
        self.assertLessEqual({'title', 'style', 'h1', 'h2', 'main'}, page.tags)
        # The page loads nothing from elsewhere, and runs only the script that its policy
        # names. Links lead to its own sections.
        self.assertFalse(page.tags & {'link', 'iframe', 'img', 'object', 'embed', 'base',
                                      'form', 'use', 'image', 'foreignObject'})
        self.assertEqual(page.scripts, [[]])
        digest = base64.b64encode(hashlib.sha256(page.loaded.encode()).digest()).decode()
        self.assertEqual(re.findall(r'<meta http-equiv="Content-Security-Policy" content="(.*?)">',
                                    text), [
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'" % digest])
        self.assertNotRegex(page.loaded, r'fetch|XMLHttp|WebSocket|import|https?:(?!//www.w3.org/)')
        sections = [s for s in page.texts if s not in ('head', 'behind')]
        self.assertEqual(page.links, [{'href': '#' + s} for s in sections])
        text = text.replace('<script>%s</script>' % page.loaded, '')
        shares = re.findall(r'<td class="n share" style="--share:(.*?)">(.*?)</td>', text)
        self.assertTrue(all(a == b and re.fullmatch(r'[\d.]+%', a) for a, b in shares))
        style = text[text.index('<style>'):text.index('</style>')]
        self.assertNotIn('url(', style)
        self.assertNotIn('@import', style)
        self.assertNotRegex(re.sub(r'>[^<]*<', '><', text), r'(?i)\b(src|href|xlink)\s*=(?!"#\w+")')
        self.assertIsNone(re.search(r'[\x00-\x08\x0b-\x1f\x7f]', text))
        # Numbers have a single form: grouped digits, with a noun in the singular only after 1.
        counted = r' (access|instruction|event|record|page|switch|error|warning|note)'
        self.assertIsNone(re.search(r'(?<![\d,.])1%s(es|s)\b' % counted, text))
        several = r'(?<![\d,.])(0|[2-9]|\d[\d,]*\d)%s\b(?!e?s\b)'
        self.assertIsNone(re.search(several % counted, text))
        whole = text[:text.find('<section id="findings">')]
        self.assertIsNone(re.search(r'\d{4,}%s(es|s)\b' % counted, whole))
        pictures.check_ticks(text)
        for axis in re.findall(r'<div class="[xy]" aria-hidden="true">(.*?)</div>', text):
            for label in re.findall(r'<span[^>]*>(.*?)</span>', axis):
                self.assertRegex(label, r'^\d{1,3}((,\d{3})*|\.\d+)$')
        return page

    def hostile(self):
        """Yields traces that could cause a large report: (arguments, words that the report must contain)."""
        rand = random.Random(5)
        form = struct.Struct('<Q2B2B4B2Q4Q')

        def record(ip, *memory):
            return form.pack(ip, rand.randrange(2), rand.randrange(2), 26, 25, 26, 25, 0, 0,
                             memory[0], memory[1], *memory[2:])
        many = b''.join(record(rand.getrandbits(64), *(rand.getrandbits(64) for _ in range(6)))
                        for _ in range(30000))
        wide = struct.Struct('<Q2B4B4B6x4Q4Q2B6x')
        spaces = b''.join(
            wide.pack(rand.getrandbits(48), 1, 1, *(rand.randrange(1, 255) for _ in range(8)),
                      *(rand.getrandbits(48) for _ in range(8)), n & 255, n >> 8)
            for n in list(range(30000)) * 2)
        # Random records are not recognised as a trace.
        yield ['--format', 'champsim', self.write('many', many)], 'too many to count each'
        yield ['--cloudsuite', self.write('spaces', spaces)], 'others'
        # Each cell of each picture differs from its neighbours.
        dense = []
        for _ in range(240):
            weights = [2 ** rand.randrange(12) for _ in range(40)]
            for _ in range(128):
                page = [n << 30 for n in rand.choices(range(1, 41), weights, k=14)]
                dense.append(wide.pack(page[0] + rand.randrange(4096), 1, 1, 26, 25, 0, 0, 26, 25, 0,
                                       0, *page[1:9], rand.choices(range(40), weights)[0], 0))
        yield ['--cloudsuite', self.write('dense', b''.join(dense))], '0xa00000000'


class Largest:
    """UMTracer trace that fills every part of a report. No other format lets a trace contain so much text for a
    report. Rows and buckets are as in report/measures.hpp and report/sections.hpp."""
    BUCKETS, WIDTH, PAGES, HOT, KEPT, THREADS = 240, 128, 40, 20, 32, 24
    CODE, DATA = 0xfffff00000000000, 0xffffff0000000000
    MEMORY = 0xFFFF  # name of the memory operand; the name of a second one is one less

    def __init__(self):
        self.rand = random.Random(9)
        # Text and names grow most when they are escaped, and are longer than what is shown.
        self.extra = bytearray(struct.pack('<H', 400) + b'"' * 400 + b'\0')
        self.rows, self.records = [], []
        read, write, both, none = (self.decoded(*slots) for slots in (
            ([1], []), ([], [1]), ([1], [1]), ([], [])))
        nop = b'\x66' * 14 + b'\x90'
        # Entries of pages that are never hot: branches of each class, and all kinds of other
        # instructions.
        branches = [b'\x2e' * 13 + b'\x74\x00', b'\xeb\x00', b'\xc3', b'\xe8' + bytes(4),
                    b'\xff\xe0', b'\xff\xd0']
        self.entries, self.bodies = [], []
        for page in range(self.PAGES):
            ip = self.CODE + (page << 32)
            if page < self.HOT:
                self.entries.append(self.instruction(ip, nop, read, 1))
                self.bodies.append([self.instruction(ip + 15 * i, nop, read, 1)
                                    for i in range(1, self.KEPT + 1)])
            elif page < self.HOT + 8:
                self.entries.append(self.instruction(ip, branches[page % 6], none, 0))
            else:
                self.entries.append(self.instruction(ip, nop, *(
                    (write, 1), (both, 2), (none, 0), (both, 2))[page % 4]))
        for bucket in range(self.BUCKETS):
            self.fill(bucket)
        self.records.pop()  # the last bucket is not full, because full buckets would be merged

    def decoded(self, reads, writes):
        """Adds a decoded instruction with memory operands, and returns its offset."""
        at, n = len(self.extra), len(reads) + len(writes)
        self.extra += struct.pack('<HHHBB48xBBHBBB5B4xQQ', 1, 1, 1, 0, 0, 8, 8, 16 * n, len(reads),
                                  len(reads), n, 255, 255, 0, 255, 255, 0, 0)
        for i in range(n):
            self.extra += struct.pack('<HHHHB3x', self.MEMORY - i, self.MEMORY - i, 8, 16 * i, 8)
        return at

    def instruction(self, ip, code, decoded, accesses):
        self.rows.append(struct.pack('<qBBBxiQ15sxqq8x', len(self.rows), 0, 1, len(code), 0, ip,
                                     code, 0, decoded))
        return len(self.rows) - 1, accesses

    def uneven(self, n, total, bucket):
        """Returns `total` numbers from 0 to n - 1: each number once, and in every second bucket some numbers more
        often."""
        many = [i for i in range(n) if (i + bucket) % 2]
        return list(range(n)) + [many[i % len(many)] for i in range(total - n)]

    def fill(self, bucket):
        hot = bucket % self.HOT
        body = self.bodies[hot]
        pages = self.uneven(self.PAGES, self.WIDTH - len(body), bucket)
        self.rand.shuffle(pages)
        where = pages.index(hot)
        run = [self.entries[p] for p in pages]
        run[where + 1:where + 1] = body
        accesses = sum(n for _, n in run)
        data = self.uneven(self.PAGES, accesses, bucket)
        self.rand.shuffle(data)
        others = [self.THREADS + self.rand.randrange(50) for _ in range(2 + 20 * (bucket % 2))]
        threads = others + self.uneven(self.THREADS, len(pages) - len(others), bucket)
        self.rand.shuffle(threads)
        # Each time, the whole block belongs to another thread.
        turn = threads.index(bucket % self.THREADS)
        threads[turn], threads[where] = threads[where], threads[turn]
        threads[where + 1:where + 1] = [threads[where]] * len(body)
        for (row, n), thread in zip(run, threads, strict=True):
            values = b''.join(struct.pack('<QQ', self.DATA + (data.pop() << 32), 0)
                              for _ in range(n))
            flags = 1 if len(self.records) > 7 else 0xF0  # 64-bit code, or flags that cause a finding
            self.records.append(struct.pack('<IBBq', thread, 0, flags, row) + values)

    def bad_rows(self):
        """Adds invalid rows to every table, so that each rule has its maximum number of findings."""
        decoded = self.extra
        lies = len(decoded)
        operands = b''.join(struct.pack('<HHBBBBB3x', 1, 8, 3, 77, 78, 99, 99) for _ in range(4))
        decoded += (struct.pack('<HHHBB', 1, 1, 1, 255, 200) + operands +
                    struct.pack('<BBHBBB5B4xQQ', 8, 8, 16, 9, 3, 2, 77, 78, 0, 79, 80, 0, 0) +
                    struct.pack('<HHHHB3x', 1, 1, 8, 60000, 8) * 2)
        wide = len(decoded)
        decoded += (struct.pack('<HHHBB48xBBHBBB5B4xQQ', 1, 1, 1, 0, 0, 8, 8, 16, 0, 0, 255, 255,
                                255, 0, 255, 255, 0, 0) +
                    struct.pack('<HHHHB3x', 1, 1, 8, 0, 8) * 255)
        beyond = 1 << 40
        for i in range(7):
            for kind, size, module, text, place in ((0, 15, 0, 0, lies), (0, 15, 0, 0, wide),
                                                    (99, 16, 99, beyond, beyond)):
                self.rows.append(struct.pack('<qBBBxiQ15sxqq8x', -1 - i, kind, 1, size, module,
                                             self.CODE, b'', text, place))

    def write(self, folder):
        """Writes the trace, with the other files of a sample."""
        self.bad_rows()
        # Records that are not instructions, of all kinds that break rules.
        for kind in (13, 4, 5, 3, 1, 2, 1, 9):
            for i in range(7):
                row = 1 << 40 if kind in (4, 5) else 0
                self.records.append(struct.pack('<IBBq', i, kind, 0, row) + b'\x7f' * 24)
        for kind in (1, 2):
            self.records += [struct.pack('<IBBq', 5000 + i, kind, 0, 0) for i in range(7)]
        n = len(self.records)
        offsets, at = [], 16
        for r in self.records:
            offsets.append(at)
            at += len(r)

        def put(name, raw):
            with open(os.path.join(folder, name), 'wb') as f:
                f.write(raw)

        def table(rows, size, head):
            return struct.pack('<IIqqq', 0, 1, rows, size, head)

        put('exec.offsets', struct.pack('<%dq' % (n + 1), *offsets, at))
        put('exec.vtable', struct.pack('<IIq', 1, 0, n) + b''.join(self.records) + b'end')
        put('exec.prev_next.column', struct.pack('<qq', 3, 1 << 40) * n)
        raw = b''.join(self.rows)
        put('ins.itable', table(len(self.rows), 64, 48) +
            struct.pack('<qq', 48 + len(raw), len(self.extra)) + raw + self.extra)
        threads = [(1 << 31) + i for i in range(80)] + [5] * 8
        put('thread.itable', table(len(threads), 40, 32) + b''.join(
            struct.pack('<IIQqqq', i, tid, 0, 1 << 40, (1 << 40) + 1, 1 << 40)
            for i, tid in enumerate(threads)) + b'end')
        modules = [(0, -1, self.CODE, self.DATA)] + [
            (1 << 40, 1 << 39, self.CODE + (i << 12), self.CODE + (i << 12) - 1) for i in range(7)
        ] + [(i, -1, 0x1000, 0x9000) for i in range(7)]
        names = 48 + 48 * len(modules)
        rows = (struct.pack('<qqQQqq', *m, names if m[0] == 0 else 1 << 40, names) for m in modules)
        put('module.itable', table(len(modules), 48, 48) + struct.pack('<qq', names, 900) +
            b''.join(rows) + struct.pack('<H', 400) + '"'.encode('utf-16le') * 400 + bytes(98))
        put('address_space.itable', table(16, 16, 32) + b''.join(
            struct.pack('<QQ', 0x1234567 - i, 0x1234567) for i in range(16)) + b'end')


class Report(ReportTest):
    def front_end(self, path, predictor, *args):
        r = support.run('frontend_sim', '--json', '--predictor', predictor, *args, path)
        self.assertEqual(r.returncode, 0, r.stderr)
        return json.loads(r.stdout)

    def check_program(self, path, *args):
        """Compares a report with the simulated front end, which counts without bounds."""
        page = self.page(path, *args)
        for predictor in PREDICTORS:
            n = self.front_end(path, predictor, *args)
            self.assertEqual(page.number('Instructions'), n['instructions'])
            self.assertEqual(page.number('Different ips'), n['unique_ips'])
            self.assertEqual(page.number('Reading'), n['memory_reads'])
            self.assertEqual(page.number('Writing'), n['memory_writes'])
            self.assertEqual(page.number('Data lines'), n['data_footprint']['lines'])
            self.assertEqual(page.number('Data pages'), n['data_footprint']['pages'])
            rows = {r['class'].replace(' ', '_'): r for r in page.rows('branches')}
            found = dict(n['branches'], flag_only=n['flag_only'])
            for name, b in found.items():
                if b['count'] == 0:
                    self.assertNotIn(name, rows)
                    continue
                row = {k: v.replace(',', '') for k, v in rows[name].items()}
                self.assertEqual((row['count'], row['taken'], row['missed by ' + predictor]),
                                 tuple(str(b[k]) for k in ('count', 'taken', 'mispredicted')))
                self.assertEqual(row['MPKI of ' + predictor],
                                 '%.2f' % (1000 * b['mispredicted'] / n['instructions']))
            branches = sum(b['count'] for b in found.values())
            self.assertEqual(page.number('Branches'), branches)
            self.assertEqual(page.number('Taken branches'),
                             sum(b['taken'] for b in found.values()))
        mix = {r['kind']: int(r['count'].replace(',', '')) for r in page.rows('mix')}
        self.assertEqual(sum(mix.values()), page.number('Instructions'))
        self.assertEqual(mix['branch'], branches)
        return page

    def check_findings(self, page, path):
        r = support.run('trace_check', '--json', path)
        *found, total = [json.loads(s) for s in r.stdout.decode().splitlines()]
        rows = page.rows('findings') if found else []
        self.assertEqual([(d['severity'], d['code']) for d in found],
                         [(r['severity'], r['kind']) for r in rows])
        for d, row in zip(found, rows):
            self.assertEqual(row['record'].replace(',', ''), str(d.get('record', '')))
            if len(d['message']) <= 300:
                self.assertEqual(row['finding'], d['message'])
        for key in ('record', 'error', 'warning', 'note'):
            n = total[key + 's']
            self.assertRegex(page.texts['findings'],
                             r'(?<![\d,])%s %s\b' % ('{:,}'.format(n), key + 's' * (n != 1)))

    def test_champsim(self):
        for path in (SED, WORK, support.data('threads3_64')):
            self.check_findings(self.check_program(path), path)
        head = self.page('--no-check', SED).texts['head']
        self.assertIn(', ChampSim\n', head)
        self.assertNotIn('instructions', head)
        for options, part in ((['--skip', '10000', '--limit', '5000'], '10,000 to 14,999'),
                              (['--skip', '45000', '--limit', '90000'], '45,000 to 49,999'),
                              (['--shard', '1/4'], '12,500 to 24,999'),
                              (['--shard', '3/4'], '37,500 to 49,999')):
            page = self.page('--no-check', SED, *options)
            self.assertIn('; instructions ' + part + '\n', page.texts['head'])
        self.check_program(SED, '--skip', '10000', '--limit', '5000')
        # The records contain neither threads nor address spaces.
        self.assertFalse({'Threads', 'Address spaces'} & set(page.figures))
        self.assertNotIn('threads', page.texts)

    def test_mix(self):
        found, reading, writing = {}, 0, 0
        for r in records(content(SED)):
            reads, writes = any(r['source_memory']), any(r['destination_memory'])
            reading += reads
            writing += writes
            kind = 'branch' if support.branch_class(r) != 'not_branch' or r['is_branch'] else (
                'load and store' if reads and writes else 'load' if reads else 'store' if writes else 'other')
            found[kind] = found.get(kind, 0) + 1
        self.assertEqual(len(found), 5)
        page = self.page('--no-check', SED)
        self.assertEqual({r['kind']: int(r['count'].replace(',', '')) for r in page.rows('mix')},
                         found)
        self.assertEqual((page.number('Reading'), page.number('Writing')), (reading, writing))
        self.assertIn('a branch that reads or writes memory', page.texts['mix'])

    def test_units(self):
        # Points in time that short numbers could not distinguish.
        path = self.write('long', content(SED)[:64 * 10000] * 51)
        self.page('--no-check', '--skip', '500000', '--limit', '1000', path)
        self.assertIn('>500,500<', self.raw.decode())
        self.page('--no-check', SED)
        self.assertEqual(re.findall(r'left:([\d.]+)%[^>]*>([\d,]+)<', self.raw.decode())[:3],
                         [('0.00', '0'), ('40.00', '20,000'), ('80.00', '40,000')])
        (arguments, _), *_ = self.hostile()
        page = self.page(*arguments)
        self.assertEqual(page.number('Data pages'), 180000)
        self.assertIn('703 MiB', page.texts['summary'])  # 180,000 * 4 / 1024

    def test_memory_and_blocks_of_a_program(self):
        rs = records(content(SED))
        page = self.page(SED)
        pages, blocks, start = {}, {}, None
        for i, r in enumerate(rs):
            for key, column in (('source_memory', 'reads'), ('destination_memory', 'writes')):
                for a in r[key]:
                    if a:
                        n = pages.setdefault(a >> 12, {'reads': 0, 'writes': 0})
                        n[column] += 1
            start = r['ip'] if start is None else start
            b = blocks.setdefault(start, 0)
            blocks[start] = b + 1
            if support.branch_class(r) != 'not_branch' or r['is_branch']:
                start = None
        busiest = sorted(pages.items(), key=lambda p: (-sum(p[1].values()), p[0]))
        self.assertEqual(
            [(r['page'], r['reads'].replace(',', ''), r['writes'].replace(',', ''))
             for r in page.rows('memory')],
            [('%#x' % (p << 12), str(n['reads']), str(n['writes'])) for p, n in busiest[:15]])
        hottest = sorted(blocks.items(), key=lambda b: (-b[1], b[0]))
        self.assertEqual([(r['block'], r['instructions'].replace(',', ''))
                          for r in page.rows('blocks') + page.rows('blocks', 1)],
                         [('%#x' % ip, str(n)) for ip, n in hottest[:20]])
        self.assertEqual(page.number('Code pages'), len({r['ip'] >> 12 for r in rs}))
        self.assertIn('no code', page.texts['blocks'])

    def test_cloudsuite(self):
        path = self.write('cs', in_spaces(content(SED)[:64 * 3000], 7, 9, 7))
        page = self.check_program(path)
        self.check_findings(page, path)
        self.assertEqual([(r['address space'], r['instructions'], r['first'], r['last'])
                          for r in page.rows('threads')],
                         [('7', '6,000', '0', '8,999'), ('9', '3,000', '3,000', '5,999')])
        self.assertIn(', CloudSuite', page.texts['head'])
        self.assertEqual(page.number('Address spaces'), 2)
        self.assertIn('2 switches', page.texts['summary'])
        self.assertIn('2 address spaces, 2 switches', page.texts['threads'])
        self.assertNotIn('Threads', ''.join(page.texts.values()))
        page = self.page('--limit', '4000', path)
        self.assertIn('2 address spaces, 1 switch from', page.texts['threads'])
        page = self.page('--limit', '3000', path)
        self.assertIn('Address spaces1only 7', page.texts['summary'])
        self.assertNotIn('threads', page.texts)

    @support.needs('simdjson', 'zydis', 'xz')
    def test_x64dbg(self):
        for name in ('work32.trace32.xz', 'threads3_64.trace64.xz',
                     'threads3_64_legacybug.trace64.xz'):
            path = sample(name)
            page = self.check_program(path, *['--repair'] * ('bug' in name))
            self.check_findings(page, path)
        self.assertIn('mt64.exe', page.texts['head'])
        self.assertIn(', x64dbg, ', page.texts['head'])
        page = self.page(sample('threads3_64.trace64.xz'))
        threads = {}
        rows = [json.loads(s) for s in support.run(
            'trace_view', '--json', sample('threads3_64.trace64.xz')).stdout.splitlines()]
        for r in rows:
            t = threads.setdefault(str(r['thread']), [0, r['index'], 0])
            t[0] += 1
            t[2] = r['index']
        self.assertEqual({r['thread']: [int(r[k].replace(',', ''))
                                        for k in ('instructions', 'first', 'last')]
                          for r in page.rows('threads')}, threads)
        # The viewer's disassembly is listed under the block that begins with the instruction.
        texts = {}
        for s in support.run('trace_view', '-c', '-n', 'all',
                             sample('threads3_64.trace64.xz')).stdout.decode().splitlines():
            parts = s.split(' | ')
            texts[int(parts[0].split('] ')[1], 16)] = parts[2]
        code = page.texts['blocks']
        for row in page.rows('blocks') + page.rows('blocks', 1):
            row['block'] = row['block'].strip()
            ip = int(row['block'], 16)
            line = next(s for s in code.splitlines() if s.startswith(row['block'] + '  '))
            self.assertTrue(line.endswith('  ' + texts[ip]), line)

    @support.needs('zydis')
    def test_umtracer(self):
        for name in ('plain32', 'plain64', 'awkward32', 'awkward64'):
            path = sample('umtracer/' + name)
            self.check_findings(self.check_program(path), path)
        page = self.page(sample('umtracer/plain64'))
        self.assertIn(', UMTracer\n', page.texts['head'])
        blocks = page.rows('blocks') + page.rows('blocks', 1)
        self.assertIn('kernel32.dll+0x', ''.join(r['module'] for r in blocks))
        # The text of an instruction comes from the trace.
        rows = support.run('trace_view', '-c', '-n', 'all', path := sample('umtracer/plain64'))
        texts = dict(re.findall(r'Address (0x[0-9a-f]+) \| Disasm (.*)', rows.stdout.decode()))
        blocks = [r['block'].strip() for r in blocks]
        for ip in blocks:
            self.assertRegex(page.texts['blocks'],
                             '(?m)%s +[0-9a-f]+ +%s$' % (ip, re.escape(texts[ip])))
        wanted = next(texts[ip] for ip in blocks if len(texts[ip]) > 8).encode()
        copy, changed = self.path('copy'), 0
        shutil.copytree(path, copy)
        for name in os.listdir(copy):
            raw = support.file_bytes(os.path.join(copy, name))
            changed += raw.count(wanted)
            self.write(os.path.join('copy', name),
                       raw.replace(wanted, b'<b>&\xff\x01"'.ljust(len(wanted), b'x')))
        self.assertGreater(changed, 0)
        page = self.page(copy)
        self.assertIn('<b>&\ufffd\ufffd"x', page.texts['blocks'])
        self.assertIn(b'&lt;b&gt;&amp;', self.raw)

    def test_rapidbin(self):
        for name in ('r250', 'r6000'):
            with open(sample('rapidbin/%s.stats.json' % name)) as f:
                stats = json.load(f)
            for suffix in ('data', 'std'):
                path = sample('rapidbin/%s.%s' % (name, suffix))
                page = self.page(path)
                self.check_findings(page, path)
                self.assertIn(', RapidBin as text (STD)\n' if suffix == 'std' else ', RapidBin\n',
                              page.texts['head'])
                statistics = json.loads(support.run('trace_view', '-s', '--json', path).stdout)
                self.assertEqual(page.number('Events'), statistics['events'])
                self.assertEqual(page.number('Locations'), statistics['locations'])
                self.assertEqual(page.number('Threads'), statistics['threads'])
                self.assertEqual(page.number('Variables'), statistics['variables'])
                mix = {r['kind']: int(r['count'].replace(',', '')) for r in page.rows('mix')}
                self.assertEqual(mix, {k: n for k, n in statistics['operations'].items() if n})
                for nth, key, columns in ((1, 'by_variable', ('reads', 'writes')),
                                          (2, 'by_lock', ('acquired', 'released', 'requested'))):
                    rows = page.rows('places', nth)
                    self.assertGreater(len(rows), 1)
                    for row in rows:
                        known = statistics[key][row['variable' if nth == 1 else 'lock']]
                        self.assertEqual([int(row[c].replace(',', '')) for c in columns],
                                         [known[c] for c in columns])
                self.assertNotIn('branches', page.texts)
                self.assertEqual({r['thread']: int(r['events'].replace(',', ''))
                                  for r in page.rows('threads')}, stats['events_per_thread'])
                for key in ('events', 'locations', 'variables', 'locks'):
                    self.assertEqual(page.number(key.capitalize()), stats['found'][key])
        page = self.page('--variable', '1', sample('rapidbin/r6000.data'))
        self.assertEqual(page.number('Variables'), 1)
        self.assertIn('only the selected events', page.texts['head'])

    def test_pipes_and_streams(self):
        raw = content(SED)[:64 * 2000]
        path = self.write('t', raw)
        whole = self.page(path)
        streamed = self.page('-', stdin=raw)
        self.assertEqual(whole.figures, streamed.figures)
        self.assertEqual([t for t in whole.tables if t[0] != 'findings'],
                         [t for t in streamed.tables if t[0] != 'findings'])
        self.assertIn('can be read only once', streamed.texts['findings'])
        self.assertIn('--no-check', self.page('--no-check', path).texts['findings'])
        # The same trace gives the same report.
        self.page(path)
        again = self.raw
        self.assertEqual(support.text(self.good(path, '-')), again)

    def test_nothing_and_little(self):
        path = self.write('t', content(SED)[:64 * 5])
        self.assertEqual(self.bad(1, '--skip', '100', path, self.path('o.html'),
                                  about=b'nothing is left after the first 100'), b'')
        self.assertEqual(os.listdir(self.folder), ['t'])
        page = self.page('--limit', '0', path)
        self.assertEqual(page.number('Instructions'), 0)
        self.assertIn('There are no instructions', page.texts['behind'])
        page = self.page('--skip', '3', '--limit', '1', path)
        self.assertEqual(page.number('Instructions'), 1)
        self.assertIn('; instruction 3\n', page.texts['head'])
        r = {k: [0] * n for k, n in (('destination_registers', 2), ('source_registers', 4),
                                     ('destination_memory', 2), ('source_memory', 4))}
        one = self.write('one', pack(dict(r, ip=1, is_branch=0, branch_taken=0)) * 3)
        one = ['--format', 'champsim', one]  # the address is not one of code
        page = self.page(*one, code=self.status_of(one))
        self.assertIn('no branches', page.texts['branches'])
        self.assertIn('No access to memory', page.texts['memory'])

    def test_damaged(self):
        for path, raw in self.damaged():
            whole = support.run('trace_view', '-s', '--json', path)
            self.assertEqual(whole.returncode, 1)
            page = self.page(path, code=1, about=os.path.basename(path).encode())
            self.assertEqual(page.number('Instructions'), json.loads(whole.stdout)['instructions'])
            self.assertIn('The trace is damaged', page.texts['head'])
            self.assertIn(whole.stderr.decode().split(': ', 2)[2].strip(), page.texts['head'])
        out = self.path('none.html')
        for path, about in self.no_traces().items():
            if os.path.isdir(path):  # it may not contain the output
                self.bad(2, path, out, about=b'choose another output')
            else:
                self.bad(1, path, out, about=about)
            self.assertFalse(os.path.exists(out), path)

    @support.needs('gzip')
    def test_compressed(self):
        path = self.write('t', content(SED)[:6400])
        for name in ('o.html', 'o.HTM', 'plain', 'o.html.gz', 'o.Html.GZIP'):
            self.good(path, self.path(name))
        for name in ('o.HTM', 'plain'):
            self.assertEqual(support.file_bytes(self.path(name)),
                             support.file_bytes(self.path('o.html')))
        for name in ('o.html.gz', 'o.Html.GZIP'):
            self.assertEqual(gzip.decompress(support.file_bytes(self.path(name))),
                             support.file_bytes(self.path('o.html')))

    def test_errors(self):
        path = self.write('t', content(SED)[:6400])
        self.check_full_disk(path, '-')
        if not support.WINDOWS and support.has_full_disk():
            self.bad(1, path, '/dev/full', about=b'/dev/full')
        self.bad(1, path, os.path.join(self.folder, 'no', 'out.html'), about=b'No such file')
        self.bad(2, path, self.folder, about=b'a folder that holds')
        os.mkdir(self.path('empty'))
        self.bad(1, path, self.path('empty'), about=b'directory')
        os.rmdir(self.path('empty'))
        self.bad(2, path, path, about=b'same file')
        self.assertEqual(support.file_bytes(path), content(SED)[:6400])
        # Files that belong to the trace remain unchanged.
        shutil.copytree(sample('umtracer/plain64'), self.path('um'))
        part = self.path('um/exec.vtable')
        before = support.file_bytes(part)
        self.bad(2, self.path('um'), part, about=b'part of')
        self.assertEqual(support.file_bytes(part), before)
        shutil.rmtree(self.path('um'))
        for suffix in ('data', 'json'):
            shutil.copy(sample('rapidbin/r250.' + suffix), self.folder)
        names = self.path('r250.json')
        self.bad(2, self.path('r250.data'), names, about=b'part of')
        self.assertEqual(support.file_bytes(names),
                         support.file_bytes(sample('rapidbin/r250.json')))
        os.remove(self.path('r250.data'))
        os.remove(names)
        self.bad(2, about=b'required')
        self.bad(2, path, about=b'required')
        self.bad(2, '--shard', '4/4', path, self.path('o'), about=b'--shard')
        # A name of another form, or with a compression that can only be read.
        for name in ('o.txt', 'o.csv', 'o.trace64', 'o.html.7z', 'o.xhtml'):
            self.bad(2, path, self.path(name), about=b'expected one of .html, .htm')
        self.bad(2, path, self.path('o.html.bz2'), about=b'can be read, not written')
        self.assertEqual(sorted(os.listdir(self.folder)), ['t'])
        self.assertIn(b'--no-check', self.good('--help'))

    def test_hostile(self):
        for arguments, word in self.hostile():
            page = self.page(*arguments, code=self.status_of(arguments))
            self.assertIn(word, ' '.join(page.texts.values()), arguments)
            self.assertGreater(len(self.raw), 100000)

    @support.needs('zydis')
    def test_largest(self):
        folder = self.path("'" * 100)  # 500 characters in HTML
        shutil.copytree(sample('umtracer/plain64'), folder, copy_function=shutil.copyfile)
        t = Largest()
        t.write(folder)
        page = self.page(folder, code=1)
        text = self.raw.decode()
        self.assertGreater(len(self.raw), 1_200_000)
        rows = collections.Counter()
        for section, lines in page.tables:
            rows[section] += len(lines) - 1
        self.assertEqual(rows, {'mix': 5, 'branches': 7, 'blocks': 20, 'memory': 15,
                                'threads': t.THREADS + 1, 'findings': 200})
        self.assertRegex(page.texts['findings'], r'And \d+ more that are not shown')
        # Each cell of each row of a heat map (data, code and threads) is drawn separately.
        maps = re.findall(r'<svg class="rows [^>]*role="img".*?</svg>', text, re.S)
        self.assertEqual([len(re.findall(r'M\d+ \d+h', m)) for m in maps],
                         [n * t.BUCKETS for n in (t.PAGES, t.PAGES, t.THREADS + 1)])
        hovers = re.findall(r'<g class="hover">.*?</g>', text, re.S)
        self.assertEqual([h.count('<rect') for h in hovers], [t.BUCKETS] * 3)
        for h, kinds in zip(hovers, (5, 3, 2)):  # number of kinds in each bucket
            self.assertEqual(h.count('; '), kinds * t.BUCKETS)
        blocks = text[text.index('<section id="blocks">'):text.index('<section id="memory">')]
        self.assertEqual(blocks.count('<details'), t.HOT)
        self.assertEqual(blocks.count('<i>and more</i>'), t.HOT)
        self.assertEqual(blocks.count(' </i>' + '&quot;' * 120 + '\u2026\n'), t.HOT * t.KEPT)
        self.assertEqual(blocks.count('<code>' + '&quot;' * 300 + '\u2026</code>'), t.HOT)
        # The limit holds even for longer messages whose whole text is escaped.
        longest = 6 * 300 + 100
        self.assertLess(len(self.raw) + 200 * longest, LIMIT)

    def test_shards(self):
        for path in [self.write('t', content(SED)[:64 * 5000]), sample('rapidbin/r250.data')] + (
                [sample('umtracer/plain64')] if 'zydis' in support.PARTS else []):
            def counted(*args):
                page = self.page('--no-check', *args, path)
                all_counts = {k: page.number(k) for k in (
                    'Instructions', 'Branches', 'Taken branches', 'Reading', 'Writing', 'Events')
                    if k in page.figures}
                tables = [('mix', 'kind', ['count'])] + (
                    [('branches', 'class', ['count', 'taken'])] if 'branches' in page.texts else [])
                for section, key, columns in tables:
                    for row in page.rows(section):
                        for c in columns:
                            all_counts[row[key], c] = int(row[c].replace(',', ''))
                return collections.Counter(all_counts)
            whole = counted()
            self.assertGreater(len(whole), 5)
            parts = [counted('--shard', f'{i}/3') for i in range(3)]
            self.assertEqual(sum(parts, collections.Counter()), +whole, path)

    def test_names(self):
        raw = content(SED)[:64 * 100]
        if not support.WINDOWS:
            name = '<script>alert(1)</script>&"\'\t'.encode() + b'\xff\xc3'
            name = name.replace(b'/', b'|')
            path = os.path.join(self.folder.encode(), name)
            with open(path, 'wb') as f:
                f.write(raw)
            page = self.page(path)
            self.assertIn('<script>alert(1)<|script>&"\' \ufffd\ufffd', page.texts['head'])
            self.assertEqual(self.raw.count(b'<script'), 1)  # the page's own script
            long = self.write('n' * 250, raw)
            self.page(long)

    @support.needs('simdjson', 'zydis', 'xz')
    def test_a_second_reading_that_fails(self):
        """Tests a second reading that fails. The page contains the results of the first reading and a message, and
        the exit status is that of an error."""
        cc = shutil.which('cc') or shutil.which('gcc') or shutil.which('clang')
        if not cc or not sys.platform.startswith('linux') or support.SANITIZED or os.environ.get('MESON_EXE_WRAPPER'):
            self.skipTest('needs a C compiler, and programs that load a library first')
        source, library = self.write('fails.c', FAILS.encode()), self.path('fails.so')
        subprocess.run([cc, '-shared', '-fPIC', '-o', library, source, '-ldl'], check=True)
        out = self.path('page.html')
        events = self.write('events.data.xz', lzma.compress(support.file_bytes(sample('rapidbin/r250.data'))))
        for trace, options in ((SED, []), (events, ['--repair', '--no-metadata'])):
            r = self.run_program(*options, trace, out, env={**os.environ, 'LD_PRELOAD': library, 'FAILS': trace})
            self.assertEqual(r.returncode, 1)
            self.assertIn(trace.encode() + b': Input/output error\n', r.stderr)
            with open(out, encoding='utf-8') as f:
                self.assertIn('The checker could not read the trace: ' + trace, f.read())

    @support.needs('simdjson', 'zydis')
    def test_header_text(self):
        raw = content(sample('work32.trace32.xz'))
        self.assertEqual(raw[:4], b'TRAC')
        size, = struct.unpack('<I', raw[4:8])
        header = json.loads(raw[8:8 + size].rstrip(b'\0'))
        header['path'] = 'C:\\<script>\\' + '\u00e4' * 100000
        text = json.dumps(header, ensure_ascii=False, separators=(',', ':')).encode()
        page = self.page(self.write('h', raw[:4] + struct.pack('<I', len(text)) + text +
                                    raw[8 + size:]))
        self.assertIn('C:\\<script>\\\u00e4\u00e4', page.texts['head'])
        self.assertIn('\u00e4\u2026', page.texts['head'])
        self.assertLess(len(page.texts['head']), 20000)


def instruction(ip, reads=(), writes=(), taken=None):
    """Returns a record. It is a conditional branch if `taken` is not None."""
    branch = taken is not None
    return {'ip': ip, 'is_branch': int(branch), 'branch_taken': int(bool(taken)),
            'destination_registers': [26, 0] if branch else [3, 25],
            'source_registers': [26, 25, 0, 0] if branch else [4, 0, 0, 0],
            'destination_memory': (list(writes) + [0, 0])[:2],
            'source_memory': (list(reads) + [0, 0, 0, 0])[:4]}


class Pictures(ReportTest):
    """Tests that the drawn and printed values of pictures match the trace at that time."""
    SIZE = 482  # 121 buckets of 4 instructions, the last one of 2

    @staticmethod
    def buckets(n):
        """Returns the time buckets of `n` instructions. The width doubles whenever 240 buckets are full."""
        width = 1
        while n >= 240 * width:
            width *= 2
        return [range(i, min(i + width, n)) for i in range(0, n, width)]

    def check_chart(self, chart, expected):
        """Checks a chart. `expected` has the values of all buckets by name."""
        n, buckets = self.items, self.buckets(self.items)
        self.assertEqual(list(chart.steps), list(expected))
        for name, values in expected.items():
            for b, value, (left, right, drawn), (*hover, place, told) in zip(
                    buckets, values, chart.steps[name], chart.told, strict=True):
                self.assertEqual([left, right], hover)
                self.assertAlmostEqual(left, b.start * 2400 / n, delta=0.51)
                self.assertAlmostEqual(right, b.stop * 2400 / n, delta=0.51)
                # Heights and numbers are rounded: a height has 1,000 steps, and a number has three
                # digits.
                self.assertAlmostEqual(drawn, value, delta=chart.top / chart.height * 1.01,
                                       msg=(name, b))
                self.assertAlmostEqual(told.get(name, 0), value,
                                       delta=max(0.0051, 0.0051 * value), msg=(name, b))
                self.assertEqual(place, 'instructions {:,} to {:,}'.format(
                    self.first + b[0], self.first + b[-1]))
                self.assertLessEqual(set(told), set(expected))

    def check_heat(self, caption, most, expected):
        """Checks a heat map. `expected` has (label, title, levels of the buckets) for each row."""
        heat = pictures.Heat(self.raw.decode(), caption)
        self.assertEqual(heat.most, most)
        self.assertEqual([row[:2] for row in heat.rows], [row[:2] for row in expected])
        for (label, _, cells), (*_, levels) in zip(heat.rows, expected):
            for b, level in zip(self.buckets(self.items), levels, strict=True):
                for x in (b.start * 2400 / self.items + 1, b.stop * 2400 / self.items - 1):
                    self.assertEqual([v for left, right, v in cells if left <= x < right],
                                     [level] * (level != 0), (label, b))

    def report(self, raw, *args, first=0, items=SIZE):
        self.page('--no-check', '--skip', str(first), *args, self.write('t', raw))
        self.first, self.items = first, items
        return self.raw.decode()

    def test_mispredictions(self):
        # A branch that is never taken, one that is always taken, and one that is taken every
        # second time.
        rs = []
        for i in range(self.SIZE // 2):
            loop = min(i // 80, 2)
            ip = 0x400000 + 64 * loop
            rs += [instruction(ip), instruction(ip + 8, taken=(False, True, i % 2 == 1)[loop])]

        def missed(n, predictor):
            # The instruction after the part provides the target of the last branch.
            part = rs[:n] + [instruction(r['ip']) for r in rs[n:n + 1]]
            counts = model.simulate(part, predictor)['branches'].values()
            return sum(c['mispredicted'] for c in counts)

        expected = {}
        for predictor in PREDICTORS:
            so_far = [(b, missed(b.stop, predictor)) for b in self.buckets(len(rs))]
            expected[predictor] = [
                1000 * (now - before) / len(b)
                for (b, now), before in zip(so_far, [0] + [now for _, now in so_far])]
        # Results that are obvious without a model, per 1,000 instructions with 500 branches.
        for predictor, never, alternating, last in (('bimodal', 0, 250, 0), ('gshare', 0, 0, 0),
                                                    ('always-taken', 500, 250, 500)):
            values = expected[predictor]
            self.assertEqual(values[:40], [never] * 40)
            self.assertEqual(values[60:79], [0] * 19)
            self.assertEqual(values[110:], [alternating] * 10 + [last])
        page = self.report(b''.join(map(pack, rs)))
        self.check_chart(pictures.Lines(page, 'Mispredictions, MPKI'), expected)

    def test_footprint(self):
        # An increasing number of data pages, read and written; new code in steps.
        rs = [instruction(0x400000 + 4096 * (i // 100),
                          [0x10008 + 4096 * (i * i // 1600)] * (i % 3),
                          [0, 0x900000 + 4096 * (i // 7)][:i % 5]) for i in range(self.SIZE)]
        for raw in (b''.join(map(pack, rs)), content(SED)):
            data, code = set(), set()
            expected = {'data': [], 'code': []}
            made = records(raw)
            for b in self.buckets(len(made)):
                for r in made[b.start:b.stop]:
                    code.add(r['ip'] // 4096)
                    data |= {a // 4096 for a in r['source_memory'] + r['destination_memory'] if a}
                expected['data'].append(len(data))
                expected['code'].append(len(code))
            differ = sum(d != c for d, c in zip(expected['data'], expected['code']))
            self.assertGreater(differ, len(expected['data']) // 2)
            page = self.report(raw, '--format', 'champsim', items=len(made))
            self.check_chart(pictures.Lines(
                page, 'Footprint: different pages touched so far, pages of 4 KiB'), expected)

    def test_mix(self):
        kinds = ('branch', 'load', 'store', 'load and store', 'other')
        # Other kinds in each third, and the last kind for every fifth instruction.
        ways = ((0, 1), (2, 3, 3), (1, 3))
        done = []
        for i in range(self.SIZE):
            way = ways[3 * i // self.SIZE]
            done.append(4 if i % 5 == 0 else way[i % len(way)])
        rs = [instruction(0x400000, [0x10000] * (k in (1, 3)), [0x10000] * (k in (2, 3)),
                          taken=False if k == 0 else None) for k in done]
        # The labels of a part are the numbers of instructions in the whole trace.
        page = self.report(pack(rs[1]) * 1000 + b''.join(map(pack, rs)), first=1000)
        self.check_chart(pictures.Shares(page, 'Shares, percent'), {
            kind: [100 * done[b.start:b.stop].count(k) / len(b) for b in self.buckets(len(rs))]
            for k, kind in enumerate(kinds)})

    def test_pages(self):
        # The first half reads one page, and once another page. The second half makes six
        # accesses to a third page, which precedes both. Its code is also on another page.
        half = self.SIZE // 2
        reads, writes = [0x20000, 0x20040, 0x20fff, 0x20000], [0x20008, 0x20010]
        rs = ([instruction(0x405010, [0x7f0ff8])] * half +
              [instruction(0x402020, reads, writes)] * half)
        rs[100] = instruction(0x405010, [0, 0x7f0000, 0, 0x21000])
        self.report(b''.join(map(pack, rs)))
        # 60 buckets of the first half, one with 1 of its instructions, 59 of the second half,
        # and one with 2 instructions. The logarithm of 18 is 0.91 of that of 24; those of 12
        # and 4 are 0.78 and 0.44 of it.
        self.check_heat('Data: reads and writes by address (rows) over time',
                        '24 accesses in 4 instructions', [
            ('0x20000', '0x20000 to 0x20fff, 1 page: 1,446 accesses',
             [0] * 60 + [7] + [8] * 59 + [6]),
            ('0x21000', '0x21000 to 0x21fff, 1 page: 1 access', [0] * 25 + [1] + [0] * 95),
            ('0x7f0000', '0x7f0000 to 0x7f0fff, 1 page: 241 accesses',
             [4] * 60 + [1] + [0] * 60)])
        # The logarithms of 3 and 2 are 0.79 and 0.5 of that of 4.
        self.check_heat('Code: instructions by address (rows) over time',
                        '4 instructions in 4 instructions', [
            ('0x402000', '0x402000 to 0x402fff, 1 page: 241 instructions',
             [0] * 60 + [6] + [8] * 59 + [4]),
            ('0x405000', '0x405000 to 0x405fff, 1 page: 241 instructions',
             [8] * 60 + [1] + [0] * 60)])

    def test_threads(self):
        turns = [(300, 101), (9, 30), (300, 1), (7, 150), (9, 200)]
        who = [thread for thread, n in turns for _ in range(n)]
        self.assertEqual(len(who), self.SIZE)
        # If 4, 3, 2 or 1 of 4 instructions in a bucket match, the level is 8, 6, 4 or 1, as
        # for pages.
        rows = [(7, '150 {}, from 132 to 281', [0] * 33 + [8] * 37 + [4] + [0] * 50),
                (9, '230 {}, from 101 to 481',
                 [0] * 25 + [6] + [8] * 6 + [6] + [0] * 37 + [4] + [8] * 49 + [4]),
                (300, '102 {}, from 0 to 131', [8] * 25 + [1] + [0] * 6 + [1] + [0] * 88)]
        spaces = b''.join(support.as_cloudsuite([instruction(0x400000)], [t & 255, t >> 8])
                          for t in who)
        events = struct.pack('>hiiq', 3, 0, 1, self.SIZE) + b''.join(
            struct.pack('>Q', 5 << 48 | 1 << 14 | 2 << 10 | t) for t in who)
        for raw, option, called, what in (
                (spaces, 'cloudsuite', 'address space', 'instructions'),
                (events, 'rapidbin', 'thread', 'events')):
            self.report(raw, '--format', option)
            self.check_heat('Each %s (rows) over time' % called, '4 {0} in 4 {0}'.format(what), [
                (str(t), '%s %d: %s' % (called, t, told.format(what)), cells)
                for t, told, cells in rows])


# Script for a copy of a report: lists what does not fit or cannot be seen.
MEASURE = r"""<script>
addEventListener('load', () => {
  const bad = [], page = document.documentElement, wide = page.clientWidth;
  const about = e => e.tagName + '.' + e.getAttribute('class') + ' ' +
      e.textContent.slice(0, 30).trim();
  document.querySelectorAll('details').forEach(d => d.open = true);
  if (page.scrollWidth > wide) bad.push('the page is ' + page.scrollWidth + ' wide');
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('.scroll') && !e.matches('.scroll') || e.closest('pre') && !e.matches('pre') ||
        e.closest('svg') && !e.matches('svg') || e.tagName == 'SCRIPT') continue;
    const r = e.getBoundingClientRect();
    if (r.width == 0) continue;
    if (r.right > wide + 0.5 || r.left < -0.5) bad.push('out of the page: ' + about(e));
    const own = getComputedStyle(e);
    if (own.display != 'inline' && own.overflowX == 'visible' && e.scrollWidth > e.clientWidth + 1)
      bad.push('more than its box: ' + about(e));
  }
  for (const axis of document.querySelectorAll('.x')) {
    let last = -1;
    for (const e of axis.children) {
      const r = e.getBoundingClientRect();
      if (r.width == 0) continue;
      if (r.left < last + 2) bad.push('labels touch: ' + about(axis));
      last = r.right;
    }
  }
  for (const rows of document.querySelectorAll('.y.rows')) {
    const svg = rows.nextElementSibling.getBoundingClientRect();
    if (Math.abs(rows.lastElementChild.getBoundingClientRect().bottom - svg.bottom) > 1)
      bad.push('labels beside other rows');
  }
  let drawn = 0;
  for (const svg of document.querySelectorAll('svg')) {
    const box = svg.viewBox.baseVal, r = svg.getBoundingClientRect();
    if (svg.closest('.plot') && (r.width < 100 || r.height < 14)) bad.push('a tiny picture');
    for (const e of svg.querySelectorAll('path,rect')) {
      const b = e.getBBox();
      ++drawn;
      if (b.x < -1 || b.y < -1 || b.x + b.width > box.width + 1 || b.y + b.height > box.height + 1)
        bad.push('outside its picture: ' + e.outerHTML.slice(0, 80));
    }
  }
  const parts = c => c.match(/[\d.]+/g).map(Number);
  const light = c => parts(c).slice(0, 3).map(v => v / 255).map(
      v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce(
      (sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const ground = e => {
    for (; e; e = e.parentElement) {
      const c = parts(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] != 0) return getComputedStyle(e).backgroundColor;
    }
  };
  for (const e of document.querySelectorAll('h1,h2,h3,p,dt,dd,small,th,td,span,summary,pre,i,li')) {
    const c = contrast(getComputedStyle(e).color, ground(e));
    if (c < 4.5) bad.push('contrast ' + c.toFixed(1) + ': ' + about(e));
  }
  for (const e of document.querySelectorAll('.l,.bar rect,.legend rect')) {
    const own = getComputedStyle(e), c = contrast(
        e.matches('.l') ? own.stroke : own.fill, ground(e.closest('svg')));
    if (c < 3) bad.push('contrast ' + c.toFixed(1) + ': ' + e.getAttribute('class'));
  }
  parent.postMessage({width: innerWidth, drawn, bad: bad.slice(0, 20),
      dark: matchMedia('(prefers-color-scheme: dark)').matches}, '*');
});
</script>"""

# Another script for a report: zooms like a reader, and lists what is shown after each step.
ZOOM = r"""<script>
addEventListener('load', () => {
  const svg = document.querySelector('#branches .chart'), found = [];
  const box = svg.getBoundingClientRect();
  const pointer = (kind, part) => svg.dispatchEvent(new PointerEvent(kind, {pointerId: 1, button: 0,
      isPrimary: true, bubbles: true, clientX: box.left + part * box.width, clientY: box.top + 9}));
  svg.setPointerCapture = () => {};  // there is no pointer
  const key = k => svg.dispatchEvent(new KeyboardEvent('keydown', {key: k, bubbles: true}));
  const drag = () => {
    pointer('pointerdown', 0.25);
    pointer('pointermove', 0.4);
    pointer('pointermove', 0.5);
    pointer('pointerup', 0.5);
  };
  const tell = what => found.push({what,
      boxes: [...document.querySelectorAll('.plot svg')].map(s => s.getAttribute('viewBox')),
      hidden: document.querySelector('.zoom').hidden,
      told: document.querySelector('.zoom span').textContent,
      labels: [...document.querySelectorAll('.x')].map(
          x => [...x.children].map(e => [e.textContent, e.style.left]))});
  tell('whole');
  drag(); tell('dragged');
  key('+'); tell('in');
  key('ArrowRight'); tell('right');
  key('Escape'); tell('whole');
  drag(); tell('dragged');
  document.querySelector('.zoom button').click(); tell('whole');
  const p = document.createElement('pre');
  p.id = 'found';
  p.textContent = JSON.stringify(found);
  document.body.append(p);
});
</script>"""

FRAMES = """<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<script>addEventListener('message', e => {
  const p = document.createElement('pre');
  p.textContent = JSON.stringify(e.data);
  document.body.append(p);
});</script><body>%s</body>"""
WIDTHS = (360, 700, 1280)


class Browser(ReportTest):
    """Tests the pages in headless Chromium."""
    browser = next((b for b in ('chromium', 'chromium-browser', 'google-chrome')
                    if shutil.which(b)), None)

    def setUp(self):
        super().setUp()
        if not self.browser:
            self.skipTest('no chromium')
        if support.WINDOWS or support.SANITIZED or os.environ.get('MESON_EXE_WRAPPER'):
            self.skipTest('the pages are the same in every build')

    def dump(self, path, *options):
        with tempfile.TemporaryDirectory() as user:
            r = subprocess.run(
                [self.browser, '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
                 '--no-first-run', '--disable-background-networking',
                 '--disable-component-update', '--disable-sync', '--user-data-dir=' + user,
                 '--virtual-time-budget=20000', *options, '--dump-dom', 'file://' + path],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120)
        return r.stdout.decode()

    def with_script(self, script):
        """Returns the report with an additional script and without its policy."""
        raw = re.sub(rb'<meta http-equiv="Content-Security-Policy"[^>]*>', b'', self.raw)
        return raw.replace(b'</body>', script.encode() + b'</body>')

    def check_shown(self, *args, code=0):
        self.page(*args, code=code)
        self.check_raw_shown(args)

    def check_raw_shown(self, args):
        with open(self.path('measured.html'), 'wb') as f:
            f.write(self.with_script(MEASURE))
        frames = ''.join('<iframe width="%d" height="900" src="measured.html"></iframe>' % w
                         for w in WIDTHS)
        with open(self.path('frames.html'), 'w') as f:
            f.write(FRAMES % frames)
        for dark, options in ((False, ()), (True, ('--blink-settings=preferredColorScheme=0',))):
            dom = self.dump(self.path('frames.html'), *options)
            found = [json.loads(html.unescape(s)) for s in re.findall(r'<pre>(.*?)</pre>', dom)]
            self.assertEqual(sorted(f['width'] for f in found), list(WIDTHS), (args, dom[-500:]))
            for f in found:
                self.assertEqual((f['bad'], f['dark']), ([], dark), (args, f['width']))
                self.assertGreater(f['drawn'], 20)

    def test_shown(self):
        for path in [sample('rapidbin/r6000.data'), sample('rapidbin/r6000.std'), SED,
                     self.write('cloudsuite', in_spaces(content(SED)[:64 * 3000], 7, 9, 7))] + (
                [sample('umtracer/plain64')] if 'zydis' in support.PARTS else []) + (
                [sample('threads3_64.trace64.xz')]
                if {'simdjson', 'zydis', 'xz'} <= support.PARTS | support.CODECS else []):
            self.check_shown(path)

    def test_hostile_shown(self):
        for arguments, _ in self.hostile():
            self.check_shown(*arguments, code=self.status_of(arguments))

    def test_long_labels_shown(self):
        # The longest numbers on an axis: larger ones are abbreviated.
        self.page('--no-check', SED)
        self.raw = re.sub(rb'<div class="x" aria-hidden="true">.*?</div>',
                          lambda m: re.sub(rb'(?<=%">)[^<]+', b'9,999,999,999', m[0]), self.raw)
        self.assertGreater(self.raw.count(b'9,999,999,999'), 10)  # in five pictures
        self.check_raw_shown('long labels')

    def drawn(self, script):
        """Returns the text that an inserted script writes into its own element of the report."""
        self.write('zoomed.html', self.with_script(script))
        dom = self.dump(self.path('zoomed.html'), '--window-size=1400,900')
        found, = re.findall(r'<pre id="found">(.*?)</pre>', dom)
        return json.loads(html.unescape(found))

    def test_zoom(self):
        # A drag from a quarter to a half of a picture: all pictures then show this part of the
        # time.
        self.page('--no-check', '--skip', '10000', '--limit', '20000', SED)
        steps = self.drawn(ZOOM)
        self.assertEqual([s['what'] for s in steps], ['whole', 'dragged', 'in', 'right', 'whole',
                                                      'dragged', 'whole'])
        # Instructions shown, after the first 10,000: 20,000 in 2,400 units.
        ranges = [(10000, 30000), (15000, 20000), (16250, 18750), (16875, 19375), (10000, 30000),
                  (15000, 20000), (10000, 30000)]
        for step, (first, last) in zip(steps, ranges):
            self.assertGreaterEqual(len(step['boxes']), 4)
            for box in step['boxes']:
                x, _, wide, _ = (float(v) for v in box.split())
                # A pixel of the picture covers 20 to 50 instructions.
                self.assertAlmostEqual(10000 + x * 20000 / 2400, first, delta=100)
                self.assertAlmostEqual(wide * 20000 / 2400, last - first, delta=100)
            self.assertEqual(step['hidden'], step['what'] == 'whole')
            for labels in step['labels']:
                at = [int(n.replace(',', '')) for n, _ in labels]
                self.assertTrue(2 <= len(at) <= 5, at)
                self.assertTrue(all(pictures.is_round(b - a) for a, b in zip(at, at[1:])), at)
                for n, left in labels:
                    self.assertAlmostEqual(
                        int(n.replace(',', '')), first + float(left[:-1]) / 100 * (last - first),
                        delta=110)
        told, = re.findall(r'instructions ([\d,]+) to ([\d,]+)', steps[1]['told'])
        self.assertEqual([round(int(n.replace(',', '')), -3) for n in told], [15000, 20000])

    def test_policy(self):
        # A script from a name does not run; the page's own script does.
        self.page('--no-check', SED)
        self.raw = self.raw.replace(b'</body>', b'<script>document.title = "ran"</script></body>')
        self.write('policy.html', self.raw)
        dom = self.dump(self.path('policy.html'))
        self.assertIn('Drag across a picture', dom)
        self.assertNotIn('<title>ran', dom)
        self.assertIn('<title>Trace report', dom)

    def test_damage_shown(self):
        self.check_shown(self.write('x' * 200, content(SED)[:64 * 100 + 9]), code=1)


if __name__ == '__main__':
    support.main()
