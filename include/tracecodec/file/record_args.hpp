// Fixed-size records with parameters from the header (clauses.hpp: args<>).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "../wire/types/index_iterator.hpp"
#include "batch.hpp"

namespace tracecodec::file {

// View of one record in place, with parameters from the header. `D` is the file's description.
template <class D> class view_with_args : public wire::record_view<typename D::codec> {
  using base = wire::record_view<typename D::codec>;
  using header_type = typename D::header_type;

 public:
  constexpr view_with_args(const base& r, const header_type* header) noexcept
      : base(r), header_(header) {}
  template <auto M> [[nodiscard]] TRACECODEC_INLINE constexpr auto get() const noexcept {
    if constexpr (D::codec::front::template has<M>)
      return base::template get<M>();
    else
      return value().*M;
  }
  [[nodiscard]] TRACECODEC_INLINE constexpr typename D::record value() const noexcept {
    typename D::record r = base::value();
    D::set_args(r, *header_);
    return r;
  }
  [[nodiscard]] constexpr const header_type* header() const noexcept { return header_; }

 private:
  const header_type* header_;
};

// Range of all records of a batch, with parameters from the header. It has the interface of
// wire::array_view.
template <class D> class array_with_args {
 public:
  using codec = typename D::codec;
  using value_type = typename D::record;
  using header_type = typename D::header_type;

  constexpr array_with_args() = default;
  constexpr array_with_args(const wire::array_view<codec>& all, const header_type* header) noexcept
      : all_(all), header_(header) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return all_.size(); }
  [[nodiscard]] constexpr bool empty() const noexcept { return all_.empty(); }
  [[nodiscard]] constexpr std::span<const std::byte> bytes() const noexcept { return all_.bytes(); }
  [[nodiscard]] constexpr view_with_args<D> view(std::size_t i) const noexcept {
    return {view_of(all_, i), header_};
  }
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    return view(i).value();
  }
  [[nodiscard]] constexpr array_with_args subview(std::size_t from, std::size_t n) const noexcept {
    return {all_.subview(from, n), header_};
  }

  using iterator = wire::index_iterator<array_with_args>;
  [[nodiscard]] constexpr iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] constexpr iterator end() const noexcept { return {*this, size()}; }

 private:
  wire::array_view<codec> all_ = {};
  const header_type* header_ = nullptr;
};

template <class D>
TRACECODEC_INLINE constexpr view_with_args<D> view_of(const array_with_args<D>& records,
                                                      std::size_t i) noexcept {
  return records.view(i);
}
template <class D>
TRACECODEC_INLINE constexpr view_with_args<D> next_record(const view_with_args<D>& r) noexcept {
  using codec = typename D::codec;
  return {view_at<codec>(r.bytes().data() + codec::size), r.header()};
}
template <class D> constexpr array_with_args<D> part_of(const array_with_args<D>& all,
                                                        std::size_t from, std::size_t n) noexcept {
  return all.subview(from, n);
}

}  // namespace tracecodec::file
