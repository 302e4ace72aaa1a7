// Records with bit slices and conditions, which most descriptions need.
#pragma once
#include "in_struct_order.hpp"
#include "items/bits.hpp"
#include "plain_record.hpp"
#include "rules/when.hpp"
