// What readers of fixed and of varying records have in common: the header, the trailer, and what is
// wrong at the end.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../io/window.hpp"
#include "../wire/result.hpp"
#include "describe.hpp"

namespace tracecodec::file {

struct reader_options {
  // Delivers the whole records that there are, whatever the file says of their number: of one whose
  // writer gave up, was cut, or has bytes behind the last record.
  bool lenient = false;
};

// What may be wrong at a file's end.
enum class flaw : std::uint8_t {
  cut,       // it ends inside a record, the trailer, or before as many records as it says
  count,     // it says another number of records
  trailing,  // bytes behind the last record
  refused    // a record or the trailer holds what it must not
};

namespace detail {
// The error of a record, a header or a trailer that does not decode.
constexpr trace_errc code_of(wire::errc e) noexcept {
  return e == wire::errc::truncated ? trace_errc::truncated : trace_errc::bad_value;
}
// What is wrong with a value that is there.
template <class Codec> std::string refusal(const wire::result& r) {
  const wire::text constant = Codec::constant_text(r.field);
  if (r.error == wire::errc::refused_value && constant.length != 0)
    return "is not " + std::string(constant.view());
  return std::string(wire::message(r.error));
}
inline std::string with_article(std::string_view name) {
  const bool vowel = std::string_view("AEIOUaeiou").find(name.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(name);
}
}  // namespace detail

template <class D> class frame {
 public:
  using codec = typename D::codec;
  using record = typename D::record;
  using header_type = typename D::header_type;
  using trailer_type = typename D::trailer_type;

  // What the header says. Its views, if it has some, live as long as the reader.
  [[nodiscard]] const header_type& header() const requires D::has_header { return header_; }
  // Index of the record that next() begins with.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  // How much of the file on disk was read, 0 to 1; nullopt for pipes.
  [[nodiscard]] std::optional<double> progress() const { return window_.progress(); }
  // As errors name it.
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }

 protected:
  frame(io::input in, reader_options options) : window_(std::move(in)), lenient_(options.lenient) {
    if constexpr (D::has_header) read_header();
  }
  ~frame() = default;
  frame(frame&&) = default;
  frame& operator=(frame&&) = default;

  // Bytes behind the records, which are none themselves.
  static constexpr std::size_t behind = D::trailer_codec::size;

  void rewind_records() {
    window_.rewind();
    window_.skip(start_);
    position_ = 0;
  }

  // What is left behind the last whole record, and before the trailer.
  struct tail {
    std::uint64_t at = 0;      // its offset
    std::size_t rest = 0;      // bytes of it, as far as they are at hand
    wire::result why = {};     // what it decodes to
    std::string message = {};  // in words, if it is not truncated
  };

  // Returns quietly at a sound end.
  void finish(const tail& left) {
    window_.check_end();
    if constexpr (!D::has_header) {
      if (position_ == 0 && left.rest == 0 && window_.look(behind).empty())
        throw trace_error(trace_errc::not_a_trace, {name(), 0}, "empty, expected " + expectation());
    }
    if (lenient_) return;
    if (const auto e = first_flaw(left)) throw *e;
  }

  std::optional<trace_error> first_flaw(const tail& left) {
    std::optional<trace_error> first;
    for_each_flaw(left, [&first](flaw, const trace_error& e) {
      if (!first) first = e;
    });
    return first;
  }

  // The same of all that is wrong: calls f(flaw, trace_error).
  template <class F> void for_each_flaw(const tail& left, F f) {
    counted count{};
    if constexpr (D::counted_in_header) count = compare(header_.*D::counter::member, left, f);
    if constexpr (D::has_trailer) check_trailer(left, count, f);
    if (left.rest == 0 || count == counted::fewer) return;
    const std::string each(D::each);
    if ((D::counter::there || D::has_trailer) &&
        (count == counted::all || left.why.error == wire::errc::truncated))
      f(flaw::trailing, error(trace_errc::bad_value, left.at, position_, {},
                              std::to_string(left.rest) + (left.rest == 1 ? " byte" : " bytes") +
                                  " behind the last " + each));
    else if (left.why.error == wire::errc::truncated)
      f(flaw::cut, error(trace_errc::truncated, left.at + left.why.used, position_, cut_field(left),
                         "the trace ends inside the " + each + ", after " +
                             std::to_string(left.rest) + of_size() + " bytes"));
    else
      f(flaw::refused, error(trace_errc::bad_value, left.at + left.why.used, position_,
                             left.why.field, left.message));
  }

  trace_error error(trace_errc code, std::uint64_t offset, std::optional<std::uint64_t> index,
                    std::string_view field, const std::string& message) const {
    return trace_error(code, {name(), offset, index, std::string(field)},
                       message + window_.from().offset_note());
  }

  io::window window_;
  header_type header_ = {};
  bool lenient_;
  std::uint64_t start_ = 0;     // offset of the first record
  std::uint64_t position_ = 0;  // index of the next one

 private:
  static constexpr std::size_t longest_header = std::size_t{1} << 20;  // of varying size

  // How the number of records that there are compares with what the file says.
  enum class counted : std::uint8_t { unknown, fewer, all };

