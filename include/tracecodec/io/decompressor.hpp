// What the decompressors share: the buffer of compressed bytes, the loop of read(), skipping by
// blocks, and errors that know their offset and wait until every byte before them is delivered.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "codec.hpp"
#include "error.hpp"
#include "source.hpp"

namespace tracecodec::io {

// Base of every X_source. Errors of read(), all with the compressed file's name and the offset the
// decoder reached in it: trace_error(truncated), (corrupt), also for bytes that follow the last
// member and start no other, (unsupported) for what the codec's library refuses to decode; and
// whatever the compressed bytes' own source throws. An error is thrown again by each later read().
class decompressor : public source {
 public:
  std::size_t read(std::span<std::byte> out) final {
    std::size_t done = 0;
    while (done < out.size() && !ended_ && !failure_) {
      try {
        done += advance(out.subspan(done));
      } catch (...) {
        failure_ = std::current_exception();
      }
    }
    if (done == 0 && !out.empty() && failure_) std::rethrow_exception(failure_);
    content_ += done;
    return done;
  }

  // Goes to the start of the block (xz) or frame (zstd) that byte `n` from here is in, or of the
  // last one, if the file's index says where that is and says the same as the blocks' own headers.
  // If all that is skipped is sound, what follows is what it would have been had all been read;
  // damage to it stays unseen.
  std::uint64_t skip(std::uint64_t n) final {
    if (n == 0 || ended_ || failure_ || !compressed_->seekable()) return 0;
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t wanted = n > most - content_ ? most : content_ + n;
    // (Not assigned: g++ 12 lets a function write what its result is assigned to, and then throw.)
    std::optional<entry> there = [&]() -> std::optional<entry> {
      try {
        return find(*compressed_, wanted);
      } catch (...) {
        return std::nullopt;  // reading on tells what is wrong, if it matters
      }
    }();
    if (there && (there->content <= content_ || there->content > wanted)) there.reset();
    try {
      compressed_->seek(there ? there->at : offset_ + in_.size());
    } catch (const trace_error&) {
      failure_ = std::current_exception();
      return 0;
    }
    if (!there) return 0;
    restart(*there);
    in_ = {};
    at_end_ = between_members_ = false;
    stalls_ = 0;
    offset_ = member_start_ = there->at;
    return there->content - std::exchange(content_, there->content);
  }

 protected:
  // Where decoding can begin: bytes from the start of the compressed file, and of the content.
  struct entry {
    std::uint64_t at = 0, content = 0;
  };
  enum class outcome : std::uint8_t {
    more,          // wants more input, or more room
    member_end,    // a member (gzip), frame (zstd, lz4) or stream (bzip2) is whole; more may follow
    end,           // the whole input is decoded
    failed,        // `code` and `message` tell
    not_a_member,  // what stands at the member's start is something else
  };
  struct step {
    std::size_t used = 0;     // bytes taken from the front of `in`
    std::size_t written = 0;  // bytes put at the front of `out`; valid with every outcome
    outcome what = outcome::more;
    trace_errc code = trace_errc::corrupt;
    std::string message = {};
  };

  decompressor(codec kind, std::unique_ptr<source> compressed, std::string name)
      : kind_(kind), compressed_(std::move(compressed)), name_(std::move(name)) {}

  // Decodes from `in` to `out`, which is not empty. An empty `in` is the end of the input.
  virtual step decode(std::span<const std::byte> in, std::span<std::byte> out) = 0;

  // The last entry at or before byte `content` of the content, or of all if it has fewer; nothing
  // if none is known for sure. `from` is the compressed file, seekable, and may be left anywhere.
  virtual std::optional<entry> find(source& from, std::uint64_t content) {
    static_cast<void>(from);
    static_cast<void>(content);
    return std::nullopt;
  }
  // The next decode() gets the bytes at `there`, which find() returned last.
  virtual void restart(const entry& there) { static_cast<void>(there); }

  [[nodiscard]] const std::string& name() const { return name_; }

  // In MiB, rounded up, or in bytes below that.
  static std::string size_text(std::uint64_t bytes) {
    constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
    if (bytes < mebibyte) return std::to_string(bytes) + " bytes";
    return std::to_string(bytes / mebibyte + (bytes % mebibyte != 0 ? 1 : 0)) + " MiB";
  }

  // Makes `s` fail: a member needs a dictionary or a window of so many bytes, as far as is known,
  // which is above the limit.
  static void refuse_memory(step& s, std::optional<std::uint64_t> need, std::uint64_t limit) {
    s.what = outcome::failed;
    s.code = trace_errc::unsupported;
    s.message = "needs " + (need ? size_text(*need) : "more") + " of memory, the limit is " +
                size_text(limit) + ": --memory-limit raises it";
  }

 private:
  static constexpr std::size_t buffer_size = std::size_t{128} << 10;
  static constexpr int patience = 8;  // calls without progress; liblzma is allowed one or two

  std::size_t advance(std::span<std::byte> out) {
    if (in_.empty() && !at_end_) {
      if (!buffer_) buffer_ = std::make_unique_for_overwrite<std::byte[]>(buffer_size);
      in_ = {buffer_.get(), compressed_->read({buffer_.get(), buffer_size})};
      at_end_ = in_.empty();
    }
    if (in_.empty() && between_members_) {
      ended_ = true;
      return 0;
    }
    const step s = decode(in_, out);
    in_ = in_.subspan(s.used);
    offset_ += s.used;
    stalls_ = s.used == 0 && s.written == 0 && s.what == outcome::more ? stalls_ + 1 : 0;
    between_members_ = s.what == outcome::member_end || (between_members_ && s.used == 0);
    if (s.what == outcome::end) ended_ = true;
    if (s.what == outcome::member_end) member_start_ = offset_;
    if (s.what == outcome::not_a_member) {
      fail(trace_errc::corrupt, member_start_, not_a_member_message());
    } else if (s.what == outcome::failed) {
      const std::string prefix = s.code == trace_errc::corrupt ? "corrupt " : "";
      fail(s.code, offset_, prefix + kind_name() + " data: " + s.message);
    } else if (stalls_ >= patience) {
      if (in_.empty()) fail(trace_errc::truncated, offset_, kind_name() + " data end too early");
      fail(trace_errc::corrupt, offset_, "corrupt " + kind_name() + " data: no progress");
    }
    return s.written;
  }

  [[nodiscard]] std::string kind_name() const { return std::string(codec_name(kind_)); }

  [[nodiscard]] std::string not_a_member_message() const {
    return member_start_ == 0 ? "expected " + kind_name() + " data"
                              : "expected more " + kind_name() + " data or the end of the file";
  }

  // Keeps the first failure; read() throws it when nothing is left to deliver.
  void fail(trace_errc code, std::uint64_t offset, const std::string& message) {
    if (failure_) return;
    failure_ =
        std::make_exception_ptr(trace_error(code, {.file = name_, .offset = offset}, message));
  }

  codec kind_;
  std::unique_ptr<source> compressed_;
  std::string name_;
  std::unique_ptr<std::byte[]> buffer_;  // allocated once, by the first read()
  std::span<const std::byte> in_;        // the part of buffer_ not decoded yet
  std::uint64_t offset_ = 0;             // of in_ in the compressed file
  std::uint64_t content_ = 0;            // bytes delivered or skipped
  std::uint64_t member_start_ = 0;       // offset of the member being decoded
  bool between_members_ = false;         // the input may end here
  bool at_end_ = false;                  // compressed_ has no more
  bool ended_ = false;
  int stalls_ = 0;
  std::exception_ptr failure_;
};

}  // namespace tracecodec::io
