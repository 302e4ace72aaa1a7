"""ChampSim records of branches, with the registers from which ChampSim derives their classes."""
import struct

# ChampSim's record: the address, two flags, two and four registers, two and four addresses.
RECORD = struct.Struct('<Q8B6Q')
SP, FLAGS, IP, OTHER = 6, 25, 26, 56
# Registers that are written and read, from which ChampSim derives the class of a branch.
REGISTERS = {'not_branch': ((), ()), 'conditional': ((IP,), (IP, FLAGS)), 'direct_jump': ((IP,), ()),
             'indirect': ((IP,), (OTHER,)), 'direct_call': ((IP, SP), (IP, SP)),
             'indirect_call': ((IP, SP), (IP, SP, OTHER)), 'return': ((IP, SP), (SP,))}


def champsim_record(ip, kind, taken):
    def slots(all_of, n):
        return [*all_of, *[0] * (n - len(all_of))]
    written, read = REGISTERS[kind]
    return RECORD.pack(ip, kind != 'not_branch', taken, *slots(written, 2), *slots(read, 4), 0, 0, 0, 0, 0, 0)
