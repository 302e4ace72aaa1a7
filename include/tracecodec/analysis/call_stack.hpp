// Calls of a thread that have not returned.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../config.hpp"

namespace tracecodec::analysis {

// Stack of calls. A return that leads to the instruction after a call on the stack ends that call,
// and all calls that it made: longjmp() and exceptions leave functions without a return. If the size
// of the call instruction is unknown, a return matches a call up to 15 bytes before its target.
// `Data` is stored with each call.
template <class Data> class call_stack {
 public:
  // Adds a call at `ip`, whose instruction has `size` bytes, or 0 if the size is unknown.
  void push(std::uint64_t ip, std::uint32_t size, Data data) {
    calls_.push_back({ip, size, std::move(data)});
  }
  // Ends the calls from which a return to `target` returns. Returns the data of the outermost of
  // them, which made the call, or nullopt if there is none. Calls end_call(data) for the others. Only the
  // innermost 4,096 calls are examined, which bounds the time for returns that do not lead to a call.
  template <class End> std::optional<Data> return_to(std::uint64_t target, End end_call) {
    constexpr std::size_t deepest = 4096;
    std::size_t depth = calls_.size();
    const std::size_t end = depth > deepest ? depth - deepest : 0;
    while (depth != end && !calls_[depth - 1].returns_to(target)) --depth;
    if (depth == end) return std::nullopt;
    for (std::size_t i = depth; i != calls_.size(); ++i) end_call(calls_[i].data);
    std::optional<Data> found(std::move(calls_[depth - 1].data));
    calls_.erase(calls_.begin() + static_cast<std::ptrdiff_t>(depth - 1), calls_.end());
    return found;
  }
  std::optional<Data> return_to(std::uint64_t target) {
    return return_to(target, [](const Data&) {});
  }
  // Calls f(data) for each call.
  template <class F> void each(F f) const {
    for (const call& c : calls_) f(c.data);
  }
  [[nodiscard]] std::size_t size() const noexcept { return calls_.size(); }

 private:
  struct call {
    std::uint64_t ip;
    std::uint32_t size;
    Data data;
    // Returns true if a return to `target` returns from the call. An instruction of x86 has up to
    // 15 bytes.
    [[nodiscard]] bool returns_to(std::uint64_t target) const noexcept {
      return size != 0 ? target == ip + size : target - ip - 1 < 15;
    }
  };
  std::vector<call> calls_ = {};
};

}  // namespace tracecodec::analysis
