// Model of memory queries. It computes the expected results from all accesses of a short trace,
// which is read once from its start without an index or seeking. The library decides which old
// values can be trusted.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "../target.hpp"
#include "tracecodec/x64dbg/memory.hpp"

namespace fuzz {

template <tracecodec::x64dbg::target T> class memory_model {
  using word = tracecodec::wire::word_t<T>;
  using memory_access = tracecodec::x64dbg::memory_access;

 public:
  using memory_byte = tracecodec::x64dbg::memory_byte;

  void add(const tracecodec::x64dbg::instruction<T>& i) {
    using state = tracecodec::x64dbg::register_state<T>;
    const std::optional<word> csp = i.before->known(state::csp_word)
                                        ? std::optional((*i.before)[state::csp_word])
                                        : std::nullopt;
    for (const memory_access& a : i.accesses())
      all_.push_back({i.index, tracecodec::x64dbg::trusts_old_value<T>(a, i.opcode(), csp), a});
  }
  // Returns an address that some instruction accessed, or `n` if no instruction accessed memory.
  [[nodiscard]] word address(std::size_t n) const {
    return static_cast<word>(all_.empty() ? n : all_[n % all_.size()].access.address);
  }

  [[nodiscard]] memory_byte at(std::uint64_t n, word address) const {
    memory_byte found;
    bool closed = false;  // true once only an instruction before `n` can change the result
    for (const touch& t : all_) {
      const auto shift = shift_of(t, address);
      if (!shift || (t.instruction >= n && closed)) continue;
      closed = true;
      if (t.instruction < n)
        found = {byte_of(t.access.value_after(), *shift), memory_byte::origin::earlier,
                 t.instruction};
      else if (t.trusted)
        found = {byte_of(t.access.old_value, *shift), memory_byte::origin::later, t.instruction};
    }
    return found;
  }
  // Instruction number and access.
  using hit = std::optional<std::pair<std::uint64_t, memory_access>>;
  [[nodiscard]] hit last_write(std::uint64_t n, word address, std::size_t size) const {
    hit last;
    for (const touch& t : all_) {
      if (t.instruction >= n || !t.access.new_value) continue;
      for (std::size_t k = 0; k < size; ++k) {
        const auto shift = shift_of(t, static_cast<word>(address + k));
        if (shift && (!t.trusted ||
                      byte_of(t.access.old_value, *shift) != byte_of(*t.access.new_value, *shift)))
          last = {t.instruction, t.access};
      }
    }
    return last;
  }
  [[nodiscard]] hit next_access(std::uint64_t n, word address, std::size_t size) const {
    for (const touch& t : all_)
      for (std::size_t k = 0; k < size; ++k)
        if (t.instruction >= n && shift_of(t, static_cast<word>(address + k)))
          return std::pair(t.instruction, t.access);
    return std::nullopt;
  }

 private:
  struct touch {
    std::uint64_t instruction;
    bool trusted;  // true if its old value can be trusted
    memory_access access;
  };
  static std::uint8_t byte_of(std::uint64_t value, unsigned shift) {
    return static_cast<std::uint8_t>(value >> shift);
  }
  // Returns the shift of the byte at `address` within the access's value, if the access covers
  // it.
  static std::optional<unsigned> shift_of(const touch& t, word address) {
    const word at = static_cast<word>(address - static_cast<word>(t.access.address));
    return at < sizeof(word) ? std::optional(static_cast<unsigned>(8 * at)) : std::nullopt;
  }

  std::vector<touch> all_;
};

}  // namespace fuzz
