// The functions of reader/resume.hpp.
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "../../read_header.hpp"
#include "../../recognise.hpp"
#include "../defect.hpp"
#include "../resume.hpp"

namespace tracecodec::x64dbg {

namespace detail {
// Walks over blocks that follow each other.
template <target T> class block_chain {
 public:
  block_chain(std::span<const std::byte> in, bool ended) noexcept : in_(in), ended_(ended) {}

  // Why the walk stopped.
  enum class stop : std::uint8_t { enough, end, header, cut, damage };

  // Until `wanted` blocks have given the instruction pointer, or eight were passed.
  stop walk(unsigned wanted) noexcept {
    for (;;) {
      if (given_ == wanted || passed_ == 8) return stop::enough;
      if (in_.empty()) return ended_ ? stop::end : stop::cut;
      if (begins_like_a_trace(in_)) return stop::header;
      if (const std::size_t n = strict_size<T>(in_); n != 0) {
        ++given_;
        pass(n);
      } else if (const std::size_t m = strict_size<T>(in_, false); m != 0) {
        pass(m);
      } else {
        block<T> b{};
        const auto r = any_block_codec<T>::decode(in_, b);
        if (!r && r.error == wire::errc::truncated) return stop::cut;
        // User blocks are few and small; a large one is rather a misparse.
        if (!r || !is_user_type(b.type) || ++user_blocks_ > 4) return stop::damage;
        in_ = in_.subspan(r.used);
      }
    }
  }
  [[nodiscard]] unsigned given() const noexcept { return given_; }
  [[nodiscard]] unsigned passed() const noexcept { return passed_; }

 private:
  void pass(std::size_t n) noexcept {
    ++passed_;
    in_ = in_.subspan(n);
  }
  std::span<const std::byte> in_;
  bool ended_;
  unsigned given_ = 0, passed_ = 0, user_blocks_ = 0;
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
  // What is not at hand any more may be anything.
  return why != chain::stop::damage && (why != chain::stop::cut || ended || blocks.passed() != 0);
}

template <target T> bool can_resume(std::span<const std::byte> in, bool ended) {
  if (in.empty()) return false;
  if (in.front() != std::byte{instruction_type}) return appended_header<T>(in) != 0;
  if (strict_size<T>(in) == 0) return false;
  using chain = detail::block_chain<T>;
  chain blocks(in, ended);
  switch (blocks.walk(3)) {
    case chain::stop::damage:
      return false;
    case chain::stop::cut:
      return blocks.given() > 1;
    default:
      return true;
  }
}

template <target T> bool resumes_within(std::span<const std::byte> in, std::size_t n, bool ended) {
  for (std::size_t i = 1; i < n; ++i)
    if (can_resume<T>(in.subspan(i), ended)) return true;
  return false;
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template std::size_t appended_header<target::x86>(std::span<const std::byte>);
template std::size_t appended_header<target::x64>(std::span<const std::byte>);
template bool goes_on<target::x86>(std::span<const std::byte>, bool) noexcept;
template bool goes_on<target::x64>(std::span<const std::byte>, bool) noexcept;
template bool can_resume<target::x86>(std::span<const std::byte>, bool);
template bool can_resume<target::x64>(std::span<const std::byte>, bool);
template bool resumes_within<target::x86>(std::span<const std::byte>, std::size_t, bool);
template bool resumes_within<target::x64>(std::span<const std::byte>, std::size_t, bool);
#endif

}  // namespace tracecodec::x64dbg
