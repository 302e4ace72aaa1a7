// Trait for the types of options that only some formats have.
#pragma once

namespace tracecodec::format {

// True for the types that own_options accepts. Each option type specialises it.
template <class T> inline constexpr bool is_own_option = false;

}  // namespace tracecodec::format
