// Set of options that only some formats have.
#pragma once
#include <any>
#include <concepts>
#include <utility>
#include <vector>

#include "own_option.hpp"

namespace tracecodec::format {

// Copyable container with at most one value of each type. A value is found by its exact type,
// for which is_own_option (own_option.hpp) must be true. Lookup is linear, because sets of
// options are small.
//
//   own_options own{champsim::branch_rules::of_2022, rapidbin::metadata_file{"x.json"}};
//   own.get<champsim::branch_rules>()  // pointer to the value, or null if there is none
class own_options {
 public:
  own_options() = default;
  template <class... Options>
  requires(sizeof...(Options) != 0 && (!std::same_as<Options, own_options> && ...))
      own_options(Options... all) {  // NOLINT(google-explicit-constructor): allows {.own = {...}}
    (set(std::move(all)), ...);
  }

  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  // Returns the value of type `T`, or null if none is set.
  template <class T> [[nodiscard]] const T* get() const noexcept {
    require_option<T>();
    for (const std::any& a : all_)
      if (const T* const value = std::any_cast<T>(&a)) return value;
    return nullptr;
  }
  template <class T> [[nodiscard]] bool has() const noexcept { return get<T>() != nullptr; }
  template <class T> [[nodiscard]] T value_or(T otherwise) const {
    const T* const value = get<T>();
    return value != nullptr ? *value : std::move(otherwise);
  }

  // Returns a modifiable reference to the value of type `T`. Inserts a default value first if
  // the set does not contain `T`.
  template <std::default_initializable T> [[nodiscard]] T& edit() {
    if (!has<T>()) all_.emplace_back(T{});
    return *find<T>();
  }
  // Sets the value of type `T`. Replaces any earlier value of this type.
  template <class T> void set(T value) {
    require_option<T>();
    if (T* const old = find<T>())
      *old = std::move(value);
    else
      all_.emplace_back(std::move(value));
  }
  template <class T> void reset() {
    require_option<T>();
    std::erase_if(all_, [](const std::any& a) { return std::any_cast<T>(&a) != nullptr; });
  }

 private:
  template <class T> static constexpr void require_option() noexcept {
    static_assert(is_own_option<T>,
                  "no format has options of this type: see open_options.hpp for those that exist");
  }
  template <class T> [[nodiscard]] T* find() noexcept {
    for (std::any& a : all_)
      if (T* const value = std::any_cast<T>(&a)) return value;
    return nullptr;
  }

  std::vector<std::any> all_ = {};
};

}  // namespace tracecodec::format
