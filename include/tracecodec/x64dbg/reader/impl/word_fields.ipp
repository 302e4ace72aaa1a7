// The function of reader/word_fields.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "../../layout/registers.hpp"
#include "../../layout/word_names.hpp"
#include "../state.hpp"
#include "../word_fields.hpp"

namespace tracecodec::x64dbg {

namespace detail {
template <target T> class field_table {
 public:
  field_table() {
    for (std::size_t w = 0; w < fields_.size(); ++w) {
      const std::string_view name = word_names<T>()[w].view();
      if (name.substr(0, 5) == "word_")
        add_parts(w);
      else
        fields_[w].push_back({name, 0, all});
      spans[w] = fields_[w];
    }
  }
  std::array<std::span<const word_field>, register_words<T>> spans{};

 private:
  static constexpr std::size_t size = sizeof(wire::word_t<T>);
  static constexpr std::uint64_t all = static_cast<wire::word_t<T>>(-1);

  void add_parts(std::size_t w) {
    std::uint64_t named = 0;
    for (const register_name& r : register_names<T>()) {
      if (r.offset / size != w || r.offset % size + r.size > size) continue;
      const auto shift = static_cast<unsigned>(8 * (r.offset % size));
      const std::uint64_t mask =
          r.size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * r.size) - 1;
      add(fields_[w], {r.name.view(), shift, mask});
      named |= mask << shift;
    }
    if ((meaningful_bits<T>()[w] & ~named) != 0 || named == 0)
      fields_[w].push_back({word_names<T>()[w].view(), 0, all});
  }
  // The usual name, "cf", comes after the field's, "flags.c", and replaces it.
  static void add(std::vector<word_field>& to, const word_field& f) {
    for (word_field& have : to)
      if (have.shift == f.shift && have.mask == f.mask) {
        have.name = f.name;
        return;
      }
    to.push_back(f);
  }

  std::array<std::vector<word_field>, register_words<T>> fields_{};
};
}  // namespace detail

template <target T>
const std::array<std::span<const word_field>, register_words<T>>& word_fields() {
  static const detail::field_table<T> table;
  return table.spans;
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template const std::array<std::span<const word_field>, register_words<target::x86>>&
word_fields<target::x86>();
template const std::array<std::span<const word_field>, register_words<target::x64>>&
word_fields<target::x64>();
#endif

}  // namespace tracecodec::x64dbg
