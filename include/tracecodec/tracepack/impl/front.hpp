// Reads and verifies the front of a tracepack file and the description that follows it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../../file/record_table.hpp"
#include "../../io/error.hpp"
#include "../../io/window.hpp"
#include "../about.hpp"
#include "../layout.hpp"
#include "../recognise.hpp"
#include "crc.hpp"

namespace tracecodec::tracepack::detail {

inline bool begins_with(std::span<const std::byte> in, std::string_view magic) {
  return in.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), in.begin(),
                    [](char c, std::byte b) { return static_cast<std::byte>(c) == b; });
}

inline about about_of(const about_record& a) {
  const auto text = [](const text_view& v) {
    return std::string(reinterpret_cast<const char*>(v.bytes().data()), v.size());
  };
  about to;
  to.kind = a.kind;
  to.properties = a.properties & (has_classes | has_lengths | has_code);
  to.processor = static_cast<processor>(a.properties >> processor_bit);
  to.frame_records = a.frame_records;
  to.shape.size = a.record_size;
  to.shape.ip = a.ip_offset;
  for (const std::uint16_t s : a.slots) to.shape.slots.push_back(s);
  for (const std::uint16_t b : a.bases) to.shape.bases.push_back(b);
  to.table = text(a.table);
  to.program = text(a.program);
  to.arguments = text(a.arguments);
  to.recorder = text(a.recorder);
  to.machine = text(a.machine);
  to.date = text(a.date);
  to.region = text(a.region);
  to.comment = text(a.comment);
  return to;
}

// Returns the size of the records that a table describes, or nullopt if the text is not a valid
// table. An invalid table is reported later, when the table is needed.
inline std::optional<std::size_t> size_of_described(const std::string& table) {
  try {
    return file::parse_record_table(table, {}).size();
  } catch (const trace_error&) {
    return std::nullopt;
  }
}

// Reads the description. The window must be at the first byte of the file. Afterwards, the window
// is at the first frame.
inline about read_front(io::window& from) {
  const auto in = from.look(front_codec::size);
  front f{};
  const auto r = front_codec::decode(in, f);
  const auto fail = [&from](trace_errc code, std::uint64_t offset, const std::string& why) {
    return trace_error(code, {from.from().name(), offset}, why);
  };
  if (!r) {
    from.check_end();
    const std::size_t n = std::min(in.size(), magic.size());
    if (!begins_with(in, magic.substr(0, n)))
      throw fail(trace_errc::not_a_trace, 0, "does not begin like tracepack");
    if (r.error == wire::errc::truncated)
      throw fail(trace_errc::truncated, in.size(),
                 "the file ends inside its header, after " + std::to_string(in.size()) + " bytes");
    throw fail(trace_errc::corrupt, r.used, "the checksum of the file's header differs");
  }
  if (f.major != major_version)
    throw fail(trace_errc::unsupported, 8,
               "tracepack of version " + std::to_string(f.major) + "." + std::to_string(f.minor) +
                   ", but this program reads version " + std::to_string(major_version));
  if (f.about_size > most_about)
    throw fail(trace_errc::bad_value, 12,
               std::to_string(f.about_size) + " bytes of text, but at most " +
                   std::to_string(most_about) + " are supported");
  from.consume(r.used);
  const auto text = from.look(f.about_size);
  if (text.size() < f.about_size) {
    from.check_end();
    throw fail(trace_errc::truncated, from.offset() + text.size(),
               "the file ends inside its description");
  }
  const auto bytes = text.first(f.about_size);
  if (crc_of(bytes) != f.about_crc)
    throw fail(trace_errc::corrupt, from.offset(),
               "the checksum of the file's description differs");
  about_record a{};
  const auto decoded = about_codec::decode(bytes, a);
  const auto bad = [&from](trace_errc code, std::size_t at, std::string field,
                           const std::string& why) {
    return trace_error(code, {from.from().name(), from.offset() + at, {}, std::move(field)}, why);
  };
  if (!decoded)
    throw bad(trace_errc::bad_value, decoded.used, std::string(decoded.field),
              std::string(message(decoded.error)));
  if (a.kind > record_kind::bytes)
    throw bad(trace_errc::unsupported, 0, "kind",
              "records of kind " + std::to_string(static_cast<unsigned>(a.kind)) +
                  ", which this program does not support");
  if (const std::uint16_t size = a.kind == record_kind::champsim     ? 64
                                 : a.kind == record_kind::cloudsuite ? 96
                                                                     : a.record_size;
      size != a.record_size)
    throw bad(trace_errc::bad_value, 0, "record_size",
              "records of " + std::to_string(a.record_size) +
                  " bytes, but this kind of record has " + std::to_string(size));
  if (a.record_size == 0 || a.record_size > most_record)
    throw bad(trace_errc::bad_value, 0, "record_size",
              "records of " + std::to_string(a.record_size) + " bytes, but 1 to " +
                  std::to_string(most_record) + " are supported");
  about said = about_of(a);
  if (said.kind == record_kind::described)
    if (const auto size = size_of_described(said.table); size && *size != a.record_size)
      throw bad(trace_errc::bad_value, 0, "table",
                "describes records of " + std::to_string(*size) + " bytes, but record_size is " +
                    std::to_string(a.record_size));
  from.consume(f.about_size);
  return said;
}

}  // namespace tracecodec::tracepack::detail
