// CVP-1 and CBP2025 traces.
#pragma once
#include "cvp/check.hpp"
#include "cvp/descriptor.hpp"
#include "cvp/feed.hpp"
#include "cvp/rows.hpp"
#include "file.hpp"
