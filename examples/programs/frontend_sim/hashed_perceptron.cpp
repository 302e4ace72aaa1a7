// Front end with the direction predictor hashed_perceptron.
#include "hashed_perceptron.hpp"

#include "held_front_end.hpp"

namespace frontend {

std::unique_ptr<any_front_end> with_hashed_perceptron(const sizes& s) {
  return with<hashed_perceptron>(s);
}

}  // namespace frontend
