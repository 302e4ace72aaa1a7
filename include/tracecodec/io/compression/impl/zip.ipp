// Only this file and zip_sink.ipp include archive.h.
#pragma once
#include "../zip.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "../../error.hpp"

namespace tracecodec::io {

namespace detail {

// Members of a zip archive in the order of the file, from the current position of a source. The
// position must be a local header.
class zip_sequence {
 public:
  // `from` must outlive this object. `at` is its current position.
  zip_sequence(source& from, const std::string& name, std::uint64_t at)
      : from_(from),
        name_(name),
        at_(at),
        buffer_(std::make_unique_for_overwrite<std::byte[]>(buffer_size)) {
    archive_.reset(archive_read_new());
    if (!archive_ || archive_read_support_format_zip_streamable(archive_.get()) != ARCHIVE_OK)
      throw std::bad_alloc();
    archive_read_set_read_callback(archive_.get(), &zip_sequence::fill);
    archive_read_set_callback_data(archive_.get(), this);
    if (archive_read_open1(archive_.get()) != ARCHIVE_OK) fail();
  }
  zip_sequence(const zip_sequence&) = delete;
  zip_sequence& operator=(const zip_sequence&) = delete;

  // Moves to the next member. Returns false after the last member.
  bool next() {
    if (!ended_ && count_ != 0) skipped_ = true;
    rest_ = {};
    failed_ = ended_ = false;
    archive_entry* entry = nullptr;
    const int ret = archive_read_next_header(archive_.get(), &entry);
    if (ret == ARCHIVE_EOF) return false;
    // libarchive warns if a name cannot be converted to the locale's encoding.
    if (ret != ARCHIVE_OK && ret != ARCHIVE_WARN) fail();
    const char* const text = archive_entry_pathname(entry);
    member_ = text != nullptr ? text : "";
    encrypted_ = archive_entry_is_encrypted(entry) != 0;
    ++count_;
    return true;
  }

  // Returns the name of the current member, or "" if the locale cannot represent the name.
  [[nodiscard]] const std::string& member() const { return member_; }

  // Throws trace_error(unsupported) if the current member cannot be read.
  void check_readable() const {
    const char* const format = archive_format_name(archive_.get());
    const std::string_view method = format != nullptr ? format : "";
    // libarchive also reads methods whose memory is not bounded.
    const bool known = method.ends_with("(deflation)") || method.ends_with("(uncompressed)");
    if (known && !encrypted_) return;
    const auto open = method.find('(');
    throw trace_error(
        trace_errc::unsupported, {.file = name_, .offset = offset()},
        "the member " + member_ +
            (encrypted_ ? " is encrypted"
                        : " is neither stored nor deflated, but uses " +
                              std::string(method.substr(std::min(open, method.size())))) +
            ": unpack the zip archive first");
  }

  // Reads content of the current member. Returns 0 only at its end.
  std::size_t read(std::span<std::byte> out) {
    while (rest_.empty()) {
      if (failed_) fail();
      if (ended_) return 0;
      const void* data = nullptr;
      std::size_t size = 0;
      la_int64_t unused = 0;
      const int ret = archive_read_data_block(archive_.get(), &data, &size, &unused);
      ended_ = ret == ARCHIVE_EOF;
      failed_ = !ended_ && ret != ARCHIVE_OK;
      // libarchive may return the last bytes of a member together with an error that follows.
      if (data != nullptr) rest_ = {static_cast<const std::byte*>(data), size};
    }
    const std::size_t n = std::min(out.size(), rest_.size());
    std::memcpy(out.data(), rest_.data(), n);
    rest_ = rest_.subspan(n);
    content_ += n;
    return n;
  }

  // Returns the offset in the file that libarchive reached.
  [[nodiscard]] std::uint64_t offset() const {
    return at_ + static_cast<std::uint64_t>(
                     std::max<la_int64_t>(archive_filter_bytes(archive_.get(), -1), 0));
  }

