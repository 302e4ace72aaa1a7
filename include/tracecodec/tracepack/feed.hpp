// Feed of packed ChampSim records as instructions. The feed reads the branch class of each static
// instruction from the trace, or derives the class from ChampSim's rules. Machine code is available
// if the trace stores it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../champsim/feed.hpp"
#include "../file/objects.hpp"
#include "reader.hpp"

namespace tracecodec::tracepack {

// View of a record as an instruction (feed::instruction). If `Code` is true, the view has the
// function code().
template <class R, bool Code> class instruction_view : public champsim::instruction_view<R> {
  using base = champsim::instruction_view<R>;

 public:
  constexpr instruction_view(const R* r, const R* last, std::uint64_t following_ip,
                             feed::branch_class is, const property* known,
                             tracepack::processor of) noexcept
      : base(r, last, following_ip, is), known_(known), processor_(of) {}

  // Returns the machine code, or an empty range if the code is unknown.
  [[nodiscard]] constexpr std::span<const std::byte> code() const noexcept requires Code {
    if (known_ == nullptr) return {};
    return std::span(known_->code).first(known_->length);
  }
  // Returns the instruction set of the code.
  [[nodiscard]] constexpr tracepack::processor processor() const noexcept requires Code {
    return processor_;
  }

 private:
  const property* known_;
  tracepack::processor processor_;
};

// Batch of consecutive records as instructions (feed::batch).
template <class R, bool Code> class instruction_batch {
 public:
  using value_type = instruction_view<R, Code>;
  constexpr instruction_batch() = default;
  constexpr instruction_batch(std::span<const R> records, const std::uint8_t* classes,
                              const property* const* known, tracepack::processor of,
                              std::uint64_t following_ip, bool ends) noexcept
      : records_(records),
        last_(records.empty() ? nullptr : &records.back()),
        classes_(classes),
        known_(known),
        processor_(of),
        following_ip_(following_ip),
        ends_(ends) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return records_.size(); }
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    return {records_.data() + i,
            last_,
            following_ip_,
            static_cast<feed::branch_class>(classes_[i]),
            Code ? known_[i] : nullptr,
            processor_};
  }
  [[nodiscard]] constexpr instruction_batch first(std::size_t n) const noexcept {
    if (n >= size()) return *this;
    return {records_.first(n), classes_, known_, processor_, records_[n].ip, false};
  }
  [[nodiscard]] constexpr instruction_batch drop(std::size_t n) const noexcept {
    instruction_batch b = *this;
    b.records_ = records_.subspan(n);
    b.classes_ += n;
    if (Code) b.known_ += n;
    return b;
  }
  [[nodiscard]] constexpr bool last_batch() const noexcept { return ends_; }
  constexpr void mark_last() noexcept { ends_ = true; }
  constexpr void set_next_ip(std::uint64_t ip) noexcept { following_ip_ = ip; }

  [[nodiscard]] constexpr std::span<const R> records() const noexcept { return records_; }
  [[nodiscard]] constexpr std::uint64_t following_ip() const noexcept { return following_ip_; }

 private:
  std::span<const R> records_ = {};
  const R* last_ = nullptr;
  const std::uint8_t* classes_ = nullptr;
  // Properties of each record, used only if `Code` is true. An element is nullptr if the properties
  // are unknown.
  const property* const* known_ = nullptr;
  tracepack::processor processor_ = processor::unknown;
  std::uint64_t following_ip_ = 0;
  bool ends_ = true;
};

