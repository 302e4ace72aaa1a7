// Writer of a described file. It writes records one after another, and finally the values that are
// known only at the end.
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
#include "engine/wording.hpp"
#include "record_args.hpp"

namespace tracecodec::file {

// Writer whose file exists under its name only after finish(). If the writer is destroyed earlier,
// no file remains. The writer sets the number of records. If the header contains this number, the
// header consists of zeros until finish() writes it. If the number of records determines the size
// of the header (digits_until<>), the header that the constructor receives must contain a number of
// the same size. Values are not masked: a value that does not fit its field is an error. The writer
// sets the values that a record carries from the previous one (wire::previous).
template <class D> class writer {
 public:
  using codec = typename D::codec;
  using record = typename D::record;
  using header_type = typename D::header_type;
  using trailer_type = typename D::trailer_type;

  // Constructs a writer to `out`. Errors use `name` as the name of `out`. If the header must be
  // written last but `out` cannot be patched, a temporary file stores the data until finish().
  // Throws the same trace_error as write().
  writer(std::unique_ptr<io::sink> out, std::string name, const header_type& first = {})
      : out_(D::patched ? io::patchable(std::move(out)) : std::move(out)),
        name_(std::move(name)),
        buffer_(buffer_size),
        header_(first) {
    if constexpr (D::patched) {
      // The header consists of zeros until finish().
      used_ = header_size_ = size_of_header();
      if (used_ > buffer_.size()) buffer_.resize(used_);
    } else if constexpr (D::has_header)
      append<typename D::header_codec>(header_, {});
    summed_ = used_;
  }
  // Opens the file `path` for writing. The suffix determines the compression (.xz, .gz, .zst). Any
  // other suffix means no compression. "-" is standard output. Throws the same trace_error as
  // io::open_output().
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

  void write(const array_with_args<D>& records) requires D::takes_args {
    for (const record r : records) write(r);
  }

  // Starts the next chunk of an output that consists of chunks (io::sink::start_chunk()). Returns false,
  // and does nothing, for other outputs.
  bool start_chunk() {
    if (used_ != 0) flush();
    return out_->start_chunk();
  }

  // Returns the header, which finish() writes. The caller may change the header before finish(), but
  // not its size.
  [[nodiscard]] header_type& header() requires D::patched { return header_; }
  [[nodiscard]] const header_type& header() const requires D::patched { return header_; }
  // Returns the trailer, which finish() writes. The caller may change the trailer before finish().
  [[nodiscard]] trailer_type& trailer() requires D::has_trailer { return trailer_; }

  // Completes the file. Nothing may be written afterwards. Throws trace_error(refused) if a value
  // of the header or the trailer does not fit its field, or if the number of records does not fit
  // the count member.
  void finish() {
    if constexpr (D::mark::there)
      if (!ended_)
        throw trace_error(trace_errc::refused, {name_, offset(), written_},
                          "the last " + std::string(D::each) + " does not end the file");
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
      std::vector<std::byte> front(header_size_);
      if (size_of_header() != header_size_)
        throw trace_error(trace_errc::refused, {name_, 0},
                          "the size of the header has changed since the file was begun" +
                              std::string(D::counted_in_header
                                              ? "; construct the writer with the final number of " +
                                                    detail::plural(D::each)
                                              : ""));
      if (const auto done = D::header_codec::encode(header_, front); !done) refuse(done, {}, 0);
      out_->patch(0, front);
    }
    out_->finish();
  }

  [[nodiscard]] std::uint64_t written() const { return written_; }

 protected:
  // Writes a record. If a value does not fit its field, returns the error of encode instead of
  // throwing.
  wire::result put(const record& r) {
    if constexpr (D::mark::there)
      if (ended_)
        throw trace_error(trace_errc::refused, {name_, offset(), written_},
                          "the " + std::string(D::each) + " before ends the file");
    const wire::result done = encode_record(r);
    if (done) [[likely]] {
      ++written_;
      if constexpr (D::index::there)
        out_->end_record(offset(), static_cast<std::uint64_t>(next_.*D::index::member));
    }
    if constexpr (D::mark::there) ended_ = ended_ || (done && D::mark::ends(r));
    return done;
  }
  // Returns the offset of the next record in the file.
  [[nodiscard]] std::uint64_t offset() const { return flushed_ + used_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  // Sets member `M` of a header or a trailer to the count `n`. Throws trace_error(refused) if `n`
  // does not fit `M`.
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

  std::size_t size_of_header() const {
    if constexpr (D::header_codec::fixed)
      return D::header_codec::size;
    else
      return D::header_codec::extent(header_);
  }
  wire::result encode_record(const record& r) {
    if constexpr (D::carries) {
      // The header may change until the first record.
      if (written_ == 0) next_ = first_ = D::first_record(header_);
      record whole = r;
      D::copy_args(whole, first_);
      wire::detail::copy_carried(typename codec::carried{}, whole, next_);
      const wire::result done = encode<codec>(whole);
      if (done) next_ = D::record_after(whole, first_);
      return done;
    } else if constexpr (D::takes_args) {
      record whole = r;
      D::set_args(whole, header_);
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
  // Updates the checksums with the bytes that were written since the previous call.
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
  std::size_t header_size_ = 0;  // size of the header, if finish() writes it
  bool ended_ = false;           // true if the last record is an end mark
  std::uint64_t flushed_ = 0, written_ = 0;
  header_type header_;
  trailer_type trailer_ = {};
  // First record and next record, in which only the parameters are set. Used only if records carry
  // values.
  record first_ = {}, next_ = {};
  typename D::in_header::running_sums header_sums_ = {};
  typename D::in_trailer::running_sums trailer_sums_ = {};
  // Number of bytes at the front of `buffer_` that the checksums already cover, or that do not
  // belong to records.
  std::size_t summed_ = 0;
};

}  // namespace tracecodec::file
