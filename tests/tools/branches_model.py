# The branch that decided that an instruction of an x64dbg trace was executed, by the rule of docs/programs/trace_query.md.

SP = {'x64': 4, 'x86': 4}  # word of REGDUMP


def kind_of(code):
    """Returns the kind of branch: call, conditional, indirect or None."""
    n = 0
    while code[n] in (0x2e, 0x3e, 0x26, 0x64, 0x65, 0x66, 0xf2, 0xf3) or 0x40 <= code[n] < 0x50 and len(code) > 2:
        n += 1
    first, second = code[n], code[n + 1] if n + 1 < len(code) else 0
    if first == 0xe8 or first == 0xff and second >> 3 & 7 in (2, 3):
        return 'call'
    if 0x70 <= first < 0x80 or first == 0x0f and 0x80 <= second < 0x90 or 0xe0 <= first < 0xe4:
        return 'conditional'
    return 'indirect' if first == 0xff and second >> 3 & 7 in (4, 5) else None


def target_of(ip, code):
    """Returns the target of a conditional branch."""
    size = 4 if len(code) >= 6 else 1
    return ip + len(code) + int.from_bytes(code[-size:], 'little', signed=True)


class Call:
    def __init__(self, function, sp, caller):
        self.function, self.sp, self.caller, self.steps = function, sp, caller, []


def calls_of(blocks):
    """Returns the call of each instruction. A call ends at the first instruction with a higher stack pointer."""
    threads, found = {}, []
    for n, b in enumerate(blocks):
        sp, (stack, enters) = b['state'][SP[b['arch']]], threads.get(b['thread'], ([], False))
        if not stack:
            stack.append(Call(b['ip'], sp, None))
        elif enters:
            stack.append(Call(b['ip'], sp, (stack[-1], stack[-1].steps[-1])))
        while len(stack) > 1 and sp > stack[-1].sp:
            stack.pop()
        code, steps = bytes.fromhex(b['opcode']), stack[-1].steps
        steps.append(n)
        found.append(stack[-1])
        threads[b['thread']] = (stack, kind_of(code) == 'call')
    return found


def decided(blocks):
    """Returns the number of the branch that decided each instruction, or None."""
    calls = calls_of(blocks)
    every = list({id(c): c for c in calls}.values())
    ways, kinds, sides, targets = {}, {}, {}, {}
    for c in every:
        for n, after in zip(c.steps, c.steps[1:] + [None]):
            b = blocks[n]
            key, code = (c.function, b['ip']), bytes.fromhex(b['opcode'])
            ways.setdefault(key, set()).add('end' if after is None else (c.function, blocks[after]['ip']))
            kinds[key] = kind_of(code)
            if kinds[key] == 'conditional':
                targets[key] = (c.function, target_of(b['ip'], code))
            if after is not None:
                sides.setdefault(key, set()).add(blocks[after]['ip'] != b['ip'] + len(code))
                sides[key, 'next'] = (c.function, b['ip'] + len(code))
    for key, kind in kinds.items():
        if kind == 'conditional' and sides.get(key) == {True}:
            ways[key].add(sides[key, 'next'] if sides[key, 'next'] in ways else 'end')
        elif kind == 'conditional' and sides.get(key) != {True, False}:
            ways[key].add(targets[key] if targets[key] in ways else 'end')
    # The instructions on all ways to the end, as the largest solution of the equations.
    number = {key: i for i, key in enumerate(ways)}
    on_all = {key: -1 for key in ways}
    on_all['end'] = 0
    changed = True
    while changed:
        changed = False
        for key in reversed(list(ways)):
            now = 1 << number[key] | _all(on_all[w] for w in ways[key])
            changed, on_all[key] = changed or now != on_all[key], now
    result = {}
    for n in range(len(blocks)):
        c, key = calls[n], (calls[n].function, blocks[n]['ip'])
        live = c.__dict__.setdefault('live', [])  # branches after which nothing on all ways was executed
        live[:] = [(at, branch) for at, branch in live
                   if branch == key or not on_all[branch] >> number[key] & 1]
        result[n] = live[-1][0] if live else c.caller and result[c.caller[1]]
        if kinds[key] in ('conditional', 'indirect') and len(ways[key]) > 1:
            live[:] = [one for one in live if one[1] != key] + [(n, key)]
    return result


def _all(sets):
    found = -1
    for s in sets:
        found &= s
    return found
