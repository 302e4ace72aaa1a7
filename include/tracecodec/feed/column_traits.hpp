// What a feed's instructions must offer for a column to be known.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "columns.hpp"
#include "values.hpp"

namespace tracecodec::feed {

template <class I>
concept with_index = requires(const I& i) {
  { i.index() } -> std::convertible_to<std::uint64_t>;
};
template <class I>
concept with_known_thread = requires(const I& i) {
  { i.thread().has_value() } -> std::convertible_to<bool>;
};
template <class I>
concept with_length = requires(const I& i) {
  { i.length() } -> std::convertible_to<std::size_t>;
};
template <class I>
concept with_held_text = requires(const I& i) {
  { assembly(i) } -> std::same_as<std::string_view>;
};
template <class I>
concept with_event = requires(const I& i) {
  static_cast<std::uint8_t>(i.event().operation);
  { i.event().decor } -> std::convertible_to<std::uint64_t>;
  { i.event().location } -> std::convertible_to<std::uint32_t>;
  { i.event_operand() } -> std::convertible_to<std::uint64_t>;
};
template <class I>
concept with_doubts = requires(const I& i) {
  { i.doubts() } -> std::same_as<std::uint8_t>;
};
template <class I>
concept with_recorded_branch = requires(const I& i) {
  { i.record().is_branch } -> std::convertible_to<std::uint64_t>;
  { i.record().branch_taken } -> std::convertible_to<std::uint64_t>;
};

namespace detail {
// What register_named() and mnemonic_named() find.
template <class Feed> struct register_to_watch { using type = std::monostate; };
template <with_named_registers Feed> struct register_to_watch<Feed> {
  using type = std::remove_cvref_t<decltype(*register_named(std::declval<const Feed&>(),
                                                            std::string_view()))>;
};
template <class Feed> struct mnemonic_to_watch { using type = std::monostate; };
template <with_mnemonics Feed> struct mnemonic_to_watch<Feed> {
  using type = std::remove_cvref_t<decltype(*mnemonic_named(std::declval<const Feed&>(),
                                                            std::string_view()))>;
};
// All registers as an instruction has them, and what register_places_of() finds.
template <class I> struct register_file_of { using type = std::monostate; };
template <with_all_registers I> struct register_file_of<I> {
  using type = std::remove_cvref_t<decltype(*std::declval<const I&>().registers())>;
};
template <class I> struct register_places_for { using type = std::monostate; };
template <with_register_places I> struct register_places_for<I> {
  using type = decltype(register_places_of(std::declval<const I&>()));
};
}  // namespace detail

// Columns of which a feed knows something: of common_columns, which are there for every feed, those
// that are not the same for all instructions. What values.hpp lists, the feed of a format that has it must
// declare itself, so that it is known in all translation units of a program.
template <stream Feed> constexpr column_set columns_known() noexcept {
  using I = typename Feed::batch_type::value_type;
  column_set all = common_columns;
  const auto only_if = [&all](bool known, column_set s) { all = known ? all | s : all - s; };
  only_if(has_branches<I>(), branch_columns);
  only_if(has_threads<I>(), {column::thread});
  only_if(with_known_thread<I>, {column::thread_known});
  only_if(with_length<I> || with_code<I>, {column::size});
  only_if(with_code<I>, {column::code});
  only_if(with_held_text<I>, {column::text});
  only_if(with_mnemonics<Feed>, {column::called});
  only_if(with_event<I>,
          {column::operation, column::decor, column::location, column::event_operand});
  only_if(with_memory_values<I>, {column::memory_values});
  only_if(with_each_register<I>, {column::register_values});
  only_if(with_named_registers<Feed>, {column::watched});
  only_if(with_doubts<I>, {column::doubts});
  only_if(with_recorded_branch<I>, {column::recorded_branch, column::recorded_taken});
  return all;
}
// The same without those that one trace lacks, which its feed may say by lacks().
template <stream Feed> constexpr column_set columns_known([[maybe_unused]] const Feed& feed) {
  if constexpr (requires {
                  { feed.lacks() } -> std::same_as<column_set>;
                })
    return columns_known<Feed>() - feed.lacks();
  else
    return columns_known<Feed>();
}

}  // namespace tracecodec::feed
