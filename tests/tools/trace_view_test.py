# trace_view: rows in the form of the guide's viewer, recomputed statistics, and JSON that is
# compared record by record with Python's struct.
import json
import os
import re
import struct

import support
from support import SED, WORK, content, needs, records


def compact_row(index, r):
    parts = ['[%6d] 0x%016x' % (index, r['ip'])]
    if r['is_branch']:
        parts.append('BR(%s)' % ('T' if r['branch_taken'] else 'N'))
    for label, key, form in (('D_R', 'destination_registers', int),
                             ('S_R', 'source_registers', int),
                             ('D_M', 'destination_memory', hex),
                             ('S_M', 'source_memory', hex)):
        values = [form(v) for v in r[key] if v]
        if values:
            parts.append(label + str(values))
    if 'asid' in r:
        parts.append('ASID' + str(r['asid']))
    return ' | '.join(parts)


def statistics(name, rs):
    n, ips = len(rs), len({r['ip'] for r in rs})
    branches = sum(r['is_branch'] != 0 for r in rs)
    taken = sum(r['is_branch'] != 0 and r['branch_taken'] != 0 for r in rs)
    reads = sum(any(r['source_memory']) for r in rs)
    writes = sum(any(r['destination_memory']) for r in rs)
    return (f'Trace Statistics for: {name}\n' + '=' * 70 + '\n'
            f'Total Instructions:    {n:,}\n'
            f'Unique IPs:            {ips:,}\n'
            f'Branch Instructions:   {branches:,} ({branches / n * 100:.2f}%)\n'
            f'  Taken:               {taken:,} ({taken / max(branches, 1) * 100:.2f}% of '
            'branches)\n'
            f'Memory Reads:          {reads:,} ({reads / n * 100:.2f}%)\n'
            f'Memory Writes:         {writes:,} ({writes / n * 100:.2f}%)\n')


# Rows shown in the specification, with the records from which they come.
GUIDE = {
    0: (dict(ip=0x3f000c, is_branch=1, d=[26], s=[26, 67]),
        '[     0] 0x00000000003f000c | BR(N) | D_R[26] | S_R[26, 67]'),
    1: (dict(ip=0x3f0010, d=[67]), '[     1] 0x00000000003f0010 | D_R[67]'),
    7: (dict(ip=0x671e84, d=[1], s=[4, 3], sm=0x33fca08),
        "[     7] 0x0000000000671e84 | D_R[1] | S_R[4, 3] | S_M['0x33fca08']"),
}


def guide_trace():
    raw = b''
    for i in range(8):
        r = GUIDE[i][0] if i in GUIDE else dict(ip=0x3f0010 + 4 * i)
        d, s = r.get('d', []), r.get('s', [])
        raw += struct.pack('<Q2B2B4B2Q4Q', r['ip'], r.get('is_branch', 0), 0,
                           *(d + [0] * (2 - len(d))), *(s + [0] * (4 - len(s))), 0, 0,
                           r.get('sm', 0), 0, 0, 0)
    return raw


