// Mutator for tracepack files that follow the first byte of an input. It changes header fields,
// frames, streams and the index. The streams become uncompressed. Then it corrects sizes and
// checksums.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>

#include "target.hpp"
#include "tracepack/parts.hpp"
#include "tracepack_checksums.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max);

namespace {
using fuzz::bytes;
using fuzz::view;
using random_engine = std::minstd_rand;

std::size_t below(random_engine& random, std::size_t n) { return n == 0 ? 0 : random() % n; }

void change_bytes(bytes& b) {
  const std::size_t size = b.size();
  b.resize(size + 16);
  b.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(b.data()), size, b.size()));
}

// Changes a number to a nearby, small or large number.
template <class T> void change_number(random_engine& random, T& v) {
  switch (below(random, 5)) {
    case 0:
      v = static_cast<T>(below(random, 256));
      break;
    case 1:
      v = static_cast<T>(std::uint64_t{1} << below(random, 8 * sizeof v));
      break;
    case 2:
      v = static_cast<T>(~std::uint64_t{0} - below(random, 65));
      break;
    case 3:
      v = static_cast<T>(v + 64 * (below(random, 9) - 4));
      break;
    default:
      v = static_cast<T>(v + below(random, 17) - 8);
  }
}

void change_header(random_engine& random, tracecodec::tracepack::frame_header& h) {
  switch (below(random, 8)) {
    case 0:
      h.kind = static_cast<tracecodec::tracepack::frame_kind>(below(random, 4));
      break;
    case 1:
      change_number(random, h.number);
      break;
    case 2:
      h.base = static_cast<std::uint32_t>(below(random, h.number + std::size_t{2}));
      break;
    case 3:
      change_number(random, h.content_offset);
      break;
    case 4:
      change_number(random, h.digest);
      break;
    default:
      change_number(random, h.content_size);
  }
}

void change_streams(random_engine& random, bytes& payload) {
  auto streams = test::streams_in(payload, std::size_t{1} << 16);
  if (!streams || streams->empty()) return change_bytes(payload);
  for (std::size_t edits = 1 + below(random, 3); edits != 0; --edits) {
    const auto at =
        std::next(streams->begin(), static_cast<std::ptrdiff_t>(below(random, streams->size())));
    switch (below(random, 12)) {
      case 0:
        (*streams)[static_cast<unsigned>(below(random, 80))] = at->second;
        break;
      case 1:
        if (streams->size() > 1) streams->erase(at);
        break;
      case 2:
        at->second.insert(at->second.end(), at->second.begin(), at->second.end());
        break;
      default:
        change_bytes(at->second);
    }
  }
  payload = test::payload_of(*streams);
}

void change(random_engine& random, test::pack_parts& p) {
  if (p.frames.empty() || below(random, 16) == 0) return change_bytes(p.about);
  const std::size_t i = below(random, p.frames.size());
  const auto at = p.frames.begin() + static_cast<std::ptrdiff_t>(i);
  switch (below(random, 16)) {
    case 0:
      p.frames.insert(at, test::pack_frame(*at));
      break;
    case 1:
      p.frames.erase(at);
      break;
    case 2:
      std::swap(*at, p.frames[below(random, p.frames.size())]);
      break;
    case 3:
    case 4:
    case 5:
      return change_header(random, at->header);
    case 6:
      return change_bytes(at->payload);
    default:
      return change_streams(random, at->payload);
  }
  // Usually renumber the frames so that they are consecutive again.
  if (below(random, 8) == 0) return;
  std::uint64_t content = 0;
  for (std::size_t k = 0; k != p.frames.size(); ++k) {
    auto& h = p.frames[k].header;
    const bool own = h.base == h.number;
    h.number = static_cast<std::uint32_t>(k);
    h.base = own ? h.number : std::min(h.base, h.number);
    h.content_offset = content;
    content += h.content_size;
  }
}

void change_index(random_engine& random, test::pack_parts& p) {
  if (!p.entries.empty() && below(random, 2) == 0) {
    auto& e = p.entries[below(random, p.entries.size())];
    switch (below(random, 3)) {
      case 0:
        change_number(random, e.offset);
        break;
      case 1:
        change_number(random, e.content_offset);
        break;
      default:
        change_number(random, e.base);
    }
    p.index.entries_crc = tracecodec::tracepack::detail::crc_of(test::bytes_of(p.entries));
    return;
  }
  switch (below(random, 5)) {
    case 0:
      change_number(random, p.end.index_offset);
      break;
    case 1:
      change_number(random, p.end.frames);
      break;
    case 2:
      change_number(random, p.end.content_size);
      p.end.records = p.end.content_size / 64;
      break;
    case 3:
      change_number(random, p.index.frames);
      break;
    default:
      change_bytes(p.behind);
  }
}
}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max, unsigned seed) {
  random_engine random(seed);
  const view in(reinterpret_cast<const std::byte*>(data), size);
  if (in.empty() || below(random, 8) == 0) return LLVMFuzzerMutate(data, size, max);
  bytes file(in.begin() + 1, in.end());
  fuzz::mend_checksums(file);
  auto parts = test::split(file);
  if (!parts) return LLVMFuzzerMutate(data, size, max);
  bytes out{in[0]};
  if (below(random, 8) == 0) out[0] = static_cast<std::byte>(below(random, 256));
  for (std::size_t edits = 1 + below(random, 3); edits != 0; --edits) change(random, *parts);
  test::mend(*parts, 64);
  if (below(random, 4) == 0) change_index(random, *parts);
  const bytes joined = test::joined(*parts);
  out.insert(out.end(), joined.begin(), joined.end());
  if (below(random, 16) == 0) out.resize(out.size() - below(random, out.size() / 2));  // truncate
  if (out.size() > max) return LLVMFuzzerMutate(data, size, max);
  std::memcpy(data, out.data(), out.size());
  return out.size();
}
