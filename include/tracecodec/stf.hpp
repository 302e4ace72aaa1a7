// STF traces of RISC-V programs.
#pragma once
#include "file.hpp"
#include "stf/check.hpp"
#include "stf/descriptor.hpp"
#include "stf/feed.hpp"
#include "stf/rows.hpp"
