// Table of code by address, for traces that store the code of an instruction once, and again if it
// changes.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "../config.hpp"
#include "../io/hash.hpp"

namespace tracecodec::feed {

inline constexpr std::uint32_t no_code = ~std::uint32_t{0};

// Table of the code of all threads. `Code` has a member `ip`. Threads share the first version at an
// address. Each thread has its own list of the addresses at which it executes another version,
// because code can change for one thread after the other. All operations take constant time.
template <class Code> class code_versions {
 public:
  // Versions of a thread that are not the first ones, by address.
  using own_versions = std::unordered_map<std::uint64_t, std::uint32_t, io::keyed_hash>;

  [[nodiscard]] const Code& operator[](std::uint32_t n) const noexcept { return all_[n].code; }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  // Returns the number of entries in the lists of all threads.
  [[nodiscard]] std::size_t own_count() const noexcept { return own_count_; }
  // Removes the list of a thread.
  void forget(own_versions& own) noexcept {
    own_count_ -= own.size();
    own.clear();
  }

  // Returns the number of the version that a thread executes at `ip`, or no_code.
  [[nodiscard]] std::uint32_t find(const own_versions& own, std::uint64_t ip) const {
    if (!own.empty())
      if (const auto at = own.find(ip); at != own.end()) return at->second;
    return slots_.empty() ? no_code : slots_[slot_of(ip)];
  }
  // Makes a version the one that a thread executes at `ip`, and returns its number: the version for
  // which equals(code) returns true, or the new version make(). Versions before the 16 newest ones
  // are not compared, so that a crafted file cannot make the search slow.
  template <class Equals, class Make>
  std::uint32_t set(own_versions& own, std::uint64_t ip, Equals equals, Make make) {
    if (all_.size() >= slots_.size() / 2) grow();
    std::uint32_t& first = slots_[slot_of(ip)];
    std::uint32_t found = first;
    for (int n = 0; found != no_code && !equals(all_[found].code); found = all_[found].next)
      if (++n == most_compared) {
        found = no_code;
        break;
      }
    if (found == no_code) {
      found = static_cast<std::uint32_t>(all_.size());
      all_.push_back({make(), first != no_code ? all_[first].next : no_code});
      if (first != no_code)
        all_[first].next = found;
      else
        first = found;
    }
    if (found != first)
      own_count_ += own.insert_or_assign(ip, found).second;
    else if (!own.empty())
      own_count_ -= own.erase(ip);
    return found;
  }

 private:
  static constexpr int most_compared = 16;
  struct version {
    Code code;
    std::uint32_t next;  // another version at the same address, or no_code
  };

  // Returns the slot of `ip`, or the free slot for its first version.
  [[nodiscard]] std::size_t slot_of(std::uint64_t ip) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    auto at = static_cast<std::size_t>(ip * factor_ >> shift_);
    while (slots_[at] != no_code && all_[slots_[at]].code.ip != ip) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), no_code);
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots_.size()));
    // The first version at an address precedes the others.
    for (std::uint32_t n = 0; n != all_.size(); ++n)
      if (std::uint32_t& slot = slots_[slot_of(all_[n].code.ip)]; slot == no_code) slot = n;
  }

  std::vector<version> all_ = {};
  std::size_t own_count_ = 0;
  std::vector<std::uint32_t> slots_ = {};  // open addressing; the size is a power of two
  // The first slot of an address is the upper bits of its product with an odd number that differs
  // between processes, so that a file cannot contain addresses that were chosen to collide.
  std::uint64_t factor_ = io::keyed_hash()(0) | 1;
  unsigned shift_ = 0;
};

}  // namespace tracecodec::feed
