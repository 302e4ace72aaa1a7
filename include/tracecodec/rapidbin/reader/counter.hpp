// Counts the different threads, locks and variables for the header, in the same way as Wasmgrind.
#pragma once
#include <cstdint>

#include "../layout.hpp"
#include "id_set.hpp"

namespace tracecodec::rapidbin {

class counter {
 public:
  void add(const event& e) {
    threads_.insert(e.thread);
    switch (operand_of(e.operation)) {
      case operand::lock:
        locks_.insert(e.decor);
        break;
      case operand::variable:
        variables_.insert(e.decor);
        break;
      case operand::thread:
        threads_.insert(e.decor);
        break;
      case operand::none:
        break;
    }
    ++events_;
  }

  [[nodiscard]] std::uint64_t threads() const { return threads_.size(); }
  [[nodiscard]] std::uint64_t locks() const { return locks_.size(); }
  [[nodiscard]] std::uint64_t variables() const { return variables_.size(); }
  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] bool has_thread(std::uint64_t id) const { return threads_.contains(id); }
  [[nodiscard]] bool has_lock(std::uint64_t id) const { return locks_.contains(id); }
  [[nodiscard]] bool has_variable(std::uint64_t id) const { return variables_.contains(id); }
  // Returns a header with the counts. Each count must fit in its header field.
  [[nodiscard]] header counts() const {
    return {static_cast<std::int16_t>(threads()), static_cast<std::int32_t>(locks()),
            static_cast<std::int32_t>(variables()), static_cast<std::int64_t>(events_)};
  }

 private:
  id_set threads_ = {}, locks_ = {}, variables_ = {};
  std::uint64_t events_ = 0;
};

}  // namespace tracecodec::rapidbin
