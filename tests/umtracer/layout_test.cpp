// The layouts against the specification's tables.
#include <doctest/doctest.h>

#include "umtracer/support.hpp"

using namespace test;

TEST_CASE("the samples open") {
  for (const std::string name : umtracer_samples)
    CHECK(umtracer::reader(umtracer_sample(name)).size() >= 400);
}
