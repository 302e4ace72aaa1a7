// Implementation of writer.hpp.
#pragma once
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../../io/compression/codec.hpp"
#include "../../io/error.hpp"
#include "../../io/open.hpp"
#include "../writer.hpp"
#include "../writer/impl/block_builder.ipp"

namespace tracecodec::x64dbg {

template <target T> writer<T>::writer(std::unique_ptr<io::sink> out, std::string name,
                                      const trace_header& h, writer_options options)
    : out_(std::move(out)), name_(std::move(name)), options_(options) {
  if (h.arch != T) refuse("arch", "the header is for another architecture");
  if (options.snapshot_distance == 0) refuse("snapshot_distance", "is 0");
  const bool as_it_was = options.mode == writer_mode::raw && !h.text.empty();
  put(header_bytes(as_it_was ? h.text : json_of(h, name_)));
}

template <target T>
writer<T>::writer(const std::string& path, const trace_header& h, writer_options options)
    : writer(io::open_output(path, io::codec_of_suffix(path)), path, h, options) {}

template <target T>
void writer<T>::write(std::optional<std::uint32_t> thread, const register_state<T>& before,
                      std::span<const std::byte> opcode, std::span<const memory_access> accesses) {
  if (options_.mode == writer_mode::raw) refuse("", "raw mode needs blocks");
  require_ready(thread);
  next_.take(opcode, accesses,
             [this](const char* field, const std::string& why) { refuse(field, why); });
  next_.thread = thread;
  next_.state = before;
  next_.listed.reset();
  push();
}

template <target T> void writer<T>::write(const instruction<T>& i) {
  if (options_.mode == writer_mode::raw) return write_block(i.block);
  require_ready(i.thread);
  if (follows_ && i.index != *follows_) gap();
  follows_ = i.index + 1;
  next_.take(i.block);
  next_.thread = i.thread;
  next_.state = *i.before;
  next_.listed.reset();
  register_state<T>::walk(i.block, [this](std::size_t w, auto) { next_.listed.set(w); });
  push();
}

template <target T> void writer<T>::write_block(const block<T>& b) {
  require_user_data();
  gap();
  encode(b);
  thread_known_ = thread_known_ || b.has_thread;
  ++written_;
}

template <target T>
void writer<T>::write_user_block(std::uint8_t type, std::span<const std::byte> data) {
  begin_user_block(type, data.size());
  add_user_data(data);
}

template <target T> void writer<T>::begin_user_block(std::uint8_t type, std::uint64_t size) {
  require_user_data();
  if (!is_user_type(type)) refuse("type", "of a user block is 0x80 or more");
  if (size > 0xFFFFFFFF) refuse("size", "a user block must be smaller than 4 GiB");
  block<T> b;
  b.type = type;
  b.size = static_cast<std::uint32_t>(size);
  std::array<std::byte, user_block_codec<T>::front_size> head{};
  user_block_codec<T>::store_front(b, head);
  put_or_hold(head);
  user_left_ = size;
}

template <target T> void writer<T>::add_user_data(std::span<const std::byte> data) {
  if (data.size() > user_left_)
    refuse("data", std::to_string(data.size()) + " bytes, but the user block holds " +
                       std::to_string(user_left_));
  put_or_hold(data);
  user_left_ -= data.size();
}

template <target T> void writer<T>::gap() {
  release(nullptr);
  since_snapshot_.reset();
  last_thread_.reset();
  follows_.reset();
}

template <target T> void writer<T>::push() {
  ++written_;
  thread_known_ = thread_known_ || next_.thread;
  if (options_.mode == writer_mode::minimal) {
    emit(next_, nullptr, {});
    std::swap(last_, next_.state);
    return;
  }
  release(&next_);
  std::swap(held_instruction_, next_);
  held_ = true;
}

template <target T> void writer<T>::release(const builder* then) {
  if (!held_) return;
  held_ = false;
  builder& h = held_instruction_;
  emit(h, then != nullptr ? &then->state : nullptr, then != nullptr ? then->thread : h.thread);
  std::swap(last_, h.state);
  if (!held_blocks_.empty()) put(held_blocks_);
  held_blocks_.clear();
}

template <target T> void writer<T>::encode(const block<T>& b) {
  const auto done = block_codec<T>::encode(b, buffer_);
  if (!done) refuse(std::string(done.field), std::string(wire::message(done.error)), emitted_);
  put(std::span(buffer_).first(done.used));
  ++emitted_;
}

template <target T> void writer<T>::put(std::span<const std::byte> bytes) {
  out_->write(bytes);
  offset_ += bytes.size();
}

template <target T> void writer<T>::put_or_hold(std::span<const std::byte> bytes) {
  if (held_)
    held_blocks_.insert(held_blocks_.end(), bytes.begin(), bytes.end());
  else
    put(bytes);
}

template <target T> void writer<T>::finish_with(const register_state<T>* after) {
  require_user_data();
  if (held_ && after != nullptr) {
    held_ = false;
    emit(held_instruction_, after, held_instruction_.thread);
    put(held_blocks_);
  }
  release(nullptr);
  out_->finish();
}

template <target T> void writer<T>::emit(builder& i, const register_state<T>* after,
                                         std::optional<std::uint32_t> next_thread) {
  const bool snapshot = !since_snapshot_ || *since_snapshot_ >= options_.snapshot_distance;
  std::bitset<register_words<T>> give;
  if (snapshot) {
    give.set();
  } else {
    for (std::size_t w = 0; w < register_words<T>; ++w)
      give[w] = i.state.known(w) && (!last_.known(w) || last_[w] != i.state[w]);
    if (options_.mode == writer_mode::exact_union) {
      if (after != nullptr)
        for (std::size_t w = 0; w < register_words<T>; ++w)
          give[w] = give[w] || (after->known(w) && (*after)[w] != i.state[w]);
      else
        give |= i.listed;
    }
    // x64dbg omits an unchanged cip. However, if a block has no registers at all, x64dbg displays
    // misaligned rows after that block. Therefore, store cip in a block without other registers.
    if (options_.mode == writer_mode::minimal || options_.cip_always || give.none())
      give.set(register_state<T>::cip_word);
  }
  for (std::size_t w = 0; w < register_words<T>; ++w)
    if (give[w] && !i.state.known(w)) {
      if (snapshot || w == register_state<T>::cip_word)
        refuse("values", "register word " + std::to_string(w) + " is unknown", emitted_);
      give.reset(w);
    }
  bool id = snapshot || i.thread != last_thread_;
  if (options_.mode == writer_mode::exact_union) id = id || next_thread != i.thread;
  encode(i.build(give, id && i.thread));
  since_snapshot_ = snapshot ? 1 : *since_snapshot_ + 1;
  last_thread_ = i.thread;
}

template <target T> void writer<T>::require_user_data() const {
  if (user_left_ != 0)
    refuse("data", std::to_string(user_left_) + " bytes of a user block are missing");
}

template <target T> void writer<T>::require_ready(std::optional<std::uint32_t> thread) const {
  require_user_data();
  if (!thread && thread_known_)
    refuse("thread", "is unknown: readers would use that of the preceding instruction");
}

template <target T> void writer<T>::refuse(const std::string& field, const std::string& why) const {
  refuse(field, why, written_);
}

template <target T> void writer<T>::refuse(const std::string& field, const std::string& why,
                                           std::uint64_t record) const {
  throw trace_error(trace_errc::refused, {name_, offset_, record, field}, why);
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template class writer<target::x86>;
template class writer<target::x64>;
#endif

}  // namespace tracecodec::x64dbg
