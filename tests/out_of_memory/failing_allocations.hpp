// Makes one allocation fail: by operator new, and by malloc if the C library lets
// a program replace it.
#pragma once
#include <cstddef>

namespace test::allocations {

// Makes the allocation with this number fail, counted from 0 from now on. All others succeed.
void fail(std::size_t number) noexcept;
inline constexpr std::size_t none = static_cast<std::size_t>(-1);
// Stops failing allocations. Returns the number of allocations since fail().
std::size_t stop() noexcept;
// Returns the number of allocations by operator new that were not freed.
std::size_t live() noexcept;

}  // namespace test::allocations
