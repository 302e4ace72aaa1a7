// Rejects files that are not traces of the reader's records: files of another format, and files
// without records. A trace has no magic number, so the decision is based on the first records
// (recognise.hpp).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "../config.hpp"
#include "../file/known_file.hpp"
#include "../io/open.hpp"
#include "layout.hpp"
#include "recognise.hpp"

namespace tracecodec::champsim {

struct reader_options {
  // True to read the bytes as records without examining them. Use this option for traces that do
  // not look like a program's trace, such as synthetic traces, or traces with flags, addresses or
  // padding that no tracer writes.
  bool trust = false;
};

namespace detail {

// Returns the usual record with exactly the layout of `Codec`, or nullopt if neither usual record
// has this layout.
template <class Codec> constexpr std::optional<usual_record> usual_record_of() {
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
      return x.offset == y.offset && x.size == y.size && x.byte_order == y.byte_order &&
             x.name.view() == y.name.view();
    });
  };
  constexpr const auto& rows = wire::layout_table<Codec>;
  if (same(rows, wire::layout_table<instruction_codec>)) return usual_record::standard;
  if (same(rows, wire::layout_table<cloudsuite_codec>)) return usual_record::cloudsuite;
  return std::nullopt;
}

// Decodes the first records in `head` with `Codec`. Returns true if their ips form a plausible
// execution.
template <class Codec> bool lead_on(std::span<const std::byte> head) {
  if constexpr (trace_record<typename Codec::value_type>) {
    const std::size_t n = std::min(head.size() / Codec::size, judged_records);
    flow ips;
    std::uint64_t last = 0;
    bool taken = false;
    for (std::size_t i = 0; i != n; ++i) {
      typename Codec::value_type r{};
      if (!Codec::decode(head.subspan(i * Codec::size, Codec::size), r)) return false;
      const auto ip = static_cast<std::uint64_t>(r.ip);
      if (i != 0) ips.add(last, taken, ip);
      last = ip;
      taken = static_cast<std::uint8_t>(r.branch_taken) != 0;
    }
    return n > 1 && ips.by_instructions() && ips.leads_on(n - 1);
  } else {
    return false;
  }
}

// Returns the kind of a file that begins with `head`, if a magic number or text shows that the file
// does not contain the expected records. If the file may contain the expected records, returns a
// result that converts to false. `size` is the size of the expected records. `lead_on` is true if
// the ips of the expected records form a plausible execution.
TRACECODEC_FUNC file::known_file known_other(std::span<const std::byte> head, std::size_t size,
                                             bool lead_on);

template <class Codec> file::known_file known_other(io::input& in) {
  const auto head = in.peek(io::input::peek_limit);
  return known_other(head, Codec::size, lead_on<Codec>(head));
}

// Throws trace_error(not_a_trace) for a result of known_other().
[[noreturn]] TRACECODEC_FUNC void refuse(io::input& in, const file::known_file& other);

// Throws trace_error(not_a_trace) if `in` is not a trace of `wanted` records. `in` must be at its
// first byte.
TRACECODEC_FUNC void require_usual_records(io::input& in, usual_record wanted);

}  // namespace detail

// Returns `in` without consuming any bytes. Throws trace_error(not_a_trace), with advice, if `in`
// fails the test for `Codec`'s records:
// - If the records are usual records, the file must look like a trace of these records.
// - If the records have any other layout, the file must not begin like another kind of file.
//
// An input that is shorter than a record is accepted, because the reader reports the truncation. An
// input with fewer than few_records records need not look like a trace. If a read error made the
// first bytes incomplete, throws the read error instead.
template <class Codec> io::input require_records(io::input in, reader_options how) {
  if (how.trust) return in;
  if constexpr (constexpr auto usual = detail::usual_record_of<Codec>(); usual)
    detail::require_usual_records(in, *usual);
  else if (const file::known_file other = detail::known_other<Codec>(in))
    detail::refuse(in, other);
  return in;
}

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/require_records.ipp"
#endif
