// Front end whose direction predictor is selected at run time. The selection costs one virtual call
// per batch.
#pragma once
#include <cstddef>
#include <memory>

#include "counts.hpp"
#include "sizes.hpp"

namespace tracecodec::feed {
class column_batch;
}

namespace frontend {

// Virtual interface of front_end.
class any_front_end {
 public:
  any_front_end(const any_front_end&) = delete;
  any_front_end& operator=(const any_front_end&) = delete;
  virtual ~any_front_end() = default;

  virtual void run(const tracecodec::feed::column_batch& batch) = 0;
  [[nodiscard]] virtual const counts& counted() const = 0;
  virtual void forget_counts() = 0;

  // Returns the name of the direction predictor. default_size() returns the default size of its
  // tables, or 0 if the predictor has no tables.
  [[nodiscard]] const char* name() const { return name_; }
  [[nodiscard]] std::size_t default_size() const { return default_size_; }

 protected:
  any_front_end(const char* name, std::size_t default_size)
      : name_(name), default_size_(default_size) {}

 private:
  const char* name_;
  std::size_t default_size_;
};

// The following functions create a front end. The direction predictor is part of the function's
// name. Each function is defined in the file that is named after the predictor.
std::unique_ptr<any_front_end> with_always_taken(const sizes& s);
std::unique_ptr<any_front_end> with_bimodal(const sizes& s);
std::unique_ptr<any_front_end> with_gshare(const sizes& s);
std::unique_ptr<any_front_end> with_hashed_perceptron(const sizes& s);
std::unique_ptr<any_front_end> with_tage(const sizes& s);

}  // namespace frontend
