// Dinero traces: description, feed and descriptor.
#pragma once
#include "dinero/descriptor.hpp"
#include "dinero/layout.hpp"
#include "file.hpp"
