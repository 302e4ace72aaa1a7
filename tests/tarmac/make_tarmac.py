"""Makes Tarmac text of a random 64-bit program, in the styles of Fast Models (it), of processors (es) and of
gem5, as docs/formats/tarmac.md describes it, and lists the rows that it contains."""

import collections
import random

# A register with its value and size, and an access with its bytes.
Register = collections.namedtuple('Register', 'name value size')
Access = collections.namedtuple('Access', 'write address data')
Step = collections.namedtuple('Step', 'ip code text executed branch taken target written read registers accesses event')

CONDITIONS = ('EQ', 'NE', 'CS', 'CC', 'MI', 'PL', 'VS', 'VC', 'HI', 'LS', 'GE', 'LT', 'GT', 'LE')


def field(value, bits):
    return value & ((1 << bits) - 1)


class Program:
    """`steps` are executed instructions, and `start` are the registers before the first one."""

    def __init__(self, seed, count):
        self.rng = random.Random(seed)
        self.start = [Register('cpsr', 0x3cd, 4)] + [Register('X%d' % n, 0, 8) for n in range(31)]
        self.steps, ip = [], 0x8000
        for _ in range(count):
            step = self.instruction(ip)
            self.steps.append(step)
            ip = step.target if step.taken else ip + 4

    def instruction(self, ip):
        rng = self.rng
        d, n, m = rng.sample(range(29), 3)
        value, address = rng.getrandbits(64), rng.randrange(0x10000, 0x20000) * 8 + 0x100000000 * rng.randrange(2)
        offset = 4 * rng.choice([k for k in range(-40, 40) if k not in (0, 1) and ip + 4 * k >= 0x8000])
        to = ip + offset
        condition = rng.randrange(14)
        event = 'E %08x 00000084 CoreEvent_Test' % ip if rng.random() < 0.02 else None
        X = lambda k, v: Register('X%d' % k, v, 8)

        def step(code, text, written=(), read=(), registers=(), accesses=(), branch='not_branch', executed=True,
                 target=None):
            taken = target is not None
            return Step(ip, code, text, executed, branch, taken, target or 0, list(written), list(read),
                        list(registers), list(accesses), event)
        data = lambda size: bytes(rng.getrandbits(8) for _ in range(size))

        def load(code, text, size, registers, pair=False):
            one = data(size)
            many = [Access(False, address, one)] + [Access(False, address + size, data(size))] * pair
            return step(code, text, [r.name.lower() for r in registers(many)], ['x%d' % n], registers(many), many)
        number = lambda b: int.from_bytes(b, 'little')
        kind = rng.randrange(13)
        if kind == 0:
            return step(0xd2800000 | field(value, 16) << 5 | d, 'MOV      x%d,#%#x' % (d, field(value, 16)), ['x%d' % d],
                        [], [X(d, field(value, 16))])
        if kind == 1:
            return step(0x8b000000 | m << 16 | n << 5 | d, 'ADD      x%d,x%d,x%d' % (d, n, m), ['x%d' % d],
                        ['x%d' % n, 'x%d' % m], [X(d, value)])
        if kind == 2:
            flags = rng.randrange(16) << 28 | 0x3cd
            return step(0xeb00001f | m << 16 | n << 5, 'CMP      x%d,x%d' % (n, m), ['nzcv'], ['x%d' % n, 'x%d' % m],
                        [Register('cpsr', flags, 4)])
        if kind == 3:
            return load(0xf9400000 | n << 5 | d, 'LDR      x%d,[x%d,#0]' % (d, n), 8, lambda a: [X(d, number(a[0].data))])
        if kind == 4:
            return load(0x39400000 | n << 5 | d, 'LDRB     w%d,[x%d,#0]' % (d, n), 1, lambda a: [X(d, number(a[0].data))])
        if kind == 5:
            return load(0xa9400000 | m << 10 | n << 5 | d, 'LDP      x%d,x%d,[x%d]' % (d, m, n), 8,
                        lambda a: [X(d, number(a[0].data)), X(m, number(a[-1].data))], True)
        if kind == 6:
            return step(0xb9000000 | n << 5 | d, 'STR      w%d,[x%d,#0]' % (d, n), [], ['x%d' % n, 'x%d' % d], [],
                        [Access(True, address, data(4))])
        if kind == 7:
            return step(0x4e200400 | m << 16 | n << 5 | d, 'SHADD    v%d.16b,v%d.16b,v%d.16b' % (d, n, m), ['v%d' % d],
                        ['v%d' % n, 'v%d' % m], [Register('q%d' % d, rng.getrandbits(128), 16)])
        if kind == 8:
            taken = rng.random() < 0.6
            return step(0x54000000 | field(offset // 4, 19) << 5 | condition, 'B.%s     {pc}%+#x ; %#x' % (
                CONDITIONS[condition], offset, to), [], ['nzcv'], branch='conditional', executed=taken,
                target=to if taken else None)
        if kind == 9:
            return step(0x14000000 | field(offset // 4, 26), 'B        {pc}%+#x ; %#x' % (offset, to), branch='direct_jump',
                        target=to)
        if kind == 10:
            return step(0x94000000 | field(offset // 4, 26), 'BL       {pc}%+#x ; %#x' % (offset, to), ['x30'],
                        registers=[X(30, ip + 4)], branch='direct_call', target=to)
        if kind == 11:
            return step(0xd65f03c0, 'RET', [], ['x30'], branch='return', target=to)
        return step(0xd61f0000 | n << 5, 'BR       x%d' % n, [], ['x%d' % n], branch='indirect', target=to)

    def text(self, style, newline='\n'):
        """Returns the trace in the style it, es or gem5."""
        time = lambda n: 250 * n if style == 'gem5' else n
        lines = ['Tarmac Text Rev 3t'] if style == 'es' else []
        cpu = 'cpu0 ' if style == 'gem5' else ''

        def add(n, text, timed=False):
            if style == 'es':
                lines.append(('%11d tic ' % time(n) if timed else ' ' * 20) + text)
            else:
                lines.append('%d clk %s%s' % (time(n), cpu, text))

        def add_register(n, r):
            add(n, 'R %s %0*x' % (r.name, 2 * r.size, r.value))
        for r in self.start:
            add_register(0, r)
        for n, s in enumerate(self.steps):
            if style == 'es':
                add(n, 'ES  (%016x:%08x) O el1h_n:  %s%s' % (s.ip, s.code, '' if s.executed else 'CCFAIL ', s.text), True)
            else:
                add(n, 'I%s (%d) %08x %08x O EL1h_n : %s' % ('T' if s.executed else 'S', n + 1, s.ip, s.code, s.text))
            for a in s.accesses:
                if style == 'es':
                    for line in sorted({k & ~15 for k in range(a.address, a.address + len(a.data))}, reverse=True):
                        at = [line + k - a.address for k in range(15, -1, -1)]
                        cells = ['%02x' % a.data[k] if 0 <= k < len(a.data) else '..' for k in at]
                        words = [''.join(cells[k:k + 4]) for k in range(0, 16, 4)]
                        add(n, '%s %016x %s    S:%010x    nGnRnE OSH' % ('ST' if a.write else 'LD', line, ' '.join(words), line))
                else:
                    digits = a.data[::-1].hex()
                    digits = digits if style == 'gem5' or len(digits) < 16 else digits[:8] + '_' + digits[8:]
                    add(n, 'M%s%d %0*x:%012x %s' % ('W' if a.write else 'R', len(a.data), 16 if a.address >> 32 else 8,
                                                         a.address, a.address, digits))
            for r in s.registers:
                add_register(n, r)
            if s.event:
                add(n, s.event, True)
        return newline.join(lines) + newline

    def rows(self, style):
        """Returns the rows of all lines, as trace_convert writes them, without empty columns."""
        all_ = []
        unit = 'tic' if style == 'es' else 'clk'

        def add(n, kind, text, **more):
            shown = time = 250 * n if style == 'gem5' else n
            all_.append(dict(index=n, ip='%#x' % self.steps[n].ip, processor=0, time=shown, unit=unit, line=kind,
                             text=text, **more))

        def add_register(n, r, first=False):
            row = dict(offset=0, value='0x%0*x' % (2 * r.size, r.value))
            add(n, 'register', r.name, **row)
            if first and style == 'es':
                all_[-1].update(unit='clk')  # no line before it has a time
        for r in self.start:
            add_register(0, r, True)
        for n, s in enumerate(self.steps):
            add(n, 'instruction', s.text, executed=s.executed, branch=s.branch, code=s.code.to_bytes(4, 'little').hex())
            for a in s.accesses:
                add(n, 'write' if a.write else 'read', '', address='%#x' % a.address, size=len(a.data),
                    value='0x' + a.data[::-1].hex())
            for r in s.registers:
                add_register(n, r)
            if s.event:
                add(n, 'event', s.event)
        return all_


if __name__ == '__main__':
    import gzip
    import os
    import sys
    made = Program(2024, 400)
    with open(os.path.join(sys.argv[1], 'made.tarmac.gz'), 'wb') as out:
        out.write(gzip.compress(made.text('it').encode(), mtime=0))
    print(len(made.steps), sorted(collections.Counter(s.branch for s in made.steps).items()))
    print('taken', sum(s.taken for s in made.steps), 'skipped', sum(not s.executed for s in made.steps))
    print('lines', sorted(collections.Counter(r['line'] for r in made.rows('it')).items()))
    print('sum', sum(s.ip + s.target + sum(a.address for a in s.accesses) for s in made.steps))
