// Anything that is called, or nothing. std::function is the same, but its header costs a compiler as much
// as one that reads a format.
#pragma once
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "shared.hpp"

namespace tracecodec::io {

// callback<void(const diagnostic&)> is made of whatever can be called so; of a null pointer, or of an
// empty std::function, it is empty. Copies call the same object.
template <class Signature> class callback;

template <class R, class... A> class callback<R(A...)> {
 public:
  callback() = default;
  callback(std::nullptr_t) noexcept {}
  template <class F>
  requires(!std::same_as<F, callback>) && requires(F& f, A... a) { f(static_cast<A>(a)...); }
  callback(F f) {
    if constexpr (std::is_constructible_v<F, std::nullptr_t> && requires { f == nullptr; })
      if (f == nullptr) return;
    to_ = detail::holder(new detail::counted_object<F>(std::move(f)));
    call_ = [](detail::counted* to, A... a) -> R {
      F& call = static_cast<detail::counted_object<F>*>(to)->object;
      if constexpr (std::is_void_v<R>)
        call(static_cast<A>(a)...);
      else
        return call(static_cast<A>(a)...);
    };
  }

  explicit operator bool() const noexcept { return to_.get() != nullptr; }
  friend bool operator==(const callback& c, std::nullptr_t) noexcept { return !c; }
  // It must not be empty.
  R operator()(A... a) const { return call_(to_.get(), static_cast<A>(a)...); }

 private:
  detail::holder to_ = {};
  R (*call_)(detail::counted*, A...) = nullptr;
};

}  // namespace tracecodec::io
