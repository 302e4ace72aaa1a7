// Makes each allocation of a piece of work fail once.
#pragma once
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "out_of_memory/failing_allocations.hpp"

namespace test {

// Result of a piece of work: a checksum of everything that it delivered, or lack of memory.
struct outcome {
  bool no_memory = false;
  std::uint64_t sum = 0;
  std::string wrong = {};  // message of any other exception
};

template <class Work> outcome outcome_of(Work& work) {
  outcome o;
  try {
    o.sum = work();
  } catch (const std::bad_alloc&) {
    o.no_memory = true;
  } catch (const std::system_error& e) {
    // A thread could not be created.
    o.no_memory = e.code() == std::errc::resource_unavailable_try_again ||
                  e.code() == std::errc::not_enough_memory;
    if (!o.no_memory) o.wrong = e.what();
  } catch (const std::exception& e) {
    o.wrong = e.what();
  }
  return o;
}

// Calls work() without a failure, then once for each of its allocations, which then fails. There
// are at most `most` calls with a failure. work() returns a checksum of everything that it
// delivers. With a failure it must return the same checksum or throw std::bad_alloc, and must free
// all of its memory.
template <class Work> void fail_each_allocation(Work work, std::size_t most = 120) {
  const std::uint64_t expected = work();  // also creates objects that are created only once
  allocations::fail(allocations::none);
  const outcome again = outcome_of(work);
  const std::size_t n = allocations::stop();
  REQUIRE(again.sum == expected);
  REQUIRE(n != 0);
  // If there are many allocations, try the first `most` / 2, which open files, and others spread
  // over the rest.
  const std::size_t first = n <= most ? n : most / 2,
                    step = n <= most ? 1 : (n - first) / (most - first) + 1;
  std::size_t failures = 0;
  for (std::size_t i = 0; i < n; i += i < first ? 1 : step) {
    CAPTURE(i);
    const std::size_t before = allocations::live();
    allocations::fail(i);
    const outcome o = outcome_of(work);
    allocations::stop();
    CHECK(o.wrong == "");
    if (!o.no_memory) CHECK(o.sum == expected);
    failures += o.no_memory ? 1 : 0;
    CHECK(allocations::live() == before);
  }
  CHECK(failures != 0);
}

// Checksum of the numbers that a piece of work delivers.
class sum_of {
 public:
  void add(std::uint64_t n) noexcept { all_ = (all_ ^ n) * 0x100000001B3 + (all_ >> 29U); }
  [[nodiscard]] std::uint64_t value() const noexcept { return all_; }

 private:
  std::uint64_t all_ = 0xCBF29CE484222325;
};

}  // namespace test
