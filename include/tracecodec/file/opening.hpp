// Base class of readers that opens the input and reads the header.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../io/window.hpp"
#include "describe.hpp"
#include "engine/wording.hpp"
#include "reader_options.hpp"

namespace tracecodec::file {

template <class D> class opening {
 public:
  using codec = typename D::codec;
  using record = typename D::record;
  using header_type = typename D::header_type;
  using trailer_type = typename D::trailer_type;

  // Returns the header. Views in the header are valid as long as the reader exists.
  [[nodiscard]] const header_type& header() const requires D::has_header { return header_; }
  // Returns the index of the next record.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  // Returns the offset of the next record in the content, which includes the header.
  [[nodiscard]] std::uint64_t offset() const { return window_.offset(); }
  // Returns the fraction of the file on disk that has been read, from 0 to 1, or nullopt for pipes.
  [[nodiscard]] std::optional<double> progress() const { return window_.progress(); }
  // Returns the name of the input, as used in errors.
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }
  // Returns an independent input with the same content. Throws trace_error like io::input::again().
  [[nodiscard]] io::input again() const { return window_.from().again(); }

 protected:
  opening(io::input in, reader_options options)
      : window_(std::move(in)), lenient_(options.lenient) {
    if constexpr (D::has_header) read_header();
  }
  ~opening() = default;
  opening(opening&&) = default;
  opening& operator=(opening&&) = default;

  // Returns true if the header consists of zeros, which means that the writer did not complete
  // finish().
  bool never_completed() const { return D::patched && header_is_zero_; }

  io::window window_;
  header_type header_ = {};
  bool lenient_;
  std::uint64_t start_ = 0;     // offset of the first record
  std::uint64_t position_ = 0;  // index of the next record

 private:
  // Maximum size of a header of varying size, in bytes.
  static constexpr std::size_t longest_header = std::size_t{1} << 20;

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
    if constexpr (D::patched)
      header_is_zero_ = std::all_of(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(r.used),
                                    [](std::byte b) { return b == std::byte{}; });
    start_ = r.used;
    window_.consume(r.used);
  }
  [[noreturn]] void refuse_header(std::span<const std::byte> in, const wire::result& r) {
    window_.check_end();
    if (in.empty())
      throw trace_error(trace_errc::not_a_trace, {name(), 0},
                        "empty, expected " + detail::with_article(D::name));
    const bool cut = r.error == wire::errc::truncated;
    const error_site where{name(), r.used, {}, detail::path<typename D::header_codec>(in, r)};
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

  bool header_is_zero_ = false;  // true if all bytes of the header are 0, if the writer patches it

  // Bytes of a header of varying size, to which the header's views point.
  std::vector<std::byte> header_bytes_ = {};
};

}  // namespace tracecodec::file
