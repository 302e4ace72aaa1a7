# Tables and initial values of ciphers, hashes and checksums, computed from their standards.
import base64
import math
import string
import zlib

WORD, LONG = (1 << 32) - 1, (1 << 64) - 1


def cube_root(n):
    x = 1 << (n.bit_length() + 2) // 3
    while True:
        y = (2 * x + n // (x * x)) // 3
        if y >= x:
            return x
        x = y


def primes(n):
    found = []
    candidate = 2
    while len(found) < n:
        if all(candidate % p for p in found):
            found.append(candidate)
        candidate += 1
    return found


def rotated(v, n):
    n %= 32
    return (v << n | v >> (32 - n)) & WORD


def product(a, b, modulus):
    """Returns a product in GF(2^8)."""
    p = 0
    while b:
        if b & 1:
            p ^= a
        a <<= 1
        if a & 0x100:
            a ^= modulus
        b >>= 1
    return p


def inverses(modulus):
    found = [0] * 256
    for a in range(1, 256):
        if not found[a]:
            b = next(b for b in range(1, 256) if product(a, b, modulus) == 1)
            found[a], found[b] = b, a
    return found


def aes():
    """Returns the S-box by FIPS 197, 5.1.1: bit i of the result is a sum of five bits of the inverse."""
    inverse = inverses(0x11b)
    box = []
    for x in range(256):
        b = inverse[x]
        box.append(sum((b >> i ^ b >> (i + 4) % 8 ^ b >> (i + 5) % 8 ^ b >> (i + 6) % 8 ^ b >> (i + 7) % 8 ^ 0x63 >> i)
                       % 2 << i for i in range(8)))
    backwards = [box.index(i) for i in range(256)]
    tables = {('AES', 'S-box'): (1, box), ('AES', 'inverse S-box'): (1, backwards)}
    for name, of, column in (('Te', box, (2, 1, 1, 3)), ('Td', backwards, (14, 9, 13, 11))):
        words = [int.from_bytes(bytes(product(v, c, 0x11b) for c in column), 'big') for v in of]
        for n in range(4):
            tables['AES', 'T-table %s%d' % (name, n)] = 4, [rotated(w, 32 - 8 * n) for w in words]
    return tables


def sm4():
    """Returns the S-box of SM4: an affine map, the inverse in the field, and the map again."""
    inverse = inverses(0x1f5)
    rows = [(0xd3 >> i | 0xd3 << 8 - i) & 0xff for i in range(8)]

    def affine(x):
        return sum(bin(row & x).count('1') % 2 << 7 - i for i, row in enumerate(rows)) ^ 0xd3

    return [affine(inverse[affine(x)]) for x in range(256)]


def keccak():
    found, state = [], 1
    for _ in range(24):
        v = 0
        for j in range(7):
            if state & 1:
                v |= 1 << (1 << j) - 1
            state = state << 1 ^ (0x171 if state & 0x80 else 0)
        found.append(v)
    return found


def pi_words(n):
    bits = 32 * n + 64

    def arctan(x):
        term = (1 << bits) // x
        total, k, sign = term, 3, -1
        while term:
            term //= x * x
            total += sign * (term // k)
            k, sign = k + 2, -sign
        return total

    fraction = 4 * (4 * arctan(5) - arctan(239)) & (1 << bits) - 1
    return [fraction >> bits - 32 * (i + 1) & WORD for i in range(n)]


def crc(polynomial, bits, reflected):
    """Returns the remainders of all bytes, bit by bit."""
    found = []
    for i in range(256):
        if reflected:
            v = i
            for _ in range(8):
                v = v >> 1 ^ (polynomial if v & 1 else 0)
        else:
            v = i << bits - 8
            for _ in range(8):
                v = (v << 1 ^ (polynomial if v >> bits - 1 else 0)) & (1 << bits) - 1
        found.append(v)
    return found


S_BOXES = [[int(c, 16) for c in s] for s in (
    'e4d12fb83a6c59070f74e2d1a6cb953841e8d62bfc973a50fc8249175b3ea06d',
    'f18e6b34972dc05a3d47f28ec01a69b50e7ba4d158c6932fd8a13f42b67c05e9',
    'a09e63f51dc7b428d709346a285ecbf1d6498f30b12c5ae71ad069874fe3b52c',
    '7de3069a1285bc4fd8b56f03472c1ae9a690cb7df13e52843f06a1d8945bc72e',
    '2c417ab6853fd0e9eb2c47d150fa3986421bad78f9c5630eb8c71e2d6f09a453',
    'c1af92680d34e75baf427c9561de0b389ef528c3704a1db6432c95fabe17608d',
    '4b2ef08d3c975a61d0b7491ae35c2f8614bdc37eaf6805926bd814a7950fe23c',
    'd2846fb1a93e50c71fd8a374c56b0e927b419ce206adf35821e74a8dfc90356b')]
INITIAL = [b + 8 * r for b in (58, 60, 62, 64, 57, 59, 61, 63) for r in range(0, -8, -1)]
FINAL = [INITIAL.index(i) + 1 for i in range(1, 65)]
EXPANSION = [(4 * g + k - 1) % 32 + 1 for g in range(8) for k in range(6)]
ROUND = [16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11,
         4, 25]
KEY = ([c + 8 * r for c in (57, 58, 59) for r in range(0, -8, -1)] + [60, 52, 44, 36] +
       [c + 8 * r for c in (63, 62, 61) for r in range(0, -8, -1)] + [28, 20, 12, 4])
ROUND_KEY = [14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37, 47,
             55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32]


def permuted(v, table, bits):
    out = 0
    for b in table:
        out = out << 1 | v >> bits - b & 1
    return out


def substituted(box, v):
    return S_BOXES[box][16 * (v >> 4 & 2 | v & 1) + (v >> 1 & 15)]


def des(key, block):
    """Encrypts a block, to check the tables with the standard's example."""
    c, d = divmod(permuted(key, KEY, 64), 1 << 28)
    v = permuted(block, INITIAL, 64)
    left, right = v >> 32, v & WORD
    for n in range(16):
        for _ in range(1 if n in (0, 1, 8, 15) else 2):
            c, d = (c << 1 | c >> 27) & (1 << 28) - 1, (d << 1 | d >> 27) & (1 << 28) - 1
        x = permuted(right, EXPANSION, 32) ^ permuted(c << 28 | d, ROUND_KEY, 56)
        out = 0
        for box in range(8):
            out = out << 4 | substituted(box, x >> 42 - 6 * box & 63)
        left, right = right, left ^ permuted(out, ROUND, 32)
    return permuted(right << 32 | left, FINAL, 64)


def des_tables():
    assert des(0x133457799bbcdff1, 0x0123456789abcdef) == 0x85e813540f0ab405
    tables = {('DES', 'S-box S%d' % (n + 1)): (1, box) for n, box in enumerate(S_BOXES)}
    for n in range(8):
        tables['DES', 'SP-box %d' % (n + 1)] = 4, [
            rotated(permuted(substituted(n, v) << 28 - 4 * n, ROUND, 32), 1) for v in range(64)]
    tables.update({('DES', 'initial permutation'): (1, INITIAL), ('DES', 'final permutation'): (1, FINAL),
                   ('DES', 'permutation P'): (1, ROUND), ('DES', 'permuted choice PC-1'): (1, KEY),
                   ('DES', 'permuted choice PC-2'): (1, ROUND_KEY)})
    return tables


def all_tables():
    """Returns all tables: the size of an entry, and the entries, by algorithm and name."""
    pi = pi_words(18 + 1024)
    assert pi[:3] == [0x243f6a88, 0x85a308d3, 0x13198a2e] and pi[-1] == 0x3ac372e6
    p = primes(80)
    k512 = [cube_root(v << 192) & LONG for v in p]
    h512 = [math.isqrt(v << 128) & LONG for v in p[:8]]
    h384 = [math.isqrt(v << 128) & LONG for v in p[8:16]]
    square = {v: math.isqrt(v << 60) for v in (2, 3, 5, 7, 10)}
    cube = {v: cube_root(v << 90) for v in (2, 3, 5, 7)}
    gold = math.isqrt(5 << 62) - (1 << 31)
    sm3 = [rotated(0x79cc4519 if j < 16 else 0x7a879d8a, j) for j in range(64)]
    tables = {**aes(), **des_tables(), ('Blowfish', 'P-array'): (4, pi[:18])}
    for n in range(4):
        tables['Blowfish', 'S-box S%d' % (n + 1)] = 4, pi[18 + 256 * n:274 + 256 * n]
    for algorithm, polynomial, bits, reflected, more in (
            ('CRC-32', 0xedb88320, 32, True, 7), ('CRC-32', 0x04c11db7, 32, False, 0),
            ('CRC-32C', 0x82f63b78, 32, True, 7), ('CRC-64', 0xc96c5795d7870f42, 64, True, 0),
            ('CRC-64', 0x42f0e1eba9ea3693, 64, False, 0)):
        first = table = crc(polynomial, bits, reflected)
        name = 'table, %s bit first' % ('lowest' if reflected else 'highest')
        tables[algorithm, name] = bits // 8, table
        for n in range(more):
            table = [v >> 8 ^ first[v & 255] for v in table]
            tables[algorithm, '%s, for byte %d' % (name, n + 2)] = 4, table
    for i in (0, 7, 255):
        assert zlib.crc32(bytes([i])) == tables['CRC-32', 'table, lowest bit first'][1][i ^ 255] ^ WORD >> 8 ^ WORD
    tables.update({
        ('SHA-256', 'round constants'): (4, [v >> 32 for v in k512[:64]]),
        ('SHA-512', 'round constants'): (8, k512),
        ('SHA-256, BLAKE2s', 'initial value'): (4, [v >> 32 for v in h512]),
        ('SHA-224', 'initial value'): (4, [v & WORD for v in h384]),
        ('SHA-512, BLAKE2b', 'initial value'): (8, h512),
        ('SHA-384', 'initial value'): (8, h384),
        ('SHA-1', 'round constants'): (4, [square[v] for v in (2, 3, 5, 10)]),
        ('RIPEMD-160', 'round constants'): (4, [square[v] for v in (2, 3, 5, 7)] + [cube[v] for v in (2, 3, 5, 7)]),
        ('MD5, SHA-1, RIPEMD-160', 'initial value'):
            (4, [int.from_bytes(bytes.fromhex(h), 'little')
                 for h in ('01234567', '89abcdef', 'fedcba98', '76543210')]),
        ('SHA-1, RIPEMD-160', 'initial value, last word'): (4, [int.from_bytes(bytes.fromhex('f0e1d2c3'), 'little')]),
        ('MD5', 'round constants'): (4, [int(abs(math.sin(i + 1)) * 2 ** 32) for i in range(64)]),
        ('SHA-3', 'round constants'): (8, keccak()),
        ('SM3', 'initial value'): (4, [0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa,
                                       0xe38dee4d, 0xb0fb0e4e]),
        ('SM3', 'round constants'): (4, sm3),
        ('SM4', 'S-box'): (1, sm4()),
        ('SM4', 'system parameter FK'): (4, [0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc]),
        ('SM4', 'fixed parameter CK'): (4, [int.from_bytes(bytes((4 * i + j) * 7 % 256 for j in range(4)), 'big')
                                            for i in range(32)]),
        ('ChaCha20, Salsa20', 'constant for 32 bytes'): (4, words(b'expand 32-byte k')),
        ('ChaCha20, Salsa20', 'constant for 16 bytes'): (4, words(b'expand 16-byte k')),
        ('TEA, RC5, Serpent', 'golden ratio'): (4, [gold]),
        ('TEA', 'sum of 32 rounds'): (4, [gold * 32 & WORD]),
        ('RC5, RC6', 'constant P'): (4, [e_constant()]),
        ('CRC-32', 'polynomial, lowest bit first'): (4, [int('{:032b}'.format(0x04c11db7)[::-1], 2)]),
        ('CRC-32', 'polynomial, highest bit first'): (4, [0x04c11db7]),
        ('CRC-32C', 'polynomial, lowest bit first'): (4, [int('{:032b}'.format(0x1edc6f41)[::-1], 2)]),
        ('Base64', 'alphabet'): (1, list((string.ascii_uppercase + string.ascii_lowercase + string.digits).encode())),
        ('SipHash', 'initial value'): (8, [int.from_bytes(t, 'big') for t in (b'somepseu', b'dorandom', b'lygenera',
                                                                              b'tedbytes')]),
        ('xxHash32', 'primes'): (4, [2654435761, 2246822519, 3266489917, 668265263, 374761393]),
        ('xxHash64', 'primes'): (8, [11400714785074694791, 14029467366897019727, 1609587929392839161,
                                     9650029242287828579, 2870177450012600261]),
        ('MurmurHash3', 'constants'): (4, [0xcc9e2d51, 0x1b873593, 0xe6546b64, 0x85ebca6b, 0xc2b2ae35]),
        ('FNV-1a', 'offset basis, 32 bits'): (4, [fnv_basis(32)]),
        ('FNV-1a', 'offset basis, 64 bits'): (8, [fnv_basis(64)]),
    })
    alphabet = bytes(tables['Base64', 'alphabet'][1])
    assert base64.b64encode(b'\0\x10\x83\x10Q\x87') == alphabet[:8]
    return tables


def words(text):
    return [int.from_bytes(text[i:i + 4], 'little') for i in range(0, len(text), 4)]


def e_constant():
    """Returns the odd number next to (e - 2) * 2^32."""
    bits, term, total, n = 96, 1 << 96, 0, 2
    term //= 2
    while term:
        total += term
        n += 1
        term //= n
    return total >> bits - 32 | 1


def fnv_basis(bits):
    """Returns the hash of FNV-0 of the text that its authors chose."""
    prime, h = {32: 0x01000193, 64: 0x100000001b3}[bits], 0
    for c in b'chongo <Landon Curt Noll> /\\../\\':
        h = (h * prime & (1 << bits) - 1) ^ c
    return h
