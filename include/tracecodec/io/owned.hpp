// What one object owns, also of a class that its header only declares: as std::unique_ptr, whose header
// costs a compiler more than all that most headers here have.
#pragma once
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tracecodec::io {

template <class T> class owned;

namespace detail {

// What a std::unique_ptr<U> owns, which needs no declaration here: U, if std::default_delete<U> deletes it.
template <class D>
concept of_std = requires(D& d) {
  as_const(d);
};  // found by its argument alone
template <class P> struct owned_by;
template <class U> struct owned_by<owned<U>> : std::type_identity<U> {};
template <template <class, class> class P, template <class> class D, class U>
requires of_std<D<int>> && requires { typename P<U, D<U>>::deleter_type; }
struct owned_by<P<U, D<U>>> : std::type_identity<U> {};

// A std::unique_ptr, or a std::shared_ptr, that takes a T*.
template <class P, class T>
concept takes = std::constructible_from<P, T*> &&
                std::convertible_to<T*, typename P::element_type*> &&(
                    requires { typename owned_by<P>::type; } ||
                    requires { typename P::weak_type; }) &&
                !std::same_as<P, owned<typename P::element_type>>;

}  // namespace detail

// Made of a std::unique_ptr; becomes one, or a std::shared_ptr, wherever one is wanted.
template <class T> class owned {
 public:
  using element_type = T;
  owned() = default;
  owned(std::nullptr_t) noexcept {}
  // Deletes it in its time.
  explicit owned(T* made) noexcept : it_(made) {}
  owned(owned&& other) noexcept : it_(other.release()) {}
  // Of a class that T is a base of, with a virtual destructor; also of a std::unique_ptr.
  template <class P>
  requires std::convertible_to<typename detail::owned_by<P>::type*, T*> owned(P&& other) noexcept
      : it_(other.release()) {}
  template <class P>
  requires detail::takes<P, T>
  operator P() && { return P(release()); }
  owned& operator=(owned&& other) noexcept {
    T* const before = std::exchange(it_, other.release());
    delete before;
    return *this;
  }
  ~owned() { reset(); }

  void reset() noexcept {
    static_assert(sizeof(T) > 0, "T is complete where it is deleted");
    delete release();
  }
  // Gives it away.
  [[nodiscard]] T* release() noexcept { return std::exchange(it_, nullptr); }

  [[nodiscard]] T* get() const noexcept { return it_; }
  T* operator->() const noexcept { return it_; }
  T& operator*() const noexcept { return *it_; }
  explicit operator bool() const noexcept { return it_ != nullptr; }
  bool operator==(std::nullptr_t) const noexcept { return it_ == nullptr; }
  bool operator==(const owned& other) const noexcept { return it_ == other.it_; }

 private:
  T* it_ = nullptr;
};

// An array of them.
template <class T> class owned<T[]> {
 public:
  using element_type = T;
  owned() = default;
  explicit owned(T* made) noexcept : it_(made) {}
  owned(owned&& other) noexcept : it_(std::exchange(other.it_, nullptr)) {}
  owned& operator=(owned&& other) noexcept {
    delete[] std::exchange(it_, std::exchange(other.it_, nullptr));
    return *this;
  }
  ~owned() {
    static_assert(sizeof(T) > 0, "T is complete where it is deleted");
    delete[] it_;
  }

  [[nodiscard]] T* get() const noexcept { return it_; }
  T& operator[](std::size_t i) const noexcept { return it_[i]; }
  explicit operator bool() const noexcept { return it_ != nullptr; }

 private:
  T* it_ = nullptr;
};

template <class T, class... A> owned<T> make_owned(A&&... arguments) {
  return owned<T>(new T(std::forward<A>(arguments)...));
}
// `n` of them, made as `T made[n]` makes them: those of classes without constructors hold anything.
template <class T> owned<T[]> make_array(std::size_t n) { return owned<T[]>(new T[n]); }

}  // namespace tracecodec::io
