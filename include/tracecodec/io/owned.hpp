// What one object owns, of a class that its header only declares: as std::unique_ptr, which costs a
// compiler more for each such class than most headers here cost as a whole.
#pragma once
#include <cstddef>
#include <utility>

namespace tracecodec::io {

template <class T> class owned {
 public:
  owned() = default;
  owned(std::nullptr_t) noexcept {}
  // Deletes it in its time.
  explicit owned(T* made) noexcept : it_(made) {}
  owned(owned&& other) noexcept : it_(other.release()) {}
  // Of a class that T is a base of, with a virtual destructor.
  template <class U> owned(owned<U>&& other) noexcept : it_(other.release()) {}
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

 private:
  T* it_ = nullptr;
};

template <class T, class... A> owned<T> make_owned(A&&... arguments) {
  return owned<T>(new T(std::forward<A>(arguments)...));
}

}  // namespace tracecodec::io
