// Cache of translated instructions. QEMU often translates the same code more than once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <unordered_map>

#include "recording.hpp"
#include "shared.hpp"
#include "translated.hpp"

namespace record::qemu {

template <class Record> class remembered {
 public:
  // Returns the stored copy of `t`, or adds a copy. If `code` is set, also stores the code. In this
  // case, the place of the code replaces the source registers in the result. Copies are allocated
  // in `memory`. Returns nullptr if `memory` is full.
  const translated<Record>* find_or_add(const translated<Record>& t, std::optional<kept_code> code,
                                        recording& memory) {
    const translated<Record>* made = find(t, code);
    if (made == nullptr && code && memory.is_crowded()) {
      // Do not store the code. A program that keeps changing its code would otherwise fill the
      // memory.
      code->known = {.branch = code->known.branch};
      made = find(t, code);
    }
    return made != nullptr ? made : add(t, code, memory);
  }

 private:
  struct with_code {
    translated<Record> what = {};
    alignas(place_unit) kept_code code = {};
  };

  const translated<Record>* find(const translated<Record>& t,
                                 const std::optional<kept_code>& code) const {
    const auto [from, to] = known_.equal_range(key_of(t.record.ip, code));
    for (auto k = from; k != to; ++k)
      if (is_same(*k->second, t, code)) return k->second;
    return nullptr;
  }
  const translated<Record>* add(const translated<Record>& t, const std::optional<kept_code>& code,
                                recording& memory) {
    static_assert(alignof(with_code) == place_unit);
    void* const available = memory.allocate(code ? sizeof(with_code) : sizeof t, place_unit);
    if (available == nullptr) return nullptr;
    const translated<Record>* made = nullptr;
    if (code) {
      auto* const both = new (available) with_code{t, *code};
      const std::uint32_t place = memory.place_of(&both->code);
      std::memcpy(both->what.record.source_registers.data(), &place, sizeof place);
      made = &both->what;
    } else {
      made = new (available) translated<Record>(t);
    }
    known_.emplace(key_of(t.record.ip, code), made);
    return made;
  }
  static bool is_same(const translated<Record>& kept, translated<Record> t,
                      const std::optional<kept_code>& code) {
    if (!code) return kept == t;
    t.record.source_registers = kept.record.source_registers;
    return kept == t && reinterpret_cast<const with_code&>(kept).code == *code;
  }
  // Returns the hash key of an instruction. If the code is stored, the key combines the address
  // with the code, because different code can occur at the same address.
  static std::uint64_t key_of(std::uint64_t ip, const std::optional<kept_code>& code) {
    constexpr std::uint64_t prime = 0x100000001B3;  // prime of FNV-1a
    if (code)
      for (const std::byte b : code->known.code) ip = (ip ^ std::to_integer<unsigned>(b)) * prime;
    return ip;
  }

  std::unordered_multimap<std::uint64_t, const translated<Record>*> known_ = {};
};

}  // namespace record::qemu
