// Implementation of reader/resume.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "../../read_header.hpp"
#include "../../recognise.hpp"
#include "../defect.hpp"
#include "../resume.hpp"
#include "../state.hpp"

namespace tracecodec::x64dbg {

namespace detail {
// Sequence of consecutive blocks, which walk() examines one after another.
template <target T> class block_chain {
 public:
  block_chain(std::span<const std::byte> in, bool ended,
              std::span<const std::byte> code_before = {}) noexcept
      : in_(in), ended_(ended), code_(code_before) {}

  // Reason why walk() stopped.
  enum class stop : std::uint8_t { enough, end, header, cut, damage };

  // Examines blocks until `wanted` blocks have been counted, eight blocks have been passed, or
  // `in_` has no further block. The rules for counted blocks are described at can_resume().
  stop walk(unsigned wanted) noexcept {
    for (;;) {
      if (counted_ == wanted || passed_ == 8) return stop::enough;
      if (in_.empty()) return ended_ ? stop::end : stop::cut;
      if (begins_like_a_trace(in_)) return stop::header;
      block<T> b{};
      const auto r = any_block_codec<T>::decode(in_, b);
      if (strict_size<T>(in_) != 0) {
        pass(b, r.used, true);
      } else if (strict_size<T>(in_, false) != 0 && b.registers != 0) {
        const auto code = b.opcode.bytes();
        pass(b, r.used, std::equal(code.begin(), code.end(), code_.begin(), code_.end()));
      } else {
        if (!r && r.error == wire::errc::truncated) return stop::cut;
        // Real user blocks are few and small. A large user block is more likely to be damage.
        if (!r || !is_user_type(b.type) || ++user_blocks_ > 4) return stop::damage;
        in_ = in_.subspan(r.used);
      }
    }
  }
  [[nodiscard]] unsigned counted() const noexcept { return counted_; }
  [[nodiscard]] unsigned passed() const noexcept { return passed_; }

 private:
  void pass(const block<T>& b, std::size_t n, bool counts) noexcept {
    ++passed_;
    counted_ += counts ? 1 : 0;
    code_ = b.opcode.bytes();
    in_ = in_.subspan(n);
  }
  std::span<const std::byte> in_;
  bool ended_;
  std::span<const std::byte> code_ = {};  // opcode of the previous block
  unsigned counted_ = 0, passed_ = 0, user_blocks_ = 0;
};
}  // namespace detail

template <target T> std::size_t appended_header(std::span<const std::byte> in) {
  prefix p{};
  if (!begins_like_a_trace(in) || !prefix_codec::decode(in, p) ||
      p.length > largest_appended_header - prefix_codec::size ||
      p.length > in.size() - prefix_codec::size)
    return 0;
  const auto* const json = reinterpret_cast<const char*>(in.data() + prefix_codec::size);
  const parsed_header parsed = parse_header(std::string(json, p.length));
  const bool fits = parsed.problems.empty() && parsed.header.arch == T;
  return fits ? prefix_codec::size + p.length : 0;
}

template <target T> bool goes_on(std::span<const std::byte> in, bool ended) noexcept {
  using chain = detail::block_chain<T>;
  chain blocks(in, ended);
  const auto why = blocks.walk(1);
  // A block that the end of `in` truncates is acceptable only if the trace continues and a previous
  // block was sound. If the trace ends with `in`, the truncated block may be damage.
  return why != chain::stop::damage &&
         (why != chain::stop::cut || (!ended && blocks.passed() != 0));
}

template <target T> void block_before::take(const block<T>& b, std::uint64_t at) noexcept {
  offset = at;
  register_state<T>::walk(b, [this](std::size_t w, auto value) {
    if (w == register_state<T>::cip_word) ip = value;
  });
  const auto bytes = b.opcode.bytes();
  code_size = bytes.size();
  std::copy(bytes.begin(), bytes.end(), code.begin());
}

template <target T>
bool can_resume(std::span<const std::byte> in, bool ended, const block_before& before) {
  if (in.empty()) return false;
  if (in.front() != std::byte{instruction_type}) return appended_header<T>(in) != 0;
  if (strict_size<T>(in, false) == 0) return false;
  using chain = detail::block_chain<T>;
  chain blocks(in, ended, before.code_bytes());
  switch (blocks.walk(3)) {
    case chain::stop::damage:
      return false;
    case chain::stop::cut:
      return blocks.counted() > 1;
    case chain::stop::enough:
      return blocks.counted() == 3;
    default:
      return blocks.counted() != 0;
  }
}

template <target T>
bool fits_after(const block_before& before, std::span<const std::byte> in) noexcept {
  constexpr std::uint64_t near = std::uint64_t{64} << 10;
  block<T> b{};
  block_before first, next;
  const auto r = block_codec<T>::decode(in, b);
  first.take(b, 0);
  if (!first.ip) {
    const auto code = before.code_bytes();
    return std::equal(code.begin(), code.end(), first.code.begin(),
                      first.code.begin() + static_cast<std::ptrdiff_t>(first.code_size));
  }
  if (before.ip && *first.ip - *before.ip + near < 2 * near) return true;
  if (!block_codec<T>::decode(in.subspan(r.used), b)) return false;
  next.take(b, 0);
  return next.ip == *first.ip + first.code_size;
}

template <target T> bool resumes_within(std::span<const std::byte> in, std::size_t n, bool ended,
                                        const block_before& before) {
  for (std::size_t i = 1; i < n; ++i) {
    const auto there = in.subspan(i);
    if (can_resume<T>(there, ended, before) &&
        (there.front() != std::byte{instruction_type} || fits_after<T>(before, there)))
      return true;
  }
  return false;
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template std::size_t appended_header<target::x86>(std::span<const std::byte>);
template std::size_t appended_header<target::x64>(std::span<const std::byte>);
template bool goes_on<target::x86>(std::span<const std::byte>, bool) noexcept;
template bool goes_on<target::x64>(std::span<const std::byte>, bool) noexcept;
template void block_before::take(const block<target::x86>&, std::uint64_t) noexcept;
template void block_before::take(const block<target::x64>&, std::uint64_t) noexcept;
template bool can_resume<target::x86>(std::span<const std::byte>, bool, const block_before&);
template bool can_resume<target::x64>(std::span<const std::byte>, bool, const block_before&);
template bool fits_after<target::x86>(const block_before&, std::span<const std::byte>) noexcept;
template bool fits_after<target::x64>(const block_before&, std::span<const std::byte>) noexcept;
template bool resumes_within<target::x86>(std::span<const std::byte>, std::size_t, bool,
                                          const block_before&);
template bool resumes_within<target::x64>(std::span<const std::byte>, std::size_t, bool,
                                          const block_before&);
#endif

}  // namespace tracecodec::x64dbg
