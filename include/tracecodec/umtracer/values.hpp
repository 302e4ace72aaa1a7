// Values of the feed's instructions. Includes feed/values.hpp, which feed.hpp includes too.
#pragma once
#include "feed.hpp"