  // Reads to the end of the source. Throws trace_error unless the archive ends with a directory of
  // as many entries as next() returned members.
  void check_end() {
    std::vector<std::byte> tail(buffer_.get(), buffer_.get() + held_);
    while (!at_end_) {
      const void* data = nullptr;
      static_cast<void>(fill(archive_.get(), this, &data));
      if (error_) std::rethrow_exception(error_);
      if (tail.size() > longest_zip_end)
        tail.erase(tail.begin(), tail.end() - static_cast<std::ptrdiff_t>(longest_zip_end));
      tail.insert(tail.end(), buffer_.get(), buffer_.get() + held_);
    }
    const auto end = find_zip_end(tail);
    if (!end)
      throw trace_error(trace_errc::truncated, {.file = name_, .offset = at_ + total_},
                        "zip data ends too early: the directory at the end is missing");
    const std::uint64_t entries = zip_number(tail, *end + 10, 2);
    if (entries != 0xFFFF && entries != count_)
      bad_end("has " + std::to_string(entries) + " members, but the file contains " +
              std::to_string(count_));
    check_sizes(std::span(tail).first(*end), entries, zip_number(tail, *end + 12, 4));
  }

 private:
  static constexpr std::size_t buffer_size = std::size_t{128} << 10;

  static la_ssize_t fill(archive* a, void* self, const void** data) {
    auto& s = *static_cast<zip_sequence*>(self);
    s.held_ = 0;
    try {
      s.held_ = s.from_.read({s.buffer_.get(), s.wanted_});
      s.wanted_ = std::min(2 * s.wanted_, buffer_size);
    } catch (...) {
      s.error_ = std::current_exception();
      archive_set_error(a, EIO, "cannot read");
      return -1;
    }
    if (s.total_ == 0 && s.held_ != 0) {
      constexpr std::string_view magic = "PK\3\4";
      const std::size_t n = std::min(s.held_, magic.size());
      s.is_zip_ = std::memcmp(s.buffer_.get(), magic.data(), n) == 0;
    }
    s.total_ += s.held_;
    s.at_end_ = s.held_ == 0;
    *data = s.buffer_.get();
    return static_cast<la_ssize_t>(s.held_);
  }

  // Compares the sizes in the directory with the content of all members. `before_end` contains the
  // bytes before the record at the end. Does nothing if the directory is not among these bytes, if
  // it uses zip64, or if a member was skipped.
  void check_sizes(std::span<const std::byte> before_end, std::uint64_t entries,
                   std::uint64_t size) const {
    constexpr std::size_t fixed = 46;
    if (skipped_ || size > before_end.size()) return;
    std::span<const std::byte> rest = before_end.last(static_cast<std::size_t>(size));
    std::uint64_t sum = 0;
    for (; entries != 0; --entries) {
      if (rest.size() < fixed || zip_number(rest, 0, 4) != 0x02014B50) return;
      const std::uint64_t content = zip_number(rest, 24, 4);
      if (content == 0xFFFFFFFF) return;
      sum += content;
      const std::uint64_t all =
          fixed + zip_number(rest, 28, 2) + zip_number(rest, 30, 2) + zip_number(rest, 32, 2);
      rest = rest.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(all, rest.size())));
    }
    if (sum != content_)
      bad_end("states " + std::to_string(sum) + " bytes of content, but the members contain " +
              std::to_string(content_));
  }

  [[noreturn]] void bad_end(const std::string& message) const {
    throw trace_error(trace_errc::corrupt, {.file = name_, .offset = at_ + total_},
                      "corrupt zip data: the directory " + message);
  }

  // Throws the error of the source or of libarchive.
  [[noreturn]] void fail() const {
    if (error_) std::rethrow_exception(error_);
    if (archive_errno(archive_.get()) == ENOMEM) throw std::bad_alloc();
    if (!is_zip_)
      throw trace_error(trace_errc::corrupt, {.file = name_, .offset = at_}, "expected zip data");
    if (at_end_)
      throw trace_error(trace_errc::truncated, {.file = name_, .offset = at_ + total_},
                        "zip data ends too early");
    const char* const text = archive_error_string(archive_.get());
    throw trace_error(trace_errc::corrupt, {.file = name_, .offset = offset()},
                      "corrupt zip data: " + std::string(text != nullptr ? text : "no details"));
  }

  struct release {
    void operator()(archive* a) const { archive_read_free(a); }
  };
  source& from_;
  const std::string& name_;
  std::uint64_t at_;           // offset in the file where the sequence begins
  std::uint64_t total_ = 0;    // number of bytes read from the source
  std::uint64_t count_ = 0;    // number of members so far
  std::uint64_t content_ = 0;  // number of bytes of content delivered
  bool skipped_ = false;       // true if next() skipped content
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t held_ = 0;  // number of bytes in buffer_
  // Number of bytes to read next. It begins with a small value, because members may be small.
  std::size_t wanted_ = std::size_t{4} << 10;
  bool is_zip_ = true;                    // false if the first bytes are not a local header
  bool at_end_ = false;                   // true if the source has no more bytes
  std::exception_ptr error_ = nullptr;    // error of the source
  std::span<const std::byte> rest_ = {};  // content of the member that was not delivered yet
  bool failed_ = false, ended_ = false;   // what follows rest_: an error, the member's end
  bool encrypted_ = false;
  std::string member_ = {};
  std::unique_ptr<archive, release> archive_;  // destroyed first, because it refers to the others
};

}  // namespace detail

