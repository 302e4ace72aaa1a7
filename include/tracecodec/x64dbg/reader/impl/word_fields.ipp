// Implementation of reader/word_fields.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../../layout/registers.hpp"
#include "../../layout/word_names.hpp"
#include "../state.hpp"
#include "../word_fields.hpp"

namespace tracecodec::x64dbg {

namespace detail {
// Table of the fields of all words, in the order of the words. The table is an array, so no memory
// is allocated when rows are created.
template <target T> class field_table {
 public:
  field_table() {
    for (std::size_t w = 0; w < spans.size(); ++w) {
      word_begin_ = used_;
      const std::string_view name = word_names<T>()[w].view();
      if (name.substr(0, 5) == "word_")
        add_parts(w);
      else
        push({name, 0, all});
      spans[w] = std::span(fields_).subspan(word_begin_, used_ - word_begin_);
    }
  }
  field_table(const field_table&) = delete;
  field_table& operator=(const field_table&) = delete;
  ~field_table() = default;

  std::array<std::span<const word_field>, register_words<T>> spans{};

 private:
  static constexpr std::size_t size = sizeof(wire::word_t<T>);
  static constexpr std::uint64_t all = static_cast<wire::word_t<T>>(-1);
  // Upper bound for the number of fields, which exceeds the total number of names and words.
  static constexpr std::size_t most = 1024;

  void add_parts(std::size_t w) {
    std::uint64_t named = 0;
    for (const register_name& r : register_names<T>()) {
      if (r.offset / size != w || r.offset % size + r.size > size) continue;
      const auto shift = static_cast<unsigned>(8 * (r.offset % size));
      const std::uint64_t mask =
          r.size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * r.size) - 1;
      add({r.name.view(), shift, mask});
      named |= mask << shift;
    }
    if ((meaningful_bits<T>()[w] & ~named) != 0 || named == 0)
      push({word_names<T>()[w].view(), 0, all});
  }
  // Adds a field. If a field with the same bits exists, only replaces that field's name. For
  // example, the common name "cf" replaces "flags.c".
  void add(const word_field& f) {
    for (std::size_t i = word_begin_; i < used_; ++i)
      if (fields_[i].shift == f.shift && fields_[i].mask == f.mask) {
        fields_[i].name = f.name;
        return;
      }
    push(f);
  }
  void push(const word_field& f) { fields_.at(used_++) = f; }

  std::array<word_field, most> fields_{};
  std::size_t used_ = 0, word_begin_ = 0;
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
