// Makes one allocation fail: in operator new, and in malloc if the C library allows its
// replacement.
#pragma once
#include <cstddef>

namespace test::allocations {

// Makes the allocation with this number fail, counted from 0 from now on. All other allocations
// succeed.
void fail(std::size_t number) noexcept;
inline constexpr std::size_t none = static_cast<std::size_t>(-1);
// Stops failing allocations. Returns the number of allocations since fail().
std::size_t stop() noexcept;
// Returns the number of allocations by operator new that were not freed.
std::size_t live() noexcept;

}  // namespace test::allocations
