#!/usr/bin/env python3
"""Prints containers.hpp: zip archives that Python's zipfile writes, and Snappy files of an encoder that is written from
framing_format.txt and format_description.txt alone. The encoder writes only literals.

    python3 tests/io/make_containers.py > tests/io/containers.hpp
"""
import io
import struct
import zipfile


def lines(first, last):
  return b"".join(b"%d\n" % i for i in range(first, last + 1))


class Pipe:
  """Output that cannot seek, so that zipfile writes data descriptors."""

  def __init__(self):
    self.data = b""

  def write(self, data):
    self.data += bytes(data)
    return len(data)

  def flush(self):
    pass


def archive(members, method=zipfile.ZIP_DEFLATED, pipe=False, zip64=False, comment=b"", change=None):
  to = Pipe() if pipe else io.BytesIO()
  with zipfile.ZipFile(to, "w") as z:
    z.comment = comment
    for name, content in members:
      info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
      info.compress_type = method
      with z.open(info, "w", force_zip64=zip64) as f:
        f.write(content)
  data = bytearray(to.data if pipe else to.getvalue())
  if change:
    change(data)
  return bytes(data)


def crc32c(data):
  crc = 0xFFFFFFFF
  for byte in data:
    crc ^= byte
    for _ in range(8):
      crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
  return crc ^ 0xFFFFFFFF


def masked(data):
  crc = crc32c(data)
  return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def chunk(kind, body):
  return bytes([kind]) + struct.pack("<I", len(body))[:3] + body


def block(content):
  """Returns a compressed block of literals of at most 60 bytes."""
  out, n = b"", len(content)
  while n >= 128:
    out += bytes([n & 127 | 128])
    n >>= 7
  out += bytes([n])
  for at in range(0, len(content), 60):
    piece = content[at:at + 60]
    out += bytes([(len(piece) - 1) << 2]) + piece
  return out


START = chunk(0xFF, b"sNaPpY")


def compressed(content):
  return chunk(0, masked(content) + block(content))


def plain(content):
  return chunk(1, masked(content) + content)


def hexadecimal(data):
  text = data.hex()
  return "\n".join('       "%s"' % text[i:i + 84] for i in range(0, len(text), 84))


TWO = [("chunk.0000", lines(1, 50)), ("chunk.0001", lines(51, 100))]
THREE = [("chunk.0000", lines(1, 30)), ("chunk.0001", lines(31, 60)), ("chunk.0002", lines(61, 100))]


def encrypted(data):
  """Sets the flag of encryption in the local header and in the directory."""
  data[6] |= 1
  data[data.index(b"PK\1\2") + 8] |= 1


def with_extra_size(data):
  """Increases the size that the directory states."""
  data[data.index(b"PK\1\2") + 24] += 1


ZIPS = [
    ("two", "deflated chunks", archive(TWO)),
    ("zip64", "zip64 extra fields", archive(TWO, zip64=True)),
    ("descriptors", "data descriptors", archive(TWO, pipe=True)),
    ("descriptors64", "zip64 data descriptors", archive(TWO, pipe=True, zip64=True)),
    ("stored", "stored chunks", archive(TWO, zipfile.ZIP_STORED)),
    ("three", "three chunks, one without content, and a comment",
     archive(THREE[:2] + [("chunk.0002", b""), ("chunk.0003", lines(61, 100))], comment=b"PK\5\6 is not the end")),
    ("reverse", "chunks in descending order", archive(THREE[::-1])),
    ("one", "one member of another name", archive([("ls.champsim", lines(1, 100))])),
    ("decor", "one member, a directory and a resource fork",
     archive([("ls/", b""), ("ls/ls.champsim", lines(1, 100)), ("__MACOSX/ls/._ls.champsim", b"fork")])),
    ("several", "several files", archive([("0", lines(1, 10)), ("11", lines(1, 100)), ("a.txt", b"a")])),
    ("gap", "chunk.0001 is missing", archive([THREE[0], THREE[2]])),
    ("bzip2_method", "a method that is not supported", archive(TWO, zipfile.ZIP_BZIP2)),
    ("encrypted", "a flag states that the member is encrypted", archive(TWO[:1], change=encrypted)),
    ("wrong_size", "the directory states one byte too many", archive(TWO, change=with_extra_size)),
    ("none", "an archive without members", archive([])),
]
large, rest = lines(1, 60), lines(61, 100)
SNAPPY = [
    ("checked", "chunks with checksums: compressed and uncompressed", [START, compressed(large), plain(rest)]),
    ("no_crc", "DynamoRIO's chunks 2 and 3, which have no checksum", [START, chunk(2, block(large)), chunk(3, rest)]),
    ("padded", "padding, skippable chunks, a chunk without content and two streams",
     [START, chunk(0xFE, bytes(5)), compressed(large), chunk(0x80, b"abc"), chunk(0xFD, b""), plain(b""), START,
      compressed(rest), chunk(0xFE, b"")]),
]


def main():
  print('''// Made by make_containers.py. Each file contains the lines "1" to "100", unless its comment states
// otherwise.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

namespace tracecodec::io::test::containers {

// clang-format off''')
  for name, what, data in ZIPS:
    print("\n// %s.\ninline constexpr std::string_view zip_%s =\n%s;" %
          (what[0].upper() + what[1:], name, hexadecimal(data)))
  for name, what, chunks in SNAPPY:
    print("\n// %s.\ninline constexpr std::string_view snappy_%s =\n%s;" %
          (what[0].upper() + what[1:], name, hexadecimal(b"".join(chunks))))
    ends, at = [], 0
    for c in chunks:
      at += len(c)
      ends.append(at)
    print("// Offset of the end of each chunk.\ninline const std::vector<std::size_t> snappy_%s_ends{%s};" %
          (name, ", ".join(map(str, ends))))
  print('''
// clang-format on

}  // namespace tracecodec::io::test::containers''')


if __name__ == "__main__":
  main()
