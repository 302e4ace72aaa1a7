// Lackey traces: description, feed and descriptor.
#pragma once
#include "file.hpp"
#include "lackey/descriptor.hpp"
#include "lackey/layout.hpp"
