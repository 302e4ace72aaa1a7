// A record (plain_record.hpp) and the words for bits and conditions, which most descriptions have.
#pragma once
#include "items/bits.hpp"
#include "plain_record.hpp"
#include "rules/when.hpp"
