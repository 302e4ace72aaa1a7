// Implements analysis/export/pprof.hpp.
#pragma once
#include "../pprof.hpp"

namespace tracecodec::analysis {

namespace detail {
struct pprof_number {
  std::uint64_t value;
};
using pprof_number_codec = wire::record<wire::fields<wire::leb128<&pprof_number::value>>>;

// Replaces `to` by the numbers as varints.
TRACECODEC_FUNC void set_pprof_numbers(std::vector<std::byte>& to,
                                       std::span<const std::uint64_t> numbers) {
  constexpr std::size_t most = 10;  // bytes of a varint
  to.resize(numbers.size() * most);
  std::size_t used = 0;
  for (const std::uint64_t n : numbers)
    used += pprof_number_codec::encode({n}, std::span(to).subspan(used)).used;
  to.resize(used);
}
}  // namespace detail

// Encodes a message. `variable` is the size of its lists and texts.
template <class Codec, class Message>
void pprof_writer::add(const Message& m, std::size_t variable) {
  // All messages have at most 13 varints, and 13 bytes of keys.
  const std::size_t most = 160 + variable;
  if (buffer_.size() - used_ < most) {
    finish();
    if (buffer_.size() < most) buffer_.resize(std::max(most, std::size_t{1} << 16));
  }
  used_ += Codec::encode(m, std::span(buffer_).subspan(used_)).used;
}

TRACECODEC_FUNC pprof_writer::pprof_writer(io::sink& to, std::span<const type> types) : to_(&to) {
  add_string({});
  pprof::period last{};
  for (const type& t : types) {
    last.type = last.shown = add_string(t.name);
    last.unit = add_string(t.unit);
    add<pprof::sample_type_codec>(pprof::sample_type{0, last.type, last.unit});
  }
  last.period = 1;
  add<pprof::period_codec>(last);
}

TRACECODEC_FUNC std::uint64_t pprof_writer::add_string(std::string_view text) {
  add<pprof::string_codec>(
      pprof::string{wire::array_view<wire::character>(std::as_bytes(std::span(text)))},
      text.size());
  return strings_++;
}

TRACECODEC_FUNC std::uint64_t pprof_writer::add_mapping(std::uint64_t start, std::uint64_t limit,
                                                        std::string_view path,
                                                        std::string_view build_id) {
  pprof::mapping m{};
  m.id = ++mappings_;
  m.start = start;
  m.limit = limit;
  m.path = add_string(path);
  m.build_id = add_string(build_id);
  add<pprof::mapping_codec>(m);
  return m.id;
}

TRACECODEC_FUNC std::uint64_t pprof_writer::add_function(std::string_view name) {
  pprof::function f{};
  f.id = ++functions_;
  f.name = f.system_name = add_string(name);
  add<pprof::function_codec>(f);
  return f.id;
}

TRACECODEC_FUNC std::uint64_t pprof_writer::add_location(std::uint64_t mapping,
                                                         std::uint64_t address,
                                                         std::uint64_t function) {
  pprof::location l{};
  l.id = ++all_locations_;
  l.mapping = mapping;
  l.address = address;
  l.function = function;
  add<pprof::location_codec>(l);
  return l.id;
}

TRACECODEC_FUNC void pprof_writer::add_sample(std::span<const std::uint64_t> locations,
                                              std::span<const std::uint64_t> values) {
  detail::set_pprof_numbers(locations_, locations);
  detail::set_pprof_numbers(values_, values);
  pprof::sample s{};
  s.locations = wire::array_view<wire::u8>(locations_);
  s.values = wire::array_view<wire::u8>(values_);
  add<pprof::sample_codec>(s, locations_.size() + values_.size());
}

TRACECODEC_FUNC void pprof_writer::finish() {
  to_->write(std::span(buffer_).first(used_));
  used_ = 0;
}

}  // namespace tracecodec::analysis
