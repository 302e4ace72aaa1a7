// Cache of translated instructions, because QEMU translates the same code repeatedly.
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
  // Returns the stored copy of `t`. Adds the copy if there is none. If `code` is set, stores the
  // code as well; the code's place then replaces the source registers of the result. Copies are
  // allocated in `memory`. Returns nullptr if `memory` has no room left.
  const translated<Record>* find_or_add(const translated<Record>& t, std::optional<kept_code> code,
                                        recording& memory) {
    const translated<Record>* made = find(t, code);
    if (made == nullptr && code && memory.is_crowded()) {
      // A program that changes its code repeatedly is recorded without the code.
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
    void* const room = memory.allocate(code ? sizeof(with_code) : sizeof t, place_unit);
    if (room == nullptr) return nullptr;
    const translated<Record>* made = nullptr;
    if (code) {
      auto* const both = new (room) with_code{t, *code};
      const std::uint32_t place = memory.place_of(&both->code);
      std::memcpy(both->what.record.source_registers.data(), &place, sizeof place);
      made = &both->what;
    } else {
      made = new (room) translated<Record>(t);
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
  // Returns the hash key of an instruction: the address, combined with the code if the code is
  // stored. One address may have many codes in succession.
  static std::uint64_t key_of(std::uint64_t ip, const std::optional<kept_code>& code) {
    constexpr std::uint64_t prime = 0x100000001B3;  // prime of FNV-1a
    if (code)
      for (const std::byte b : code->known.code) ip = (ip ^ std::to_integer<unsigned>(b)) * prime;
    return ip;
  }

  std::unordered_multimap<std::uint64_t, const translated<Record>*> known_ = {};
};

}  // namespace record::qemu
