// Implementation of reader/blocks.hpp, except the fast path.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../../read_header.hpp"
#include "../../recognise.hpp"
#include "../blocks.hpp"
#include "../defect.hpp"
#include "../resume.hpp"
#include "../state.hpp"

namespace tracecodec::x64dbg {

template <target T> block_reader<T>::block_reader(io::input in, block_options options)
    : window_(std::move(in)), options_(options), header_(read_header(window_)) {
  begin();
}
template <target T>
block_reader<T>::block_reader(io::window at_first_block, trace_header header, block_options options)
    : window_(std::move(at_first_block)), options_(options), header_(std::move(header)) {
  begin();
}
template <target T> block_reader<T>::block_reader(block_reader&&) noexcept = default;
template <target T> block_reader<T>& block_reader<T>::operator=(block_reader&&) noexcept = default;
template <target T> block_reader<T>::~block_reader() = default;

template <target T> std::size_t block_reader<T>::peek(block<T>& b) {
  const found f = look_closely();
  b = f.block;
  return f.size;
}

template <target T>
void block_reader<T>::seek(block_position to, std::optional<std::uint32_t> thread) {
  thread_ = thread;
  user_left_ = 0;
  look_closely_next();
  may_have_thread_defect_ = was_mended_ = false;
  before_ = seen_ = {};
  lost_.reset();
  if (!window_.seek(to.offset)) {
    window_.check_end();
    throw trace_error(trace_errc::truncated, {name(), window_.offset(), to.instruction, {}},
                      "the trace ends before offset " + std::to_string(to.offset));
  }
  instructions_ = to.instruction;
}

template <target T> bool block_reader<T>::at_end() {
  look_closely_next();  // look() may move the buffer
  return window_.look(1).empty();
}

template <target T> void block_reader<T>::resume() {
  window_.resume();
  look_closely_next();
}

template <target T> trace_error block_reader<T>::error(trace_errc code, std::size_t at,
                                                       std::string_view field,
                                                       std::string_view why) const {
  return {
      code, {name(), window_.offset() + at, instructions_, std::string(field)}, std::string(why)};
}
template <target T> void block_reader<T>::fail(trace_errc code, std::size_t at,
                                               std::string_view field, std::string_view why) const {
  throw error(code, at, field, why);
}

template <target T> bool block_reader<T>::pass_user_blocks() {
  look_closely_next();
  if (options_.repair) {
    block<T> b;
    return peek(b) != 0;
  }
  for (;;) {
    while (user_left_ != 0)
      if (next_user_data().empty()) return false;
    const auto in = window_.look(user_block_codec<T>::front_size);
    if (in.empty()) return false;
    block<T> b;
    const auto r = any_block_codec<T>::decode(in, b);
    if (!is_user_type(b.type)) return true;
    if (!enter_user_block(b, r)) return false;
  }
}

template <target T> void block_reader<T>::begin() {
  first_offset_ = window_.offset();
  std::string why;
  if (header_.arch != T)
    why = "is \"" + std::string(arch_name(header_.arch)) + "\", opened as \"" +
          std::string(arch_name(T)) + '"';
  else if (options_.repair && options_.growing)
    why = "a trace that is still being written cannot be repaired";
  const std::string field = header_.arch != T ? "arch" : "";
  if (!why.empty())
    throw trace_error(trace_errc::refused, {name(), prefix_codec::size, {}, field}, why);
}

template <target T> found_block<T> block_reader<T>::look_closely() {
  for (;;) {
    was_mended_ = false;
    while (user_left_ != 0)
      if (next_user_data().empty()) return {};
    if (lost_) throw trace_error(lost_->why);
    const auto in = window_.look(options_.repair ? defect_window<T> : largest_block<T>);
    if (in.empty()) {
      window_.check_end();
      return {};
    }
    found f;
    const auto r = any_block_codec<T>::decode(in, f.block);
    if (options_.repair) {
      if (!examine(in, f.block, r)) continue;
      if (was_mended_) {
        const auto mended = mended_->bytes();
        return checked(f, block_codec<T>::decode(mended, f.block), mended);
      }
    }
    if (is_user_type(f.block.type)) {
      if (!enter_user_block(f.block, r)) return {};
      continue;
    }
    const auto held = window_.buffered();
    if (options_.repair || held.size() < largest_block<T>)
      look_closely_next();
    else
      plain_end_ = address_of(held.data()) + held.size() - largest_block<T> + 1;
    prepared_end_ = prepared_ ? plain_end_ : 0;
    return checked(f, r, in);
  }
}

template <target T>
std::string block_reader<T>::text_of_header(std::span<const std::byte> in) const {
  constexpr target other = T == target::x64 ? target::x86 : target::x64;
  std::string text = "a second file header: another trace";
  if (appended_header<other>(in) != 0)
    return (text += " of ") += std::string(arch_name(other)) + " code was appended here";
  text += " was appended here";
  if (appended_header<T>(in) == 0) return text += ", whose header is damaged";
  return options_.repair ? text : text += "; repair continues after it";
}

template <target T>
std::optional<trace_error> block_reader<T>::wrong_with(const block<T>& b, const wire::result& r,
                                                       std::span<const std::byte> in) const {
  using codec = block_codec<T>;
  constexpr std::size_t type_at = codec::template offset_of<&block<T>::type>;
  if (r.error == wire::errc::invalid_value && begins_like_a_trace(in))
    return error(trace_errc::bad_value, type_at, appended_header_field, text_of_header(in));
  if (r.error == wire::errc::invalid_value)
    return error(trace_errc::bad_value, type_at, r.field,
                 "block type " + std::to_string(b.type) + " is unknown");
  if (!r)
    return error(trace_errc::truncated, r.used, r.field,
                 "the trace ends inside the block, after " + std::to_string(in.size()) + " bytes");
  if (b.opcode_size == 0)
    return error(trace_errc::bad_value, codec::template offset_of<&block<T>::opcode_size>,
                 "opcode_size", "the instruction has no bytes");
  return std::nullopt;
}

template <target T> found_block<T> block_reader<T>::checked(found& f, const wire::result& r,
                                                            std::span<const std::byte> in) const {
  if (auto wrong = wrong_with(f.block, r, in)) {
    if (wrong->code() == trace_errc::truncated) {
      window_.check_end();
      if (options_.growing) return {};
    }
    throw *std::move(wrong);
  }
  f.size = r.used;
  return f;
}

template <target T> bool block_reader<T>::examine(std::span<const std::byte> in, const block<T>& b,
                                                  const wire::result& r) {
  if (is_user_type(b.type)) return examine_user_block(in, b, r);
  const bool ended = in.size() < defect_window<T>;
  if (may_have_thread_defect_) {
    if (!mended_) mended_ = std::make_unique<mended_block<T>>();
    was_mended_ = mended_->find(in, ended, thread_.value_or(0));
    if (was_mended_) return true;
    may_have_thread_defect_ = false;
  }
  auto wrong = wrong_with(b, r, in);
  if (!wrong && !register_state<T>::walk(b, [](std::size_t, auto) {}))
    wrong = error(trace_errc::bad_value, bad_position<T>(b), "positions",
                  "a position lies outside REGDUMP");
  if (!wrong) {
    // If bytes of a block are missing, the next blocks are decoded as a part of the incomplete
    // block. The incomplete block may even seem to end where one of the next blocks ends.
    if (seen_.offset != window_.offset()) before_ = seen_;
    const bool fits =
        goes_on<T>(in.subspan(r.used), ended) && (b.snapshot() || fits_after<T>(before_, in));
    if (fits || !resumes_within<T>(in, r.used, ended, before_)) {
      seen_.take(b, window_.offset());
      return true;
    }
    wrong = error(trace_errc::bad_value, 0, "type",
                  "the block is truncated: other blocks begin inside it");
  }
  if (!begins_like_a_trace(in) || !pass_header()) pass_damage(*std::move(wrong));
  return false;
}

// Returns true if the user block is sound. Otherwise, skips damage and returns false. A user block
// is considered damaged if other blocks begin inside it, and it is either incomplete or not
// followed by a sound block.
template <target T> bool block_reader<T>::examine_user_block(std::span<const std::byte> in,
                                                             const block<T>& b,
                                                             const wire::result& r) {
  const bool ended = in.size() < defect_window<T>;
  if (r && goes_on<T>(in.subspan(r.used), ended)) return true;
  const std::uint64_t size = user_block_codec<T>::front_size + std::uint64_t{b.size};
  const std::size_t n = size < in.size() ? static_cast<std::size_t>(size) : in.size();
  if (!resumes_within<T>(in, n, ended, seen_)) return true;
  pass_damage(error(trace_errc::bad_value, 0, "type",
                    "the user block is truncated: other blocks begin inside it"));
  return false;
}

template <target T> bool block_reader<T>::pass_header() {
  const std::uint64_t from = window_.offset();
  const std::size_t size = appended_header<T>(window_.look(largest_appended_header));
  if (size == 0) return false;
  before_ = seen_ = {};
  window_.consume(size);
  thread_.reset();
  report_skipped(from, std::nullopt);
  return true;
}

template <target T> void block_reader<T>::pass_damage(trace_error why) {
  constexpr std::size_t chunk = std::size_t{256} << 10, needed = chunk + resume_window<T>;
  const std::uint64_t from = window_.offset();
  for (std::size_t first = 1;; first = 0) {
    const auto in = window_.look(needed);
    const bool ended = in.size() < needed;
    const std::size_t n = std::min(in.size(), chunk);
    for (std::size_t i = first; i < n; ++i) {
      if (!can_resume<T>(in.subspan(i), ended, seen_)) continue;
      window_.consume(i);
      return report_skipped(from, std::move(why));
    }
    window_.consume(n);
    if (!ended || n != in.size()) continue;
    window_.check_end();
    lost_ = std::make_unique<end_of_repair>(end_of_repair{std::move(why), from});
    throw trace_error(lost_->why);
  }
}

template <target T>
void block_reader<T>::report_skipped(std::uint64_t from, std::optional<trace_error> why) {
  may_have_thread_defect_ = false;
  ++gaps_;
  if (skipped_) skipped_({from, window_.offset() - from, instructions_, std::move(why)});
}

template <target T>
bool block_reader<T>::enter_user_block(const block<T>& b, const wire::result& r) {
  if (r.used < user_block_codec<T>::front_size) {
    window_.check_end();
    if (options_.growing) return false;
    fail(trace_errc::truncated, r.used, r.field, "the trace ends inside the head of a user block");
  }
  if (options_.growing && !is_there(user_block_codec<T>::front_size + std::uint64_t{b.size}))
    return false;
  user_block_data<T> data(*this, b, window_.offset());
  window_.consume(user_block_codec<T>::front_size);
  user_left_ = b.size;
  look_closely_next();
  if (handler_) handler_(data);
  return true;
}

template <target T> bool block_reader<T>::is_there(std::uint64_t n) {
  if (const auto known = window_.has(n)) return *known;
  constexpr std::uint64_t most = std::uint64_t{16} << 20;
  const auto wanted = static_cast<std::size_t>(std::min(n, most));
  const bool all = window_.look(wanted).size() >= wanted;
  if (!all) window_.check_end();
  return all;
}

template <target T> std::span<const std::byte> block_reader<T>::next_user_data() {
  const auto in = window_.look(1);
  const std::uint64_t n = std::min<std::uint64_t>({user_left_, in.size(), std::uint64_t{1} << 20});
  if (n == 0 && user_left_ != 0) {
    window_.check_end();
    if (!options_.growing)
      fail(trace_errc::truncated, 0, "data",
           "the trace ends inside a user block, " + std::to_string(user_left_) +
               " bytes before its end");
  }
  window_.consume(static_cast<std::size_t>(n));
  user_left_ -= n;
  return in.first(static_cast<std::size_t>(n));
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template class block_reader<target::x86>;
template class block_reader<target::x64>;
#endif

}  // namespace tracecodec::x64dbg
