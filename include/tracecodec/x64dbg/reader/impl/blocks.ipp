// The members of reader/blocks.hpp's class that are not on the way of every block.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../../read_header.hpp"
#include "../blocks.hpp"
#include "../defect.hpp"

namespace tracecodec::x64dbg {

template <target T> block_reader<T>::block_reader(io::input in, block_options options)
    : window_(std::move(in)), options_(options), header_(read_header(window_)) {
  begin();
}
template <target T>
block_reader<T>::block_reader(io::window behind_header, trace_header header, block_options options)
    : window_(std::move(behind_header)), options_(options), header_(std::move(header)) {
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
  behind_thread_ = was_mended_ = false;
  if (!window_.seek(to.offset)) {
    window_.check_end();
    throw trace_error(trace_errc::truncated, {name(), window_.offset(), to.instruction, {}},
                      "the trace ends before offset " + std::to_string(to.offset));
  }
  instructions_ = to.instruction;
}

template <target T> bool block_reader<T>::at_end() {
  look_closely_next();  // a refilled buffer lies elsewhere
  return window_.look(1).empty();
}

template <target T> void block_reader<T>::resume() {
  window_.resume();
  look_closely_next();
}

template <target T> void block_reader<T>::fail(trace_errc code, std::size_t at,
                                               std::string_view field, std::string_view why) const {
  throw trace_error(code, {name(), window_.offset() + at, instructions_, std::string(field)},
                    std::string(why));
}

template <target T> bool block_reader<T>::pass_user_blocks() {
  look_closely_next();
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
    const auto in = window_.look(behind_thread_ ? defect_window<T> : largest_block<T>);
    if (in.empty()) {
      window_.check_end();
      return {};
    }
    found f;
    const auto r = any_block_codec<T>::decode(in, f.block);
    if (is_user_type(f.block.type)) {
      if (!enter_user_block(f.block, r)) return {};
      continue;
    }
    if (r.error == wire::errc::refused_value)
      fail(trace_errc::bad_value, block_codec<T>::template offset_of<&block<T>::type>, r.field,
           "block type " + std::to_string(f.block.type) + " is unknown");
    if (behind_thread_) {
      if (!mended_) mended_ = io::make_owned<mended_block<T>>();
      was_mended_ = mended_->find(in, in.size() < defect_window<T>, thread_.value_or(0));
      if (was_mended_) {
        const auto mended = mended_->bytes();
        return checked(f, block_codec<T>::decode(mended, f.block), mended.size());
      }
    }
    behind_thread_ = false;
    const auto held = window_.at_hand();
    if (held.size() < largest_block<T>)
      look_closely_next();
    else
      plain_end_ = address_of(held.data()) + held.size() - largest_block<T> + 1;
    prepared_end_ = prepared_ ? plain_end_ : 0;
    return checked(f, r, in.size());
  }
}

template <target T>
found_block<T> block_reader<T>::checked(found& f, const wire::result& r, std::size_t n) const {
  if (!r) {
    window_.check_end();
    if (options_.growing) return {};
    fail(trace_errc::truncated, r.used, r.field,
         "the trace ends inside the block, after " + std::to_string(n) + " bytes");
  }
  if (f.block.opcode_size == 0)
    fail(trace_errc::bad_value, block_codec<T>::template offset_of<&block<T>::opcode_size>,
         "opcode_size", "the instruction has no bytes");
  f.size = r.used;
  return f;
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
