"""Makes BT9 traces of a random program, as the championship's description of the format says, and lists
the instructions that they contain."""

import collections
import random

Branch = collections.namedtuple('Branch', 'address kind target')
Step = collections.namedtuple('Step', 'branch taken target others')

NAMES = {'conditional': 'JMP+DIR+CND', 'direct_jump': 'JMP+DIR+UCD', 'indirect': 'JMP+IND+UCD',
         'direct_call': 'CALL+DIR+UCD', 'indirect_call': 'CALL+IND+UCD', 'return': 'RET+IND+UCD'}
KINDS = ['conditional'] * 6 + list(NAMES)


class Program:
    """Blocks of instructions of 4 bytes that end with a branch. `steps` are the executed branches, each with
    the number of other instructions after it."""

    def __init__(self, seed, blocks, steps):
        rng = random.Random(seed)
        self.start = at = 0x10000
        self.sizes, self.branches, starts = [], [], []
        for _ in range(blocks):
            starts.append(at)
            self.sizes.append(rng.randrange(12))
            self.branches.append(Branch(at + 4 * self.sizes[-1], rng.choice(KINDS), rng.randrange(blocks)))
            at = self.branches[-1].address + 4
        # The last block must not fall through.
        self.branches[-1] = self.branches[-1]._replace(kind='direct_jump')
        self.first = self.sizes[0]
        self.steps, block = [], 0
        for _ in range(steps):
            b = self.branches[block]
            taken = b.kind != 'conditional' or rng.random() < 0.6
            direct = b.kind in ('conditional', 'direct_jump', 'direct_call')
            to = (b.target if direct else rng.randrange(blocks)) if taken else block + 1
            self.steps.append(Step(block, taken, starts[to] if taken else b.address + 4, self.sizes[to]))
            block = to
        self.last, self.starts = block, starts

    def instructions(self):
        """Returns (ip, kind, taken, target) of every instruction, with kind not_branch for those that are
        not branches. The last branch of the trace is not among them."""
        def others(at, n):
            return [(at + 4 * k, 'not_branch', False, 0) for k in range(n)]
        all_ = others(self.start, self.first)
        for s in self.steps:
            b = self.branches[s.branch]
            all_.append((b.address, b.kind, s.taken, s.target if s.taken else 0))
            all_ += others(s.target, s.others)
        return all_

    def text(self, newline='\n', end='EOF'):
        """Returns the trace. A dummy node precedes the first branch, and one follows the last branch, whose
        edge is not in the sequence."""
        ids, edges, uses, sequence = {}, {}, collections.Counter(), []
        outcomes = collections.defaultdict(lambda: [0, 0])
        for s in self.steps:
            ids.setdefault(s.branch, len(ids) + 1)
            outcomes[s.branch][not s.taken] += 1
        ids.setdefault(self.last, len(ids) + 1)
        outcomes[self.last][0] += 1
        sink = len(ids) + 1
        follow = [ids[s.branch] for s in self.steps[1:]] + [ids[self.last]]

        def use(source, destination, taken, target, others):
            key = (source, destination, taken, target, others)
            edges.setdefault(key, len(edges))
            uses[key] += 1
            return edges[key]
        sequence.append(use(0, ids[self.steps[0].branch], True, self.start, self.first))
        for s, to in zip(self.steps, follow):
            sequence.append(use(ids[s.branch], to, s.taken, s.target, s.others))
        use(ids[self.last], sink, True, self.starts[0], 4)
        total = len(self.instructions()) + 1 + 4
        lines = ['BT9_SPA_TRACE_FORMAT  # made', 'bt9_minor_version: 0', 'has_physical_address: 0',
                 'md5_checksum:', 'conversion_date: Fri Apr 15 2016', 'original_stf_input_file: made.stf.gz',
                 'total_instruction_count: %16d # Instruction count' % total,
                 'branch_instruction_count: %16d # Branch count' % (len(self.steps) + 1), '', 'BT9_NODES',
                 '#NODE    id      virtual_address    physical_address          opcode  size',
                 'NODE      0   0x0000000000000000                    -                0    0']
        for block, n in sorted(ids.items(), key=lambda item: item[1]):
            b = self.branches[block]
            taken, not_taken = outcomes[block]
            lines.append('NODE %6d   0x%016x   -   0x%08x   4  class: %12s  behavior: %s+%s  taken_cnt: %6d  '
                         'not_taken_cnt: %6d  tgt_cnt: %3d  # mnemonic: "B #16"' % (
                             n, b.address, 0xeafffffe, NAMES[b.kind], 'DYN' if taken and not_taken else 'AT',
                             NAMES[b.kind].split('+')[1], taken, not_taken, 1))
        lines += ['NODE %6d   0xffffffffffffffff   -   0   0' % sink, 'BT9_EDGES',
                  '#EDGE    id  src_id   dest_id  taken      br_virt_target       br_phy_target      inst_cnt']
        for (source, destination, taken, target, others), n in edges.items():
            lines.append('EDGE %6d %6d %6d  %s  0x%016x  -  %10d  traverse_cnt: %7d' % (
                n, source, destination, 'T' if taken else 'N', target, others,
                uses[(source, destination, taken, target, others)]))
        lines += ['BT9_EDGE_SEQUENCE'] + ['%d' % n for n in sequence] + ([end] if end else [])
        return newline.join(lines) + newline


if __name__ == '__main__':
    import gzip
    import os
    import sys
    made = Program(2016, 40, 3000)
    path = os.path.join(sys.argv[1], 'made.bt9.gz')
    with open(path, 'wb') as out:
        out.write(gzip.compress(made.text().encode(), mtime=0))
    listed = made.instructions()
    kinds = collections.Counter(kind for _, kind, _, _ in listed)
    print(len(listed), len(made.steps), sorted(kinds.items()))
    print('taken', sum(taken for _, _, taken, _ in listed), 'ips', len({i[0] for i in listed}),
          'sum', sum(i[0] + i[3] for i in listed))
