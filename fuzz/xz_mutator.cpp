// Mutator for .xz files that follow the first byte of an input. It changes indexes and blocks. It
// corrects the checksums of headers, indexes and footers, because liblzma would stop at a wrong
// checksum.
#include <lzma.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max);

namespace {
using fuzz::bytes;
using fuzz::view;
using random_engine = std::minstd_rand;

std::size_t below(random_engine& random, std::size_t n) { return n == 0 ? 0 : random() % n; }

std::uint32_t number32(view b, std::size_t at) {
  std::uint32_t v = 0;
  std::memcpy(&v, &b[at], sizeof v);
  return v;
}
void put32(bytes& b, std::size_t at, std::uint32_t v) { std::memcpy(&b[at], &v, sizeof v); }
std::uint32_t checksum(view b) {
  return lzma_crc32(reinterpret_cast<const std::uint8_t*>(b.data()), b.size(), 0);
}

constexpr std::size_t header_size = 12;  // the size of the footer, too
// Marks an invalid number. Valid numbers in an index are below 2^63.
constexpr std::uint64_t no_number = ~std::uint64_t{0};

// Reads a number with 7 bits in each byte and moves `at` past it. Returns no_number if there is
// none.
std::uint64_t take_number(view b, std::size_t& at) {
  std::uint64_t v = 0;
  for (unsigned shift = 0; at < b.size() && shift < 63; shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(b[at++]);
    v |= (byte & 0x7F) << shift;
    if (byte < 0x80) return v;
  }
  return no_number;
}
void put_number(bytes& b, std::uint64_t v) {
  for (; v >= 0x80; v >>= 7) b.push_back(static_cast<std::byte>(v | 0x80));
  b.push_back(static_cast<std::byte>(v));
}

struct record {
  std::uint64_t unpadded, uncompressed;
};
struct block {
  bytes content;  // header, data, padding and check, or a part of them
  record said;    // sizes that the index states
};
struct stream {
  bytes flags;  // two bytes
  std::vector<block> blocks;
  std::size_t padding = 0;  // number of zero bytes after it
};

// Returns the last stream of `all` and removes it from `all`. Returns nullopt if there is none.
std::optional<stream> last_stream(view& all) {
  stream s;
  view b = all;
  while (b.size() >= 4 && number32(b, b.size() - 4) == 0) {
    s.padding += 4;
    b = b.first(b.size() - 4);
  }
  if (b.size() < 2 * header_size + 8) return std::nullopt;
  const view footer = b.last(header_size);
  const std::uint64_t index_size = (std::uint64_t{number32(footer, 4)} + 1) * 4;
  if (index_size > b.size() - 2 * header_size) return std::nullopt;
  s.flags.assign(footer.begin() + 8, footer.begin() + 10);
  const view before = b.first(b.size() - header_size - static_cast<std::size_t>(index_size));
  const view index = b.subspan(before.size(), static_cast<std::size_t>(index_size));

  std::size_t at = 1;
  std::vector<record> records;
  std::uint64_t size = 0;
  const std::uint64_t n = take_number(index, at);
  if (index[0] != std::byte{0} || n > before.size()) return std::nullopt;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t unpadded = take_number(index, at), uncompressed = take_number(index, at);
    if (unpadded > before.size() || uncompressed == no_number) return std::nullopt;
    records.push_back({unpadded, uncompressed});
    size += (unpadded + 3) / 4 * 4;
  }
  if (size > before.size() - header_size) return std::nullopt;
  view blocks = before.last(static_cast<std::size_t>(size));
  for (const record& r : records) {
    const view one = blocks.first(static_cast<std::size_t>((r.unpadded + 3) / 4 * 4));
    s.blocks.push_back({{one.begin(), one.end()}, r});
    blocks = blocks.subspan(one.size());
  }
  all = before.first(before.size() - static_cast<std::size_t>(size) - header_size);
  return s;
}

void put_bytes(bytes& out, view b) { out.insert(out.end(), b.begin(), b.end()); }
// Appends the checksum of the bytes from `from` on.
void put_checksum(bytes& out, std::size_t from) {
  const std::uint32_t sum = checksum(view(out).subspan(from));
  out.resize(out.size() + 4);
  put32(out, out.size() - 4, sum);
}

