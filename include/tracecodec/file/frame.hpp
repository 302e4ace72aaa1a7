// Base class of the readers for fixed-size and for varying-size records. It checks the end of the
// file: the trailer, and whether the records agree with the counts and checksums in the file.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "opening.hpp"

namespace tracecodec::file {

// Kinds of flaws at the end of a file.
enum class flaw : std::uint8_t {
  cut,       // the file ends inside a record or the trailer, or has fewer records than stated
  count,     // the file has more records than stated
  trailing,  // bytes after the last record, or after the trailer
  refused,   // a record or the trailer contains a value that is not allowed
  checksum   // the stated checksum differs from the checksum of the records
};

template <class D> class frame : public opening<D> {
  using base = opening<D>;

 public:
  using base::name;
  using typename base::codec, typename base::header_type, typename base::trailer_type;

 protected:
  using base::base, base::window_, base::header_, base::lenient_, base::start_, base::position_;

  // Size in bytes of the trailer, which follows the records.
  static constexpr std::size_t trailer_size = D::trailer_codec::size;

  void rewind_records() {
    window_.rewind();
    window_.skip(start_);
    position_ = 0;
    header_sums_ = {};
    trailer_sums_ = {};
    summed_ = 0;
  }

  // Moves past the next `n` records, which consist of `bytes`, and adds `bytes` to the checksums.
  TRACECODEC_INLINE void take(std::span<const std::byte> bytes, std::size_t n) {
    if constexpr (D::sums)
      if (summed_ == position_) {
        header_sums_.update(bytes);
        trailer_sums_.update(bytes);
        summed_ += n;
      }
    window_.consume(bytes.size());
    position_ += n;
  }

  // Bytes after the last complete record and before the trailer.
  struct tail {
    std::uint64_t at = 0;      // offset of the tail
    std::size_t rest = 0;      // number of bytes of the tail that are in memory
    wire::result why = {};     // result of decoding the tail
    std::string field = {};    // path of the field that failed
    std::string message = {};  // error message, unless the error is truncated
  };

  // Checks the end of the file. Throws if the input is damaged or empty. Unless the reader is
  // lenient, also throws for the first flaw.
  void finish(const tail& left) {
    window_.check_end();
    if constexpr (!D::has_header) {
      if (position_ == 0 && left.rest == 0 && window_.look(trailer_size).empty())
        throw nothing_there();
    }
    if (!lenient_) for_each_flaw(left, [](flaw, const trace_error& e) { throw e; });
  }

  std::optional<trace_error> first_flaw(const tail& left) {
    std::optional<trace_error> first;
    for_each_flaw(left, [&first](flaw, const trace_error& e) {
      if (!first) first = e;
    });
    return first;
  }

  // Calls f(flaw, trace_error) for every flaw at the end of the file.
  template <class F> void for_each_flaw(const tail& left, F f) {
    counted count{};
    if constexpr (D::counted_in_header) count = compare(header_.*D::counter::member, left, f);
    if constexpr (D::in_header::sums)
      if (summed(left, count)) check_sums(header_sums_, header_, 0, f);
    if constexpr (D::has_trailer)
      if (check_trailer(left, count, f)) return;
    if constexpr (D::mark::there) {
      if (left.why.error == wire::errc::ok) {
        if (left.rest != 0) f(flaw::trailing, trailing(left));
        return;
      }
      if (left.rest == 0 && count != counted::fewer)
        f(flaw::cut, error(trace_errc::truncated, left.at, position_, {},
                           "the trace ends before the " + std::string(D::each) +
                               " that ends it, after " + std::to_string(position_)));
    }
    if (left.rest == 0 || count == counted::fewer) return;
    if ((D::counter::there || D::has_trailer) && (count == counted::all || count == counted::more ||
                                                  left.why.error == wire::errc::truncated))
      f(flaw::trailing, trailing(left));
    else if (left.why.error == wire::errc::truncated)
      f(flaw::cut, cut(left));
    else
      f(flaw::refused,
        error(trace_errc::bad_value, left.at + left.why.used, position_, left.field, left.message));
  }

  [[gnu::cold]] trace_error error(trace_errc code, std::uint64_t offset,
                                  std::optional<std::uint64_t> index, std::string_view field,
                                  const std::string& message) const {
    return trace_error(code, {name(), offset, index, std::string(field)},
                       message + window_.from().offset_note());
  }

 private:
  // Result of comparing the number of records with the number that is stored in the file.
  enum class counted : std::uint8_t { unknown, fewer, all, more };

  template <class N> static constexpr bool negative(N n) noexcept {
    if constexpr (std::is_signed_v<N>)
      return n < 0;
    else
      return false;
  }
  static std::string of_size() {
    if constexpr (codec::fixed)
      return " of " + std::to_string(codec::size);
    else
      return {};
  }
  static std::string expectation() {
    if constexpr (codec::fixed && !D::has_trailer)
      return detail::plural(D::each) + of_size() + " bytes";
    else
      return detail::with_article(D::name);
  }
  // True if a record is one word of bit slices. Errors about truncation then do not name a field,
  // because every field is affected.
  static constexpr bool single_word = [] {
    if constexpr (codec::fixed) {
      std::size_t rows = 0, elsewhere = 0;
      for (const auto& row : codec::layout()) ++rows, elsewhere += row.offset != 0;
      return rows > 1 && elsewhere == 0;
    } else {
      return false;
    }
  }();
  static std::string_view cut_field(const tail& left) { return single_word ? D::each : left.field; }

  [[gnu::cold]] trace_error nothing_there() const {
    return trace_error(trace_errc::not_a_trace, {name(), 0}, "empty, expected " + expectation());
  }
  [[gnu::cold]] trace_error trailing(const tail& left) const {
    return error(trace_errc::bad_value, left.at, position_, {},
                 (window_.has_all() ? "" : "at least ") + detail::bytes(left.rest) +
                     " after the last " + std::string(D::each));
  }
  [[gnu::cold]] trace_error cut(const tail& left) const {
    return error(trace_errc::truncated, left.at + left.why.used, position_, cut_field(left),
                 "the trace ends inside the " + std::string(D::each) + ", after " +
                     std::to_string(left.rest) + of_size() + " bytes");
  }

  template <class N, class F> counted compare(N declared, const tail& left, F& f) {
    const std::string several = D::named ? detail::plural(D::each) : std::string(D::counter::name);
    const std::string said = std::to_string(declared) + ' ' + several;
    const std::string there = std::to_string(position_);
    if (!negative(declared) && position_ < static_cast<std::uint64_t>(declared)) {
      // If the next bytes are not a valid record, the caller reports the invalid record instead.
      if (left.rest != 0 && left.why.error != wire::errc::truncated) return counted::unknown;
      std::string trailing;
      if (single_word && left.rest != 0)
        trailing = " and " + std::to_string(left.rest) + of_size() + " bytes";
      f(flaw::cut, error(trace_errc::truncated, left.at + left.why.used, position_, cut_field(left),
                         "the trace ends after " + there + " of " + said + trailing));
      return counted::fewer;
    }
    if (position_ == static_cast<std::uint64_t>(declared)) return counted::all;
    const std::string field(D::counter::name), why = ": the trace was never finished";
    f(flaw::count,
      trace_error(trace_errc::bad_value, {name(), count_offset(left.at + left.rest), {}, field},
                  std::string("the ") + (D::counted_in_header ? "header" : "trailer") +
                      " declares " + said + ", but there are " + there +
                      (this->never_completed() ? why : "")));
    return counted::more;
  }

  // Returns true if the current checksums cover all records.
  bool summed(const tail& left, counted count) const {
    return summed_ == position_ &&
           (count == counted::all || (count == counted::unknown && left.rest == 0));
  }
  template <class Sums, class S, class F>
  void check_sums(const Sums& sums, const S& s, std::uint64_t at, F& f) const {
    sums.compare(
        s, [&](std::string_view field, std::size_t offset, const auto& there, const auto& sum) {
          f(flaw::checksum, error(trace_errc::bad_value, at + offset, {}, field,
                                  "is " + detail::sum_text(there) + ", but that of the " +
                                      detail::plural(D::each) + " is " + detail::sum_text(sum)));
        });
  }

  // Checks the trailer. The trailer is usually the last bytes of the file, after any incomplete
  // record. If only the bytes directly after the last complete record form a valid trailer, the
  // file has trailing bytes after the trailer. In that case the function reports the trailing bytes
  // and returns true, because no other flaw remains to be reported.
  template <class F> bool check_trailer(const tail& left, counted& count, F& f) {
    using trailer_codec = typename D::trailer_codec;
    // If decode rejected a record, the end of the records is unknown.
    if (left.rest != 0 && left.why.error != wire::errc::truncated) return false;
    const auto in = window_.look(left.rest + trailer_size);
    const auto last = in.subspan(std::min(in.size(), left.rest));
    trailer_type trailer{}, other{};
    const auto r = trailer_codec::decode(last, trailer);
    const std::uint64_t at = left.at + left.rest;
    if (left.rest != 0 && !makes_sense(r, trailer) &&
        makes_sense(trailer_codec::decode(in, other), other)) {
      f(flaw::trailing, error(trace_errc::bad_value, left.at + trailer_size, {}, {},
                              detail::bytes(left.rest) + " after the trailer"));
      return true;
    }
    if (!r) {
      const bool cut = r.error == wire::errc::truncated;
      if (count == counted::fewer) return false;
      f(cut ? flaw::cut : flaw::refused,
        error(detail::code_of(r.error), at + r.used, {}, r.field,
              !cut
                  ? detail::refusal<trailer_codec>(r) + ": the trace is cut before its trailer, or "
                                                        "the trailer is damaged"
                  : "the trace ends inside the trailer, after " + std::to_string(last.size()) +
                        " of " + std::to_string(trailer_size) + " bytes"));
      return false;
    }
    D::in_trailer::for_each_negative(
        trailer, [&](std::string_view field, std::size_t offset, std::int64_t n) {
          f(flaw::refused, error(trace_errc::bad_value, at + offset, {}, field,
                                 "the trailer declares " + std::to_string(n)));
        });
    if constexpr (D::counted_in_trailer) count = compare(trailer.*D::counter::member, left, f);
    if (summed(left, count)) check_sums(trailer_sums_, trailer, at, f);
    return false;
  }
  // Returns true if the trailer `t` is valid and agrees with the records. `r` is the result of
  // decoding `t`.
  bool makes_sense(const wire::result& r, const trailer_type& t) const {
    bool good = bool(r);
    D::in_trailer::for_each_negative(t, [&good](const auto&...) { good = false; });
    if constexpr (D::counted_in_trailer)
      good = good && static_cast<std::uint64_t>(t.*D::counter::member) == position_;
    if (summed_ == position_) trailer_sums_.compare(t, [&good](const auto&...) { good = false; });
    return good;
  }
  std::uint64_t count_offset(std::uint64_t trailer_at) const {
    if constexpr (D::counted_in_header)
      return detail::offset_in<typename D::header_codec, D::counter::member>(header_);
    else
      return trailer_at + D::trailer_codec::template offset_of<D::counter::member>;
  }

  typename D::in_header::running_sums header_sums_ = {};
  typename D::in_trailer::running_sums trailer_sums_ = {};
  std::uint64_t summed_ = 0;  // number of records that the checksums cover
};

}  // namespace tracecodec::file
