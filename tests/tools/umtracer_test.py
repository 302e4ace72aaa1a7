# The programs on UMTracer traces: their output and conversions are compared with the contents
# that the samples' independent generator lists.
import json
import os
import shutil
import struct

import support
from support import content, file_bytes, records

FOLDER = os.path.join(os.path.dirname(support.SED), 'umtracer')
SAMPLES = ('plain32', 'plain64', 'awkward32', 'awkward64')
FILES = ('exec.vtable', 'exec.offsets', 'exec.prev_next.column', 'ins.itable', 'module.itable',
         'thread.itable', 'context_map.itable', 'address_space.itable', 'syscall.vtable',
         'syscall.offsets', 'trace.xml')


def sample(name):
    return os.path.join(FOLDER, name)


class Expected:
    """Lines of a sample's expected file, by table."""

    def __init__(self, name):
        self.tables = {}
        for line in content(sample(name + '.expected.jsonl.xz')).splitlines():
            row = json.loads(line)
            self.tables.setdefault(row['t'], []).append(row)
        self.names = {r['id']: r['name'] for r in self.tables['reg']}
        self.code64 = name.endswith('64')

    def __getitem__(self, table):
        return self.tables.get(table, [])


EXPECTED = {}


def expected(name):
    return EXPECTED.setdefault(name, Expected(name))


# Names by the specification's numbers (6.3, 7.3.3, 9.3). Numbers without a name are used instead of
# a name.
EVENTS = dict(enumerate(['instruction', 'thread begin', 'thread end', 'application end',
                         'system call entry', 'system call exit', 'skipped system call exit', '7',
                         'asynchronous procedure call', 'exception', 'callback',
                         'unknown context change']))
INSTRUCTIONS = dict(enumerate(['normal', 'software interrupt', 'fast system call 32',
                               'fast system call 64', 'alternate system call',
                               'WOW64 system call', 'other system call', '7', 'nop', 'prefetch']))
CONVENTIONS = dict(enumerate(['unknown', 'fast 32', 'fast 64', 'alternate', 'WOW64', 'interrupt']))


def called(names, number):
    return names.get(number, str(number))


def hexadecimal(text):
    return int(text, 16)


def address(value, width):
    return hexadecimal(value) & (1 << 8 * min(width, 8)) - 1


class Case(support.FormatTest):
    def table(self, name, table, *args):
        out = self.run_ok('trace_view', '--json', '--table', table, *args, sample(name))
        return [json.loads(s) for s in out.splitlines()]

    def copy(self, name, to='trace'):
        folder = self.path(to)
        shutil.copytree(sample(name), folder, copy_function=shutil.copyfile)
        return folder


