# trace_gdb: a client of the remote protocol and the real gdb step through traces. Registers, memory and stops are compared
# with traces that Python reads, and with random programs whose states are known.
import functools
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import support
from support import PROGRAMS, SED, WORK, ProgramTest, content, needs, run
from x64dbg_model import CIP, Trace, next_of_thread, regdump

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tenet'))
import make_tenet  # noqa: E402

WRITE, READ, ACCESS = 2, 3, 4


def sample(name):
    return os.path.join(os.path.dirname(SED), name)


@functools.cache  # the states of all instructions take seconds
def blocks_of(name):
    return Trace(content(sample(name))).blocks


def framed(payload):
    return b'$%s#%02x' % (payload, sum(payload) & 255)


class Client:
    """Client of the remote protocol."""

    def __init__(self, *args):
        self.process = subprocess.Popen([PROGRAMS['trace_gdb'], '--stdio', *args], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        self.bytes = b''

    def send(self, raw):
        self.process.stdin.write(raw)

    def byte(self):
        if not self.bytes:
            self.bytes = os.read(self.process.stdout.fileno(), 65536)
            assert self.bytes, self.process.stderr.read()
        first, self.bytes = self.bytes[:1], self.bytes[1:]
        return first

    def reply(self):
        """Returns the content of the next packet."""
        assert self.byte() == b'$'
        raw = b''
        while (c := self.byte()) != b'#':
            raw += c
        assert int(self.byte() + self.byte(), 16) == sum(raw) & 255
        return re.sub(rb'}(.)', lambda m: bytes([m[1][0] ^ 0x20]), raw, flags=re.S)

    def __call__(self, payload):
        payload = payload if isinstance(payload, bytes) else payload.encode()
        self.send(framed(payload))
        assert self.byte() == b'+'
        answer = self.reply()
        self.send(b'+')
        return answer.decode('latin-1')

    def monitor(self, command):
        text = self('qRcmd,' + command.encode().hex())
        return bytes.fromhex(text).decode() if text != 'OK' else ''

    def transfer(self, what, annex=''):
        text, part = '', 'm'
        while part[0] == 'm':
            part = self('qXfer:%s:read:%s:%x,%x' % (what, annex, len(text), 100))
            text += part[1:]
        return text

    def position(self):
        return int(re.match(r'before instruction (\d+) of', self.monitor('where'))[1])

    def go_to(self, n):
        text = self.monitor('goto %d' % n)
        assert text.startswith('before instruction %d of' % n), text

    def description(self):
        return [(r.get('name'), int(r.get('bitsize')) // 8)
                for r in ElementTree.fromstring(self.transfer('features', 'target.xml')).iter('reg')]

    def registers(self):
        """Returns the values by name, None for those that are unavailable."""
        raw, at, values = self('g'), 0, {}
        for name, size in self.description_once():
            part = raw[at:at + 2 * size]
            at += 2 * size
            values[name] = None if 'x' in part else int.from_bytes(bytes.fromhex(part), 'little')
        assert at == len(raw)
        return values

    def description_once(self):
        if not hasattr(self, 'known'):
            self.known = self.description()
        return self.known

    def memory(self, address, size):
        raw = self('m%x,%x' % (address, size))
        return b'' if raw.startswith('E') else bytes.fromhex(raw)

    def stop(self):
        self.process.kill()
        self.process.communicate()

    def end(self):
        """Ends the session. Returns the messages and the exit status."""
        _, errors = self.process.communicate(timeout=60)
        return errors, self.process.returncode


class Bytes:
    """Known values of the bytes of memory before each instruction of a Tenet program."""

    def __init__(self, made):
        self.events = {}  # by address: number of the instruction, value before or None, value after or None
        for n, i in enumerate(made.instructions):
            for a in i.accesses:
                for k, value in enumerate(a.data):
                    self.events.setdefault(a.address + k, []).append((n, a.kind, value))

    def at(self, address, position):
        events = self.events.get(address, [])
        for n, kind, value in reversed(events):
            if n < position:
                return value
        for n, kind, value in events:
            if n >= position:
                # Tenet lists the bytes after an instruction, so a read by the writer shows the new ones.
                return value if kind == 'mr' and not any(
                    m == n and k == 'mw' for m, k, _ in events) else None
        return None

    def writers(self, address):
        return sorted({n for n, kind, _ in self.events.get(address, []) if kind == 'mw'})


class Gdb(ProgramTest):
    program = 'trace_gdb'

    def client(self, *args):
        client = Client(*args)
        self.addCleanup(client.stop)
        return client

    def tenet(self, dialect='amd64', steps=600, seed=77):
        made = make_tenet.Program(seed, steps, dialect)
        return made, self.write(dialect + '.tenet.log', made.text().encode())

    def unpacked(self, name):
        return self.write(name[:-3], content(sample(name)))

    def index(self, path):
        r = run('trace_index', path)
        self.assertEqual(r.returncode, 0, r.stderr)

    @needs('simdjson', 'zydis')
    def test_registers(self):
        """Every register of x64dbg's traces, at random places, in all threads."""
        places = {'eflags': 'eflags', 'fctrl': 'x87.control_word', 'fstat': 'x87.status_word', 'ftag': 'x87.tag_word'}
        for name in ('work32.trace32.xz', 'threads3_64.trace64.xz'):
            path, blocks = self.unpacked(name), blocks_of(name)
            arch = blocks[0]['arch']
            word = 8 if arch == 'x64' else 4
            fields = {name: (at, size) for name, at, size in regdump(arch)}
            client, seen = self.client(path), set()
            for n in random.Random(5).sample(range(len(blocks)), 100):
                client.go_to(n)
                state = blocks[n]['state']
                raw = b''.join(state[w].to_bytes(word, 'little') for w in sorted(state))
                self.assertEqual(client('qC'), 'QC%x' % blocks[n]['thread'])
                for name, value in client.registers().items():
                    field = 'rflags' if name == 'eflags' and arch == 'x64' else places.get(name, name)
                    part = slice(None)
                    if name.endswith('h') and name.startswith('ymm'):
                        field, part = name[:-1], slice(16, 32)
                    if field not in fields:
                        continue
                    at, size = fields[field]
                    want = int.from_bytes(raw[at:at + size][part], 'little')
                    if name == 'eflags':
                        want &= 0xffffffff
                    if value is not None:
                        self.assertEqual(value, want, (path, n, name))
                        seen.add(name)
            for name in ('rip', 'r15', 'ymm15h', 'xmm15') if arch == 'x64' else ('eip', 'edi', 'xmm7'):
                self.assertIn(name, seen)
            client.end()

    @needs('simdjson', 'zydis')
    def test_steps_of_threads(self):
        path = self.unpacked('threads3_64.trace64.xz')
        blocks = blocks_of('threads3_64.trace64.xz')
        after = next_of_thread(blocks)
        client = self.client(path)
        self.assertIn('ReverseStep+', client('qSupported:swbreak+;xmlRegisters=i386'))
        here, rng = 0, random.Random(9)
        client.go_to(2000)
        here = 2000
        for _ in range(300):
            to = after[here]
            reply = client('vCont;s:%x;c' % blocks[here]['thread'])
            self.assertEqual(reply, 'T05thread:%x;' % blocks[here]['thread'])
            here = to['index']
            self.assertEqual(client.position(), here)
        before = {b['index']: n for n, b in enumerate(after) if b is not None}
        for _ in range(300):
            self.assertEqual(client('bs'), 'T05thread:%x;' % blocks[here]['thread'])
            here = before[here]
            self.assertEqual(client.position(), here)
        # Threads that have begun, and have not ended.
        for n in rng.sample(range(len(blocks)), 20):
            client.go_to(n)
            want = {b['thread'] for b in blocks[:n + 1]} & {b['thread'] for b in blocks[n:]}
            self.assertEqual({int(t, 16) for t in client('qfThreadInfo')[1:].split(',')}, want)
            self.assertEqual({int(t.get('id'), 16) for t in ElementTree.fromstring(client.transfer('threads'))},
                             want)
            for thread in want:
                self.assertEqual(client('Hg%x' % thread), 'OK')
                state = next(b for b in blocks[n:] if b['thread'] == thread)['state']
                self.assertEqual(client.registers()['rip'], state[CIP['x64']])
        self.assertEqual(client('T1'), 'E16')

    def test_ends_and_breakpoints(self):
        for dialect in ('amd64', 'x86', 'aarch64'):
            made, path = self.tenet(dialect)
            ips = [i.ip for i in made.instructions]
            client = self.client(path)
            self.assertEqual(client('bc'), 'T05replaylog:begin;thread:1;')
            self.assertEqual(client('c'), 'T05replaylog:end;thread:1;')
            self.assertEqual(client.position(), len(ips) - 1)
            self.assertEqual(client('s'), 'T05replaylog:end;thread:1;')
            client('qSupported:swbreak+')
            rng = random.Random(3)
            for _ in range(40):
                points = rng.sample(ips, 3)
                for p in points:
                    self.assertEqual(client('Z%d,%x,4' % (rng.randrange(2), p)), 'OK')
                here = rng.randrange(len(ips))
                client.go_to(here)
                forward = next((n for n in range(here + 1, len(ips)) if ips[n] in points), None)
                reply = client(rng.choice(('c', 'vCont;c', 'vCont;c:-1')))
                self.assertEqual(reply.startswith('T05swbreak:;'), forward is not None)
                self.assertEqual(client.position(), len(ips) - 1 if forward is None else forward)
                client.go_to(here)
                back = next((n for n in reversed(range(here)) if ips[n] in points), None)
                self.assertEqual(client('bc').startswith('T05swbreak:;'), back is not None)
                self.assertEqual(client.position(), back or 0)
                for p in points:
                    self.assertEqual(client('z0,%x,4' % p), 'OK')

    def test_registers_and_memory_of_programs(self):
        for dialect in ('amd64', 'x86', 'aarch64'):
            made, path = self.tenet(dialect)
            states, known = made.states(), Bytes(made)
            names = {'lr': 'x30'}
            for indexed in (False, True):
                if indexed:
                    self.index(path)
                client, rng = self.client(path), random.Random(4)
                for n in rng.sample(range(len(states)), 100):
                    client.go_to(n)
                    values = client.registers()
                    for name, value in states[n].items():
                        self.assertEqual(values.pop(names.get(name, name)), value, (n, name))
                    self.assertEqual(values.pop(made.pc), made.instructions[n].ip)
                    self.assertEqual(set(values.values()), {None})
                    address = 0x8ff0 + rng.randrange(600)
                    want = b''
                    for k in range(64):
                        value = known.at(address + k, n)
                        if value is None:
                            break
                        want += bytes([value])
                    self.assertEqual(client.memory(address, 64), want, (n, hex(address)))

    def test_watchpoints(self):
        """Watchpoints of all types and sizes, with the index and without it."""
        for dialect in ('amd64', 'x86', 'aarch64'):
            made, path = self.tenet(dialect)
            before = dialect == 'aarch64'  # such a processor stops before the access
            for indexed in (False, True):
                if indexed:
                    self.index(path)
                client, rng = self.client(path), random.Random(6)
                for _ in range(100):
                    kind, size = rng.choice((WRITE, READ, ACCESS)), rng.choice((1, 2, 4, 8, 16))
                    address, here = 0x9000 + rng.randrange(512), rng.randrange(len(made.instructions))
                    hits = [n for n, i in enumerate(made.instructions) for a in i.accesses
                            if a.address < address + size and address < a.address + len(a.data)
                            and kind in (ACCESS, WRITE if a.kind == 'mw' else READ)]
                    self.assertEqual(client('Z%d,%x,%x' % (kind, address, size)), 'OK')
                    name = {WRITE: 'watch', READ: 'rwatch', ACCESS: 'awatch'}[kind]
                    stopped = 'T05%s:%x;thread:1;' % (name, address)
                    client.go_to(here)
                    reply = client('c')
                    first = next((n for n in hits if n >= here), None)
                    if first is not None and first < len(made.instructions) - 1:
                        self.assertEqual((reply, client.position()), (stopped, first + (0 if before else 1)))
                    else:
                        self.assertEqual(reply, 'T05replaylog:end;thread:1;')
                    client.go_to(here)
                    reply = client('bc')
                    last = next((n for n in reversed(hits) if n < here), None)
                    if last is not None:
                        self.assertEqual((reply, client.position()), (stopped, last + (1 if before else 0)))
                    else:
                        self.assertEqual(reply, 'T05replaylog:begin;thread:1;')
                    self.assertEqual(client('z%d,%x,%x' % (kind, address, size)), 'OK')

    def gdb(self, path, *commands, debugger='gdb'):
        """Returns the lines that gdb prints."""
        if not shutil.which(debugger):
            self.skipTest(debugger + ' is not installed')
        script = self.write('script', '\n'.join(
            ['set pagination off', 'set confirm off', 'set width 0', 'set can-use-hw-watchpoints 1',
             'define at', 'monitor goto $arg0', 'maintenance flush register-cache', 'end',
             'target remote | %s --stdio %s' % (PROGRAMS['trace_gdb'], path), *commands]).encode())
        r = subprocess.run([debugger, '-nx', '-q', '-batch', '-x', script], capture_output=True, text=True,
                           timeout=150)
        self.assertNotIn('Error in sourced command file', r.stderr)
        # Messages of the target, such as answers of `monitor`, are on standard error.
        return (r.stdout + r.stderr).splitlines()

    @needs('simdjson', 'zydis')
    def test_gdb_registers(self):
        for name, registers in (('work32.trace32.xz', 'eax ecx edx ebx esp ebp esi edi eip'),
                                ('threads3_64.trace64.xz', 'rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 '
                                                           'r14 r15 rip')):
            path = self.unpacked(name)
            self.index(path)
            blocks, names = blocks_of(name), registers.split()
            script, want = [], []
            for n in random.Random(8).sample(range(len(blocks) - 1), 40):
                form = ' '.join(['%lx'] * len(names))
                show = 'printf "= %s\\n", %s' % (form, ', '.join('(unsigned long)$' + r for r in names))
                state = blocks[n]['state']
                script += ['at %d' % n, 'python select(%d)' % blocks[n]['thread'], show]
                want.append('= ' + ' '.join('%x' % state[w] for w in
                                            [*range(len(names) - 1), CIP[blocks[n]['arch']]]))
            select = ['python', 'def select(number):', '  gdb.selected_inferior().threads()',
                      '  gdb.execute("info threads", to_string=True)',
                      '  next(t for t in gdb.selected_inferior().threads() if t.ptid[1] == number).switch()', 'end']
            printed = [line for line in self.gdb(path, *select, *script) if line.startswith('= ')]
            self.assertEqual(printed, want)

    def check_gdb_steps(self, dialect, debugger):
        made, path = self.tenet(dialect)
        ips = [i.ip for i in made.instructions]
        script, want = [], []
        here, rng = 0, random.Random(2)
        for _ in range(120):
            command, by = rng.choice((('stepi', 1), ('reverse-stepi', -1), ('stepi 3', 3), ('reverse-stepi 2', -2)))
            if not 0 <= here + by < len(ips):
                continue
            here += by
            script += [command, 'printf "= %lx\\n", (unsigned long)$pc']
            want.append('= %x' % ips[here])
        # Breakpoints, from both sides.
        point = max(set(ips), key=ips.count)
        script += ['break *0x%x' % point, 'at 0']
        for _ in range(3):
            script += ['continue', 'monitor where']
        script += ['at %d' % (len(ips) - 1)]
        for _ in range(3):
            script += ['reverse-continue', 'monitor where']
        hits = [n for n, ip in enumerate(ips) if ip == point]
        stops = [n for n in hits if n > 0][:3] + [n for n in reversed(hits) if n < len(ips) - 1][:3]
        printed = self.gdb(path, *script, debugger=debugger)
        self.assertEqual([line for line in printed if line.startswith('= ')], want)
        found = [int(m[1]) for line in printed if (m := re.match(r'before instruction (\d+) ', line))]
        # The command `at` prints the place, too.
        self.assertEqual(found, [0, *stops[:3], len(ips) - 1, *stops[3:]])

    def check_gdb_watch(self, dialect, debugger):
        """`watch` and reverse-continue find the instruction that wrote a value."""
        made, path = self.tenet(dialect)
        self.index(path)
        known, last = Bytes(made), len(made.instructions) - 1
        addresses = [a for a in range(0x9000, 0x9200)
                     if len(known.writers(a)) >= 4 and known.at(a, 0) is not None][:6]
        self.assertGreaterEqual(len(addresses), 3)
        script, want = [], []
        for address in addresses:
            writers = [n for n in known.writers(address)
                       if known.at(address, n) != known.at(address, n + 1) and n < last]
            # GDB keeps the value that it saw last, so a watchpoint is set after each jump.
            watch = 'watch *(unsigned char*)0x%x' % address
            script += ['at 0', watch, *['continue', 'monitor where'] * 3, 'delete',
                       'at %d' % last, watch, *['reverse-continue', 'monitor where'] * 3, 'delete']
            # GDB stops after a write, or before it on the way back.
            want += [0] + [n + 1 for n in writers][:3] + [last] + [n for n in reversed(writers)][:3]
        printed = self.gdb(path, *script, debugger=debugger)
        self.assertEqual(sum(bool(re.match(r'Hardware watchpoint \d+: ', line)) for line in printed),
                         len(addresses) * 8, printed)
        found = [int(m[1]) for line in printed if (m := re.match(r'before instruction (\d+) ', line))]
        self.assertEqual(found, want, printed)

    def test_gdb_steps(self):
        self.check_gdb_steps('amd64', 'gdb')
        self.check_gdb_steps('x86', 'gdb')

    def test_gdb_watch(self):
        self.check_gdb_watch('amd64', 'gdb')
        self.check_gdb_watch('x86', 'gdb')

    def test_gdb_multiarch(self):
        self.check_gdb_steps('aarch64', 'gdb-multiarch')
        self.check_gdb_watch('aarch64', 'gdb-multiarch')

    def test_formats_without_values(self):
        client = self.client(WORK)
        self.assertEqual({name for name, value in client.registers().items() if value is not None}, {'rip'})
        self.assertEqual(client('m400000,10'), 'E0e')
        errors, code = client.end()
        self.assertEqual(code, 0)
        self.assertIn(b'no values: only the program counter is known', errors)

    def test_changes_are_refused(self):
        _, path = self.tenet()
        client = self.client(path)
        for packet in ('G' + '00' * 16, 'P0=00', 'M9000,1:00', 'X9000,1:0', 'X9000,0:'):
            self.assertEqual(client(packet), 'E1e')

    def test_broken_packets(self):
        _, path = self.tenet()
        client = self.client(path)
        # A damaged packet is asked for again, and a reply is sent again.
        client.send(b'$qC#00')
        self.assertEqual(client.byte(), b'-')
        self.assertEqual(client('qC'), 'QC1')
        client.send(b'-')
        self.assertEqual(client.reply(), b'QC1')
        client.send(b'noise+++' + b'$half$qC#b4')
        self.assertEqual((client.byte(), client.reply()), (b'+', b'QC1'))
        client.send(b'$qC#zz')
        self.assertEqual(client.byte(), b'-')
        for packet in ('', 'y', 'qUnknown', 'vMustReplyEmpty', 'Z9,1,1', 'bx', 'H', '!', 'qXfer:memory-map:read::0,10'):
            self.assertEqual(client(packet), '', packet)
        for packet in ('m', 'm1', 'm1,', 'mg,1', 'm1,1x', 'm11111111111111111,1', 'p', 'pz', 'pffff', 'p-1', 'Z0', 'Z0,',
                       'Z2,1,0', 'Z2,ffffffffffffffff,2', 'Z0,1,1;X', 'Hg', 'Hgzz', 'Hg99', 'Tzz', 'vCont;', 'vCont;q',
                       'vCont;S', 'vCont;s:77', 'qRcmd,1', 'qRcmd,zz', 'qXfer:features:read:target.xml:0',
                       'qXfer:features:read:target.xml:99999,1', 'm' + '1' * 20000):
            self.assertEqual(client(packet), 'E16', packet)
        self.assertEqual(client('qXfer:features:read:other.xml:0,10'), 'E00')
        self.assertEqual(client('mffffffffffffffff,ffffffffffffffff'), 'E0e')
        # Points have a limit.
        replies = [client('Z0,%x,1' % n) for n in range(1100)]
        self.assertEqual(replies, ['OK'] * 1024 + ['E16'] * 76)
        self.assertEqual(client('QStartNoAckMode'), 'OK')
        client.send(framed(b'qC'))
        self.assertEqual(client.reply(), b'QC1')
        errors, code = client.end()
        self.assertEqual(code, 0)

    def test_monitor(self):
        made, path = self.tenet()
        client = self.client(path)
        writers = Bytes(made).writers(0x9040)
        here = writers[-1]
        client.go_to(here)
        self.assertTrue(client.monitor('last-write 0x9040').startswith('[%d] ' % writers[-2]))
        self.assertTrue(client.monitor('next-write 0x9040').startswith('[%d] ' % here))
        setters = [n for n, i in enumerate(made.instructions[:here]) if 'rbx' in i.changes]
        self.assertTrue(client.monitor('last-set rbx').startswith('[%d] ' % setters[-1]))
        self.assertTrue(client.monitor('origin rbx').startswith('[%d] ' % setters[-1]))
        for command in ('goto', 'goto x', 'goto 600', 'goto -1', 'where 1', 'last-write', 'last-write rax', 'last-set 0x1',
                        'origin nothing', 'nothing', '\x1b[31m'):
            self.assertRegex(client.monitor(command), 'expected|operand|unknown command', command)
            self.assertEqual(client.position(), here)

    def test_modules(self):
        _, path = self.tenet()
        self.write('amd64.tenet.log.maps.json', b'{"version": 1, "modules": [{"base": "0x400000", "size": 8192, '
                                                b'"path": "/opt/a&b"}]}')
        libraries = self.client(path).transfer('libraries')
        self.assertEqual([(l.get('name'), l[0].get('address')) for l in ElementTree.fromstring(libraries)],
                         [('/opt/a&b', '0x400000')])

    def test_port(self):
        _, path = self.tenet()
        server = subprocess.Popen([PROGRAMS['trace_gdb'], '--port', '0', path], stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.kill)
        while not (m := re.search(r'target remote 127\.0\.0\.1:(\d+)', server.stderr.readline())):
            pass
        with socket.create_connection(('127.0.0.1', int(m[1]))) as s:
            s.sendall(framed(b'qC'))
            self.assertEqual(s.recv(100)[:1], b'+')
            s.sendall(framed(b'D'))
            while s.recv(100):
                pass
        self.assertEqual(server.wait(timeout=60), 0)
        server.stderr.close()

    def test_command_line(self):
        _, path = self.tenet()
        self.bad(2, path, about=b'--stdio or --port')
        self.bad(2, '--stdio', '--port', '1', path)
        self.bad(2, '--stdio', '-', about=b'file first')
        self.bad(1, '--no-index', '--port', '0', '--listen', 'localhost.invalid', path, about=b'numeric address')
        self.bad(2, '--stdio', os.path.join(os.path.dirname(SED), 'rapidbin', 'r250.data'), about=b'instructions')


if __name__ == '__main__':
    support.main()
