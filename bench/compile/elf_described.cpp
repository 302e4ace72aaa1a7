// The header and the section table of an ELF file of either width and byte order, described.
#include <tracecodec/wire.hpp>

#include "elf.hpp"

namespace {

using namespace tracecodec;
using namespace tracecodec::wire;

struct identification {
  std::array<char, 4> magic;
  std::uint8_t bits, order, version, abi, abi_version;
};
using identification_codec = record<in_struct_order<
    identification, constant<&identification::magic, "\177ELF">,
    one_of<&identification::bits, 1, 2>, one_of<&identification::order, 1, 2>,
    constant<&identification::version, 1>, at<field<&identification::abi_version>, padding<7>>>>;

template <target T> struct header {
  std::uint16_t type, machine;
  std::uint32_t version;
  word_t<T> entry, segments_at, sections_at;
  std::uint32_t flags;
  std::uint16_t size, segment_size, segments, section_size, sections, names;
};
template <target T> struct section_row {
  std::uint32_t name, type;
  word_t<T> flags, address, offset, size;
  std::uint32_t link, info;
  word_t<T> alignment, entry_size;
};

template <order O, target T> bool sum_up(std::span<const std::byte> file, elf::summary& s) {
  using header_codec = record<header<T>, O>;
  using section_codec = record<section_row<T>, O>;
  header<T> h{};
  if (!header_codec::decode(file.subspan(identification_codec::size), h)) return false;
  const file_pointer<section_codec> at{h.sections_at};
  const auto table = table_at(at, region<>{file}, h.sections, h.section_size);
  if (!table) return false;
  for (const section_row<T> row : table.rows) {
    s.bytes += row.size;
    s.code += (row.flags & 4) != 0;
  }
  return true;
}

}  // namespace

bool elf::sum_up(std::span<const std::byte> file, summary& s) {
  identification id{};
  if (!identification_codec::decode(file, id)) return false;
  return with_order_and_target(id.order == 2 ? order::big : order::little,
                               id.bits == 1 ? target::x86 : target::x64,
                               [&]<order O, target T>() { return ::sum_up<O, T>(file, s); });
}
