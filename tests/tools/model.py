# Independent model in plain Python of the front end in the format's description: the counts
# that frontend_sim must print. It is slow and simple on purpose, and shares no code with the
# program.
import support


class Lru:
    """Table with `ways` entries in each of `sets` sets. The most recently used entry is last."""

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
    def __init__(self, size=16384):
        self.prime = max(n for n in range(size - 10, size) if all(n % d for d in range(2, n // 2)))
        self.counters = [0] * size

    def predict(self, ip):
        return self.counters[ip % self.prime] >= 2

    def update(self, ip, taken):
        c = self.counters[ip % self.prime]
        self.counters[ip % self.prime] = min(c + 1, 3) if taken else max(c - 1, 0)


class Gshare:
    def __init__(self, size=16384):
        self.counters, self.history = [0] * size, 0
        self.size, self.bits = size, size.bit_length() - 1

    def index(self, ip):
        return (self.history ^ ip ^ ip >> self.bits ^ ip >> 2 * self.bits) % self.size

    def predict(self, ip):
        return self.counters[self.index(ip)] >= 1

    def update(self, ip, taken):
        i = self.index(ip)
        self.counters[i] = min(self.counters[i] + 1, 3) if taken else max(self.counters[i] - 1, 0)
        self.history = (self.history << 1 | taken) % self.size


def folded(value, width):
    """Returns the XOR of all words of `width` bits."""
    result = 0
    while value:
        result ^= value % 2 ** width
        value >>= width
    return result


class HashedPerceptron:
    LENGTHS = [0, 3, 4, 6, 8, 10, 14, 19, 26, 36, 49, 67, 91, 125, 170, 232]

    def __init__(self, size=4096):
        self.size, self.bits = size, size.bit_length() - 1
        self.weights = [{} for _ in self.LENGTHS]
        self.history, self.theta, self.count = 0, 10, 0
        self.of, self.places = None, []  # the last argument of chosen(), and its result

    def chosen(self, ip):
        if self.of != (ip, self.history):
            self.of = ip, self.history
            self.places = [(table, folded(self.history % 2 ** length, self.bits) ^ ip % self.size)
                           for table, length in zip(self.weights, self.LENGTHS)]
        return self.places

    def sum(self, ip):
        return sum(table.get(i, 0) for table, i in self.chosen(ip))

    def predict(self, ip):
        return self.sum(ip) > 0

    def update(self, ip, taken):
        total = self.sum(ip)
        wrong = (total > 0) != taken
        if wrong or -self.theta < total < self.theta:
            for table, i in self.chosen(ip):
                w = table.get(i, 0)
                table[i] = min(w + 1, 127) if taken else max(w - 1, -128)
            self.count += 1 if wrong else -1
            if self.count in (18, -18):
                self.theta += self.count // 18
                self.count = 0
        self.history = (self.history << 1 | taken) % 2 ** 232


class Tage:
    SHAPES = [(4, 10), (6, 10), (9, 11), (13, 11), (19, 12), (28, 12), (42, 13), (63, 13),
              (94, 14), (141, 14), (211, 15), (316, 15)]  # length of the history, bits of a tag

    def __init__(self, size=16384):
        self.base_bits = size.bit_length() - 1
        self.bits = self.base_bits - 4
        self.base, self.tables = {}, [{} for _ in self.SHAPES]  # [tag, counter, useful]
        self.history, self.preferences = 0, {}
        self.of, self.places = None, []  # the last lookup, and its positions in the tables

    def places_of(self, ip):
        """Returns the entry and the expected tag for each tagged table."""
        if self.of == (ip, self.history):
            return self.places
        self.of, places = (ip, self.history), []
        for table, (length, tag_bits) in zip(self.tables, self.SHAPES):
            recent = self.history % 2 ** length
            row = folded(ip >> 2, self.bits) ^ folded(recent, self.bits)
            shifted = (ip << max(0, tag_bits - self.bits)) % 2 ** 64
            tag = folded(shifted, tag_bits) ^ folded(recent, tag_bits)
            places.append((table.setdefault(row, [0, 0, 0]), tag))
        self.places = places
        return places

    def matches(self, ip):
        """Returns the matching entries, longest history first, and all entries of the tagged tables."""
        places = self.places_of(ip)
        base = self.base.setdefault(folded(ip >> 2, self.base_bits), [0, 0, 0])
        found = [(base, 0)] + [(place, n + 1) for n, (place, tag) in enumerate(places)
                               if place[0] == tag]
        return found[::-1], places

    def choice(self, ip):
        """Returns the entry that predicts, the matching entries, all entries, and the key of the preference."""
        found, places = self.matches(ip)
        (longest, number), key = found[0], None
        if number and longest[1] in (0, -1):
            key = number, found[1][0][1] in (0, -1)
        prefers = key is not None and self.preferences.get(key, 0) >= 0
        return found[1 if prefers else 0][0], found, places, key

    def predict(self, ip):
        return self.choice(ip)[0][1] >= 0

    def update(self, ip, taken):
        used, found, places, key = self.choice(ip)
        right = (used[1] >= 0) == taken
        longest, number = found[0]
        was, was_weak = longest[1] >= 0, longest[1] in (0, -1)
        other = found[1][0][1] >= 0 if number else None

        def train(place, limit):
            place[1] = min(place[1] + 1, limit - 1) if taken else max(place[1] - 1, -limit)
            place[2] = min(place[2] + 1, 3) if right else max(place[2] - 1, 0)
        train(longest, 4 if number else 2)
        if was_weak and longest[1] in (0, -1):
            longest[2] = 0
        if used is not longest:
            train(used, 4 if found[1][1] else 2)
        if key and was != other:
            p = self.preferences.get(key, 0)
            self.preferences[key] = min(p + 1, 15) if other == taken else max(p - 1, -16)
        if not right and was != taken:
            free = [(place, tag) for place, tag in places[number:] if place[2] == 0]
            if free:
                free[0][0][:] = [free[0][1], 0 if taken else -1, 1]
            else:
                for place, _ in places[number:]:
                    place[2] -= 1
        self.history = (self.history << 1 | taken) % 2 ** 316


class AlwaysTaken:
    def predict(self, ip):
        return True

    def update(self, ip, taken):
        pass


PREDICTORS = {'bimodal': Bimodal, 'gshare': Gshare, 'hashed-perceptron': HashedPerceptron,
              'tage': Tage, 'always-taken': AlwaysTaken}
CLASSES = ['direct_jump', 'indirect', 'conditional', 'direct_call', 'indirect_call', 'return',
           'other']


class Targets:
    def __init__(self, btb_sets=1024, btb_ways=8, ras_size=64, indirect_size=4096):
        self.table, self.calls, self.sizes = Lru(btb_sets, btb_ways), [], {}
        self.depth = ras_size
        self.indirect, self.history = [0] * indirect_size, 0

    def slot(self, ip):
        return (ip >> 2 ^ self.history) % len(self.indirect)

    def predict(self, ip):
        """Returns (target, whether the branch is always taken)."""
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
            self.calls = (self.calls + [ip])[-self.depth:]
        if kind in ('indirect', 'indirect_call'):
            self.indirect[self.slot(ip)] = target
        if kind == 'conditional':
            self.history = (self.history << 1 | taken) % len(self.indirect)
        if kind == 'return' and self.calls:
            call = self.calls.pop()
            if abs(call - target) <= 10:
                self.sizes[call % 1024] = abs(call - target)
        kinds = {'indirect': 'indirect', 'indirect_call': 'indirect', 'return': 'return',
                 'conditional': 'conditional'}
        self.table.get(ip >> 2)
        if target:
            self.table.put(ip >> 2, (target, kinds.get(kind, 'always')))


def simulate(rs, predictor='bimodal', warmup=0, table_size=None, **sizes):
    """Returns the JSON output that is expected for these records, without ratios."""
    direction = PREDICTORS[predictor](*[table_size] if table_size else [])
    targets, cache = Targets(**sizes), Lru(64, 8)
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
