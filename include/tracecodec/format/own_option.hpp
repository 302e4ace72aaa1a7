// Trait for the types of options that only some formats have.
#pragma once
#include "../config.hpp"

namespace tracecodec::format {

// True if own_options accepts values of type `T`. Each option type has a specialisation.
template <class T> inline constexpr bool is_own_option = false;

}  // namespace tracecodec::format
