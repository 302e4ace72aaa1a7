// Implementation of the functions in champsim/require_records.hpp that are not templates.
#pragma once
#include "../require_records.hpp"

#include <string>

#include "../../file/named_by_content.hpp"
#include "../../io/error.hpp"

namespace tracecodec::champsim::detail {

inline constexpr file::known_file text{
    "text", "trace::reader (tracecodec/trace/reader.hpp) reads RapidBin's text (STD)"};

TRACECODEC_FUNC file::known_file known_other(std::span<const std::byte> head, std::size_t size,
                                             bool lead_on) {
  using enum file::known_file::evidence;
  if (head.size() < size) return {};
  const file::known_file known = file::named_by_content(head);
  if (known.has_records) return {};
  if (known && (known.is == certain || (known.is == sure && !lead_on))) return known;
  return file::is_text(head) ? text : file::known_file{};
}

[[noreturn]] TRACECODEC_FUNC void refuse(io::input& in, const file::known_file& other) {
  // If the bytes are wrong because of a read error, throw the read error instead.
  in.check_ahead();
  throw trace_error(trace_errc::not_a_trace, {in.name(), 0}, other.message() + in.offset_note());
}

[[noreturn]] TRACECODEC_FUNC void refuse_as_unlike(io::input& in, usual_record wanted,
                                                   std::span<const std::byte> head,
                                                   const judgement& own) {
  in.check_ahead();
  std::optional<std::uint64_t> size;
  if (in.mapped()) size = in.bytes().size();
  if (head.size() < io::input::peek_limit) size = head.size();
  const reason why = why_no_records(head, own, size, {});
  throw trace_error(trace_errc::not_a_trace, {in.name(), why.offset},
                    std::string("not a trace of ") +
                        (wanted == usual_record::standard ? "ChampSim" : "CloudSuite") +
                        "'s records: " + why.text + "; the option trust skips this check" +
                        in.offset_note());
}

TRACECODEC_FUNC void require_usual_records(io::input& in, usual_record wanted) {
  const bool standard = wanted == usual_record::standard;
  const auto head = in.peek(io::input::peek_limit);
  if (head.size() < (standard ? instruction_codec::size : cloudsuite_codec::size)) return;

  using enum file::known_file::evidence;
  const file::known_file known = file::named_by_content(head);
  if (known && known.is == certain) refuse(in, known);
  const judgement as_standard = champsim::probe<instruction_codec>(head);
  const auto found = recognise_records(head, as_standard, known && known.is != weak);
  if (found == wanted) return;
  if (!found) {
    const judgement own = standard ? as_standard : champsim::probe<cloudsuite_codec>(head);
    const bool possible = own.plausible != 0 || !own.bad_byte;
    if (known && known.is == sure) refuse(in, known);
    if (file::is_text(head)) refuse(in, text);
    if (own.records < few_records && possible) return;
    if (known) refuse(in, known);
    refuse_as_unlike(in, wanted, head, own);
  }
  refuse(in, standard ? file::known_file{"a CloudSuite trace with records of 96 bytes, not 64",
                                         "champsim::trace_feed<champsim::cloudsuite_instruction> "
                                         "reads it, and trace::reader any trace"}
                      : file::known_file{
                            "a ChampSim trace with records of 64 bytes, not CloudSuite's 96",
                            "champsim::trace_feed<> reads it, and trace::reader any "
                            "trace"});
}

}  // namespace tracecodec::champsim::detail
