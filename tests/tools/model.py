# The front end of the format's description once more, in plain Python: what frontend_sim must
# count. Slow and simple on purpose; it shares nothing with the program.
import support


class Lru:
    """`ways` entries for each of `sets`, the latest used last."""

    def __init__(self, sets, ways):
        self.sets, self.ways = [{} for _ in range(sets)], ways

    def get(self, key):
        entries = self.sets[key % len(self.sets)]
        if key not in entries:
            return None
        entries[key] = entries.pop(key)
        return entries[key]

    def put(self, key, value):
        entries = self.sets[key % len(self.sets)]
        entries.pop(key, None)
        if len(entries) == self.ways:
            del entries[next(iter(entries))]
        entries[key] = value


class Bimodal:
    def __init__(self):
        self.counters = [0] * 16384

    def predict(self, ip):
        return self.counters[ip % 16381] >= 2

    def update(self, ip, taken):
        c = self.counters[ip % 16381]
        self.counters[ip % 16381] = min(c + 1, 3) if taken else max(c - 1, 0)


class Gshare:
    def __init__(self):
        self.counters, self.history = [0] * 16384, 0

    def index(self, ip):
        return (self.history ^ ip ^ ip >> 14 ^ ip >> 28) & 0x3fff

    def predict(self, ip):
        return self.counters[self.index(ip)] >= 1

    def update(self, ip, taken):
        i = self.index(ip)
        self.counters[i] = min(self.counters[i] + 1, 3) if taken else max(self.counters[i] - 1, 0)
        self.history = (self.history << 1 | taken) & 0x3fff


class AlwaysTaken:
    def predict(self, ip):
        return True

    def update(self, ip, taken):
        pass


PREDICTORS = {'bimodal': Bimodal, 'gshare': Gshare, 'always-taken': AlwaysTaken}
CLASSES = ['direct_jump', 'indirect', 'conditional', 'direct_call', 'indirect_call', 'return',
           'other']


class Targets:
    def __init__(self):
        self.table, self.calls, self.sizes = Lru(1024, 8), [], {}
        self.indirect, self.history = [0] * 4096, 0

    def slot(self, ip):
        return (ip >> 2 ^ self.history) & 0xfff

    def predict(self, ip):
        """(target, always taken)"""
        entry = self.table.get(ip >> 2)
        if entry is None:
            return 0, False
        target, kind = entry
        if kind == 'return':
            return (self.calls[-1] + self.sizes.get(self.calls[-1] % 1024, 4)
                    if self.calls else 0), True
        if kind == 'indirect':
            return self.indirect[self.slot(ip)], True
        return target, kind != 'conditional'

    def update(self, ip, target, taken, kind):
        if kind in ('direct_call', 'indirect_call'):
            self.calls = (self.calls + [ip])[-64:]
        if kind in ('indirect', 'indirect_call'):
            self.indirect[self.slot(ip)] = target
        if kind == 'conditional':
            self.history = (self.history << 1 | taken) & 0xfff
        if kind == 'return' and self.calls:
            call = self.calls.pop()
            if abs(call - target) <= 10:
                self.sizes[call % 1024] = abs(call - target)
        kinds = {'indirect': 'indirect', 'indirect_call': 'indirect', 'return': 'return',
                 'conditional': 'conditional'}
        self.table.get(ip >> 2)
        if target:
            self.table.put(ip >> 2, (target, kinds.get(kind, 'always')))


def simulate(rs, predictor='bimodal', warmup=0):
    """What --json must say of these records, without the ratios."""
    direction, targets, cache = PREDICTORS[predictor](), Targets(), Lru(64, 8)
    line = None
    for n, r in enumerate(rs):
        if n == 0 or n == warmup:
            counts = {c: [0, 0, 0] for c in CLASSES + ['not_branch']}
            ips, lines, pages = set(), set(), set()
            blocks = misses = reads = writes = 0
        ip, kind = r['ip'], support.branch_class(r)
        taken = support.branch_taken(r, kind)
        target = rs[n + 1]['ip'] if taken and n + 1 < len(rs) else 0
        ips.add(ip)
        if ip // 64 != line:
            line = ip // 64
            blocks += 1
            if cache.get(line) is None:
                cache.put(line, True)
                misses += 1
        guess, always = targets.predict(ip)
        if kind != 'not_branch' or r['is_branch']:
            way = direction.predict(ip) or always
            wrong = (guess if way else 0) != target
            wrong = wrong or (kind in ('conditional', 'other') and way != taken)
            for i, v in enumerate((True, taken, wrong)):
                counts[kind][i] += v
            targets.update(ip, target, taken, kind)
            direction.update(ip, taken)
        if taken:
            line = None
        addresses = [a for a in r['source_memory'] + r['destination_memory'] if a]
        lines |= {a // 64 for a in addresses}
        pages |= {a // 4096 for a in addresses}
        reads += any(r['source_memory'])
        writes += any(r['destination_memory'])
    named = {c: dict(zip(('count', 'taken', 'mispredicted'), v)) for c, v in counts.items()}
    return {'instructions': len(rs) - (warmup if warmup < len(rs) else 0),
            'flag_only': named.pop('not_branch'), 'branches': named,
            'fetch_blocks': blocks, 'cache_misses': misses, 'unique_ips': len(ips),
            'memory_reads': reads, 'memory_writes': writes,
            'data_footprint': {'lines': len(lines), 'pages': len(pages)}}
