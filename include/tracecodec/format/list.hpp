// Compile-time list of format descriptors. Functions for traces of any format iterate over the
// list.
//
// A descriptor is a type with `static constexpr format::facts facts` and the following static
// functions:
//   match probe(const front&)                      returns how well bytes match the format
//   std::span<const layout> layouts(bool narrow)   returns the layouts of the records, for
//                                                  traces of 32-bit programs if `narrow` is true
//   decltype(auto) visit(opened, const open_options&, Visitor&)
//                                                  calls the visitor with the trace's feed
//   check_summary check(opened, const on_finding&, const check_options&, const open_options&)
//                                                  checks the trace against the format's rules
// A descriptor may also have these members:
//   constexpr std::string_view missing_library     name of the library that the format needs and
//                                                  this build lacks; empty if none is missing
//   std::optional<mismatch> explain(const front&)  returns the reason why bytes do not match
//   void about(opened, statements&)                adds the statements that the trace contains
//                                                  about itself
//   std::vector<program_module> modules(opened, const open_options&)
//                                                  returns the program modules that are listed in
//                                                  the trace
//   bool is_narrow(opened)                         returns true for traces of 32-bit programs
//   bool selects(const open_options&)              returns true if select() must be called
//   void select(opened&, const open_options&)      keeps only the selected records
//   void require_folder(const std::string& path)   throws if the folder is not a trace
//   std::optional<io::input> open_folder(const std::string& path, const open_options&)
//                                                  opens the files in a folder as one file, or
//                                                  returns nullopt if the folder contains none. Only
//                                                  for formats whose traces are also single files
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "check.hpp"
#include "facts.hpp"
#include "front.hpp"
#include "open_options.hpp"
#include "opened.hpp"
#include "statements.hpp"

namespace tracecodec::format {

template <class D>
concept descriptor = requires(const front& f) {
  { D::facts } -> std::same_as<const facts&>;
  { D::probe(f) } -> std::same_as<match>;
};

// Concepts for the optional members of descriptors. Lambdas must use these concepts instead of
// requires-expressions, because g++ 12 evaluates a requires-expression with captured variables to
// false.
template <class D>
concept with_explanation = requires(const front& f) {
  D::explain(f);
};
template <class D>
concept with_statements = requires(opened& from, statements& to) {
  D::about(std::move(from), to);
};
template <class D>
concept with_modules = requires(opened& from, const open_options& o) {
  D::modules(std::move(from), o);
};
template <class D>
concept with_narrow_layouts = requires(opened& from) {
  D::is_narrow(std::move(from));
};
template <class D>
concept with_selection = requires(opened& from, const open_options& o) {
  D::selects(o);
  D::select(from, o);
};
template <class D>
concept with_part_files = requires(const std::string& path, const open_options& o) {
  D::open_folder(path, o);
};
template <class D>
concept with_folders = requires(const std::string& path) {
  D::require_folder(path);
};
template <class D>
concept with_check = requires(opened& from, const on_finding& report, const check_options& how,
                              const open_options& o) {
  D::check(std::move(from), report, how, o);
};

// Returns true if this build can read traces of the format.
template <class D> constexpr bool is_readable() {
  if constexpr (requires { D::missing_library; })
    return std::string_view(D::missing_library).empty();
  else
    return true;
}

template <descriptor... D> struct list {
  static constexpr std::array<const facts*, sizeof...(D)> all{&D::facts...};

  // Calls `f` once for each descriptor, with the descriptor as template argument.
  template <class F> static void for_each(F f) { (f.template operator()<D>(), ...); }

  static constexpr bool has(const facts& which) noexcept { return ((&D::facts == &which) || ...); }
  // Calls `f` with the descriptor whose facts are `which` as template argument. Does nothing if the
  // list has no such descriptor.
  template <class F> static void with(const facts& which, F f) {
    static_cast<void>(((&D::facts == &which && (f.template operator()<D>(), true)) || ...));
  }
};

}  // namespace tracecodec::format