  template <class N> static constexpr bool negative(N n) noexcept {
    if constexpr (std::is_signed_v<N>)
      return n < 0;
    else
      return false;
  }
  static std::string of_size() {
    return codec::fixed ? " of " + std::to_string(codec::size) : std::string();
  }
  static std::string expectation() {
    if constexpr (codec::fixed && !D::has_trailer)
      return std::string(D::each) + "s of " + std::to_string(codec::size) + " bytes";
    else
      return detail::with_article(D::name);
  }
  // Of a record that is a single word of bits all are cut, and none is named for them.
  static constexpr bool single_word = [] {
    if constexpr (codec::fixed) {
      std::size_t rows = 0, elsewhere = 0;
      for (const auto& row : codec::layout()) ++rows, elsewhere += row.offset != 0;
      return rows > 1 && elsewhere == 0;
    } else {
      return false;
    }
  }();
  static std::string_view cut_field(const tail& left) {
    return single_word ? D::each : left.why.field;
  }

  template <class N, class F> counted compare(N declared, const tail& left, F& f) {
    const std::string several(D::counter::name), said = std::to_string(declared) + ' ' + several;
    const std::string there = std::to_string(position_);
    if (!negative(declared) && position_ < static_cast<std::uint64_t>(declared)) {
      // If what comes is no record, that is worse.
      if (left.rest != 0 && left.why.error != wire::errc::truncated) return counted::unknown;
      std::string behind_it;
      if (single_word && left.rest != 0)
        behind_it = " and " + std::to_string(left.rest) + of_size() + " bytes";
      f(flaw::cut, error(trace_errc::truncated, left.at + left.why.used, position_, cut_field(left),
                         "the trace ends after " + there + " of " + said + behind_it));
      return counted::fewer;
    }
    if (position_ != static_cast<std::uint64_t>(declared))
      f(flaw::count,
        trace_error(trace_errc::bad_value, {name(), count_offset(left.at + left.rest), {}, several},
                    std::string("the ") + (D::counted_in_header ? "header" : "trailer") +
                        " declares " + said + ", " + there + " are there" +
                        (never_completed() ? ": the trace was never completed" : "")));
    return counted::all;
  }

  // The trailer is the last bytes of the file, behind what is left of the records.
  template <class F> void check_trailer(const tail& left, counted& count, F& f) {
    using trailer_codec = typename D::trailer_codec;
    const auto in = window_.look(left.rest + behind);
    const auto last = in.subspan(std::min(in.size(), left.rest));
    trailer_type trailer{};
    const auto r = trailer_codec::decode(last, trailer);
    const std::uint64_t at = left.at + left.rest;
    if (!r) {
      const bool cut = r.error == wire::errc::truncated;
      if (count == counted::fewer) return;
      f(cut ? flaw::cut : flaw::refused,
        error(detail::code_of(r.error), at + r.used, {}, r.field,
              !cut ? detail::refusal<trailer_codec>(r)
                   : "the trace ends inside the trailer, after " + std::to_string(last.size()) +
                         " of " + std::to_string(behind) + " bytes"));
      return;
    }
    D::in_trailer::for_each_negative(
        trailer, [&](std::string_view field, std::size_t offset, std::int64_t n) {
          f(flaw::refused, error(trace_errc::bad_value, at + offset, {}, field,
                                 "the trailer declares " + std::to_string(n)));
        });
    if constexpr (D::counted_in_trailer) count = compare(trailer.*D::counter::member, left, f);
  }
  static constexpr std::uint64_t count_offset(std::uint64_t trailer_at) noexcept {
    if constexpr (D::counted_in_header)
      return D::header_codec::template offset_of<D::counter::member>;
    else
      return trailer_at + D::trailer_codec::template offset_of<D::counter::member>;
  }
  // Whether the header is as the writer leaves it until the end: all zeros.
  bool never_completed() const {
    if constexpr (D::patched) {
      std::vector<std::byte> bytes(D::header_codec::size);
      D::header_codec::encode(header_, bytes);
      return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{}; });
    } else {
      return false;
    }
  }

  void read_header() {
    using header_codec = typename D::header_codec;
    std::size_t want = header_codec::fixed ? header_codec::size : 512;
    auto in = window_.look(want);
    auto r = header_codec::decode(in, header_);
    while (r.error == wire::errc::truncated && in.size() >= want && in.size() < longest_header) {
      want = 2 * in.size();
      in = window_.look(want);
      r = header_codec::decode(in, header_);
    }
    if (!r) refuse_header(in, r);
    if constexpr (!header_codec::fixed) {
      header_bytes_.assign(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(r.used));
      header_codec::decode(header_bytes_, header_);
    }
    if (!lenient_)
      D::for_each_negative(
          header_, [this](std::string_view field, std::size_t offset, std::int64_t count) {
            throw trace_error(trace_errc::bad_value, {name(), offset, {}, std::string(field)},
                              "the header declares " + std::to_string(count));
          });
    start_ = r.used;
    window_.consume(r.used);
  }
  [[noreturn]] void refuse_header(std::span<const std::byte> in, const wire::result& r) {
    window_.check_end();
    if (in.empty())
      throw trace_error(trace_errc::not_a_trace, {name(), 0},
                        "empty, expected " + detail::with_article(D::name));
    const bool cut = r.error == wire::errc::truncated;
    const error_site where{name(), r.used, {}, std::string(r.field)};
    if (!cut)
      throw trace_error(r.used == 0 ? trace_errc::not_a_trace : trace_errc::bad_value, where,
                        detail::refusal<typename D::header_codec>(r));
    const std::string size = D::header_codec::fixed
                                 ? " of " + std::to_string(D::header_codec::size) + " bytes"
                                 : " bytes";
    throw trace_error(
        trace_errc::truncated, where,
        "the trace ends inside the header, after " + std::to_string(in.size()) + size);
  }

  std::vector<std::byte> header_bytes_ = {};  // of one of varying size, for its views
};

}  // namespace tracecodec::file