class zip_source::reader {
 public:
  reader(std::unique_ptr<source> compressed, std::string name, const zip_options& o)
      : compressed_(std::move(compressed)),
        name_(std::move(name)),
        wanted_(o.member),
        all_(o.all) {}

  std::size_t read(std::span<std::byte> out) {
    std::size_t done = 0;
    while (done < out.size() && !ended_ && !failure_) {
      try {
        start();
        done += indexed_ ? read_indexed(out.subspan(done)) : read_sequence(out.subspan(done));
      } catch (...) {
        failure_ = std::current_exception();
      }
    }
    if (done == 0 && !out.empty() && failure_) std::rethrow_exception(failure_);
    position_ += done;
    return done;
  }

  std::uint64_t skip(std::uint64_t n) {
    if (n == 0 || ended_ || !is_indexed()) return 0;
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const std::size_t there = member_at(n > most - position_ ? most : position_ + n);
    if (there <= current_) return 0;
    sequence_.reset();
    in_member_ = false;
    current_ = there;
    member_read_ = 0;
    return starts_[there] - std::exchange(position_, starts_[there]);
  }

  std::uint64_t entry_before(std::uint64_t offset) {
    return is_indexed() ? starts_[member_at(offset)] : 0;
  }

 private:
  // Reads the directory, if the file is seekable, and decides how to read the members.
  void start() {
    if (started_) return;
    started_ = true;
    if (!compressed_->seekable()) return begin_sequence();
    try {
      content_ = zip_content(zip_members(*compressed_, name_), {wanted_, all_}, name_);
    } catch (const trace_error& e) {
      if (e.code() != trace_errc::truncated && e.code() != trace_errc::corrupt) throw;
      bad_directory_ = std::current_exception();
      compressed_->seek(0);
      return begin_sequence();
    }
    indexed_ = true;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i != content_.size(); ++i) {
      const bool gap = i != 0 && !follows(content_[i].name, content_[i - 1].name);
      if (gap || content_[i].size > std::numeric_limits<std::uint64_t>::max() - sum) {
        after_last_ = wrong_order(content_[i].name, content_[i - 1].name, content_[i].at);
        content_.resize(i);
        break;
      }
      starts_.push_back(sum);
      sum += content_[i].size;
    }
  }

  void begin_sequence() {
    sequence_ = std::make_unique<detail::zip_sequence>(*compressed_, name_, 0);
  }

  // Returns true if the content of member `name` follows that of `before`.
  [[nodiscard]] bool follows(const std::string& name, const std::string& before) const {
    if (all_) return true;
    const auto a = zip_chunk_number(before), b = zip_chunk_number(name);
    return a && b && *b == *a + 1;
  }

  [[nodiscard]] std::exception_ptr wrong_order(const std::string& name, const std::string& before,
                                               std::uint64_t at) const {
    return std::make_exception_ptr(trace_error(trace_errc::corrupt, {.file = name_, .offset = at},
                                               "corrupt zip data: the member " + name +
                                                   " follows " + before +
                                                   ", but chunks must have consecutive numbers"));
  }

  bool is_indexed() {
    if (failure_) return false;
    try {
      start();
    } catch (...) {
      failure_ = std::current_exception();
    }
    return !failure_ && indexed_;
  }

  // Returns the last member that begins at or before `offset` in the content.
  [[nodiscard]] std::size_t member_at(std::uint64_t offset) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
    return static_cast<std::size_t>(after - starts_.begin()) - 1;
  }

  std::size_t read_indexed(std::span<std::byte> out) {
    if (current_ == content_.size()) {
      if (after_last_) std::rethrow_exception(after_last_);
      ended_ = true;
      return 0;
    }
    const zip_member& m = content_[current_];
    if (!in_member_) begin_member(m);
    const auto most =
        static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), m.size - member_read_));
    // At the end of the member, ask for one more byte, so that the checksum is verified.
    std::byte more{};
    const std::size_t n = sequence_->read(most != 0 ? out.first(most) : std::span(&more, 1));
    if (most == 0 && n != 0) bad_member(m, "is longer than the directory states");
    member_read_ += n;
    if (n != 0) return n;
    if (member_read_ != m.size) bad_member(m, "is shorter than the directory states");
    in_member_ = false;
    member_read_ = 0;
    ++current_;
    return 0;
  }

  // Moves to the member `m`. Members usually follow each other in the file, so no seek is needed.
  void begin_member(const zip_member& m) {
    if (!moves_on_to(m)) {
      sequence_.reset();
      compressed_->seek(m.at);
      sequence_ = std::make_unique<detail::zip_sequence>(*compressed_, name_, m.at);
      if (!sequence_->next()) bad_member(m, "has no local header");
    }
    // Compare names only if the locale cannot affect them.
    if (zip_chunk_number(m.name) && sequence_->member() != m.name)
      bad_member(m, "is named " + sequence_->member() + " in its local header");
    sequence_->check_readable();
    in_member_ = true;
  }

  bool moves_on_to(const zip_member& m) {
    if (!sequence_ || current_ == 0 || m.at < content_[current_ - 1].at) return false;
    try {
      return sequence_->next() && sequence_->member() == m.name;
    } catch (const trace_error&) {
      return false;  // if the error matters, it occurs again at the offset of the member
    }
  }

  [[noreturn]] void bad_member(const zip_member& m, const std::string& message) const {
    throw trace_error(trace_errc::corrupt, {.file = name_, .offset = m.at},
                      "corrupt zip data: the member " + m.name + " " + message);
  }

  std::size_t read_sequence(std::span<std::byte> out) {
    if (in_member_) {
      const std::size_t n = sequence_->read(out);
      in_member_ = n != 0;
      return n;
    }
    if (!sequence_->next()) {
      if (bad_directory_) std::rethrow_exception(bad_directory_);
      sequence_->check_end();
      if (before_.empty())
        throw trace_error(trace_errc::unsupported, {.file = name_},
                          wanted_.empty() ? "a zip archive without members"
                                          : "this zip archive has no member " + wanted_);
      ended_ = true;
      return 0;
    }
    const std::string& name = sequence_->member();
    if (detail::is_zip_decor(name)) return 0;
    if (!wanted_.empty() && (name != wanted_ || !before_.empty())) return 0;
    if (!before_.empty() && !follows(name, before_)) {
      if (zip_chunk_number(name) && zip_chunk_number(before_))
        std::rethrow_exception(wrong_order(name, before_, sequence_->offset()));
      throw trace_error(trace_errc::unsupported, {.file = name_, .offset = sequence_->offset()},
                        "a zip archive of several files (" + before_ + ", " + name +
                            "): unpack it, or select one (zip_options::member)");
    }
    sequence_->check_readable();
    before_ = name.empty() ? "?" : name;
    in_member_ = true;
    return 0;
  }

  std::unique_ptr<source> compressed_;
  std::string name_;
  std::string wanted_;  // zip_options::member
  bool all_;            // zip_options::all
  bool started_ = false, indexed_ = false, ended_ = false;
  std::uint64_t position_ = 0;  // number of bytes of content delivered or skipped
  std::exception_ptr failure_ = nullptr;

  // Members of the content and their offsets in the content, if the directory is intact.
  std::vector<zip_member> content_ = {};
  std::vector<std::uint64_t> starts_ = {};
  std::exception_ptr after_last_ = nullptr;  // error that follows the last member of content_
  std::size_t current_ = 0;                  // index of the current member
  std::uint64_t member_read_ = 0;            // number of bytes of the current member delivered

  // State of reading in the order of the file.
  std::exception_ptr bad_directory_ = nullptr;
  std::string before_ = {};  // name of the last member of the content

  bool in_member_ = false;  // true if sequence_ is in a member of the content

  std::unique_ptr<detail::zip_sequence> sequence_ = nullptr;
};

TRACECODEC_FUNC zip_source::zip_source(std::unique_ptr<source> compressed, std::string name,
                                       const zip_options& o)
    : reader_(std::make_unique<reader>(std::move(compressed), std::move(name), o)) {}
TRACECODEC_FUNC zip_source::~zip_source() = default;

TRACECODEC_FUNC std::size_t zip_source::read(std::span<std::byte> out) {
  return reader_->read(out);
}

TRACECODEC_FUNC std::uint64_t zip_source::skip(std::uint64_t n) { return reader_->skip(n); }

TRACECODEC_FUNC std::uint64_t zip_source::entry_before(std::uint64_t offset) {
  return reader_->entry_before(offset);
}

}  // namespace tracecodec::io
