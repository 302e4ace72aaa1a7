# Modules and symbols, as trace_record writes them next to a trace and as nm prints them, in
# the output of trace_view, trace_find and trace_report.
import json
import os
import re
import shutil
import subprocess

import support

PROGRAM = r'''
__attribute__((noinline)) int inner(int n) { int s = 0; for (int i = 0; i < n; ++i) s += i; return s; }
int main(int argc, char** argv) { (void)argv; return inner(argc + 50) == 0; }
'''

EXEC = r'''
#include <unistd.h>
int main(int argc, char** argv) { (void)argc; return execv(argv[1], argv + 1); }
'''

# A name that would control a terminal and that contains HTML.
HOSTILE = '/tmp/\x1b]0;title\x07<script>x'


class Places(support.FormatTest):
    program = 'trace_view'

    def setUp(self):
        super().setUp()
        self.trace = self.write('t', support.content(support.SED)[:64 * 1000])
        self.first = support.records(support.file_bytes(self.trace))[0]['ip']

    def write_map(self, name='t.maps.json', **more):
        base = self.first & ~0xfff
        self.base = base
        all_of_it = {'version': 1, 'modules': [
            {'base': hex(base), 'size': '0x1000', 'path': '/usr/bin/sed', 'build_id': 'ab'}],
            'symbols': [{'address': hex(self.first), 'size': '0x2', 'name': 'start'}], **more}
        return self.write(name, json.dumps(all_of_it).encode())

    @support.needs('simdjson')
    def test_views(self):
        before = {view: self.run_ok('trace_view', '-n2', *view, self.trace)
                  for view in ((), ('-c',), ('--json',))}
        self.write_map()
        offset = self.first - self.base
        here = 'sed+%#x start+0x0' % offset
        lines = self.run_ok('trace_view', '-n2', '-c', self.trace).splitlines()
        old = before['-c',].splitlines()
        self.assertEqual(lines[0], old[0] + ' | IN[%s]' % here)
        self.assertEqual(lines[1], old[1] + ' | IN[sed+%#x]' % (offset + 2))
        detail = self.run_ok('trace_view', '-n2', self.trace)
        self.assertIn('\n  in                     %s\n\n' % here, detail)
        rows = [json.loads(s) for s in
                self.run_ok('trace_view', '-n2', '--json', self.trace).splitlines()]
        self.assertEqual({k: rows[0].pop(k) for k in
                          ('module', 'module_offset', 'symbol', 'symbol_offset')},
                         {'module': 'sed', 'module_offset': hex(offset), 'symbol': 'start',
                          'symbol_offset': '0x0'})
        self.assertEqual(rows[0], json.loads(before['--json',].splitlines()[0]))
        self.assertNotIn('symbol', rows[1])
        # Nothing is shown if nothing is known, or if the map is excluded.
        for view, text in before.items():
            self.assertEqual(self.run_ok('trace_view', '-n2', *view, '--no-maps', self.trace), text)
        self.write_map(modules=[{'base': 1, 'size': 1, 'path': 'x'}], symbols=[])
        for view, text in before.items():
            self.assertEqual(self.run_ok('trace_view', '-n2', *view, self.trace), text)

    @support.needs('simdjson')
    def test_found_and_counted(self):
        self.write_map()
        here = 'sed+%#x start+0x0' % (self.first - self.base)
        found = self.run_ok('trace_find', '--ip', hex(self.first), '-m1', self.trace)
        self.assertTrue(found.endswith(' | IN[%s]\n' % here), found)
        for more in ((), ('--json',)):
            counts = self.run_ok('trace_find', '--count-by', 'ip', *more, self.trace)
            line = [s for s in counts.splitlines() if '%x' % self.first in s][0]
            if more:
                self.assertEqual(json.loads(line)['symbol'], 'start')
            else:
                self.assertTrue(line.endswith('  ' + here), line)

    def test_by_symbol(self):
        nm = self.symbols('%016x 0000000000000003 T here\n%016x T there\n%016x T behind\n' % (
            self.first, self.first + 2, self.first + 5))
        args = ('--symbols', nm, self.trace)
        for name, first, size in (('here', 0, 3), ('there', 2, 3)):
            span = '%d+%d' % (self.first + first, size)
            expected = self.run_ok('trace_find', '--json', '--symbols', nm, '--ip', span, self.trace)
            self.assertEqual(self.run_ok('trace_find', '--json', '--symbol', name, *args), expected)
        r = self.run_tool('trace_find', '--symbol', 'nowhere', *args)
        self.assertEqual(r.returncode, 2, r.stderr)
        self.assertIn("unknown function 'nowhere'", r.stderr)
        if 'trace_diff' not in support.PROGRAMS:
            return
        other = self.write('u', support.file_bytes(self.trace)[64:])
        first = self.run_tool('trace_diff', '--from', '%d' % (self.first + 2), self.trace, other)
        found = self.run_tool('trace_diff', '--from', 'there', '--symbols', nm, self.trace, other)
        self.assertEqual((found.returncode, found.stdout), (first.returncode, first.stdout))
        r = self.run_tool('trace_diff', '--from', 'nowhere', '--symbols', nm, self.trace, other)
        self.assertEqual(r.returncode, 2, r.stderr)
        self.assertIn("A has no function 'nowhere'", r.stderr)

    @support.needs('simdjson')
    def test_report(self):
        # All code is in one module.
        self.write_map(modules=[{'base': '0x1000', 'size': '0xffffffff0000', 'path': HOSTILE}],
                       symbols=[{'address': hex(self.first), 'name': '<b>f'}])
        page = self.path('r.html')
        self.run_ok('trace_report', self.trace, page)
        text = support.file_bytes(page).decode()
        blocks = text[text.index('id="blocks"'):]
        self.assertIn('<th scope="col">symbol</th><th scope="col">module</th>', blocks)
        rows = re.findall(r'<code>(0x[0-9a-f]+)</code></td><td>(.*)</td><td><code>(.*)</code></td></tr>',
                          blocks)
        self.assertEqual(len(rows), 20)
        for address, symbol, module in rows:
            self.assertTrue(module.endswith('&lt;script&gt;x+%#x' % (int(address, 16) - 0x1000)),
                            module)
            offset = int(address, 16) - self.first
            self.assertEqual(symbol, '<code>&lt;b&gt;f+%#x</code>' % offset
                             if 0 <= offset < 1 << 20 else '')
        self.assertNotIn('<b>f', text)

    @support.needs('simdjson')
    def test_a_name_does_not_steer_the_terminal(self):
        self.write_map(modules=[{'base': '0x1000', 'size': '0xffffffff0000', 'path': HOSTILE}])
        for view in ((), ('-c',), ('--json',)):
            self.assertNotIn('\x1b', self.run_ok('trace_view', *view, self.trace))

    @support.needs('simdjson')
    def test_a_map_elsewhere(self):
        other = self.write_map('other.json')
        self.assertNotIn('IN[', self.run_ok('trace_view', '-c', self.trace))
        self.assertIn('IN[', self.run_ok('trace_view', '-c', '--maps', other, self.trace))
        raw = support.file_bytes(self.trace)
        self.assertIn('IN[', self.run_ok('trace_view', '-c', '--maps', other, '-', stdin=raw))

    @support.needs('simdjson')
    def test_what_is_no_map(self):
        self.write('t.maps.json', b'{"modules":[{"base":1}]}')
        self.bad(1, self.trace, about=b't.maps.json: field modules[0].size: is missing')
        self.good('--no-maps', self.trace)
        self.write('t.maps.json', b'[' * 100000)
        self.bad(1, self.trace, about=b't.maps.json')
        os.remove(self.path('t.maps.json'))
        os.mkdir(self.path('t.maps.json'))
        self.bad(1, self.trace, about=b'a folder, expected the map of a program in a file')
        os.rmdir(self.path('t.maps.json'))
        self.bad(1, '--maps', self.path('none'), self.trace, about=b'No such file')
        self.bad(2, '--maps', '', self.trace, about=b'--maps')

    def test_a_map_is_no_trace(self):
        self.bad(1, self.write_map(), about=b'the map of a program')

    def symbols(self, text):
        return self.write('nm', text.encode())

    def test_symbols(self):
        nm = self.symbols('%016x T sed_main\n                 U puts\n' % self.first)
        row = self.run_ok('trace_view', '-n1', '-c', '--symbols', nm, self.trace)
        self.assertTrue(row.endswith(' | IN[sed_main+0x0]\n'), row)
        moved = self.symbols('%016x T sed_main\n' % (self.first - 0x4000))
        row = self.run_ok('trace_view', '-n1', '-c', '--symbols', '0x4000=' + moved, self.trace)
        self.assertTrue(row.endswith(' | IN[sed_main+0x0]\n'), row)
        self.bad(1, '--symbols', 'libc.so.6=' + nm, self.trace, about=b"no module 'libc.so.6'")
        self.bad(1, '--symbols', self.symbols('no symbols\n'), self.trace,
                 about=b'nm: offset 0: expected the output of nm')
        self.bad(2, '--symbols', '', self.trace, about=b'--symbols')

    @support.needs('simdjson')
    def test_symbols_of_a_module(self):
        self.write_map(symbols=[])
        # Addresses as nm prints them for a position-independent program and for one at a fixed
        # address.
        for address in (self.first - self.base, self.first):
            nm = self.symbols('%016x T main\n' % address)
            for option in (nm, 'sed=' + nm):
                row = self.run_ok('trace_view', '-n1', '-c', '--symbols', option, self.trace)
                self.assertIn(' main+0x0]', row)
        r = self.run_program('-n1', '--symbols', self.symbols('%x T main\n' % (self.first * 2)),
                             self.trace)
        self.assertIn(b'warning: ', r.stderr)
        self.assertIn(b'no symbol lies in a module', r.stderr)

    @support.needs('zydis')
    def test_umtracer(self):
        folder = os.path.join(support._arguments.data, 'umtracer', 'plain64')
        first = json.loads(self.run_ok('trace_view', '--json', '--skip', '1', '-n', '1', folder))
        address = int(first['Address'], 16)
        nm = self.symbols('%016x T here\n' % (address - 3))
        args = ('--skip', '1', '-n', '1', '--symbols', nm, folder)
        row = json.loads(self.run_ok('trace_view', '--json', *args))
        self.assertEqual((row['Symbol'], row['SymbolOffset']), ('here', '0x3'))
        self.assertIn(' here+0x3', self.run_ok('trace_view', '-c', *args))

    def test_rapidbin_has_no_addresses(self):
        trace = os.path.join(support._arguments.data, 'rapidbin', 'r250.data')
        self.bad(1, '--no-metadata', '--symbols', self.symbols('0 T f\n'), trace,
                 about=b'its symbols must be the names of a WebAssembly module')

    def test_the_map_is_no_output(self):
        if 'trace_convert' not in support.PROGRAMS:
            self.skipTest('no trace_convert')
        there = self.write_map()
        before = support.file_bytes(there)
        r = self.run_tool('trace_convert', '--to', 'jsonl', self.trace, there)
        self.assertEqual(r.returncode, 2, r.stderr)
        self.assertIn('a part of the input', r.stderr)
        self.assertEqual(support.file_bytes(there), before)


