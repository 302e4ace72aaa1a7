// Tests files whose records end with a mark (file::until), and parts that are found from the end of
// a file (file::find_from_back). In the first byte, bit 0 selects a mapped input, and bits 1 to 3
// select the format. The remaining bits are the number of the record to seek to. The functions here
// that read a format by hand share no code with the library. They predict the records, or the part,
// and the offset, the record and the field of the first error.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "described_file.hpp"
#include "file/support.hpp"
#include "tracecodec/file/from_back.hpp"
#include "tracecodec/wire/rules/constant.hpp"

namespace fuzz::file_ends {
namespace file = tracecodec::file;
namespace wire = tracecodec::wire;
using described_file::trace;

constexpr std::size_t longest = 1000;
using until_mark = file::until<&test::line::mark>;
using lines =
    file::records<test::line_codec, file::each<"line">, file::longest<longest>, until_mark>;
using ended_lines = file::of<"line file", lines>;
using ended_with_trailer = file::of<"line file", lines, file::trailer<test::back_codec>>;
constexpr bool is_last(const test::step& s) { return s.what == 9; }
using ended_steps = file::of<"steps", file::records<test::step_codec, file::until<&is_last>>>;
using lines_header =
    file::header<wire::record<wire::fields<wire::constant<&test::lines_front::magic, "HTR1">,
                                           wire::constant<&test::lines_front::version, 2>,
                                           wire::field<&test::lines_front::lines>>>>;
using counted_lines =
    file::of<"line file", lines_header,
             file::records<test::line_codec, file::each<"line">, file::longest<longest>, until_mark,
                           file::counted_by<&test::lines_front::lines>>>;

std::uint64_t number(view in, std::size_t at, std::size_t size) {
  std::uint64_t n = 0;
  for (std::size_t i = size; i-- > 0;) n = n << 8 | std::to_integer<std::uint64_t>(in[at + i]);
  return n;
}
bool has_text(view in, std::size_t at, std::string_view text) {
  return at <= in.size() && in.size() - at >= text.size() &&
         text_of(in.subspan(at, text.size())) == text;
}

// First error of a strict reader.
struct flaw {
  trace_errc code;
  std::uint64_t offset;
  std::optional<std::uint64_t> record = {};
  std::string_view field = {};
};

// Records from `begin` on, and what follows them: nothing or `rest` bytes. If a record does not fit
// into these bytes, `field` and `offset` are its first field that is cut.
struct scanned {
  std::vector<bytes> records = {};
  std::size_t end = 0, rest = 0, offset = 0;
  std::string_view field = {};
  bool marked = false, cut = false, too_long = false;
};
scanned scan_lines(view in, std::size_t begin) {
  scanned s;
  s.end = begin;
  while (!s.marked && s.end != in.size()) {
    const std::size_t left = in.size() - s.end;
    const std::size_t text = left < 2 ? 0 : static_cast<std::size_t>(number(in, s.end, 2));
    // A record that does not end within the longest size is too long, even if its end is cut.
    if (text + 3 > longest && left > longest) {
      s.too_long = true;
      break;
    }
    if (left < text + 3) {
      s.cut = true;
      s.field = left < 2 ? "length" : left < 2 + text ? "text" : "mark";
      s.offset = s.end + (left < 2 ? 0 : left < 2 + text ? 2 : 2 + text);
      break;
    }
    const view record = in.subspan(s.end, text + 3);
    s.records.emplace_back(record.begin(), record.end());
    s.end += text + 3;
    s.marked = record.back() != std::byte{};
  }
  s.rest = in.size() - s.end;
  return s;
}
scanned scan_steps(view in) {
  scanned s;
  while (!s.marked && s.end != in.size()) {
    const std::size_t left = in.size() - s.end;
    if (left < 11) {
      s.cut = true;
      s.field = left < 8 ? "ip" : left < 10 ? "thread" : "what";
      s.offset = s.end + (left < 8 ? 0 : left < 10 ? 8 : 10);
      break;
    }
    const view record = in.subspan(s.end, 11);
    s.records.emplace_back(record.begin(), record.end());
    s.end += 11;
    s.marked = record[10] == std::byte{9};
  }
  s.rest = in.size() - s.end;
  return s;
}

// Returns the first error of a file without a header and a trailer.
std::optional<flaw> flaw_of(const scanned& s, view in) {
  const std::uint64_t n = s.records.size();
  if (in.empty()) return flaw{trace_errc::not_a_trace, 0};
  if (s.marked && s.rest == 0) return std::nullopt;
  if (s.marked || s.too_long) return flaw{trace_errc::bad_value, s.end, n};
  if (s.cut) return flaw{trace_errc::truncated, s.offset, n, s.field};
  return flaw{trace_errc::truncated, s.end, n};
}

// The last 8 bytes are the trailer: a number of 4 bytes, and "END!".
constexpr std::size_t trailer_size = 8;
bool is_trailer(view in, std::size_t at) { return has_text(in, at + 4, "END!"); }
std::optional<flaw> flaw_of_trailer(view in, std::size_t at) {
  const std::size_t left = in.size() - at;
  if (left < 4) return flaw{trace_errc::truncated, at, {}, "sum"};
  if (left < trailer_size) return flaw{trace_errc::truncated, at + 4, {}, "magic"};
  if (!is_trailer(in, at)) return flaw{trace_errc::bad_value, at + 4, {}, "magic"};
  return std::nullopt;
}
std::optional<flaw> flaw_with_trailer(const scanned& s, view in) {
  const std::uint64_t n = s.records.size();
  if (in.empty()) return flaw{trace_errc::not_a_trace, 0};
  if (s.too_long || (s.marked && s.rest != 0)) return flaw{trace_errc::bad_value, s.end, n};
  const std::size_t at = s.end + s.rest;
  const auto wrong = flaw_of_trailer(in, at);
  if (s.cut) {
    if (!wrong) return flaw{trace_errc::bad_value, s.end, n};
    // The trailer may follow the records, with other bytes after the trailer.
    return is_trailer(in, s.end) ? flaw{trace_errc::bad_value, s.end + trailer_size} : wrong;
  }
  if (wrong || s.marked) return wrong;
  return flaw{trace_errc::truncated, s.end, n};
}

// The header: "HTR1", a version 2 of 2 bytes, and the signed number of lines.
constexpr std::size_t header_size = 14;
std::optional<flaw> flaw_of_header(view in) {
  if (in.empty()) return flaw{trace_errc::not_a_trace, 0};
  const std::size_t n = in.size();
  if (n < header_size) {
    if (n < 4) return flaw{trace_errc::truncated, 0, {}, "magic"};
    return n < 6 ? flaw{trace_errc::truncated, 4, {}, "version"}
                 : flaw{trace_errc::truncated, 6, {}, "lines"};
  }
  if (!has_text(in, 0, "HTR1")) return flaw{trace_errc::not_a_trace, 0, {}, "magic"};
  if (number(in, 4, 2) != 2) return flaw{trace_errc::bad_value, 4, {}, "version"};
  if (number(in, 6, 8) >> 63 != 0) return flaw{trace_errc::bad_value, 6, {}, "lines"};
  return std::nullopt;
}
std::optional<flaw> flaw_with_count(const scanned& s, view in) {
  const std::uint64_t n = s.records.size(), declared = number(in, 6, 8);
  if (n < declared && s.cut) return flaw{trace_errc::truncated, s.offset, n, s.field};
  if (n < declared && s.rest == 0) return flaw{trace_errc::truncated, s.end, n};
  if (n > declared) return flaw{trace_errc::bad_value, 6, {}, "lines"};
  if (s.rest != 0) return flaw{trace_errc::bad_value, s.end, n};
  if (s.marked) return std::nullopt;
  return flaw{trace_errc::truncated, s.end, n};
}

// Compares a reader and a check with the prediction.
template <class File>
void compare(view in, bool mapped, const scanned& s, const std::optional<flaw>& first) {
  const trace all = described_file::read<File>(input_of(in, mapped), false);
  require(all.records == s.records, "the records are those up to the mark");
  require(all.error.has_value() == first.has_value(), "the file is sound or not, as predicted");
  if (!first) return;
  const trace_error& e = *all.error;
  const bool same = e.code() == first->code && e.offset() == first->offset &&
                    e.record() == first->record && e.field() == first->field;
  if (!same)
    std::fprintf(stderr, "%s\nexpected: offset %llu, record %lld, field %.*s\n", e.what(),
                 static_cast<unsigned long long>(first->offset),
                 first->record ? static_cast<long long>(*first->record) : -1,
                 static_cast<int>(first->field.size()), first->field.data());
  require(same, "the error has the predicted place");
  std::optional<std::uint64_t> found;
  bool any = false;
  File::check(input_of(in, mapped), [&](const tracecodec::diagnostic& d) {
    if (!any) found = d.offset;
    any = true;
  });
  require(any && found == first->offset, "the check finds it at the same place");
}

// End of a ZIP archive's directory (APPNOTE.TXT, 4.3.16).
struct directory_end {
  std::uint32_t magic;
  std::array<std::uint16_t, 4> numbers;
  std::uint32_t size, offset;
  std::uint16_t length;
  wire::array_view<wire::character> comment;
};
using directory_end_codec = wire::record<
    wire::in_struct_order<directory_end, wire::constant<&directory_end::magic, 0x06054b50>,
                          wire::counted<&directory_end::comment, &directory_end::length>>>;

void find_directory_end(view in, std::size_t most) {
  const auto part = file::find_from_back<directory_end_codec>(in, most);
  std::optional<std::size_t> want;
  for (std::size_t at = in.size(); at-- > 0 && in.size() - at <= most && !want;)
    if (in.size() - at >= 22 && has_text(in, at, "PK\5\6") &&
        number(in, at + 20, 2) == in.size() - at - 22)
      want = at;
  require(part.found == want.has_value(), "a part is found if there is one");
  if (!want) return;
  require(part.offset == *want, "at its place");
  for (std::size_t i = 0; i < 4; ++i)
    require(part.value.numbers[i] == number(in, *want + 4 + 2 * i, 2), "with its numbers");
  require(part.value.size == number(in, *want + 12, 4) &&
              part.value.offset == number(in, *want + 16, 4) &&
              wire::as_text(part.value.comment) == text_of(in.subspan(*want + 22)),
          "and its text");
}
void find_trailer(view in, std::size_t most) {
  const auto part = file::find_from_back<test::back_codec>(in, most);
  const bool there =
      most >= trailer_size && in.size() >= trailer_size && is_trailer(in, in.size() - trailer_size);
  require(part.found == there, "a part of fixed size is found if it is the end");
  if (there)
    require(part.offset == in.size() - trailer_size && part.value.sum == number(in, part.offset, 4),
            "with its number");
}

void run(view in) {
  const unsigned how = take_byte(in);
  const bool mapped = (how & 1U) != 0;
  const unsigned kind = how >> 1U & 7U, place = how >> 4U << 3U | (how & 1U);
  switch (kind) {
    case 0: {
      const scanned s = scan_lines(in, 0);
      compare<ended_lines>(in, mapped, s, flaw_of(s, in));
      return described_file::run_as<ended_lines>(in, place);
    }
    case 1: {
      scanned s = scan_lines(in.first(in.size() - std::min(in.size(), trailer_size)), 0);
      compare<ended_with_trailer>(in, mapped, s, flaw_with_trailer(s, in));
      return described_file::run_as<ended_with_trailer>(in, place);
    }
    case 2: {
      const scanned s = scan_steps(in);
      compare<ended_steps>(in, mapped, s, flaw_of(s, in));
      return described_file::run_as<ended_steps>(in, place);
    }
    case 3: {
      const auto header = flaw_of_header(in);
      const scanned s = header ? scanned{} : scan_lines(in, header_size);
      compare<counted_lines>(in, mapped, s, header ? header : flaw_with_count(s, in));
      return described_file::run_as<counted_lines>(in, place);
    }
    case 4:
      return find_directory_end(in, 22 + 0xffff);
    case 5:
      return find_directory_end(in, 16 + (how >> 4U));
    case 6:
      return find_trailer(in, 100);
    default:
      return find_trailer(in, how >> 4U);
  }
}
const target registered("file_ends", run);
}  // namespace fuzz::file_ends
