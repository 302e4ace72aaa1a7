// Table that is initially zero. Most operating systems provide zeroed pages on first access, so a
// short frame does not spend time on unused parts of a table.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace tracecodec::tracepack::detail {

// Array of values of type T with all bytes initially 0.
template <class T> class zeroed {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit zeroed(std::size_t size) : values_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (values_ == nullptr) throw std::bad_alloc();
  }

  [[nodiscard]] T& operator[](std::size_t i) noexcept { return values_.get()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return values_.get()[i]; }

 private:
  struct release {
    void operator()(T* values) const noexcept { std::free(values); }
  };
  std::unique_ptr<T, release> values_;
};

}  // namespace tracecodec::tracepack::detail
