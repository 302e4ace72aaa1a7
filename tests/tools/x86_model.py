# Independent model of the part of Intel's opcode map that the sample threads3_64 uses: the names of
# 64-bit instructions, and the number of bytes of memory that they access. It is slow and simple on
# purpose. Codes are strings of hexadecimal digits, as printed by trace_view --json.
import re

PREFIXES = '(?:66|67|f0|f2|f3|2e|36|3e|26|64|65)*'
ANY = PREFIXES + '(?:4.)?'  # and REX

# Zydis's names of instructions, and of the prefixes that it prints before them.
NAMES = {
    'call': ANY + '(e8|ff[159d][0-7])',
    'cmpxchg': ANY + '0fb[01]',
    'jmp': ANY + '(e[9b]|ff[26ae][0-7])',
    'jz': ANY + '(74|0f84)',
    'lock': 'f0',
    'mov': ANY + '(8[89abce]|a[0-3]|b.|c[67])',
    'movsd': 'f2(4.)?0f1[01]',
    'movups': '(4.)?0f1[01]',
    'push': ANY + '(5[0-7]|6[8a]|ff[37bf][0-7])',
    'rep': 'f3(4.)?a[45ab]',
    'ret': ANY + 'c[23]',
    'stosq': ANY + '(?<=4[89a-f])ab',
    'vmovdqu': 'c5f[ae][67]f',
}

# The first match applies. Without a match, an access is as wide as the registers.
WIDTHS = (
    ('c5.[4-7c-f]', 32),
    ('c5', 16),
    ('f3(4.)?0f7e|66(4.)?0fd6|f2(4.)?0f1[01]', 8),
    ('f3(4.)?0f5a', 4),
    ('(4.)?0f1[01]|(66|f3)(4.)?0f[67]f', 16),
    (ANY + '(0fb[06]|[0-3][028a]|8[0468a]|c6|f6)', 1),
    (ANY + '0fb7', 2),
    (ANY + '63', 4),
    (ANY + '(5.|c3|e8|ff[^048c])', 8),
    (PREFIXES + '4[89a-f]', 8),
    ('(f0|64)*66', 2),
)


def called(code, name):
    """Returns True if the instruction has the mnemonic or the prefix."""
    return re.match(NAMES[name], code) is not None


def width(code):
    """Returns the size in bytes of each memory operand."""
    return next((n for form, n in WIDTHS if re.match(form, code)), 4)