class View(Case):
    def test_execution_records(self):
        for name in SAMPLES:
            e = expected(name)
            got = self.table(name, 'exec')
            self.assertEqual(len(got), len(e['exec']))
            for g, want in zip(got, e['exec']):
                self.assertEqual(
                    (g['ID'], g['ThreadID'], g['Type'], hexadecimal(g['Flags']), g['Prev'],
                     g['Next']),
                    (want['id'], want['tid'], called(EVENTS, want['type']), want['flags'],
                     want['prev'], want['next']))
                self.assertEqual(g.get('InsID'), want.get('ins'))
                self.assertEqual(g.get('SyscallID'), want.get('sys'))
                self.assertEqual(g.get('ExitCode'), want.get('code'))
                if 'ins' in want:
                    self.compare_values(g['OperVals'], want, e)
                if 'regs' in want:
                    self.compare_context(g, want, e)

    def compare_values(self, got, want, e):
        ins = e['ins'][want['ins']]
        slots = ins['dec']['slots']
        self.assertEqual(len(got), len(slots))
        for n, (g, slot, value) in enumerate(zip(got, slots, want['slots'])):
            self.assertEqual((g['RegName'], g['Value']), (slot[0], value[1]))
            self.assertEqual(g['When'], 'before' if n < ins['dec']['fa'] else 'after')
            self.assertEqual('Address' in g, value[0] is not None)
            if value[0] is not None:
                self.assertEqual(hexadecimal(g['Address']), address(value[0], slot[4]))

    def compare_context(self, got, want, e):
        buffer = bytes.fromhex(want['regs'])
        mode = 'm64' if want['flags'] & 1 else 'm32'
        whole = {r['id']: r for r in e['reg']
                 if r[mode][0] != 0xFFFF and r[mode][1] != 0 and r[mode][2] == r['id']}
        self.assertEqual([r['RegName'] for r in got['Regs']], sorted(whole))
        for r in got['Regs']:
            at, size, _ = whole[r['RegName']][mode]
            self.assertEqual(r['Value'], buffer[at:at + size].hex())
            self.assertEqual(r['StrName'], whole[r['RegName']]['name'])
        self.assertEqual([(hexadecimal(m['Address']), m['Data']) for m in got['MemRefs']],
                         [(hexadecimal(a), data) for a, data in want['mem']])

    def test_instructions(self):
        for name in SAMPLES:
            e = expected(name)
            for g, want in zip(self.table(name, 'ins'), e['ins'], strict=True):
                dec, decoded = want['dec'], g['Decoded']
                self.assertEqual(
                    (g['ID'], g['Type'], g['CSis64Bits'], g['ModuleID'], hexadecimal(g['Address']),
                     g['CodeBytes'], g['CodeSize'] * 2, g['Disasm']),
                    (want['id'], called(INSTRUCTIONS, want['type']), want['cs64'], want['mod'], hexadecimal(want['addr']),
                     want['code'], len(want['code']), want['asm']))
                self.assertEqual(
                    (decoded['Category'], decoded['Mnemonic'], decoded['Form'],
                     hexadecimal(decoded['Flags']), decoded['EffOperSize'],
                     decoded['EffAddrSize'], decoded['LCSize'], decoded['FirstOutSlot'],
                     decoded['FirstAfterSlot'], decoded['Mem1BaseSlot']),
                    tuple(dec[k] for k in ('cat', 'mn', 'form', 'flags', 'osz', 'asz', 'lc', 'fo',
                                           'fa', 'm1')))
                self.assertEqual([decoded[k] for k in ('Mem0SegSlot', 'Mem0BaseSlot', 'Mem0Scale',
                                                       'Mem0IndexSlot')], dec['m0'])
                self.assertEqual(decoded['ConstSlot'], dec['const'])
                self.assertEqual((decoded['ExpCount'], decoded['LCCount']),
                                 (len(dec['opers']), len(dec['slots'])))
                self.assertEqual([[o[k] for k in ('RegName', 'Size', 'Flags', 'BeforeSlot',
                                                  'AfterSlot', 'BeforeOffset', 'AfterOffset')]
                                  for o in decoded['ExpOper']], dec['opers'])
                self.assertEqual([[s[k] for k in ('RegName', 'CommonRegName', 'ValueSize',
                                                  'Offset', 'AddrWidth')]
                                  for s in decoded['LCSlots']], dec['slots'])

    @support.needs('pugixml')
    def test_trace_xml(self):
        for name in SAMPLES:
            e = expected(name)
            xml = {r['Path'].split('/', 1)[-1] if r['Path'].startswith('TraceMetaData') else
                   r['Path']: r['Text'] for r in self.table(name, 'xml')}
            self.assertEqual((xml['Xed/Version'], xml['App/ProcessID']),
                             (e['xml'][0]['xed'], e['xml'][0]['pid']))

    def test_the_other_tables(self):
        for name in SAMPLES:
            e = expected(name)
            self.assertEqual(
                [(r['ID'], r['StrName'], r['CommonName']) for r in self.table(name, 'context')],
                [(r['id'], r['name'], r['common']) for r in e['reg']])
            for g, want in zip(self.table(name, 'context'), e['reg']):
                for key, mode in (('RegMap32', 'm32'), ('RegMap64', 'm64')):
                    place = g[key] and [g[key][k] for k in ('Offset', 'Size', 'EffLargest')]
                    self.assertEqual(place, want[mode] if want[mode][1] else None)
            self.assertEqual(
                [(m['ID'], m['LoadEID'], m['UnloadEID'], m['StartAddr'], m['EndAddr'],
                  m['WinName'], m['DeviceName']) for m in self.table(name, 'module')],
                [(m['id'], m['load'], m['unload'], m['start'], m['end'],
                  # An unpaired surrogate is not a character.
                  m['win'].encode('utf-16', 'surrogatepass').decode('utf-16', 'replace'),
                  m['dev'].encode('utf-16', 'surrogatepass').decode('utf-16', 'replace'))
                 for m in e['module']])
            self.assertEqual(
                [(t['ID'], t['WinTID'], hexadecimal(t['TIBAddr']), t['FirstEID'],
                  t['LastEID'], t['RecCount']) for t in self.table(name, 'thread')],
                [(t['id'], t['win'], hexadecimal(t['tib']), t['first'], t['last'], t['count'])
                 for t in e['thread']])
            self.assertEqual([(r['First'], r['Last']) for r in self.table(name, 'ranges')],
                             [(r['first'], r['last']) for r in e['range']])
            self.assertEqual(
                [(s['RawID'], s['UniformID'], s['Convention'], s['Completed'], s['BeginEID'],
                  s['EndEID'], s['BeforeSP'], s['Result'], s['Args'],
                  s['ExtraCount']) for s in self.table(name, 'syscall')],
                [(s['raw'], s['uid'], called(CONVENTIONS, s['conv']), s['done'], s['begin'], s['end'], s['sp'],
                  s['res'], s['args'], s['nx']) for s in e['sys']])

    def test_parts(self):
        rows = self.run_ok('trace_view', '-c', '-n', '2', '--skip', '7', sample('plain64'))
        self.assertEqual([s.split(']')[0] for s in rows.splitlines()], ['[     7', '[     8'])
        of_thread = self.table('plain64', 'exec', '--thread', '2', '--skip', '3', '-n', '5')
        want = [r['id'] for r in expected('plain64')['exec'] if r['tid'] == 2][3:8]
        self.assertEqual([r['ID'] for r in of_thread], want)
        detail = self.run_ok('trace_view', '-n', '1', sample('plain64'))
        self.assertIn('Type                   thread begin\n', detail)
        self.assertIn(' | Type %s | ' % called(EVENTS, expected('plain64')['exec'][7]['type']), rows)
        self.assertIn('StrName RAX', detail)

    def test_enumerations_are_told_by_name(self):
        calls = self.run_ok('trace_view', '-c', '-n', 'all', '--table', 'syscall', sample('plain64'))
        for row, want in zip(calls.splitlines(), expected('plain64')['sys']):
            self.assertIn(' | Convention %s | ' % called(CONVENTIONS, want['conv']), row)
        text = self.run_ok('trace_view', '-n', 'all', '--table', 'ins', sample('awkward32'))
        self.assertEqual([s.split(None, 1)[1] for s in text.splitlines() if s.startswith('  Type ')],
                         [called(INSTRUCTIONS, r['type']) for r in expected('awkward32')['ins']])

    def test_memory(self):
        e = expected('plain64')
        # The memory that an instruction reads is known before it.
        shown = 0
        for r in e['exec']:
            if r['type'] != 0 or r['flags'] & 0xF2 or shown == 5:
                continue
            ins = e['ins'][r['ins']]
            if ins['type'] != 0:
                continue
            for slot, (place, value) in list(zip(ins['dec']['slots'], r['slots']))[:ins['dec']['fo']]:
                if slot[4] and slot[2] > 3:
                    at = address(place, slot[4])
                    row = json.loads(self.run_ok(
                        'trace_view', '--json', '-n', '1', '--skip', str(r['id']), '--memory',
                        '%#x+%d' % (at, slot[2]), sample('plain64')))
                    self.assertEqual(row['memory_at'], {'address': hex(at), 'bytes': value})
                    shown += 1
        self.assertEqual(shown, 5)
        text = self.run_ok('trace_view', '-n', '1', '--memory', '0x10+3', sample('plain64'))
        self.assertIn('  memory                 0x0000000000000010  ?? ?? ??  ', text)
        r = self.run_tool('trace_view', '--memory', '1', '--table', 'ins', sample('plain64'))
        self.assertEqual((r.returncode, r.stdout), (2, ''))

    def test_names_from_headers(self):
        categories = self.write('xed-category-enum.h', b'''/* categories */
enum { XED_CATEGORY_INVALID, XED_CATEGORY_MOVES = 76, XED_CATEGORY_LAST };''')
        mnemonics = self.write('xed-iclass-enum.h', b'typedef enum {\n  XED_ICLASS_MOV=637,\n};')
        out = self.run_ok('trace_view', '--table', 'ins', '--json', '-n', '1', '--names',
                          categories, '--names', mnemonics, sample('plain64'))
        row = json.loads(out)
        self.assertEqual((row['Decoded']['CategoryName'], row['Decoded']['MnemonicName']),
                         ('MOVES', 'MOV'))
        r = self.run_tool('trace_view', '--names', self.write('no.h', b'int main();'),
                          sample('plain64'))
        self.assertEqual(r.returncode, 1)
        self.assertIn('no enumeration of categories', r.stderr)

    @support.needs('zydis')
    def test_statistics(self):
        got = json.loads(self.run_ok('trace_view', '-s', '--json', sample('plain64')))
        rows = [r for r in expected('plain64')['exec'] if r['type'] == 0]
        self.assertEqual(got['instructions'], len(rows))
        self.assertEqual(got['threads'], len({r['tid'] for r in rows}))


