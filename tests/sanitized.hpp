// Defines whether the address sanitizer, which needs additional memory and time, is enabled.
#pragma once

namespace test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace test
