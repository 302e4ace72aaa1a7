// Allocations of which one fails: operator new everywhere, and malloc where the C library lets a program replace it.
#pragma once
#include <cstddef>

namespace test::allocations {

// From now on the allocation with this number, from 0, fails, and those before and after it do not.
void fail(std::size_t number) noexcept;
inline constexpr std::size_t none = static_cast<std::size_t>(-1);
// None fails from now on. Returns how many there were since fail().
std::size_t stop() noexcept;
// How many that operator new made were not freed.
std::size_t live() noexcept;

}  // namespace test::allocations