@support.needs('pugixml')
class CheckXml(Case):
    """Tests the findings of trace_check about contradictions between trace.xml and the tables."""

    def findings(self, name, xml):
        trace = self.path('checked')
        shutil.rmtree(trace, ignore_errors=True)
        trace = self.copy(name, 'checked')
        with open(os.path.join(trace, 'trace.xml'), 'wb') as f:
            f.write(xml)
        r = self.run_tool('trace_check', '--json', trace)
        found = [json.loads(s) for s in r.stdout.splitlines()]
        mine = [f for f in found if f.get('code', '').startswith('xml')]
        self.assertEqual(r.returncode, int(any(f['severity'] == 'error' for f in mine)), r.stderr)
        return [(f['code'], f['severity'], f['message']) for f in mine]

    def xml(self, bitness='64', pid='12', version='20150121', more='', program='app.exe'):
        return ('<TraceMetaData><Xed><Version>%s</Version></Xed><App><CommandLine>%s</CommandLine>'
                '<Bitness>%s</Bitness><ProcessID>%s</ProcessID></App>%s</TraceMetaData>' %
                (version, program, bitness, pid, more)).encode()

    def codes(self, name, xml):
        return [f[0] for f in self.findings(name, xml)]

    def test_what_is_sound(self):
        for program in ('app.exe', 'APP', '&quot;C:\\x y\\app.exe&quot; -v', 'c:/x/app.exe 1', ''):
            self.assertEqual(self.findings('plain64', self.xml(program=program)), [], program)
        # The form without a root element, with the version of XED in older traces; and UTF-16.
        old = (b'<CPU><HasXMM>true</HasXMM></CPU><Xed><Version>56759</Version></Xed>'
               b'<App><Bitness>32</Bitness></App>')
        self.assertEqual(self.findings('plain32', old), [])
        self.assertEqual(self.findings('plain64', self.xml().decode().encode('utf-16')), [])

    def test_what_is_no_xml(self):
        for xml in (b'<a><b></a>', b'<a', self.xml()[:-5], b'<a>\0</a>'):
            found = self.findings('plain64', xml)
            self.assertEqual([f[:2] for f in found], [('xml', 'error')], xml)
            self.assertIn('trace.xml: not XML', found[0][2])

    def test_values(self):
        for xml, message in ((self.xml(bitness='16'), "App/Bitness is '16'"),
                             (self.xml(pid='x'), "App/ProcessID is 'x'"),
                             (self.xml(pid='-1'), "App/ProcessID is '-1'"),
                             (self.xml(version='new'), "Xed/Version is 'new'"),
                             (self.xml(more='<CPU><HasXMM>maybe</HasXMM></CPU>'),
                              "CPU/HasXMM is 'maybe'")):
            self.assertEqual(self.findings('plain64', xml),
                             [('xml-value', 'warning', 'trace.xml: ' + message)])
        self.assertEqual(self.codes('plain64', b''), ['xml-part'])
        self.assertEqual(self.codes('plain64', b'<Xed/>'), ['xml-part'])

    def test_bitness_against_the_code(self):
        for name, bits in (('plain32', '32'), ('plain64', '64')):
            modes = {r['flags'] & 1 for r in expected(name)['exec'] if r['type'] == 0}
            self.assertEqual(modes, {int(bits == '64')})
            self.assertEqual(self.codes(name, self.xml(bitness=bits)), [])
            other = {'32': '64', '64': '32'}[bits]
            self.assertEqual(self.findings(name, self.xml(bitness=other)),
                             [('xml-bitness', 'warning', 'trace.xml: App/Bitness is %s, but all instructions '
                               'are %s-bit code' % (other, bits))])

    def test_the_program_against_the_modules(self):
        names = {m['win'].split('\\')[-1] for m in expected('plain64')['module']}
        self.assertIn('app.exe', names)
        self.assertEqual(self.findings('plain64', self.xml(program='C:\\app.exe.old /x')),
                         [('xml-program', 'note', "trace.xml: no module is named 'app.exe.old'")])


