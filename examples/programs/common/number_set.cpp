#include "number_set.hpp"

#include <tracecodec/io/hash.hpp>

#include <boost/unordered/unordered_flat_set.hpp>

namespace examples {

struct number_set::numbers {
  boost::unordered_flat_set<std::uint64_t, tracecodec::io::keyed_hash> all = {};
};

number_set::number_set() : numbers_(std::make_unique<numbers>()) {}
number_set::number_set(number_set&&) noexcept = default;
number_set& number_set::operator=(number_set&&) noexcept = default;
number_set::~number_set() = default;

bool number_set::add(std::uint64_t v) { return numbers_->all.insert(v).second; }

std::uint64_t number_set::size() const { return numbers_->all.size(); }

}  // namespace examples
