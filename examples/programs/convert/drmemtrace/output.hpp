// Writes drmemtrace traces.
#pragma once
#include <tracecodec/drmemtrace/instruction_writer.hpp>
#include <tracecodec/io/compression/codec.hpp>
#include <tracecodec/io/hash.hpp>
#include <tracecodec/io/options.hpp>
#include <tracecodec/io/output/atomic_folder.hpp>
#include <tracecodec/tracepack/about.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

namespace convert {

// Opens an output. A zip archive consists of chunks. Throws usage_error if this build cannot write zip.
std::unique_ptr<tracecodec::io::sink> open_drmemtrace(
    const std::string& path, tracecodec::io::codec compression,
    const tracecodec::io::output_options& options);
// Returns a sink that compresses bytes for `file`, called `path`. Throws like open_drmemtrace().
std::unique_ptr<tracecodec::io::sink> compress_drmemtrace(
    std::unique_ptr<tracecodec::io::sink> file, const std::string& path,
    tracecodec::io::codec compression, const tracecodec::io::output_options& options);

// Output of instructions of other traces. If the processor is an x86 processor, the output contains
// the code, otherwise synthetic encodings of the registers.
class drmemtrace_output {
 public:
  using instruction = tracecodec::drmemtrace::written_instruction;
  using unknown_facts = tracecodec::drmemtrace::unknown_facts;

  drmemtrace_output(std::unique_ptr<tracecodec::io::sink> to, const std::string& name,
                    tracecodec::tracepack::processor processor, bool threads);
  void add(const instruction& i) {
    std::visit([&i](auto& one) { one.add(i); }, to_);
  }
  // See drmemtrace::instruction_writer.
  void resume(std::uint64_t time) {
    std::visit([time](auto& one) { one.resume(time); }, to_);
  }
  void finish() {
    std::visit([](auto& one) { one.finish(); }, to_);
  }
  [[nodiscard]] std::uint64_t written() const {
    return std::visit([](const auto& one) { return one.written(); }, to_);
  }
  [[nodiscard]] const unknown_facts& unknown() const {
    return std::visit([](const auto& one) -> const unknown_facts& { return one.unknown(); }, to_);
  }

 private:
  template <tracecodec::drmemtrace::target T> using writer =
      tracecodec::drmemtrace::instruction_writer<T>;
  using writers =
      std::variant<writer<tracecodec::wire::target::x64>, writer<tracecodec::wire::target::x86>>;
  writers to_;
};

// Folder of files, one for each thread. The names are in the order in which the threads begin.
class thread_files {
 public:
  // Maximum number of files that are written at the same time.
  static constexpr std::size_t most_open = 256;

  // Throws like io::atomic_folder and open_drmemtrace().
  thread_files(const std::string& folder, std::optional<tracecodec::io::codec> compression,
               const tracecodec::io::output_options& options);

  // Creates the file of a thread. `name` receives its name in the folder. Throws
  // trace_error(unsupported) if most_open files are open, of which the caller states the number.
  std::unique_ptr<tracecodec::io::sink> create(std::uint32_t thread, std::size_t open,
                                               std::string& name);
  // Returns the path of a file.
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }
  // Removes a file, which must be closed.
  void remove(const std::string& name) const noexcept { folder_.remove(name); }
  void finish() { folder_.finish(); }

 private:
  tracecodec::io::atomic_folder folder_;
  tracecodec::io::codec compression_;
  tracecodec::io::output_options options_;
  std::uint64_t count_ = 0;
};

// Output like drmemtrace_output that consists of a file for each thread. The timestamps are those of a
// single file, so that the order of all instructions is known.
class drmemtrace_folder {
 public:
  drmemtrace_folder(const std::string& path, std::optional<tracecodec::io::codec> compression,
                    const tracecodec::io::output_options& options,
                    tracecodec::tracepack::processor processor)
      : files_(path, compression, options), processor_(processor) {}

  void add(const drmemtrace_output::instruction& i) {
    if (now_ == nullptr || thread_ != i.thread) {
      now_ = &file_of(i.thread);
      thread_ = i.thread;
      now_->resume(1 + written_);
    }
    now_->add(i);
    ++written_;
  }
  void finish() {
    for (auto& [thread, file] : open_) file.finish();
    files_.finish();
  }
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }
  [[nodiscard]] drmemtrace_output::unknown_facts unknown() const {
    drmemtrace_output::unknown_facts all;
    for (const auto& [thread, file] : open_) all += file.unknown();
    return all;
  }

 private:
  drmemtrace_output& file_of(std::uint32_t thread) {
    if (const auto at = open_.find(thread); at != open_.end()) return at->second;
    std::string name;
    auto to = files_.create(thread, open_.size(), name);
    return open_.try_emplace(thread, std::move(to), files_.path(name), processor_, false)
        .first->second;
  }

  thread_files files_;
  tracecodec::tracepack::processor processor_;
  std::unordered_map<std::uint32_t, drmemtrace_output, tracecodec::io::keyed_hash> open_ = {};
  drmemtrace_output* now_ = nullptr;  // file of thread `thread_`
  std::uint32_t thread_ = 0;
  std::uint64_t written_ = 0;
};

// Calls note(text) for each fact that instructions lacked.
void report(const tracecodec::drmemtrace::unknown_facts& unknown,
            const std::function<void(const std::string&)>& note);

}  // namespace convert
