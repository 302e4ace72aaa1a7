// Front end with the direction predictor always_taken.
#include "direction.hpp"
#include "held_front_end.hpp"

namespace frontend {

std::unique_ptr<any_front_end> with_always_taken(const sizes& s) { return with<always_taken>(s); }

}  // namespace frontend
