// Artificial format for tests: instruction n is at address n, and has as much content as the
// test specifies.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracecodec/feed/instruction.hpp"
#include "tracecodec/io/error.hpp"
#include "tracecodec/x86/registers.hpp"

namespace made {

struct content {
  std::size_t text = 0;      // characters
  std::size_t code = 0;      // bytes
  std::size_t operands = 0;  // registers read, and addresses written
  std::size_t values = 0;    // values of memory, 16 bytes each, and of registers
  std::size_t bytes = 0;     // size of one more value of memory
  bool damaged = false;      // true if the text is damaged
  bool fails = false;        // true if the feed ends with an error before this instruction
};

class view {
 public:
  view(const content* all, std::uint64_t n) : all_(all), n_(n) {}
  [[nodiscard]] const content& told() const { return all_[n_]; }
  [[nodiscard]] std::uint64_t ip() const { return n_; }
  [[nodiscard]] tracecodec::feed::branch_class branch() const {
    return tracecodec::feed::branch_class::not_branch;
  }
  [[nodiscard]] bool is_branch() const { return false; }
  [[nodiscard]] bool taken() const { return false; }
  [[nodiscard]] std::uint64_t target() const { return 0; }
  [[nodiscard]] std::uint32_t asid() const { return 0; }
  [[nodiscard]] std::span<const std::uint8_t> destination_registers() const { return {}; }
  [[nodiscard]] std::vector<std::uint8_t> source_registers() const {
    return std::vector<std::uint8_t>(told().operands, 7);
  }
  [[nodiscard]] std::vector<std::uint64_t> destination_memory() const {
    return std::vector<std::uint64_t>(told().operands, n_);
  }
  [[nodiscard]] std::span<const std::uint64_t> source_memory() const { return {}; }
  [[nodiscard]] std::span<const std::byte> code() const {
    static const std::vector<std::byte> nops(1U << 20, std::byte{0x90});
    return std::span(nops).first(told().code);
  }

 private:
  const content* all_;
  std::uint64_t n_;
};

inline std::string_view assembly(const view& i) {
  static const std::string text(1U << 20, 'a');
  if (i.told().damaged)
    throw tracecodec::trace_error(tracecodec::trace_errc::bad_value, {}, "no such text");
  return std::string_view(text).substr(0, i.told().text);
}
template <class F> void for_each_memory_value(const view& i, F&& f) {
  static const std::vector<std::byte> zeros(1U << 20);
  for (std::size_t n = 0; n != i.told().values; ++n)
    f(16 * n, std::span<const std::byte>(zeros).first(16), true);
  if (i.told().bytes != 0) f(0, std::span<const std::byte>(zeros).first(i.told().bytes), false);
}
template <class F> void for_each_register_value(const view& i, F&& f) {
  for (std::size_t n = 0; n != i.told().values; ++n)
    f(tracecodec::x86::reg::rax, std::size_t{0}, i.ip(), std::size_t{8}, false);
}

class batch {
 public:
  using value_type = view;
  batch() = default;
  batch(const content* all, std::uint64_t first, std::size_t n, bool ends)
      : all_(all), first_(first), n_(n), ends_(ends) {}
  [[nodiscard]] std::size_t size() const { return n_; }
  view operator[](std::size_t i) const { return {all_, first_ + i}; }
  [[nodiscard]] batch first(std::size_t n) const { return {all_, first_, std::min(n, n_), false}; }
  [[nodiscard]] batch drop(std::size_t n) const { return {all_, first_ + n, n_ - n, ends_}; }
  [[nodiscard]] bool last_batch() const { return ends_; }
  void mark_last() { ends_ = true; }
  void set_next_ip(std::uint64_t) {}

 private:
  const content* all_ = nullptr;
  std::uint64_t first_ = 0;
  std::size_t n_ = 0;
  bool ends_ = true;
};

// Feed with batches of `step` instructions, three by default.
class trace {
 public:
  using batch_type = batch;
  explicit trace(std::vector<content> all, std::size_t step = 3)
      : all_(std::move(all)), step_(step) {}
  batch next() {
    std::size_t n = 0;
    while (n != step_ && at_ + n != all_.size() && !all_[at_ + n].fails) ++n;
    if (n == 0 && at_ != all_.size())
      throw tracecodec::trace_error(tracecodec::trace_errc::truncated, {}, "cut off");
    at_ += n;
    return {all_.data(), at_ - n, n, at_ == all_.size()};
  }
  std::uint64_t skip(std::uint64_t n) {
    const std::uint64_t done = std::min<std::uint64_t>(n, all_.size() - at_);
    at_ += static_cast<std::size_t>(done);
    return done;
  }
  void rewind() { at_ = 0; }
  [[nodiscard]] std::optional<std::uint64_t> count() const { return all_.size(); }
  [[nodiscard]] std::optional<double> progress() const { return std::nullopt; }

 private:
  std::vector<content> all_;
  std::size_t step_, at_ = 0;
};

}  // namespace made
