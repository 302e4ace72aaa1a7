// Lackey traces: description, feed and descriptor.
#pragma once
#include "lackey/descriptor.hpp"
#include "lackey/layout.hpp"
#include "file.hpp"
