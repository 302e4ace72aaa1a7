// ML-DPC traces: description, feed and descriptor.
#pragma once
#include "file.hpp"
#include "mldpc/descriptor.hpp"
#include "mldpc/layout.hpp"
#include "mldpc/rows.hpp"