class Recorded(support.RecordingTest):
    program = 'trace_view'

    def setUp(self):
        super().setUp()
        if 'trace_record' not in support.PROGRAMS:
            self.skipTest('no trace_record')

    def map_of(self, name):
        with open(self.path(name)) as f:
            return json.load(f)

    def test_modules(self):
        program = self.program_of(PROGRAM)
        out = self.path('a.trace64.xz' if 'xz' in support.CODECS else 'a.trace64')
        self.record(out, '-n', 'all', '--', program)
        found = self.map_of('a.trace64.maps.json')
        mine = [m for m in found['modules'] if m['path'] == program]
        self.assertEqual(len(mine), 1, found['modules'])
        paths = [os.path.basename(m['path']) for m in found['modules']]
        self.assertTrue(any(p.startswith('libc.so') for p in paths), paths)
        ends = 0
        for m in found['modules']:
            self.assertGreaterEqual(int(m['base'], 16), ends)
            ends = int(m['base'], 16) + int(m['size'], 16)
        span = '%s+%d' % (mine[0]['base'], int(mine[0]['size'], 16))

        def rows(*args):
            return [json.loads(s) for s in run('trace_find', '--json', '--ip', span, *args, out)]

        def run(name, *args):
            r = support.run(name, *args)
            self.assertEqual((r.returncode, r.stderr), (0, b''), args)
            return r.stdout.splitlines()
        by_map = rows()
        self.assertEqual({r['module'] for r in by_map}, {'program'})
        if 'libdw' in support.PARTS:
            self.assertGreater(sum(r.get('symbol') == 'inner' for r in by_map), 100)
            if shutil.which('readelf'):
                notes = subprocess.run(['readelf', '-n', program], capture_output=True).stdout
                if b'Build ID' in notes:
                    self.assertIn(b'Build ID: ' + mine[0]['build_id'].encode(), notes)
        if not shutil.which('nm'):
            return
        # Symbols from nm instead of those in the map.
        nm = subprocess.run(['nm', program], capture_output=True, check=True).stdout
        found['symbols'] = []
        by_nm = rows('--maps', self.write('only.json', json.dumps(found).encode()),
                     '--symbols', self.write('nm', nm))
        self.assertGreater(sum(r.get('symbol') == 'inner' for r in by_nm), 100)
        if 'libdw' in support.PARTS:
            named = ('main', 'inner')
            self.assertEqual([r for r in by_map if r.get('symbol') in named],
                             [r for r in by_nm if r.get('symbol') in named])

    def test_champsim(self):
        self.record(self.path('b.champsimtrace'), '-n', '100', '--', 'true')
        paths = [m['path'] for m in self.map_of('b.champsimtrace.maps.json')['modules']]
        self.assertIn('true', [os.path.basename(p) for p in paths])

    def test_exec(self):
        # The earlier program is omitted if none of its instructions were recorded.
        program = self.program_of(PROGRAM, '-static')
        os.rename(program, self.path('second'))
        first = self.program_of(EXEC, '-static')
        out = self.path('e.trace64')
        said = self.record(out, '-n', 'all', '--', first, self.path('second'))
        self.assertIn(': the program was replaced by another one (exec): names are known from', said)
        steps = int(re.search(r': (\d+) instructions of', said).group(1))
        found = self.map_of('e.trace64.maps.json')
        self.assertEqual(self.files(found), {'second'})
        # The last instruction of the first program is the system call.
        rows = [json.loads(s) for s in self.good('--json', '--skip', str(found['from'] - 1), '-n', '2',
                                                 out).splitlines()]
        self.assertEqual((rows[0]['opcode'], 'module' in rows[0]), ('0f05', False))
        self.assertEqual(rows[1]['module'], 'second')
        said = self.record(out, '-s', str(steps - 50), '-n', 'all', '--', first, self.path('second'))
        self.assertNotIn('exec', said)
        found = self.map_of('e.trace64.maps.json')
        self.assertEqual(self.files(found), {'second'})
        self.assertNotIn('from', found)

    @staticmethod
    def files(found):
        return {os.path.basename(m['path']) for m in found['modules'] if m['path'][0] == '/'}

    def test_none(self):
        program = self.program_of(PROGRAM)
        self.record(self.path('n.trace64'), '--no-maps', '--', program)
        self.record('/dev/null', '-n', '100', '--', program)
        self.assertEqual([f for f in os.listdir(self.folder) if 'maps' in f], [])
        self.assertFalse(os.path.exists('/dev/null.maps.json'))

    def test_the_program_is_no_output(self):
        program = self.program_of(PROGRAM)
        there = self.path('p.maps.json')
        os.rename(program, there)
        r = support.run('trace_record', '-o', self.path('p'), '--', there)
        self.assertEqual(r.returncode, 125, r.stderr)
        self.assertIn(b'the program', r.stderr)


if __name__ == '__main__':
    support.main()
