// Writer of drmemtrace traces.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../feed/code_versions.hpp"
#include "../feed/composed.hpp"
#include "../file/writer.hpp"
#include "feed.hpp"

namespace tracecodec::drmemtrace {

// Instructions of a chunk, if the trace does not contain another number.
inline constexpr std::uint64_t usual_chunk = 10'000'000;

// Writer of the records of a trace. If the output consists of chunks (a zip archive), the writer
// divides the trace: after chunk_instr_count instructions, it starts a chunk, which repeats the time,
// the cpu, and the encodings of its instructions. The chunks of the trace that the records come from
// do not matter. An output without chunks is one sequence of records.
//
// Between pause() and resume(), records are not written, but their times and encodings are known
// afterwards. This is for writing a part of a trace.
template <target T> class writer {
 public:
  // If `merges` is true, the output contains several files: threads alternate, and share encodings.
  writer(std::unique_ptr<io::sink> out, std::string name, bool merges = false)
      : name_(std::move(name)),
        out_(std::move(out), name_),
        chunked_(out_.start_chunk()),
        merges_(merges) {}

  void pause() noexcept { paused_ = true; }
  // Writes the first records of a file, if records were paused.
  void resume() {
    if (!std::exchange(paused_, false)) return;
    for (entry<T> e : std::exchange(head_, {})) {
      if (e.is(record_type::thread)) e.value = thread_;
      if (e.is(record_type::pid)) e.value = process_;
      put(e);
    }
    if (timed_) put_time();
  }

  // Writes a record of a trace. The encodings and the target of an instruction precede it. Records of
  // chunks are ignored. Throws the errors of file::writer, and trace_error(unsupported) like
  // instruction_source.
  void write(const entry<T>& e) {
    if (e.is(marker::record_ordinal)) return;
    if (e.is(marker::chunk_footer)) return static_cast<void>(repeats_ = 2);
    const bool times = e.is(marker::timestamp) || e.is(marker::cpu_id);
    if (times && repeats_ != 0) return static_cast<void>(--repeats_);
    if (e.is(record_type::encoding)) return code_.add(e.value, e.size);
    if (e.is(marker::branch_target)) return static_cast<void>(target_ = e);
    if ((is_instruction(e.type) || e.is(record_type::instr_no_fetch)) && e.size != 0) {
      const bool encoded = code_.size != 0;
      return write_instruction(e, code_.take(), encoded, std::exchange(target_, std::nullopt));
    }
    put_encodings(code_.take());
    if (const auto t = std::exchange(target_, std::nullopt)) put(*t);
    follow(e);
  }
  // Writes an instruction with its encoding, or with the one that is known if `code` is empty. The
  // encoding is written if `always` is true, or if the chunk does not contain it.
  void write_instruction(const entry<T>& e, std::span<const std::byte> code, bool always,
                         const std::optional<entry<T>>& target) {
    const bool fetched = !e.is(record_type::instr_no_fetch);
    const std::uint32_t known = learn(thread_, e, code);
    if (!paused_) {
      prepare_chunks();
      if (fetched && chunked_ && in_chunk_ == chunk_size_) start_chunk();
      if (known != feed::no_code) {
        if (std::exchange(encoded_at(e.value), known) != known || always) {
          const known_encoding& k = codes_[known];
          put_encodings(std::span(k.bytes).first(k.size));
        }
      }
      if (target) put(*target);
      in_chunk_ += fetched;
      ++written_;
      if (!std::exchange(is_open_, true)) open_.insert(thread_);
    }
    began_ = true;
    put(e);
  }
  // Remembers an encoding of a thread that is not written.
  void learn(std::uint32_t thread, const entry<T>& e) {
    if (e.is(record_type::encoding)) other_code_.add(e.value, e.size);
    if (is_instruction(e.type)) learn(thread, e, other_code_.take());
  }

  // Ends all threads and the trace, unless they ended. Further records are not written.
  void cut() {
    code_.size = 0;
    target_.reset();
    for (const std::uint32_t thread : std::set<std::uint32_t>(open_)) {
      if (thread != thread_) write({record_type::thread, 4, thread});
      write({record_type::thread_exit, 4, thread});
    }
    if (!ended_) write({record_type::footer, 0, 0});
  }
  void finish() { out_.finish(); }
  // Returns the number of instructions, including iterations that are not fetched.
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }

