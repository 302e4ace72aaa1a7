// Records of fixed size as objects in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../wire/columns/decode_array.hpp"
#include "../wire/types/view.hpp"

namespace tracecodec::file {

// Converter of records to objects. It lays records over their bytes if layout, host and
// alignment allow that. Otherwise it decodes them into a buffer.
template <class Codec> class objects {
 public:
  using record = typename Codec::value_type;

  // Returns `all` laid over their bytes, or an empty span if that is impossible.
  static std::span<const record> laid_over(const wire::array_view<Codec>& all) {
    if constexpr (Codec::object_layout) {
      const std::byte* const p = all.bytes().data();
      // The codec has proved that a record's object consists of these bytes.
      if (reinterpret_cast<std::uintptr_t>(p) % alignof(record) == 0)
        return {reinterpret_cast<const record*>(p), all.size()};
    }
    return {};
  }

  // Returns `all` as objects. The result is valid until the next call, and as long as the
  // bytes of `all` and this converter exist.
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
