// Records of several files of one description as the content of one file.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../io/error.hpp"
#include "../io/open.hpp"

namespace tracecodec::file {

// Source of the records of several files (io::open_sources). The records of a file are in sections,
// and sections with smaller keys come first. Sections with equal keys have the order of the files.
// Without keys, the source contains one file after the other. `Rule` determines the sections:
//   using codec             describes a record of fixed size
//   static bool begins(std::span<const std::byte>)
//                           returns true if the first bytes are those of such a file
//   using settings          has a function merges() const, which returns false if there are no keys
//   Rule(settings)          is constructed for each file
//   std::optional<std::uint64_t> key(const record&)
//                           is called for each record of the file in order, and returns the key if the
//                           record begins a section. The records before the first key belong to the
//                           first section
//   std::optional<record> resume() const
//                           returns a record to insert before a later section of the file, if another
//                           file's section precedes it
//   void end() const        is called at the end of the file
//
// At most most_open files are open at a time. A file that was closed in between is opened again, and
// read from the start of its compressed block. The buffers of all files need up to most_memory bytes,
// or 16 KiB for each file if there are very many. read() throws the errors of the files,
// trace_error(not_a_trace) if a file does not begin as the rule wants, and trace_error(truncated) if a
// file ends inside a record.
template <class Rule> class merged_source final : public io::source {
  using codec = typename Rule::codec;
  using record = typename codec::value_type;

 public:
  using settings = typename Rule::settings;
  static constexpr std::size_t most_open = 128, most_memory = std::size_t{128} << 20;

  // With keys, reads the first records of all files, and throws trace_error like io::open_input().
  // Otherwise, files are opened when they are read.
  merged_source(const std::vector<std::string>& paths, const io::open_options& options,
                const settings& how)
      : options_(options),
        usual_read_(std::clamp(most_memory / std::max<std::size_t>(paths.size(), 1),
                               std::size_t{16} << 10, std::size_t{1} << 20)) {
    parts_.reserve(paths.size());
    for (std::size_t n = 0; n != paths.size(); ++n) {
      part& p = parts_.emplace_back(paths[n], how);
      if (how.merges()) find_first_key(p);
      queue_.emplace(p.key, n);
    }
  }

  std::size_t read(std::span<std::byte> out) override {
    std::size_t n = 0;
    while (n != out.size()) {
      try {
        if (left_.empty() && !fill()) break;
      } catch (...) {
        failure_ = std::current_exception();
        if (n == 0) throw;
        break;
      }
      const std::size_t step = std::min(left_.size(), out.size() - n);
      std::memcpy(out.data() + n, left_.data(), step);
      left_ = left_.subspan(step);
      n += step;
    }
    return n;
  }
  [[nodiscard]] std::optional<double> progress() const override {
    const auto done = static_cast<double>(parts_.size() - queue_.size());
    return parts_.empty() ? 1 : done / static_cast<double>(parts_.size());
  }

 private:
  static constexpr std::size_t first_read = 4096;

  struct part {
    part(std::string name, const settings& how) : path(std::move(name)), rule(how) {}
    std::string path;
    Rule rule;
    std::optional<io::input> in = {};
    std::uint64_t offset = 0;  // number of bytes read from `in`
    std::uint64_t used = 0;    // time at which `in` was last used
    std::uint64_t key = 0;
    std::vector<std::byte> bytes = {};
    std::size_t at = 0;     // offset in `bytes` of the next record
    std::size_t known = 0;  // end in `bytes` of the records that were passed to the rule
    bool begun = false, ended = false;

    [[nodiscard]] std::size_t rest() const noexcept { return bytes.size() - at; }
    // Returns the key of the next record, unless that record was passed to the rule before.
    std::optional<std::uint64_t> next_key() {
      if (at < known) return std::nullopt;
      known = at + codec::size;
      return rule.key(
          codec::decode(std::span<const std::byte, codec::size>(&bytes[at], codec::size)));
    }
  };

  // Sets `left_` to the next records. Returns false at the end.
  bool fill() {
    if (failure_) std::rethrow_exception(failure_);
    while (left_.empty() && !queue_.empty()) {
      const std::size_t n = queue_.begin()->second;
      part& p = parts_[n];
      const bool returns = p.begun && std::exchange(last_, n) != n;
      last_ = n;
      p.begun = true;
      if (const auto r = returns ? p.rule.resume() : std::nullopt) {
        codec::encode(*r, inserted_);
        left_ = inserted_;
      } else {
        take_records(p, n);
      }
    }
    return !left_.empty();
  }
  // Sets `left_` to records of `p`, which is number `n` and the first part in the queue. Moves the
  // part in the queue at the end of a section, and removes it at its end.
  void take_records(part& p, std::size_t n) {
    while (p.rest() < codec::size && !p.ended) load(p, usual_read_);
    const std::size_t from = p.at;
    std::optional<std::uint64_t> key;
    while (p.rest() >= codec::size && !(key = p.next_key())) p.at += codec::size;
    left_ = std::span<const std::byte>(p.bytes).subspan(from, p.at - from);
    if (key) {
      queue_.erase(queue_.begin());
      queue_.emplace(p.key = *key, n);
    } else if (left_.empty()) {
      queue_.erase(queue_.begin());
      close(p);
      if (p.rest() != 0)
        throw trace_error(trace_errc::truncated, {p.path, p.offset - p.rest()},
                          "the file ends inside a record");
      p.rule.end();
      std::vector<std::byte>().swap(p.bytes);
    }
  }
  // Determines the key of the first section from the first records.
  void find_first_key(part& p) {
    load(p, first_read);
    std::optional<std::uint64_t> key;
    while (p.rest() >= codec::size && !(key = p.next_key())) p.at += codec::size;
    p.at = 0;
    p.key = key.value_or(0);
  }
  // Reads up to `most` further bytes of a part.
  void load(part& p, std::size_t most) {
    p.bytes.erase(p.bytes.begin(), p.bytes.begin() + static_cast<std::ptrdiff_t>(p.at));
    p.known -= std::min(p.known, std::exchange(p.at, 0));
    open(p);
    const std::size_t before = p.bytes.size();
    p.bytes.resize(before + most);
    const std::size_t n = p.in->read(std::span(p.bytes).subspan(before));
    p.bytes.resize(before + n);
    if (p.offset == 0 && !Rule::begins(p.bytes))
      throw trace_error(trace_errc::not_a_trace, {p.path, 0},
                        "the file does not begin like the first file of the folder");
    p.offset += n;
    if (n == 0) p.ended = true;
  }
  void open(part& p) {
    p.used = ++clock_;
    if (p.in) return;
    if (open_count_ == most_open) {
      part* oldest = nullptr;
      for (part& one : parts_)
        if (one.in && (oldest == nullptr || one.used < oldest->used)) oldest = &one;
      close(*oldest);
    }
    p.in.emplace(io::open_input(p.path, options_));
    ++open_count_;
    if (p.in->skip(p.offset) != p.offset)
      throw trace_error(trace_errc::truncated, {p.path, p.offset},
                        "the file became shorter while it was read");
  }
  void close(part& p) {
    open_count_ -= p.in.has_value();
    p.in.reset();
  }

  std::vector<part> parts_ = {};
  std::set<std::pair<std::uint64_t, std::size_t>> queue_ = {};  // keys and numbers of parts
  io::open_options options_;
  std::size_t usual_read_;
  std::span<const std::byte> left_ = {};  // not yet returned
  std::array<std::byte, codec::size> inserted_ = {};
  std::size_t last_ = ~std::size_t{0};  // number of the part of the last section
  std::size_t open_count_ = 0;
  std::uint64_t clock_ = 0;
  std::exception_ptr failure_ = {};
};

// Opens the files `paths` as one input called `name`.
template <class Rule> io::input open_merged(std::vector<std::string> paths, const std::string& name,
                                            const io::open_options& options,
                                            const typename Rule::settings& how) {
  return io::open_sources(
      [paths = std::move(paths), options, how]() -> std::unique_ptr<io::source> {
        return std::make_unique<merged_source<Rule>>(paths, options, how);
      },
      name, {.compression = io::codec::none});
}

}  // namespace tracecodec::file
