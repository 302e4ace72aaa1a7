// Divides a drmemtrace trace into a folder with a file for each thread, as DynamoRIO writes them.
#pragma once
#include <tracecodec/drmemtrace/writer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../selected.hpp"
#include "output.hpp"

namespace convert {

// Divider of the selected records of a trace. A file ends with the thread, so that only threads which
// run at the same time need open files. If the files of the source are those of cores, each file gets
// the encodings that other threads executed first, and the time at which its thread continues; waits
// of cores are left out.
template <tracecodec::drmemtrace::target T> class splitter {
  using entry = tracecodec::drmemtrace::entry<T>;
  using marker = tracecodec::drmemtrace::marker;
  using record_type = tracecodec::drmemtrace::record_type;
  using file_type = tracecodec::drmemtrace::file_type;

 public:
  explicit splitter(const options& o)
      : files_(o.out, o.compression, o.packing),
        only_(o.as.thread),
        skip_(o.part.skip),
        end_(end_of(o)) {}

  // Writes a record, if it is selected. Returns false if an instruction follows the selected ones.
  // Throws like thread_files and writer::write().
  bool add(entry e) {
    if (e.is(record_type::header)) {
      front_.assign(1, e);
      sizes_ = {};
      collects_ = true;
      return true;
    }
    if (e.is(marker::filetype)) {
      of_cores_ = (e.value & file_type::core_sharded) != 0;
      e.value &= ~static_cast<word>(file_type::core_sharded);
    }
    if (e.is(record_type::thread)) {
      id_ = static_cast<std::uint32_t>(e.value);
      find(id_);
      if (now_ == nullptr && collects_) create();
      if (now_ != nullptr) now_->lacks_time = of_cores_;
      collects_ = false;
      return true;
    }
    if (collects_) {
      if (front_.size() != most_front) front_.push_back(e);
      return true;
    }
    const bool fetched = tracecodec::drmemtrace::is_instruction(e.type);
    const bool executes = (fetched || e.is(record_type::instr_no_fetch)) && e.size != 0;
    remember(e);
    if (only_ && id_ != *only_) {
      if (of_cores_ && executes) code_of(e);
      return true;
    }
    if (executes && at_++ == end_) return false;
    // Records of a file that do not belong to a thread.
    if (e.is(record_type::footer) || e.is(marker::core_idle) || e.is(marker::core_wait))
      return true;
    if (now_ == nullptr) {
      if (!executes) return true;
      create();
      now_->lacks_time = true;
    }
    if (executes && at_ > skip_) now_->out.resume();
    return write(e, executes), true;
  }

  void finish() {
    while (!open_.empty()) close(open_.begin());
    files_.finish();
  }
  // Returns the number of instructions.
  [[nodiscard]] std::uint64_t written() const noexcept {
    return at_ > skip_ ? std::min(at_, end_) - skip_ : 0;
  }

 private:
  using word = tracecodec::wire::word_t<T>;
  static constexpr std::size_t most_front = 8;
  struct file {
    file(std::unique_ptr<tracecodec::io::sink> to, const std::string& path, std::string n)
        : name(std::move(n)), out(std::move(to), path) {}
    std::string name;
    tracecodec::drmemtrace::writer<T> out;
    std::uint64_t time = 0;
    bool has_process = false, has_sizes = false, lacks_time = false;
  };
  using files = std::unordered_map<std::uint32_t, file, tracecodec::io::keyed_hash>;

  static entry mark(marker m, std::uint64_t value) {
    return {record_type::marker, static_cast<std::uint16_t>(m), static_cast<word>(value)};
  }
  void find(std::uint32_t thread) {
    const auto at = open_.find(thread);
    now_ = at != open_.end() ? &at->second : nullptr;
  }
  // Creates the file of the current thread, which begins like the last file of the source.
  void create() {
    if (only_ && id_ != *only_) return;
    std::string name;
    auto to = files_.create(id_, open_.size(), name);
    const std::string path = files_.path(name);
    now_ = &open_.try_emplace(id_, std::move(to), path, std::move(name)).first->second;
    if (at_ <= skip_ && skip_ != 0) now_->out.pause();
    for (const entry& e : front_) now_->out.write(e);
    now_->out.write({record_type::thread, 4, static_cast<word>(id_)});
  }
  void close(typename files::iterator at) {
    const std::string name = at->second.name;
    const bool is_empty = at->second.out.written() == 0;
    if (!is_empty) {
      at->second.out.cut();
      at->second.out.finish();
    }
    if (now_ == &at->second) now_ = nullptr;
    open_.erase(at);
    if (is_empty) files_.remove(name);
  }

  // Remembers the time, the process, the sizes and the code that the current file contains.
  void remember(const entry& e) {
    if (e.is(record_type::pid)) process_ = e;
    if (e.is(marker::timestamp)) time_ = e.value;
    if (e.is(marker::cpu_id)) cpu_ = e.value;
    constexpr std::array kinds{marker::cache_line_size, marker::chunk_instr_count,
                               marker::page_size};
    for (std::size_t n = 0; n != kinds.size(); ++n)
      if (e.is(kinds[n])) sizes_[n] = e;
    if (of_cores_ && e.is(record_type::encoding)) code_.add(e.value, e.size);
    if (of_cores_ && e.is(marker::branch_target)) target_ = e;
  }
  // Returns the code of an instruction. The threads of cores share it.
  std::span<const std::byte> code_of(const entry& e) {
    if (code_.size == 0) {
      const auto at = codes_.find(e.value);
      return at != codes_.end() ? at->second.all() : std::span<const std::byte>();
    }
    if (codes_.size() == tracecodec::drmemtrace::instruction_source::most_encodings) codes_.clear();
    known_code& k = codes_[e.value];
    k.size = code_.size;
    const auto bytes = code_.take();
    std::copy(bytes.begin(), bytes.end(), k.bytes.begin());
    return k.all();
  }

  void write(const entry& e, bool executes) {
    file& to = *now_;
    const bool times = e.is(marker::timestamp) || e.is(marker::cpu_id);
    if (e.is(record_type::pid)) {
      if (!std::exchange(to.has_process, true)) to.out.write(e);
      return;
    }
    const bool is_size =
        e.is(marker::cache_line_size) || e.is(marker::chunk_instr_count) || e.is(marker::page_size);
    if (executes || times) complete(to, times);
    if (e.is(marker::timestamp)) to.time = e.value;
    to.has_sizes = to.has_sizes || is_size;
    if (of_cores_ && (e.is(record_type::encoding) || e.is(marker::branch_target))) return;
    if (of_cores_ && executes) {
      const bool encoded = code_.size != 0;
      to.out.write_instruction(e, code_of(e), encoded, std::exchange(target_, std::nullopt));
    } else {
      to.out.write(e);
    }
    if (e.is(record_type::thread_exit)) close(open_.find(id_));
  }
  // Writes what the first records of a file lack if its thread began in another file, and the time.
  void complete(file& to, bool times) {
    if (!std::exchange(to.has_process, true) && process_) to.out.write(*process_);
    if (!std::exchange(to.has_sizes, true))
      for (const auto& size : sizes_)
        if (size) to.out.write(*size);
    if (!std::exchange(to.lacks_time, false) || times || !time_ || to.time >= *time_) return;
    to.out.write(mark(marker::timestamp, *time_));
    to.out.write(mark(marker::cpu_id, cpu_));
    to.time = *time_;
  }

  struct known_code {
    std::array<std::byte, 16> bytes = {};
    std::uint8_t size = 0;
    [[nodiscard]] std::span<const std::byte> all() const noexcept {
      return std::span(bytes).first(size);
    }
  };

  thread_files files_;
  std::optional<std::uint32_t> only_;
  std::uint64_t skip_, end_, at_ = 0;
  files open_ = {};
  file* now_ = nullptr;  // file of thread `id_`, or null
  std::uint32_t id_ = 0;
  bool of_cores_ = false, collects_ = false;
  // First records of the last file: before its thread, its process, and the sizes that it contains.
  std::vector<entry> front_ = {};
  std::optional<entry> process_ = {};
  std::array<std::optional<entry>, 3> sizes_ = {};
  std::optional<std::uint64_t> time_ = {};
  std::uint64_t cpu_ = ~std::uint64_t{0};
  // Code of cores: that of the next instruction, its target, and that of all addresses.
  tracecodec::feed::code_bytes code_ = {};
  std::optional<entry> target_ = {};
  std::unordered_map<std::uint64_t, known_code, tracecodec::io::keyed_hash> codes_ = {};
};

}  // namespace convert