class Feed(Case):
    """Tests ChampSim records of the samples, with classes by names that are made from the disassembly."""

    GENERAL = {'AX': 10, 'CX': 9, 'DX': 8, 'BX': 7, 'SP': 6, 'BP': 5, 'SI': 4, 'DI': 3}
    SEGMENTS = {'CS': 19, 'SS': 20, 'DS': 21, 'ES': 22, 'FS': 23, 'GS': 24}

    def number_of(self, name):
        """Returns Pin's number for a register of the samples."""
        for common, number in self.GENERAL.items():
            if name in (common, 'E' + common, 'R' + common, common[0] + 'L', common[0] + 'H') and (
                    common[1] == 'X' or len(name) > 1 and name[-2:] == common):
                return number
        if name[0] == 'R' and name[1:].rstrip('DWB').isdigit():
            return 3 + int(name[1:].rstrip('DWB'))
        if name.endswith('FLAGS'):
            return 25
        if name in ('IP', 'EIP', 'RIP'):
            return 26
        if name[1:3] == 'MM' and name[0] in 'XYZ':
            return 64 + int(name[3:])
        if name.endswith('BASE'):
            return self.SEGMENTS[name[:2]]
        if name == 'XCR0':
            return 185
        return self.SEGMENTS.get(name, 0)

    def header_of(self, e):
        """Returns the enumeration of the sample's mnemonics, from the first words of the disassembly."""
        longer = {'CALL': 'CALL_NEAR', 'RET': 'RET_NEAR', 'INT3': 'INT3'}
        names = {}
        for ins in e['ins']:
            word = [w for w in ins['asm'].upper().split()
                    if w not in ('REP', 'REPNE', 'REPE', 'LOCK')][0]
            names[ins['dec']['mn']] = longer.get(word, word)
        return ('enum {' + ', '.join('XED_ICLASS_%s=%d' % (n, i) for i, n in names.items()) +
                '};').encode()

    def model(self, e, i, version):
        want = e['exec'][i]
        ins = e['ins'][want['ins']]
        dec, text = ins['dec'], ins['asm']
        kind = ('conditional' if text.startswith('jz') else
                'indirect_call' if text.startswith('call') else
                'return' if text.startswith('ret') else 'not_branch')
        system = text.split()[0] in ('syscall', 'sysenter', 'int3')
        reads, writes, sources, destinations = [], [], [], []
        nothing = ins['type'] == 8
        unreliable = want['flags'] & 0x10 and version == 0
        repeated = dec['flags'] & 3 and want['flags'] & 4
        for n, (slot, value) in enumerate(zip(dec['slots'], want['slots'])):
            if nothing or dec['fo'] <= n < dec['fa']:
                continue
            after = n >= dec['fa']
            if slot[4]:
                if ins['type'] == 9 or unreliable or repeated:
                    continue
                # The address of a later slot is known if an earlier slot contains it;
                # otherwise it may be garbage.
                known = [m for m in range(dec['fa']) if after and dec['slots'][m][4] and
                         dec['slots'][m][0] == slot[0]]
                if after and known:
                    place, value = dec['slots'][known[0]], want['slots'][known[0]]
                elif after and want['flags'] & 0xF0:
                    continue
                else:
                    place = slot
                (writes if after else reads).append(
                    ((place[3], slot[2], place[4]), address(value[0], place[4])))
            else:
                number = self.number_of(e.names[slot[0]]) if slot[0] < 0xFFF0 else 0
                if number and not (system and number == 26):
                    (destinations if after else sources).append(number)
        unique = lambda all: list(dict.fromkeys(all))
        return kind, unique(destinations), unique(sources), [a for _, a in unique(writes)], [
            a for _, a in unique(reads)]

    @support.needs('zydis')
    def test_every_instruction(self):
        for name in SAMPLES:
            e = expected(name)
            front = file_bytes(os.path.join(sample(name), 'exec.vtable'))[:4]
            version = struct.unpack('<I', front)[0]
            out = self.path('t.champsimtrace')
            header = self.write('iclass.h', self.header_of(e))
            self.run_ok('trace_convert', '--names', header, sample(name), out)
            got = records(file_bytes(out))
            rows = [r for r in e['exec'] if r['type'] == 0]
            self.assertEqual(len(got), len(rows))
            branches = 0
            for g, want in zip(got, rows):
                kind, d, s, w, r = self.model(e, want['id'], version)
                note = (name, want['id'], e['ins'][want['ins']]['asm'])
                self.assertEqual(g['ip'], hexadecimal(e['ins'][want['ins']]['addr']), note)
                self.assertEqual(support.branch_class(g), kind, note)
                self.assertEqual(g['is_branch'], int(kind != 'not_branch'), note)
                taken = kind != 'not_branch' and not (kind == 'conditional' and want['flags'] & 4)
                self.assertEqual(g['branch_taken'], int(taken), note)
                # An address of 0 cannot be distinguished from an unused slot.
                self.assertEqual([a for a in g['destination_memory'] if a],
                                 [a for a in w if a][:2], note)
                self.assertEqual([a for a in g['source_memory'] if a], [a for a in r if a][:4],
                                 note)
                if kind == 'not_branch':
                    self.assertEqual([x for x in g['destination_registers'] if x], d[:2], note)
                    self.assertEqual([x for x in g['source_registers'] if x], s[:4], note)
                branches += taken
            self.assertGreater(branches, 10)

    @support.needs('zydis')
    def test_one_thread_and_the_simulator(self):
        e = expected('plain64')
        got = json.loads(self.run_ok('frontend_sim', '--json', sample('plain64')))
        self.assertEqual(got['format'], 'umtracer')
        self.assertEqual(got['instructions'], sum(r['type'] == 0 for r in e['exec']))
        one = json.loads(self.run_ok('frontend_sim', '--json', '--thread', '1', sample('plain64')))
        self.assertEqual(one['instructions'],
                         sum(r['type'] == 0 and r['tid'] == 1 for r in e['exec']))


