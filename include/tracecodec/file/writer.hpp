// Writer of a file by its description: records one after another, and at the end the values
// that are known only then.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../io/error.hpp"
#include "../io/open.hpp"
#include "../io/output/spool.hpp"
#include "../wire/result.hpp"
#include "../wire/types/view.hpp"
#include "describe.hpp"
#include "given.hpp"

namespace tracecodec::file {

// Writer whose file exists under its name only after finish(). A writer that is destroyed
// earlier leaves nothing. The writer sets the count of records. If the count is in the header,
// the header is written last, and is zero until then. Values are not masked: one that does not
// fit its field is rejected.
template <class D> class writer {
 public:
  using codec = typename D::codec;
  using record = typename D::record;
  using header_type = typename D::header_type;
  using trailer_type = typename D::trailer_type;

  // Writes to `out`, which errors call `name`. If the header must be patched but `out` cannot
  // be, the data are kept in a temporary file until finish(). Throws trace_error like write().
  writer(std::unique_ptr<io::sink> out, std::string name, const header_type& first = {})
      : out_(D::patched ? io::patchable(std::move(out)) : std::move(out)),
        name_(std::move(name)),
        buffer_(buffer_size),
        header_(first) {
    if constexpr (D::patched)
      used_ = D::header_codec::size;  // zeros until finish()
    else if constexpr (D::has_header)
      append<typename D::header_codec>(header_, {});
    summed_ = used_;
  }
  // Writes to the file `path`, compressed as its suffix states (.xz, .gz, .zst), otherwise
  // uncompressed. "-" is standard output. Throws trace_error like io::open_output.
  explicit writer(const std::string& path, const header_type& first = {})
      : writer(io::open_output(path, io::codec_of_suffix(path)), path, first) {}

  // Writes records. Throws trace_error(system) if the output cannot be written. Throws
  // trace_error(refused), with offset, record and field, if a value does not fit its field.
  void write(const record& r) {
    if (const auto done = put(r); !done) [[unlikely]]
      refuse(done, written_);
  }
  void write(std::span<const record> records) {
    for (const record& r : records) write(r);
  }
  template <class W>
  requires std::is_same_v<W, codec>
  void write(const wire::array_view<W>& records) {
    for (const record r : records) write(r);
  }

  void write(const given_array<D>& records) requires D::gives {
    for (const record r : records) write(r);
  }

  // Returns the header if it is written last. It may be changed until finish().
  [[nodiscard]] header_type& header() requires D::patched { return header_; }
  [[nodiscard]] const header_type& header() const requires D::patched { return header_; }
  // Returns the trailer, which may be changed until finish().
  [[nodiscard]] trailer_type& trailer() requires D::has_trailer { return trailer_; }

  // Completes the file. Nothing may be written afterwards. Throws trace_error(refused) if the
  // count cannot hold the number of records, or if a value of the header or the trailer does
  // not fit.
  void finish() {
    if constexpr (D::counted_in_header) set_count<D::counter::member>(header_, written_);
    if constexpr (D::counted_in_trailer) set_count<D::counter::member>(trailer_, written_);
    if constexpr (D::sums) {
      sum_up();
      const auto refuse = [this](std::string_view field) {
        throw trace_error(trace_errc::refused, {name_, {}, {}, std::string(field)},
                          "cannot store the checksum of the records");
      };
      header_sums_.set(header_, refuse);
      trailer_sums_.set(trailer_, refuse);
    }
    if constexpr (D::has_trailer) append<typename D::trailer_codec>(trailer_, {});
    flush();
    if constexpr (D::patched) {
      std::array<std::byte, D::header_codec::size> front{};
      if (const auto done = D::header_codec::encode(header_, front); !done) refuse(done, {}, 0);
      out_->patch(0, front);
    }
    out_->finish();
  }

  [[nodiscard]] std::uint64_t written() const { return written_; }

 protected:
  // Writes a record, and returns the result of encode instead of throwing if a value does not
  // fit.
  wire::result put(const record& r) {
    const wire::result done = encode_record(r);
    if (done) [[likely]]
      ++written_;
    return done;
  }
  // Returns the offset of the next record.
  [[nodiscard]] std::uint64_t offset() const { return flushed_ + used_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  // Sets member `M` of a header or a trailer to the count `n`. Throws trace_error(refused) if
  // `M` cannot hold it.
  template <auto M> void set_count(wire::owner_t<M>& s, std::uint64_t n) const {
    using member = wire::integer_t<wire::member_t<M>>;
    if (n > static_cast<std::uint64_t>(std::numeric_limits<member>::max()))
      throw trace_error(trace_errc::refused, {name_, {}, {}, std::string(wire::name_of<M>)},
                        std::to_string(n) + " exceeds what the " +
                            (D::counted_in_trailer ? "trailer" : "header") + " can store");
    s.*M = static_cast<wire::member_t<M>>(n);
  }

 private:
  static constexpr std::size_t buffer_size = std::size_t{64} << 10;

  wire::result encode_record(const record& r) {
    if constexpr (D::gives) {
      record whole = r;
      D::give(whole, header_);
      return encode<codec>(whole);
    } else {
      return encode<codec>(r);
    }
  }
  // Encodes `s` after the bytes in the buffer.
  template <class Codec> wire::result encode(const typename Codec::value_type& s) {
    if constexpr (Codec::fixed) {
      static_assert(Codec::size <= buffer_size);
      if (buffer_.size() - used_ < Codec::size) [[unlikely]]
        flush();
      const auto done = Codec::encode(s, std::span(buffer_).subspan(used_));
      if (done) [[likely]]
        used_ += Codec::size;
      return done;
    } else {
      auto done = Codec::encode(s, std::span(buffer_).subspan(used_));
      if (done.error == wire::errc::no_space) {
        flush();
        if (const std::size_t n = Codec::extent(s); n > buffer_.size()) buffer_.resize(n);
        done = Codec::encode(s, buffer_);
      }
      if (done) used_ += done.used;
      return done;
    }
  }
  template <class Codec>
  void append(const typename Codec::value_type& s, std::optional<std::uint64_t> index) {
    if (const auto done = encode<Codec>(s); !done) refuse(done, index);
  }
  [[noreturn, gnu::cold]] void refuse(const wire::result& done,
                                      std::optional<std::uint64_t> index) const {
    refuse(done, index, offset());
  }
  [[noreturn, gnu::cold]] void refuse(const wire::result& done, std::optional<std::uint64_t> index,
                                      std::uint64_t at) const {
    throw trace_error(trace_errc::refused, {name_, at + done.used, index, std::string(done.field)},
                      std::string(wire::message(done.error)));
  }
  // Adds the bytes since the previous call to the checksums.
  void sum_up() {
    const auto more = std::span(buffer_).subspan(summed_, used_ - summed_);
    header_sums_.update(more);
    trailer_sums_.update(more);
    summed_ = used_;
  }
  void flush() {
    if constexpr (D::sums) sum_up();
    out_->write(std::span(buffer_).first(used_));
    flushed_ += used_;
    used_ = summed_ = 0;
  }

  std::unique_ptr<io::sink> out_;
  std::string name_;
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0;
  std::uint64_t flushed_ = 0, written_ = 0;
  header_type header_;
  trailer_type trailer_ = {};
  typename D::in_header::running_sums header_sums_ = {};
  typename D::in_trailer::running_sums trailer_sums_ = {};
  std::size_t summed_ = 0;  // bytes of buffer_ that the checksums cover, or that are not records
};

}  // namespace tracecodec::file
