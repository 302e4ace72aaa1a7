// Front end with the direction predictor tage.
#include "tage.hpp"

#include "held_front_end.hpp"

namespace frontend {

std::unique_ptr<any_front_end> with_tage(const sizes& s) { return with<tage>(s); }

}  // namespace frontend
