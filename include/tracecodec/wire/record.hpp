// A record (plain_record.hpp) and the words for bits and conditions, which most descriptions have.
#pragma once
#include "bits.hpp"
#include "plain_record.hpp"
#include "when.hpp"
