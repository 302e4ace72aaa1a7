// What several hold, the last of whom deletes it: as std::shared_ptr, whose header costs a compiler more than all
// that most headers here have.
#pragma once
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "../config.hpp"

namespace tracecodec::io {

namespace detail {

// An object that counts who holds it, in whatever threads they are.
class counted {
 public:
  counted() = default;
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  TRACECODEC_FUNC virtual ~counted();

  TRACECODEC_FUNC void retain() noexcept;
  TRACECODEC_FUNC void release() noexcept;

 private:
  std::size_t holders_ = 1;
};

template <class T> struct counted_object final : counted {
  template <class... A> explicit counted_object(A&&... arguments)
      : object(std::forward<A>(arguments)...) {}
  T object;
};

// One who holds it, or holds nothing.
class holder {
 public:
  holder() = default;
  explicit holder(counted* made) noexcept : to_(made) {}
  holder(const holder& other) noexcept : to_(other.to_) {
    if (to_ != nullptr) to_->retain();
  }
  holder(holder&& other) noexcept : to_(std::exchange(other.to_, nullptr)) {}
  holder& operator=(holder other) noexcept {
    std::swap(to_, other.to_);
    return *this;
  }
  ~holder() {
    if (to_ != nullptr) to_->release();
  }
  [[nodiscard]] counted* get() const noexcept { return to_; }

 private:
  counted* to_ = nullptr;
};

}  // namespace detail

// Made by make_shared(), or of an owned, a std::unique_ptr or a std::shared_ptr. Becomes a std::shared_ptr wherever
// one is wanted.
template <class T> class shared {
 public:
  using element_type = T;
  shared() = default;
  shared(std::nullptr_t) noexcept {}
  shared(const shared&) = default;
  shared(shared&& other) noexcept
      : holder_(std::move(other.holder_)), it_(std::exchange(other.it_, nullptr)) {}
  shared& operator=(shared other) noexcept {
    std::swap(holder_, other.holder_);
    std::swap(it_, other.it_);
    return *this;
  }
  ~shared() = default;
  // Of a class that T is a base of, or the same without const.
  template <class U>
  requires std::convertible_to<U*, T*> shared(shared<U> other)
  noexcept : it_(std::exchange(other.it_, nullptr)) { std::swap(holder_, other.holder_); }
  // `other` is kept as it is, and what it holds.
  template <class P>
  requires std::convertible_to<typename P::element_type*, T*> && requires(const P& p) { p.get(); }
  shared(P other) : it_(other.get()) {
    if (it_ != nullptr) holder_ = detail::holder(new detail::counted_object<P>(std::move(other)));
  }

  [[nodiscard]] T* get() const noexcept { return it_; }
  T* operator->() const noexcept { return it_; }
  T& operator*() const noexcept { return *it_; }
  explicit operator bool() const noexcept { return it_ != nullptr; }
  bool operator==(std::nullptr_t) const noexcept { return it_ == nullptr; }
  bool operator==(const shared& other) const noexcept { return it_ == other.it_; }
  template <class P>
  requires requires { typename P::weak_type; } && std::convertible_to<T*, typename P::element_type*>
  operator P() const {
    return P(it_, [held = *this](auto*) {});
  }

 private:
  template <class> friend class shared;
  template <class U, class... A> friend shared<U> make_shared(A&&... arguments);
  shared(detail::holder made, T* it) noexcept : holder_(std::move(made)), it_(it) {}

  detail::holder holder_ = {};
  T* it_ = nullptr;
};

template <class T, class... A> shared<T> make_shared(A&&... arguments) {
  auto* const made = new detail::counted_object<T>(std::forward<A>(arguments)...);
  return {detail::holder(made), &made->object};
}

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/shared.ipp"
#endif