 private:
  using word = wire::word_t<T>;
  struct known_encoding {
    std::uint64_t ip;
    std::array<std::byte, 16> bytes = {};
    std::uint16_t size, length;
  };
  using own_versions = typename feed::code_versions<known_encoding>::own_versions;

  static entry<T> mark(marker m, std::uint64_t value) {
    return {record_type::marker, static_cast<std::uint16_t>(m), static_cast<word>(value)};
  }

  // Writes a record that is neither an encoding nor an instruction.
  void follow(entry<T> e) {
    if (e.is(record_type::thread)) {
      thread_ = static_cast<std::uint32_t>(e.value);
      is_open_ = false;
      encoded_now_ = nullptr;
    }
    if (e.is(record_type::pid)) process_ = e.value;
    if (e.is(marker::timestamp)) time_ = e.value, timed_ = true;
    if (e.is(marker::cpu_id)) cpu_ = e.value;
    if (e.is(record_type::header) && paused_ && !began_) {
      head_.clear();  // that of a file of which nothing is written
      chunk_size_ = 0;
    }
    if (e.is(marker::filetype)) {
      // Encodings of threads that follow each other in one file are shared, as for those of a core.
      shares_code_ = (e.value & file_type::core_sharded) != 0;
      if (merges_) e.value |= file_type::core_sharded;
      shares_ = (e.value & file_type::core_sharded) != 0;
      now_ = nullptr;
      encoded_now_ = nullptr;
    }
    if (e.is(marker::chunk_instr_count)) {
      if (e.value == 0 && chunked_) return;
      chunk_size_ = e.value;
    }
    if (e.is(marker::page_size) || e.is(marker::timestamp)) prepare_chunks();
    if (e.is(record_type::thread_exit)) end_thread();
    const bool times = e.is(marker::timestamp) || e.is(marker::cpu_id);
    if (paused_ && !began_ && !times && head_.size() < most_head) head_.push_back(e);
    began_ = began_ || times;
    put(e);
  }
  // Sets the size of a chunk before the first instruction.
  void prepare_chunks() {
    if (chunked_ && chunk_size_ == 0) follow(mark(marker::chunk_instr_count, usual_chunk));
  }
  void put(const entry<T>& e) {
    if (paused_) return;
    ordinal_ += is_counted(e);
    ended_ = e.is(record_type::footer);
    out_.write(e);
  }
  void put_time() {
    put(mark(marker::timestamp, time_));
    put(mark(marker::cpu_id, cpu_));
  }
  void put_encodings(std::span<const std::byte> code) {
    while (!code.empty()) {
      const auto part = code.first(std::min(code.size(), sizeof(word)));
      word value = 0;
      for (std::size_t n = part.size(); n-- != 0;)
        value = static_cast<word>(value << 8 | std::to_integer<word>(part[n]));
      put({record_type::encoding, static_cast<std::uint16_t>(part.size()), value});
      code = code.subspan(part.size());
    }
  }
  void start_chunk() {
    put(mark(marker::chunk_footer, chunk_++));
    const std::uint64_t ordinal = ordinal_;
    out_.start_chunk();
    put(mark(marker::record_ordinal, ordinal));
    put_time();
    ordinal_ = ordinal;
    in_chunk_ = 0;
    forget_encoded();
  }
  void forget_encoded() noexcept {
    encoded_.clear();
    encoded_now_ = nullptr;
    encoded_count_ = 0;
  }
  // Returns the number of the encoding at `ip` that was written last, or a reference to no_code.
  std::uint32_t& encoded_at(std::uint64_t ip) {
    // Encodings that are written again do no harm.
    if (encoded_count_ == instruction_source::most_encodings) forget_encoded();
    if (encoded_now_ == nullptr) encoded_now_ = &encoded_[shares_ ? 0 : thread_];
    const auto [at, is_new] = encoded_now_->try_emplace(ip, feed::no_code);
    encoded_count_ += is_new;
    return at->second;
  }
  void end_thread() {
    if (!paused_) open_.erase(thread_);
    is_open_ = false;
    now_ = nullptr;
    if (const auto own = versions_.find(thread_); own != versions_.end()) {
      codes_.forget(own->second);
      versions_.erase(own);
    }
  }

