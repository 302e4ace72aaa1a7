// Fixed-size records as objects in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../wire/columns/decode_array.hpp"
#include "../wire/types/view.hpp"

namespace tracecodec::file {

// Converter of records to objects. It views the bytes of records in place as objects if the layout,
// the host and the alignment allow this. Otherwise it decodes the records into a buffer.
template <class Codec> class objects {
 public:
  using record = typename Codec::value_type;

  // Returns `all` as objects in place, or an empty span if the bytes cannot be used as objects.
  static std::span<const record> laid_over(const wire::array_view<Codec>& all) {
    if constexpr (Codec::object_layout) {
      const std::byte* const p = all.bytes().data();
      // The codec guarantees that the object of a record consists of exactly the record's bytes.
      if (reinterpret_cast<std::uintptr_t>(p) % alignof(record) == 0)
        return {reinterpret_cast<const record*>(p), all.size()};
    }
    return {};
  }

  // Returns `all` as objects. The result is valid until the next call, as long as the bytes of
  // `all` and this converter exist.
  std::span<const record> of(const wire::array_view<Codec>& all) {
    if (const auto there = laid_over(all); !there.empty()) return there;
    if (buffer_.size() < all.size()) buffer_ = std::vector<record>(all.size());
    wire::decode_array(all, std::span(buffer_).first(all.size()));
    return std::span<const record>(buffer_).first(all.size());
  }

 private:
  std::vector<record> buffer_ = {};
};

}  // namespace tracecodec::file
