// Front end with the direction predictor gshare.
#include "direction.hpp"
#include "held_front_end.hpp"

namespace frontend {

std::unique_ptr<any_front_end> with_gshare(const sizes& s) { return with<gshare>(s); }

}  // namespace frontend
