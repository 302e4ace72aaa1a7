// Anything that is called, or nothing. std::function is the same, but its header costs a compiler as much
// as one that reads a format.
#pragma once
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "../config.hpp"

namespace tracecodec::io {

namespace detail {

// What copies of a callback have in common, in whatever threads they are: the last one deletes it.
class shared_object {
 public:
  shared_object() = default;
  shared_object(const shared_object&) = delete;
  shared_object& operator=(const shared_object&) = delete;
  virtual ~shared_object() = default;

  TRACECODEC_FUNC void retain() noexcept;
  TRACECODEC_FUNC void release() noexcept;

 private:
  std::size_t holders_ = 1;
};

// One of them, or none.
class shared {
 public:
  shared() = default;
  explicit shared(shared_object* made) noexcept : to_(made) {}
  shared(const shared& other) noexcept : to_(other.to_) {
    if (to_ != nullptr) to_->retain();
  }
  shared(shared&& other) noexcept : to_(std::exchange(other.to_, nullptr)) {}
  shared& operator=(shared other) noexcept {
    std::swap(to_, other.to_);
    return *this;
  }
  ~shared() {
    if (to_ != nullptr) to_->release();
  }
  [[nodiscard]] shared_object* get() const noexcept { return to_; }

 private:
  shared_object* to_ = nullptr;
};

}  // namespace detail

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
    to_ = detail::shared(new held<F>(std::move(f)));
    call_ = [](detail::shared_object* to, A... a) -> R {
      F& call = static_cast<held<F>*>(to)->call;
      if constexpr (std::is_void_v<R>)
        call(static_cast<A>(a)...);
      else
        return call(static_cast<A>(a)...);
    };
  }

  explicit operator bool() const noexcept { return to_.get() != nullptr; }
  // It must not be empty.
  R operator()(A... a) const { return call_(to_.get(), static_cast<A>(a)...); }

 private:
  template <class F> struct held final : detail::shared_object {
    explicit held(F f) : call(std::move(f)) {}
    F call;
  };

  detail::shared to_ = {};
  R (*call_)(detail::shared_object*, A...) = nullptr;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/callback.ipp"
#endif
