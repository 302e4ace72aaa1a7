// Members of rows of text (rows/) for instructions with recorded states (recorded_state.hpp). The
// names of words that are not the first one of their register have the offset, such as "v0+8".
#pragma once
#include <cstddef>
#include <string>

#include "recorded_state.hpp"

namespace tracecodec::feed {

// Returns the name of a word of `set`.
inline std::string name_of_word(const register_set& set, std::size_t n) {
  const register_part& w = set.words[n];
  return set.name(w.number) + (w.offset != 0 ? '+' + std::to_string(w.offset) : "");
}

// Registers before an instruction. to_json() writes an object such as {"rax":"0x1","rbx":"0x2"}, which
// has only the known ones. The instruction pointer is left out.
template <class Record> struct recorded_registers {
  const Record* of = nullptr;  // null for an empty object
  template <class Json> void to_json(Json& to) const {
    to.object();
    for (std::size_t n = 0; of != nullptr && n != of->set().words.size(); ++n)
      if (const auto value = of->before(n);
          value && of->set().words[n].number != instruction_pointer)
        to.key(name_of_word(of->set(), n)).hex(*value);
    to.end_object();
  }
};
// Registers that an instruction writes, with the values after it, in an object like that of
// recorded_registers.
template <class Record> struct recorded_changes {
  const Record* of = nullptr;
  template <class Json> void to_json(Json& to) const {
    to.object();
    for (const register_change& c : of->changes())
      if (of->set().words[c.word].number != instruction_pointer)
        to.key(name_of_word(of->set(), c.word)).hex(c.value);
    to.end_object();
  }
};
// Memory accesses. to_json() writes a list of objects such as
// {"address":"0x...","size":4,"kind":"read","bytes":"01020304"}. `bytes` is null if they are unknown.
template <class Record> struct recorded_memory {
  const Record* of = nullptr;
  template <class Json> void to_json(Json& to) const {
    to.array();
    for (const recorded_access& a : of->accesses()) {
      to.object().key("address").hex(a.address).key("size").number(a.size).key("kind");
      to.plain(a.write ? "write" : "read").key("bytes");
      if (a.has_bytes)
        to.bytes(of->bytes_of(a));
      else
        to.null();
      to.end_object();
    }
    to.end_array();
  }
};

}  // namespace tracecodec::feed
