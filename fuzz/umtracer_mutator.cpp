// Mutator for containers of the eleven files. It changes fields at their offsets in the files,
// because changes to arbitrary bytes mostly break the container.
#include <algorithm>
#include <array>
#include <cstring>
#include <random>

#include "umtracer/container.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max);

namespace {
using fuzz::bytes;
using fuzz::container;
using fuzz::umtracer::file;
using random_engine = std::minstd_rand;

std::size_t below(random_engine& random, std::size_t n) { return n == 0 ? 0 : random() % n; }

// Returns a random file. Files that refer to other files are more likely. The context map is
// excluded, because it has its own target.
file chosen_file(random_engine& random) {
  constexpr std::array<file, 17> often{
      file::exec_records,   file::exec_records,   file::exec_records,    file::exec_records,
      file::exec_offsets,   file::exec_offsets,   file::exec_neighbours, file::instructions,
      file::instructions,   file::instructions,   file::modules,         file::modules,
      file::threads,        file::address_ranges, file::syscall_records, file::syscall_records,
      file::syscall_offsets};
  return often[below(random, often.size())];
}

// Returns a number that may be a beginning or an end: a small number, a number near a size, or a
// number near the limits of a type.
std::uint64_t number(random_engine& random, const bytes& content) {
  const std::uint64_t near = below(random, 5);
  switch (below(random, 6)) {
    case 0:
      return near;
    case 1:
      return content.size() + near - 2;
    case 2:
      return 8 * below(random, content.size() / 8 + 1) + near - 2;
    case 3:
      return (std::uint64_t{1} << below(random, 64)) + near - 2;
    case 4:
      return ~std::uint64_t{0} - near;
    default:
      return below(random, 256);
  }
}

// Sets a field of 1, 2, 4 or 8 bytes, usually aligned to its size, or changes its value a
// little.
void change_field(random_engine& random, bytes& b) {
  const std::size_t size = std::size_t{1} << below(random, 4);
  if (b.size() < size) return;
  // The start of a file contains its header and its first rows.
  const std::size_t reach = below(random, 3) == 0 ? std::min<std::size_t>(b.size(), 64) : b.size();
  std::size_t at = below(random, std::max(reach, size) - size + 1);
  if (below(random, 4) != 0) at = at / size * size;
  std::uint64_t v = 0;
  std::memcpy(&v, &b[at], size);
  v = below(random, 2) == 0 ? v + below(random, 17) - 8 : number(random, b);
  std::memcpy(&b[at], &v, size);
}

void insert_or_erase(random_engine& random, bytes& b) {
  constexpr std::array<std::size_t, 9> sizes{1, 2, 4, 8, 16, 24, 40, 48, 64};
  const std::size_t n = std::min(sizes[below(random, sizes.size())], b.size());
  const std::size_t at = below(random, b.size() - n + 1) / 2 * 2;
  const bytes part(b.begin() + static_cast<std::ptrdiff_t>(at),
                   b.begin() + static_cast<std::ptrdiff_t>(at + n));
  const auto place = b.begin() + static_cast<std::ptrdiff_t>(at);
  if (below(random, 2) == 0)
    b.insert(place, part.begin(), part.end());
  else
    b.erase(place, place + static_cast<std::ptrdiff_t>(n));
}

// Applies libFuzzer's own mutations, which use the program's comparisons, to one file.
void change_bytes(bytes& b) {
  const std::size_t size = b.size();
  b.resize(size + 32);
  b.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(b.data()), size, b.size()));
}

void mutate(random_engine& random, container& all) {
  if (below(random, 8) == 0) {
    all.choice ^= static_cast<std::uint32_t>(std::size_t{1} << below(random, 32));
    return;
  }
  const file f = chosen_file(random);
  container::one& one = all[f];
  const bool stored = one.kind < fuzz::tiny_file;
  if (!stored && below(random, 4) == 0) {
    one = {0, fuzz::tiny_trace()[f]};
  } else if (below(random, 200) == 0) {
    one.kind = one.kind == fuzz::missing_file ? fuzz::tiny_file : fuzz::missing_file;
  } else if (stored) {
    switch (below(random, 8)) {
      case 0:
        return insert_or_erase(random, one.content);
      case 1:
        return change_bytes(one.content);
      case 2:
        return one.content.resize(one.content.size() - below(random, one.content.size() + 1) / 8);
      default:
        return change_field(random, one.content);
    }
  }
}

std::size_t put(const container& all, std::uint8_t* data, std::size_t max) {
  const bytes out = fuzz::pack(all);
  if (out.size() > max) return 0;
  std::memcpy(data, out.data(), out.size());
  return out.size();
}
container get(const std::uint8_t* data, std::size_t size) {
  return fuzz::unpack({reinterpret_cast<const std::byte*>(data), size});
}
}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max, unsigned seed) {
  random_engine random(seed);
  container all = get(data, size);
  for (std::size_t edits = 1 + below(random, 4); edits != 0; --edits) mutate(random, all);
  const std::size_t n = put(all, data, max);
  return n != 0 ? n : LLVMFuzzerMutate(data, size, max);
}

// Combines files of two traces.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                                 const std::uint8_t* b, std::size_t b_size,
                                                 std::uint8_t* out, std::size_t max,
                                                 unsigned seed) {
  random_engine random(seed);
  container first = get(a, a_size), second = get(b, b_size);
  for (std::size_t i = 0; i < first.files.size(); ++i)
    if (below(random, 2) == 0) std::swap(first.files[i], second.files[i]);
  return put(first, out, max);
}
