// Front end with the direction predictor bimodal.
#include "direction.hpp"
#include "held_front_end.hpp"

namespace frontend {

std::unique_ptr<any_front_end> with_bimodal(const sizes& s) { return with<bimodal>(s); }

}  // namespace frontend
