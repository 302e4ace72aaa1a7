// Records (plain_record.hpp) with bit slices and conditions, which most descriptions use.
#pragma once
#include "items/bits.hpp"
#include "plain_record.hpp"
#include "rules/when.hpp"
