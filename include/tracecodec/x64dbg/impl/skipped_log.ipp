// Implementation of skipped_log.hpp.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "../skipped_log.hpp"

namespace tracecodec::x64dbg {

TRACECODEC_FUNC std::string text_of(const skipped_bytes& s) {
  return "offset " + std::to_string(s.offset) + ", instruction " + std::to_string(s.instruction) +
         ": " + std::to_string(s.size) +
         " bytes skipped: " + (s.why ? s.why->message() : "the header of an appended trace");
}

class skipped_log::state {
 public:
  state(std::string name, say_function say) : name_(std::move(name)), say_(std::move(say)) {
    if (!name_.empty()) name_ += ": ";
  }
  ~state() {
    if (places_ <= most) return;
    try {
      say_(name_ + std::to_string(places_) + " places skipped, with " + std::to_string(bytes_) +
           " bytes");
    } catch (...) {
      // A destructor must not throw, so ignore the exception. The report is then lost.
    }
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  void add(const skipped_bytes& s) {
    bytes_ += s.size;
    if (++places_ <= most) say_(name_ + text_of(s));
  }

 private:
  static constexpr std::uint64_t most = 5;
  std::string name_;
  say_function say_;
  std::uint64_t places_ = 0, bytes_ = 0;
};

TRACECODEC_FUNC skipped_log::skipped_log(std::string name, say_function say)
    : state_(std::make_shared<state>(std::move(name), std::move(say))) {}
TRACECODEC_FUNC void skipped_log::operator()(const skipped_bytes& s) const { state_->add(s); }

}  // namespace tracecodec::x64dbg
