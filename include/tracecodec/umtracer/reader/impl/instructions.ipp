// The functions of umtracer/reader/instructions.hpp.
#pragma once
#include "../instructions.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC instruction_table::instruction_table(const trace_files& files, bool lenient)
    : rows_(files, file::instructions, lenient),
      extra_{extra_area_of(files, file::instructions, lenient)} {}
TRACECODEC_FUNC instruction_record instruction_table::operator[](std::size_t i) const noexcept {
  return rows_[i];
}
TRACECODEC_FUNC std::span<const std::byte> instruction_table::code(std::size_t i) const noexcept {
  constexpr std::size_t most = sizeof instruction_record{}.code;
  const std::size_t n = rows_.get<&instruction_record::code_size>(i);
  return rows_.bytes(i).subspan(instruction_codec::offset_of<&instruction_record::code>,
                                std::min(n, most));
}
TRACECODEC_FUNC decoded_instruction instruction_table::decoded(std::size_t i) const {
  const auto at = rows_[i].decoded.locate_rest(extra_);
  decoded_instruction d;
  if (!at || !decoded_codec::decode(at.bytes, d)) outside(i);
  return d;
}
TRACECODEC_FUNC std::string_view instruction_table::text(std::size_t i) const {
  const auto at = rows_[i].disassembly.locate_rest(extra_);
  c_string s;
  if (!at || !c_string_codec::decode(at.bytes, s))
    rows_.fail(i, instruction_codec::offset_of<&instruction_record::disassembly>, "disassembly",
               "leads outside the extra area");
  return wire::as_text(s.characters);
}
TRACECODEC_FUNC void instruction_table::outside(std::size_t i) const {
  rows_.fail(i, instruction_codec::offset_of<&instruction_record::decoded>, "decoded",
             "leads outside the extra area, or its slots end there");
}

}  // namespace tracecodec::umtracer