  // Returns the number of the encoding of instruction `e`, or no_code. `code` is new or empty.
  std::uint32_t learn(std::uint32_t thread, const entry<T>& e, std::span<const std::byte> code) {
    if (now_ == nullptr || now_thread_ != thread) {
      if (std::max(open_.size(), versions_.size()) > instruction_source::most_threads)
        refuse("more threads than this library supports");
      now_ = &versions_[shares_code_ ? 0 : thread];
      now_thread_ = thread;
    }
    if (code.empty()) return codes_.find(*now_, e.value);
    if (codes_.size() + codes_.own_count() >= instruction_source::most_encodings)
      refuse("more different instructions than this library supports");
    known_encoding one{
        .ip = e.value, .size = static_cast<std::uint16_t>(code.size()), .length = e.size};
    if (code.size() > one.bytes.size()) refuse("code of more than 16 bytes");
    std::ranges::copy(code, one.bytes.begin());
    const auto equals = [&one](const known_encoding& k) {
      return k.bytes == one.bytes && k.size == one.size && k.length == one.length;
    };
    return codes_.set(*now_, e.value, equals, [&one] { return one; });
  }
  [[noreturn]] void refuse(const char* problem) const {
    throw trace_error(trace_errc::unsupported, {name_, {}, written_}, problem);
  }

  std::string name_;
  file::writer<trace_file<T>> out_;
  bool chunked_, merges_, paused_ = false;
  // Records before the first time, while they are paused.
  static constexpr std::size_t most_head = 64;
  std::vector<entry<T>> head_ = {};
  bool began_ = false;  // true after the first records
  // What precedes the next instruction, and encodings of another thread.
  feed::code_bytes code_ = {}, other_code_ = {};
  std::optional<entry<T>> target_ = {};
  unsigned repeats_ = 0;  // number of records that a chunk of the input repeats

  std::uint32_t thread_ = 0;
  word process_ = 0, time_ = 0, cpu_ = 0;
  bool timed_ = false;
  std::set<std::uint32_t> open_ = {};  // threads that began and did not end
  bool ended_ = false;                 // true after a footer
  bool is_open_ = false;               // true if thread_ is in `open_`

  feed::code_versions<known_encoding> codes_ = {};
  std::unordered_map<std::uint32_t, own_versions> versions_ = {};
  own_versions* now_ = nullptr;  // of thread `now_thread_`, or null if it must be looked up
  std::uint32_t now_thread_ = 0;
  bool shares_code_ = false, shares_ = false;  // threads of the input, and of the output
  // Numbers of the encodings that the chunk contains, by address, of each thread or of all threads.
  using encoded_codes = std::unordered_map<std::uint64_t, std::uint32_t>;
  std::unordered_map<std::uint32_t, encoded_codes> encoded_ = {};
  encoded_codes* encoded_now_ = nullptr;
  std::size_t encoded_count_ = 0;
  std::uint64_t chunk_size_ = 0, chunk_ = 0, in_chunk_ = 0, ordinal_ = 0, written_ = 0;
};

}  // namespace tracecodec::drmemtrace