// Appends a stream with correct checksums.
void put_stream(bytes& out, const stream& s) {
  for (const unsigned magic : {0xFDU, 0x37U, 0x7AU, 0x58U, 0x5AU, 0U})  // "7zXZ"
    out.push_back(static_cast<std::byte>(magic));
  put_bytes(out, s.flags);
  put_checksum(out, out.size() - 2);
  for (const block& b : s.blocks) {
    bytes content = b.content;
    const std::size_t size =
        content.empty() ? 0 : (std::to_integer<std::size_t>(content[0]) + 1) * 4;
    if (size >= 8 && size <= content.size())
      put32(content, size - 4, checksum(view(content).first(size - 4)));
    put_bytes(out, content);
  }
  const std::size_t index = out.size();
  out.push_back(std::byte{0});
  put_number(out, s.blocks.size());
  for (const block& b : s.blocks) {
    put_number(out, b.said.unpadded);
    put_number(out, b.said.uncompressed);
  }
  while ((out.size() - index) % 4 != 0) out.push_back(std::byte{0});
  put_checksum(out, index);
  bytes footer(4);
  put32(footer, 0, static_cast<std::uint32_t>((out.size() - index) / 4 - 1));
  put_bytes(footer, s.flags);
  const std::uint32_t sum = checksum(footer);
  out.resize(out.size() + 4);
  put32(out, out.size() - 4, sum);
  put_bytes(out, footer);
  for (const char magic : {'Y', 'Z'}) out.push_back(static_cast<std::byte>(magic));
  out.resize(out.size() + s.padding);
}

void change_bytes(bytes& b) {
  const std::size_t size = b.size();
  b.resize(size + 16);
  b.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(b.data()), size, b.size()));
}

// Returns a number near `v`, a small number, or a large number.
std::uint64_t changed(random_engine& random, std::uint64_t v) {
  switch (below(random, 4)) {
    case 0:
      return below(random, 256);
    case 1:
      return std::uint64_t{1} << below(random, 63);
    case 2:
      return (std::uint64_t{1} << 63) - 1 - below(random, 8);
    default:
      return (v + below(random, 17) - 8) & ~(std::uint64_t{1} << 63);
  }
}

void change(random_engine& random, stream& s) {
  if (s.blocks.empty() || below(random, 16) == 0) {
    s.padding = 4 * below(random, 4);
    return;
  }
  const auto at = static_cast<std::ptrdiff_t>(below(random, s.blocks.size()));
  block& b = s.blocks[static_cast<std::size_t>(at)];
  switch (below(random, 8)) {
    case 0:
      b.said.unpadded = changed(random, b.said.unpadded);
      break;
    case 1:
      b.said.uncompressed = changed(random, b.said.uncompressed);
      break;
    case 2:
      s.blocks.insert(s.blocks.begin() + at, block(b));
      break;
    case 3:
      s.blocks.erase(s.blocks.begin() + at);
      break;
    case 4:  // in the block's header
      if (!b.content.empty())
        b.content[below(random, std::min<std::size_t>(b.content.size(), 24))] ^=
            std::byte{1} << below(random, 8);
      break;
    case 5:
      if (below(random, 8) == 0) s.flags[below(random, 2)] ^= std::byte{1} << below(random, 8);
      break;
    default:
      change_bytes(b.content);
  }
}
}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max, unsigned seed) {
  random_engine random(seed);
  view rest(reinterpret_cast<const std::byte*>(data), size);
  if (rest.empty() || below(random, 4) == 0) return LLVMFuzzerMutate(data, size, max);
  bytes out{rest[0]};
  rest = rest.subspan(1);
  std::vector<stream> streams;  // in reverse order
  while (auto s = last_stream(rest)) streams.push_back(std::move(*s));
  if (streams.empty()) return LLVMFuzzerMutate(data, size, max);
  for (std::size_t edits = 1 + below(random, 3); edits != 0; --edits)
    change(random, streams[below(random, streams.size())]);
  if (below(random, 16) == 0) streams.push_back(streams[below(random, streams.size())]);
  if (below(random, 8) == 0) out[0] = static_cast<std::byte>(below(random, 256));
  put_bytes(out, rest);
  for (std::size_t i = streams.size(); i != 0; --i) put_stream(out, streams[i - 1]);
  if (out.size() > max) return LLVMFuzzerMutate(data, size, max);
  std::memcpy(data, out.data(), out.size());
  return out.size();
}
