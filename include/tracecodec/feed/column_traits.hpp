// Requirements that a feed's instructions must meet for each column to be available.
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
concept with_uncertainty = requires(const I& i) {
  { i.uncertainty() } -> std::same_as<std::uint8_t>;
};
template <class I>
concept with_system_events = requires(const I& i) {
  { i.time() } -> std::same_as<std::uint64_t>;
  { i.cpu() } -> std::same_as<std::uint32_t>;
  { i.system_events() } -> std::same_as<std::uint16_t>;
};
template <class I>
concept with_recorded_branch = requires(const I& i) {
  { i.record().is_branch } -> std::convertible_to<std::uint64_t>;
  { i.record().branch_taken } -> std::convertible_to<std::uint64_t>;
};

namespace detail {
// Result types of register_named() and mnemonic_named(), without std::optional. The type is
// std::monostate if the feed has no such function.
template <class Feed> struct register_to_select { using type = std::monostate; };
template <with_named_registers Feed> struct register_to_select<Feed> {
  using type = std::remove_cvref_t<decltype(*register_named(std::declval<const Feed&>(),
                                                            std::string_view()))>;
};
template <class Feed> struct mnemonic_to_match { using type = std::monostate; };
template <with_mnemonics Feed> struct mnemonic_to_match<Feed> {
  using type = std::remove_cvref_t<decltype(*mnemonic_named(std::declval<const Feed&>(),
                                                            std::string_view()))>;
};
// Type of the set of all registers of an instruction, and type of the result of
// register_places_of().
template <class I> struct register_file_of { using type = std::monostate; };
template <with_all_registers I> struct register_file_of<I> {
  using type = std::remove_cvref_t<decltype(*std::declval<const I&>().registers())>;
};
template <class I> struct register_places_for { using type = std::monostate; };
template <with_register_places I> struct register_places_for<I> {
  using type = decltype(register_places_of(std::declval<const I&>()));
};
}  // namespace detail

// Returns the columns for which a feed has data. Omits columns of common_columns that have the same
// value for all instructions. The header of a format's feed must declare the functions that
// values.hpp lists. Otherwise the result could differ between the translation units of a program.
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
  only_if(with_mnemonics<Feed>, {column::mnemonic_matches});
  only_if(with_event<I>,
          {column::operation, column::decor, column::location, column::event_operand});
  only_if(with_memory_values<I>, {column::memory_values});
  only_if(with_each_register<I>, {column::register_values});
  only_if(with_named_registers<Feed>, {column::register_value});
  only_if(with_uncertainty<I>, {column::uncertainty});
  only_if(with_system_events<I>, {column::time, column::cpu, column::system_events});
  only_if(with_recorded_branch<I>, {column::recorded_branch, column::recorded_taken});
  return all;
}
// Returns columns_known<Feed>() without the columns that this trace lacks. feed.lacks() returns
// these columns.
template <stream Feed> constexpr column_set columns_known([[maybe_unused]] const Feed& feed) {
  if constexpr (requires {
                  { feed.lacks() } -> std::same_as<column_set>;
                })
    return columns_known<Feed>() - feed.lacks();
  else
    return columns_known<Feed>();
}

}  // namespace tracecodec::feed
