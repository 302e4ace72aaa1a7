// Reader of a file that has one of several descriptions, which is known only when it is opened.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "reader.hpp"

namespace tracecodec::file {

// Reader of a file that one of the descriptions `D` describes.
template <class... D> class any_reader {
  using readers = std::variant<reader<D>...>;

 public:
  // Opens a file of description number `n`, which must exist.
  any_reader(io::input in, std::size_t n, reader_options options = {})
      : reader_(open<0>(std::move(in), n, options)) {}

  // Calls f(reader) with the reader<D> of the file.
  template <class F> decltype(auto) with(F&& f) { return std::visit(std::forward<F>(f), reader_); }

  void rewind() {
    std::visit([](auto& r) { r.rewind(); }, reader_);
  }
  [[nodiscard]] io::input again() const {
    return std::visit([](const auto& r) { return r.again(); }, reader_);
  }
  [[nodiscard]] std::optional<double> progress() const {
    return std::visit([](const auto& r) { return r.progress(); }, reader_);
  }
  [[nodiscard]] const std::string& name() const {
    return std::visit([](const auto& r) -> const std::string& { return r.name(); }, reader_);
  }

 private:
  template <std::size_t N> static readers open(io::input in, std::size_t n, reader_options o) {
    if constexpr (N + 1 < sizeof...(D))
      if (n != N) return open<N + 1>(std::move(in), n, o);
    return readers(std::in_place_index<N>, std::move(in), o);
  }

  readers reader_;
};

}  // namespace tracecodec::file
