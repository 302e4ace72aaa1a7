// Adaptor that turns a front_end into an any_front_end.
#pragma once
#include <memory>

#include "any_front_end.hpp"
#include "front_end.hpp"

namespace frontend {

template <class Direction> class held_front_end final : public any_front_end {
 public:
  explicit held_front_end(const sizes& s)
      : any_front_end(Direction::name, Direction::default_size), held_(s) {}
  void run(const tracecodec::feed::column_batch& batch) override { held_.run(batch); }
  [[nodiscard]] const counts& counted() const override { return held_.counted(); }
  void forget_counts() override { held_.forget_counts(); }

 private:
  front_end<Direction> held_;
};

template <class Direction> std::unique_ptr<any_front_end> with(const sizes& s) {
  return std::make_unique<held_front_end<Direction>>(s);
}

}  // namespace frontend