class BadInput(Case):
    def test_what_is_no_trace(self):
        table = os.path.join(sample('plain64'), 'ins.itable')
        for path, words in ((self.folder, 'lacks exec.vtable'), (table, 'open the folder')):
            for program in ('trace_view', 'frontend_sim', 'trace_check'):
                r = self.run_tool(program, path)
                self.assertEqual(r.returncode, 1, r.stderr)
                self.assertIn(words, r.stderr)
        r = self.run_tool('trace_view', '--format', 'umtracer', support.WORK)
        self.assertEqual(r.returncode, 1)
        self.assertIn('is a folder', r.stderr)

    def test_each_file_missing_empty_or_cut(self):
        trace = self.copy('plain32')
        for name in FILES:
            path = os.path.join(trace, name)
            whole = file_bytes(path)
            table = 'xml' if name == 'trace.xml' else 'exec'
            for cut in (None, 0, 7, len(whole) - 1):
                os.remove(path)
                if cut is not None:
                    with open(path, 'wb') as f:
                        f.write(whole[:cut])
                r = self.run_tool('trace_view', '--table', table, '-n', 'all', '-c', trace)
                self.assertIn(r.returncode, (0, 1), (name, cut, r.stderr))
                if r.returncode == 1:
                    if not (cut is None and name == 'exec.vtable'):
                        self.assertIn(name, r.stderr)
                    self.assertNotIn('terminate', r.stderr)
                if cut is None:
                    open(path, 'w').close()
            with open(path, 'wb') as f:
                f.write(whole)
        self.run_ok('trace_view', '-n', 'all', '-c', trace)

    def test_an_interrupted_trace(self):
        trace = self.copy('plain32')
        path = os.path.join(trace, 'exec.vtable')
        raw = file_bytes(path)
        with open(path, 'wb') as f:  # the header was never patched, and the end is missing
            f.write(raw[:8] + bytes(8) + raw[16:100_000])
        r = self.run_tool('trace_view', '-c', '-n', 'all', trace)
        self.assertEqual(r.returncode, 1)
        self.assertIn('record_count', r.stderr)
        rows = self.run_ok('trace_view', '--repair', '-c', '-n', 'all', trace).splitlines()
        whole = [r for r in struct.unpack('<401q', file_bytes(os.path.join(trace, 'exec.offsets')))
                 if r <= 100_000]
        self.assertEqual(len(rows), len(whole) - 1)

    @support.needs('zydis')
    def test_a_record_that_lies_is_reached_by_those_before_it(self):
        trace = self.copy('plain32')
        path = os.path.join(trace, 'exec.vtable')
        raw = bytearray(file_bytes(path))
        offsets = struct.unpack('<401q', file_bytes(os.path.join(trace, 'exec.offsets')))
        row = next(r['id'] for r in expected('plain32')['exec'] if r['type'] == 0 and r['id'] > 50)
        raw[offsets[row] + 6:offsets[row] + 14] = struct.pack('<q', 1 << 40)
        with open(path, 'wb') as f:
            f.write(raw)
        r = self.run_tool('trace_view', '-c', '-n', 'all', trace)
        self.assertEqual(r.returncode, 1)
        self.assertEqual(len(r.stdout.splitlines()), row)
        self.assertIn('exec.vtable: offset %d, record %d, field instruction_id' %
                      (offsets[row] + 6, row), r.stderr)
        r = self.run_tool('frontend_sim', trace)
        self.assertEqual(r.returncode, 1)
        self.assertIn('record %d' % row, r.stderr)

    def test_options_of_other_formats_are_refused(self):
        for options in (['--metadata', 'x.json'], ['--variable', '1'], ['--to', 'rapidbin'],
                        ['--mode', 'raw']):
            r = self.run_tool('trace_convert', *options, sample('plain32'), self.path('out'))
            self.assertIn(r.returncode, (1, 2), (options, r.stderr))
            self.assertFalse(os.path.exists(self.path('out')))
        for options in (['--table', 'exec', support.WORK],
                        ['--table', 'ins', '-s', sample('plain32')],
                        ['--table', 'ins', '--thread', '1', sample('plain32')],
                        ['--table', 'ins', '--layout', sample('plain32')]):
            r = self.run_tool('trace_view', *options)
            self.assertEqual(r.returncode, 2, options)
            self.assertNotEqual(r.stderr, '')

    def test_values_that_are_cut_are_an_error(self):
        trace = self.copy('plain64')
        offsets_path = os.path.join(trace, 'exec.offsets')
        raw = file_bytes(offsets_path)
        offsets = list(struct.unpack('<%dq' % (len(raw) // 8), raw))
        row = next(r['id'] for r in expected('plain64')['exec'] if r['type'] == 0 and r['id'] >= 50)
        # The record is shortened to 4 bytes of values; the other records remain complete.
        path = os.path.join(trace, 'exec.vtable')
        data = file_bytes(path)
        kept = data[:offsets[row] + 18] + data[offsets[row + 1]:]
        gone = offsets[row + 1] - offsets[row] - 18
        with open(path, 'wb') as f:
            f.write(kept)
        with open(offsets_path, 'wb') as f:
            f.write(struct.pack('<%dq' % len(offsets), *(o if i <= row else o - gone
                                                         for i, o in enumerate(offsets))))
        r = self.run_tool('trace_view', '--json', '-n', 'all', trace)
        self.assertEqual(r.returncode, 1)
        self.assertEqual(len(r.stdout.splitlines()), row)
        self.assertIn('record %d, field values' % row, r.stderr)

    @support.needs('pugixml')
    def test_parts_of_the_xml(self):
        every = self.run_ok('trace_view', '--table', 'xml', '-c', sample('plain64')).splitlines()
        some = self.run_ok('trace_view', '--table', 'xml', '-c', '-n', '2', '--skip', '1',
                           sample('plain64')).splitlines()
        self.assertEqual(some, every[1:3])

    def test_two_threads_are_refused(self):
        r = self.run_tool('trace_view', '--thread', '1', '--thread', '2', sample('plain64'))
        self.assertEqual((r.returncode, r.stdout), (2, ''))

    def test_a_name_of_another_format_is_refused(self):
        for name in ('o.trace64', 'o.trace32.xz', 'o.rapidbin', 'o.std'):
            r = self.run_tool('trace_convert', sample('plain64'), self.path(name))
            self.assertEqual(r.returncode, 2, name)
            self.assertFalse(os.path.exists(self.path(name)))

    @support.needs('zydis')
    def test_the_format_may_be_named(self):
        self.run_ok('trace_convert', '--to', 'champsim', sample('plain64'), self.path('o.trace64'))

    def test_text_does_not_steer_the_terminal(self):
        trace = self.copy('plain64')
        path = os.path.join(trace, 'ins.itable')
        with open(path, 'rb') as f:
            raw = f.read()
        at = raw.index(b'add ch, 0x11')
        with open(path, 'wb') as f:
            f.write(raw[:at] + b'a\x1b[1m\nch, 12' + raw[at + 12:])
        out = self.run_ok('trace_view', '-c', '-n', '1', '--skip', '1', trace)
        self.assertIn('Disasm a\\x1b[1m\\x0ach', out)
        self.assertEqual(len(out.splitlines()), 1)
        row = json.loads(self.run_ok('trace_view', '--json', '-n', '1', '--skip', '1', trace))
        self.assertIn('a\x1b[1m\nch', row['Disasm'])

    def test_a_mnemonic_with_another_prefix_inside(self):
        header = self.write('ic.h', b'enum { XED_ICLASS_MOV = 637, XED_ICLASS_SYSCALL_AMD };')
        self.run_ok('trace_view', '--table', 'ins', '-n', '1', '--names', header, sample('plain64'))


if __name__ == '__main__':
    support.main()
