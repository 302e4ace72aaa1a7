// Collects the strings and decoded instructions of an extra area, and stores each distinct piece
// only once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "../../../io/error.hpp"
#include "../../../io/hash.hpp"
#include "../../layout/common.hpp"

namespace tracecodec::umtracer {

// Distinct pieces of an extra area, in the order in which they were added.
class shared_bytes {
 public:
  // Adds a piece and returns its offset in the area. Equal pieces have the same offset.
  std::int64_t add(std::string_view piece) {
    if (const auto found = places_.find(piece); found != places_.end()) return found->second;
    const auto at = static_cast<std::int64_t>(size_);
    order_.push_back(&places_.emplace(std::string(piece), at).first->first);
    size_ += piece.size();
    return at;
  }
  // Returns the size of all pieces in bytes.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  // Calls f(piece) for each piece, in the order of the offsets.
  template <class F> void for_each(F&& f) const {
    for (const std::string* piece : order_) f(std::string_view(*piece));
  }

 private:
  std::unordered_map<std::string, std::int64_t, io::keyed_hash, std::equal_to<>> places_ = {};
  std::vector<const std::string*> order_ = {};
  std::uint64_t size_ = 0;
};

// Encodes a string as a cStr or uStr, and stores the result in `out`. Throws trace_error(refused)
// at `where` if the string has more than 32,767 units.
template <class Char>
void encode_string(std::basic_string_view<Char> units, const error_site& where, std::string& out) {
  using text = std::conditional_t<sizeof(Char) == 1, c_string, u_string>;
  using codec = std::conditional_t<sizeof(Char) == 1, c_string_codec, u_string_codec>;
  if (units.size() > longest_string)
    throw trace_error(trace_errc::refused, where,
                      std::to_string(units.size()) + " units: 32767 at most");
  using unit = std::conditional_t<sizeof(Char) == 1, wire::character, wire::u16le>;
  std::vector<std::byte> stored(units.size() * unit::size);
  for (std::size_t i = 0; i < units.size(); ++i)
    unit::store(static_cast<typename unit::value_type>(units[i]), &stored[i * unit::size]);
  const text s{{stored.data(), units.size()}};
  out.resize(codec::extent(s));
  codec::encode(s, std::as_writable_bytes(std::span(out)));
}

}  // namespace tracecodec::umtracer