// Feed of a packed trace of `Record`s (feed::stream). The feed is also a range. The feed's
// functions throw the errors of `reader`. The constructor throws trace_error(refused) if the file's
// records and `Record` have different sizes.
template <champsim::trace_record Record = champsim::instruction, bool Code = false> class trace_feed
    : public feed::iterable<trace_feed<Record, Code>> {
 public:
  using record = Record;
  using batch_type = instruction_batch<Record, Code>;

  explicit trace_feed(reader from, champsim::branch_rules rules = champsim::branch_rules::current)
      : from_(std::move(from)),
        rules_(rules),
        bytes_(new std::byte[size * (most + 1)]),
        classes_(most + 1),
        known_(Code ? most + 1 : 0) {
    if (from_.about().shape.size != size)
      throw trace_error(trace_errc::refused, {.file = from_.name()},
                        "packs records of " + std::to_string(from_.about().shape.size) +
                            " bytes, expected " + std::to_string(size));
    from_.want(Code, [rules](std::span<const std::byte> r, const property& is) {
      return is.branch < feed::branch_class_count ? is.branch : class_of(r.data(), rules);
    });
  }
  explicit trace_feed(io::input in) : trace_feed(reader(std::move(in))) {}
  // Opens the file `path`. The path "-" stands for standard input.
  explicit trace_feed(const std::string& path, const io::open_options& options = {})
      : trace_feed(io::open_input(path, options)) {}

  // Returns the next batch. The last record is held back until the next record has been read,
  // because a batch must contain the address of the next instruction.
  batch_type next() {
    if (waiting_.size() != 0) return std::exchange(waiting_, {});
    for (;;) {
      if (held_) {
        std::copy_n(bytes_.get() + held_at_ * size, size, bytes_.get());
        classes_[0] = classes_[held_at_];
        hold_property();
      }
      const std::size_t before = held_ ? 1 : 0;
      std::size_t n = 0;
      try {
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        n = read_next(before);
      } catch (...) {
        if (!held_) throw;
        failure_ = std::current_exception();
      }
      if (n == 0) {
        if (!std::exchange(held_, false)) return {};
        return batch(1, 0, true);
      }
      held_ = true;
      held_at_ = before + n - 1;
      if (held_at_ == 0) continue;
      const auto all = objects_.of({bytes_.get(), held_at_ + 1});
      return {all.first(held_at_), classes_.data(),  known_.data(),
              about().processor,   all[held_at_].ip, false};
    }
  }
  // Skips `n` instructions, or fewer at the end. Returns the number of skipped instructions. In
  // lenient mode, the number does not include records that are lost in damaged frames.
  std::uint64_t skip(std::uint64_t n) {
    if (n == 0) return 0;
    if (from_.lenient()) return skip_read(n);
    const std::uint64_t held = std::exchange(held_, false) ? 1 : 0;
    constexpr std::uint64_t all = ~std::uint64_t{0} / size;
    return held + from_.skip(std::min(n - held, all) * size) / size;
  }
  void rewind() {
    from_.rewind();
    held_ = false;
    waiting_ = {};
    failure_ = nullptr;
    frame_.reset();
  }
  // Returns the number of instructions. Returns nullopt in lenient mode, because damaged frames are
  // left out.
  std::optional<std::uint64_t> count() {
    if (from_.lenient()) return std::nullopt;
    return from_.content_size() / size;
  }
  [[nodiscard]] std::optional<double> progress() const { return from_.progress(); }
  [[nodiscard]] const std::string& name() const { return from_.name(); }
  [[nodiscard]] const tracepack::about& about() const { return from_.about(); }

 private:
  using codec = champsim::codec_of<Record>;
  static constexpr std::size_t size = codec::size;
  static constexpr std::size_t most = 256;  // maximum number of records read at once

  batch_type batch(std::size_t n, std::uint64_t following_ip, bool ends) {
    return {objects_.of({bytes_.get(), n}),
            classes_.data(),
            known_.data(),
            about().processor,
            following_ip,
            ends};
  }

  std::uint64_t skip_read(std::uint64_t n) {
    std::uint64_t done = 0;
    while (done != n) {
      const batch_type b = next();
      if (b.size() == 0) break;
      const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(n - done, b.size()));
      if (step != b.size()) waiting_ = b.drop(step);
      done += step;
    }
    return done;
  }

  // Reads records into bytes_, after the first `before` records. Returns the number of records
  // read.
  std::size_t read_next(std::size_t before) {
    const auto b = from_.next(std::span(bytes_.get() + before * size, most * size));
    const std::size_t n = b.bytes.size() / size, rest = b.bytes.size() % size;
    if (rest != 0) {
      if (n == 0) throw cut(rest);
      failure_ = std::make_exception_ptr(cut(rest));
    }
    std::uint8_t* const classes = classes_.data() + before;
    if (b.marks.empty())
      for (std::size_t i = 0; i != n; ++i) classes[i] = class_of(b.bytes.data() + i * size, rules_);
    else
      std::copy_n(b.marks.begin(), n, classes);
    if constexpr (Code) {
      const property** const known = known_.data() + before;
      if (b.statics.empty()) {
        std::fill_n(known, n, nullptr);
      } else {
        learn_frame();
        for (std::size_t i = 0; i != n; ++i) known[i] = &static_properties_[b.statics[i]];
      }
    }
    return n;
  }
  trace_error cut(std::size_t rest) const {
    return {trace_errc::truncated,
            {.file = from_.name(), .record = from_.position() / size},
            "the trace ends inside the record, after " + std::to_string(rest) + " of " +
                std::to_string(size) + " bytes"};
  }

  // Loads the properties of the static instructions if a new frame has begun.
  void learn_frame() {
    if (frame_ == from_.frame()) return;
    frame_ = from_.frame();
    static_properties_.resize(from_.static_count());
    for (std::size_t i = 0; i != static_properties_.size(); ++i)
      static_properties_[i] = from_.static_property(i);
  }
  static std::uint8_t class_of(const std::byte* bytes, champsim::branch_rules rules) {
    Record r{};
    codec::decode(std::span<const std::byte, size>(bytes, size), r);
    return static_cast<std::uint8_t>(
        rules == champsim::branch_rules::current
            ? champsim::branch_class_of<champsim::branch_rules::current>(r)
            : champsim::branch_class_of<champsim::branch_rules::of_2022>(r));
  }
  // Copies the property of the record that is held back, because loading the next frame's
  // properties would overwrite the original.
  void hold_property() {
    if constexpr (Code) {
      if (known_[held_at_] != nullptr) {
        *held_property_ = *known_[held_at_];
        known_[0] = held_property_.get();
      } else {
        known_[0] = nullptr;
      }
    }
  }

  reader from_;
  champsim::branch_rules rules_;
  std::unique_ptr<std::byte[]> bytes_;  // record that is held back, followed by newer records
  std::vector<std::uint8_t> classes_;   // branch class of each record
  std::vector<const property*> known_;  // property of each record; used only if `Code`
  file::objects<codec> objects_ = {};
  batch_type waiting_ = {};  // rest of the batch in which skip() stopped
  bool held_ = false;
  std::size_t held_at_ = 0;
  std::unique_ptr<property> held_property_ = std::make_unique<property>();
  std::optional<std::uint32_t> frame_ = {};  // frame to which static_properties_ belongs
  std::vector<property> static_properties_ = {};
  std::exception_ptr failure_ = {};
};

// Returns the mode of the code, or nullopt if it is not x86 code (feed/values.hpp).
template <class R> std::optional<wire::target> code_mode(const trace_feed<R, true>& feed) noexcept {
  return mode_of(feed.about().processor);
}

}  // namespace tracecodec::tracepack
