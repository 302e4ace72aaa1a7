// Compile-time checks that counts and conditions depend only on members that are read earlier. The
// checks compare the names of members. Which members a function reads is unknown, so decode calls
// each function once, before the section is read.
#pragma once
#include <string_view>
#include <type_traits>

#include "../../layout/engine/quoted.hpp"
#include "../../types/engine/infer.hpp"

namespace tracecodec::wire::detail {

// Label of an item, as a wire::text, for quoted_t.
template <class Labelled> struct label_of {
  static constexpr text value = std::string_view(Labelled::label);
};
template <auto P> struct pointed { static constexpr std::string_view label = name_of<P>; };
// Returns the name of the member `Expr`, or `other` if `Expr` is not a member.
template <auto Expr> consteval std::string_view label_or(std::string_view other) {
  if constexpr (std::is_member_object_pointer_v<decltype(Expr)>)
    return name_of<Expr>;
  else
    return other;
}

// Evaluates `Expr`, which is &S::member, &S::function, a callable that takes the record, or a
// number.
template <auto Expr, class S> TRACECODEC_INLINE constexpr auto evaluate(const S& s) noexcept {
  if constexpr (std::is_member_object_pointer_v<decltype(Expr)>)
    return s.*Expr;
  else if constexpr (std::is_integral_v<decltype(Expr)>)
    return Expr;
  else if constexpr (std::is_member_function_pointer_v<decltype(Expr)>)
    return (s.*Expr)();
  else {
    // Make a copy to avoid a link error: for a template parameter object of a local type, clang 19
    // emits an unresolved symbol.
    constexpr auto expr = Expr;
    return expr(s);
  }
}

// Returns how many times decoding `Item` sets `member`, or 0 if the member has no bytes.
template <class Item> consteval int loads(std::string_view member) {
  if constexpr (requires { Item::loads(member); })
    return Item::loads(member);
  else
    return Item::mentions(member);
}

// Returns true if `Item` declares the member as a parameter, which the caller sets before decode.
template <class Item> consteval bool is_parameter(std::string_view member) {
  if constexpr (requires { Item::is_parameter(member); })
    return Item::is_parameter(member);
  else
    return false;
}

// Place in a record of type S: after the sections `Earlier` and before the sections `Later`.
template <class... Sections> struct section_list {};
template <class S, class Policy, class Earlier, class Later> struct place;
template <class S, class Policy, class... Earlier, class... Later>
struct place<S, Policy, section_list<Earlier...>, section_list<Later...>> {
  using record = S;
  // Returns true if the member is read before this place or is set by the caller.
  static consteval bool earlier(std::string_view member) {
    return (Earlier::mentions(member) + ... + 0) != 0 || (is_parameter<Later>(member) || ...);
  }
};

// Compile error for a member that is read too late. g++ prints the member's name first, clang prints
// the message first.
template <class Name> consteval bool this_member_is_read_too_late() {
  static_assert(
      never<Name>,
      "a count or a condition must be read in an earlier section than what depends on it");
  return true;
}

// Use of an expression: as a count, as a condition, or as a value of any type, such as a tag or the
// argument of a nested record.
enum class used_as : std::uint8_t { value, count, condition };
template <auto Expr> struct expression_label {
  static constexpr std::string_view label = label_or<Expr>("a function");
};
template <class Name, class Owner, class S> consteval bool this_member_belongs_to_another_struct() {
  static_assert(never<Name>,
                "a count, condition or tag is a member of the struct that the record describes, or "
                "a parameter<> that the enclosing record sets with args<>");
  return true;
}
template <class Function, class S> consteval bool this_function_does_not_accept_the_record() {
  static_assert(never<Function>,
                "a count, condition or tag is &S::member, a const member function of S without "
                "arguments, or a callable that accepts a const S&");
  return true;
}
template <class Name, class T> consteval bool this_count_is_not_an_integer() {
  static_assert(never<Name>,
                "a count is an integer of up to 64 bits, or an enumeration: name another member, "
                "or a function that returns an integer");
  return true;
}
template <class Name, class T> consteval bool this_condition_is_neither_true_nor_false() {
  static_assert(never<Name>,
                "a condition is a bool, or converts to one: name another member, or a function "
                "that returns a bool");
  return true;
}
// Returns true if the record `S` can evaluate `Expr`, and the value suits its use. Otherwise a
// compile error names the member.
template <auto Expr, class S, used_as Use> consteval bool is_evaluated() {
  using name = quoted_t<label_of<expression_label<Expr>>>;
  using type = std::remove_cv_t<decltype(Expr)>;
  if constexpr (std::is_member_object_pointer_v<type>) {
    if constexpr (!std::is_base_of_v<owner_t<Expr>, S>)
      return this_member_belongs_to_another_struct<name, owner_t<Expr>, S>();
  } else if constexpr (!std::is_integral_v<type>) {
    if constexpr (!std::is_invocable_v<type, const S&>)
      return this_function_does_not_accept_the_record<type, S>();
  }
  if constexpr (std::is_member_object_pointer_v<type>) {
    using value = member_t<Expr>;
    if constexpr (Use == used_as::count &&
                  !(std::is_integral_v<integer_t<value>> && sizeof(value) <= 8))
      return this_count_is_not_an_integer<name, value>();
    else if constexpr (Use == used_as::condition && !std::is_constructible_v<bool, value>)
      return this_condition_is_neither_true_nor_false<name, value>();
  }
  return true;
}

// Returns true. If the record cannot evaluate `Expr`, or `Expr` is a member that is not read before
// `Place`, compilation fails.
template <auto Expr, class Place, used_as Use = used_as::value> consteval bool is_earlier() {
  if constexpr (std::is_member_object_pointer_v<decltype(Expr)>) {
    if constexpr (Place::earlier(name_of<Expr>))
      return is_evaluated<Expr, typename Place::record, Use>();
    else
      return this_member_is_read_too_late<quoted_t<label_of<pointed<Expr>>>>();
  } else if constexpr (requires { decltype(Expr)::template depends_on_earlier<Place>(); })
    return decltype(Expr)::template depends_on_earlier<Place>();
  else
    return is_evaluated<Expr, typename Place::record, Use>();
}

// Returns true if `Expr` may depend on members that section `Open` reads. A function is always
// assumed to depend on `Open`. item_depends_on() checks the counts and conditions of `Item`.
template <auto Expr, class Open> consteval bool depends_on() {
  if constexpr (std::is_member_object_pointer_v<decltype(Expr)>)
    return Open::loads(name_of<Expr>) != 0;
  else
    return !std::is_integral_v<decltype(Expr)>;
}
template <class Item, class Open> consteval bool item_depends_on() {
  if constexpr (requires { Item::template depends_on<Open>(); })
    return Item::template depends_on<Open>();
  else
    return false;
}

// Returns true if `Expr` cannot depend on the members of the computed items `Sizes`. A function is
// always assumed to depend on them.
template <auto Expr, class... Sizes> consteval bool is_unaffected_by() {
  if constexpr (std::is_member_object_pointer_v<decltype(Expr)>)
    return ((name_of<Expr> != Sizes::label) && ...);
  else
    return std::is_integral_v<decltype(Expr)>;
}
// Returns true if the counts and conditions of `Item` cannot depend on the members of `Sizes`. An
// item of fixed size has neither.
template <class Item, class... Sizes> consteval bool item_is_unaffected_by() {
  if constexpr (requires { Item::template is_unaffected_by<Sizes...>(); })
    return Item::template is_unaffected_by<Sizes...>();
  else
    return Item::fixed;
}

// Returns false if a count or a condition of `Item` is a member that is not read before `Place`,
// otherwise true.
template <class Item, class Place> consteval bool depends_on_earlier() {
  if constexpr (requires { Item::template depends_on_earlier<Place>(); })
    return Item::template depends_on_earlier<Place>();
  else
    return true;
}

}  // namespace tracecodec::wire::detail
