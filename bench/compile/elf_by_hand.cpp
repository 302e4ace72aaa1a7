// The header and the section table of an ELF file of either width and byte order, read by hand.
#include <bit>
#include <cstring>

#include "elf.hpp"

namespace {

struct header {
  std::uint16_t type, machine;
  std::uint32_t version;
  std::uint64_t entry, segments_at, sections_at;
  std::uint32_t flags;
  std::uint16_t size, segment_size, segments, section_size, sections, names;
};
struct section_row {
  std::uint32_t name, type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t alignment, entry_size;
};

template <bool Big> struct cursor {
  const std::byte* p;
  template <class T> T get() noexcept {
    T v = 0;
    std::memcpy(&v, p, sizeof v);
    p += sizeof v;
    if constexpr (Big == (std::endian::native == std::endian::little)) {
      T swapped = 0;
      for (std::size_t i = 0; i < sizeof v; ++i) {
        swapped = static_cast<T>(swapped << 8 | (v & 0xff));
        v = static_cast<T>(v >> 8);
      }
      return swapped;
    }
    return v;
  }
};

template <bool Big, class Word> header read_header(const std::byte* p) noexcept {
  cursor<Big> in{p};
  header h{};
  h.type = in.template get<std::uint16_t>();
  h.machine = in.template get<std::uint16_t>();
  h.version = in.template get<std::uint32_t>();
  h.entry = in.template get<Word>();
  h.segments_at = in.template get<Word>();
  h.sections_at = in.template get<Word>();
  h.flags = in.template get<std::uint32_t>();
  h.size = in.template get<std::uint16_t>();
  h.segment_size = in.template get<std::uint16_t>();
  h.segments = in.template get<std::uint16_t>();
  h.section_size = in.template get<std::uint16_t>();
  h.sections = in.template get<std::uint16_t>();
  h.names = in.template get<std::uint16_t>();
  return h;
}
template <bool Big, class Word> section_row read_row(const std::byte* p) noexcept {
  cursor<Big> in{p};
  section_row r{};
  r.name = in.template get<std::uint32_t>();
  r.type = in.template get<std::uint32_t>();
  r.flags = in.template get<Word>();
  r.address = in.template get<Word>();
  r.offset = in.template get<Word>();
  r.size = in.template get<Word>();
  r.link = in.template get<std::uint32_t>();
  r.info = in.template get<std::uint32_t>();
  r.alignment = in.template get<Word>();
  r.entry_size = in.template get<Word>();
  return r;
}

template <bool Big, class Word> bool sum_up(std::span<const std::byte> file, elf::summary& s) {
  constexpr std::size_t header_size = 16 + 8 + 3 * sizeof(Word) + 16;
  constexpr std::size_t row_size = 16 + 6 * sizeof(Word);
  if (file.size() < header_size) return false;
  const header h = read_header<Big, Word>(file.data() + 16);
  if (h.sections == 0) return true;
  if (h.section_size < row_size || h.sections_at > file.size()) return false;
  const std::uint64_t size = std::uint64_t{h.sections - 1U} * h.section_size + row_size;
  if (file.size() - h.sections_at < size) return false;
  for (std::size_t i = 0; i < h.sections; ++i) {
    const section_row row = read_row<Big, Word>(file.data() + h.sections_at + i * h.section_size);
    s.bytes += row.size;
    s.code += (row.flags & 4) != 0;
  }
  return true;
}

}  // namespace

bool elf::sum_up(std::span<const std::byte> file, summary& s) {
  if (file.size() < 16 || std::memcmp(file.data(), "\177ELF", 4) != 0) return false;
  const auto bits = static_cast<std::uint8_t>(file[4]), order = static_cast<std::uint8_t>(file[5]);
  if (file[6] != std::byte{1}) return false;
  if (bits == 1 && order == 1) return ::sum_up<false, std::uint32_t>(file, s);
  if (bits == 1 && order == 2) return ::sum_up<true, std::uint32_t>(file, s);
  if (bits == 2 && order == 1) return ::sum_up<false, std::uint64_t>(file, s);
  if (bits == 2 && order == 2) return ::sum_up<true, std::uint64_t>(file, s);
  return false;
}