class View(support.ProgramTest):
    program = 'trace_view'

    def check_json(self, rs, text, start=0):
        lines = text.decode().splitlines()
        self.assertEqual(len(lines), len(rs) - start)
        for i, line in enumerate(lines, start):
            got = json.loads(line)
            r = rs[i]
            kind = support.branch_class(r)
            follows = rs[i + 1]['ip'] if i + 1 < len(rs) else 0
            expected = {'index': i, **r, 'branch': kind,
                        'target': hex(follows if support.branch_taken(r, kind) else 0)}
            for key in ('destination_memory', 'source_memory'):
                expected[key] = [hex(v) for v in r[key]]
            expected['ip'] = hex(r['ip'])
            self.assertEqual(got, expected)

    def test_guide_rows(self):
        rows = self.good('-c', '-n', 'all', self.write('t', guide_trace())).decode().splitlines()
        for i, (_, row) in GUIDE.items():
            self.assertEqual(rows[i], row)

    def test_compact(self):
        for path in (SED, WORK):
            expected = [compact_row(i, r) for i, r in enumerate(records(content(path)))]
            rows = self.good('-c', '-n', 'all', path).decode().splitlines()
            self.assertEqual(rows, expected)
            self.assertEqual(self.good('-c', path).decode().splitlines(), expected[:10])
            some = self.good('-c', '-n', '3', '--skip', '49000', path).decode().splitlines()
            self.assertEqual(some, expected[49000:49003])

    def test_json(self):
        for path in (SED, WORK):
            rs = records(content(path))
            self.check_json(rs, self.good('--json', path))
        self.check_json(rs, self.good('--json', path, '--skip', '4095'), 4095)
        self.assertEqual(self.good('--json', '-n', '5', path).count(b'\n'), 5)

    def test_detail(self):
        rs = records(content(SED))
        text = self.good(SED).decode()
        self.assertEqual(text.count('Instruction '), 10)
        r = rs[0]
        first = text.split('\n\n')[0]
        self.assertRegex(first, r'\n  ip +0x%016x\n' % r['ip'])
        for key in ('destination_registers', 'source_registers'):
            self.assertIn(str(r[key]), first)
        for key in ('destination_memory', 'source_memory'):
            self.assertIn('[' + ', '.join('0x%016x' % v for v in r[key]) + ']', first)
        classes = re.findall(r'\n  class +(\w+)', self.good('-n', 'all', SED).decode())
        self.assertEqual(classes, [support.branch_class(r) for r in rs])

    def test_statistics(self):
        for path in (SED, WORK):
            rs = records(content(path))
            expected = statistics(path, rs)
            self.assertEqual(self.good('-s', path).decode(), expected)
            self.assertEqual(self.good('-s', '-n', '3', path).decode(),
                             statistics(path, rs[:3]))
        got = json.loads(self.good('-s', '--json', path))
        self.assertEqual((got['instructions'], got['unique_ips']),
                         (50000, len({r['ip'] for r in rs})))
        piped = self.good('-s', '-', stdin=content(path))
        self.assertEqual(piped.decode(), statistics('<stdin>', rs))

    def test_cloudsuite(self):
        raw = support.as_cloudsuite(records(content(WORK))[:3000], [3, 1])
        path = self.write('c', raw)
        rs = records(raw, 'cloudsuite')
        for args in ((path,), (path, '--cloudsuite'), (path, '--format', 'cloudsuite')):
            self.check_json(rs, self.good('--json', *args))
        rows = self.good('-c', '-n', 'all', path).decode().splitlines()
        self.assertEqual(rows, [compact_row(i, r) for i, r in enumerate(rs)])
        self.assertIn(b'asid                   [3, 1]\n', self.good('-n', '1', path))
        self.assertIn('\n88      2     asid ', self.good('--layout', path).decode())

    def test_layout(self):
        # Offsets, sizes and names equal those in the specification's table.
        rows = [line.split()[:3] for line in self.good('--layout').decode().splitlines()[2:]]
        self.assertEqual(rows, [['0', '8', 'ip'], ['8', '1', 'is_branch'],
                                ['9', '1', 'branch_taken'], ['10', '2', 'destination_registers'],
                                ['12', '4', 'source_registers'], ['16', '16', 'destination_memory'],
                                ['32', '32', 'source_memory']])

    @needs('simdjson')
    def test_about(self):
        self.assertEqual(json.loads(self.good('--about', '--json', SED)), {'format': 'champsim'})
        folder = os.path.dirname(SED)
        x64dbg = os.path.join(folder, 'work32.trace32.xz')
        # An x64dbg trace begins with its header: "TRAC", a length, and JSON.
        raw = content(x64dbg)
        header = json.loads(raw[8:8 + struct.unpack_from('<I', raw, 4)[0]].rstrip(b'\0'))
        self.assertEqual(json.loads(self.good('--about', '--json', x64dbg)),
                         {'format': 'x64dbg', 'program': header['path'], 'arch': header['arch'],
                          'hash_algorithm': header['hashAlgorithm'], 'hash': header['hash']})
        # RapidBin's header counts threads, locks, variables and events.
        events = os.path.join(folder, 'rapidbin/r250.data')
        counts = struct.unpack_from('>hiiq', content(events))
        self.assertEqual(json.loads(self.good('--about', '--json', events)),
                         {'format': 'rapidbin', **dict(zip(('threads', 'locks', 'variables', 'events'),
                                                           map(str, counts)))})
        self.assertIn(header['path'], self.good('--about', x64dbg).decode())

    def test_compressions(self):
        raw = content(WORK)
        expected = self.good('--json', self.write('plain', raw))
        for path in self.compressions(raw):
            self.assertEqual(self.good('--json', path), expected, path)
            with open(path, 'rb') as f:
                self.assertEqual(self.good('--json', '-', stdin=f.read()), expected, path)

    def test_damaged(self):
        # All records before the damage, then the error.
        for path, raw in self.damaged():
            got = self.bad(1, '--json', path, about=path.encode()).decode().splitlines()
            rs = records(raw)
            self.assertGreater(len(got), 900, path)
            # A decoder detects changed bytes only after a while, but truncation at once.
            sure = len(got) // 2 if 'corrupt' in path else len(got)
            self.assertEqual([json.loads(g)['ip'] for g in got[:sure]],
                             [hex(r['ip']) for r in rs[:sure]], path)
            if 'checksum' in path:
                self.assertEqual(len(got), len(rs))
            if path.endswith('partial'):
                self.assertEqual(len(got), 1000)
                self.bad(1, '-s', path, about=b'record 1000')
                self.assertIn(b'Total Instructions:    1,000\n', self.bad(1, '-s', path))

    def test_no_trace(self):
        for path, word in self.no_traces().items():
            for args in ((), ('-s',), ('--json',)):
                self.assertEqual(self.bad(1, *args, path, about=word), b'')
        self.bad(1, '-', about=b'<stdin>')

    def test_forced(self):
        # Content that does not look like a trace is read nevertheless if the user insists.
        path = self.write('odd', bytes([7] * 128))
        self.bad(1, '--json', path)
        self.assertEqual(self.good('--json', '--format', 'champsim', path).count(b'\n'), 2)

    def test_usage(self):
        for args in ((), ('-n',), ('-n', '-1', SED), ('-n', 'x', SED), ('-n', '1.5', SED),
                     ('-n', '99999999999999999999', SED), ('--format', 'vax', SED), ('-q', SED),
                     ('-c', '--json', SED), ('-c', '-s', SED), (SED, SED),
                     ('--cloudsuite', '--format', 'champsim', SED)):
            self.assertEqual(self.bad(2, *args), b'')
        self.assertIn(b'Usage: trace_view', self.good('--help'))

    def test_output(self):
        self.check_full_disk('--json', SED)
        self.check_full_disk('-s', SED)
        self.check_full_disk('--help')
        self.check_closed_pipe('--json', SED)
        self.check_closed_pipe('-c', '-n', 'all', SED)

    def test_skip_past_the_end(self):
        self.assertEqual(self.bad(1, '-c', '--skip', '50000', SED, about=b'nothing is left'), b'')
        self.assertEqual(self.good('-c', '--skip', '49999', SED).count(b'\n'), 1)


if __name__ == '__main__':
    support.main()
