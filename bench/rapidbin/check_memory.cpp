// Checks a generated RapidBin trace: 100 million events of 1,000 threads on a million variables.
// Fails if the check takes more than 64 MiB of resident memory.
#include <tracecodec/rapidbin/check.hpp>
#include <tracecodec/rapidbin/layout.hpp>

#include <cstdio>
#include <memory>

#include "../peak.hpp"

namespace {

namespace rapidbin = tracecodec::rapidbin;
using op = rapidbin::operation;

constexpr std::uint64_t wanted = 100'000'000, threads = 1000, variables = 1'000'000, locks = 1000;

// Returns event `i` of a valid trace. The trace consists of forks, then of critical sections of 20
// events. Each section is on the next thread.
rapidbin::event event_at(std::uint64_t i) {
  const auto make = [](std::uint64_t thread, op o, std::uint64_t decor, std::uint64_t location) {
    return rapidbin::event{false, static_cast<std::uint16_t>(location), decor, o,
                           static_cast<std::uint16_t>(thread)};
  };
  if (i < threads - 1) return make(0, op::fork, i + 1, 0);
  const std::uint64_t section = (i - threads + 1) / 20, step = (i - threads + 1) % 20;
  const std::uint64_t thread = section % threads, lock = section * 7 % locks;
  if (step == 0) return make(thread, op::request, lock, 1);
  if (step == 1) return make(thread, op::acquire, lock, 1);
  if (step == 19) return make(thread, op::release, lock, 2);
  const std::uint64_t variable = (section * 17 + step) * 7919 % variables;
  return make(thread, i % 3 == 0 ? op::write : op::read, variable, i % 32768);
}

class generated final : public tracecodec::io::source {
 public:
  std::size_t read(std::span<std::byte> out) override {
    std::size_t n = 0;
    for (; n != out.size(); ++n) {
      if (pending_ == 0 && !produce()) break;
      out[n] = buffer_[produced_ - pending_--];
    }
    return n;
  }

 private:
  // Produces the header, then one event at a time. Returns false at the end.
  bool produce() {
    if (!begun_) {
      const rapidbin::header h{threads, locks, variables, wanted};
      produced_ = rapidbin::header_codec::encode(h, buffer_).used;
      begun_ = true;
    } else if (at_ < wanted) {
      produced_ = rapidbin::event_codec::encode(event_at(at_++), buffer_).used;
    } else {
      return false;
    }
    pending_ = produced_;
    return true;
  }
  std::array<std::byte, rapidbin::header_codec::size> buffer_{};
  // Size of the buffer's content, and the number of unread bytes in the buffer.
  std::size_t produced_ = 0, pending_ = 0;
  bool begun_ = false;
  std::uint64_t at_ = 0;
};

}  // namespace

int main() {
  auto in = tracecodec::io::open_source(std::make_unique<generated>(), "generated");
  const auto sum = rapidbin::check(std::move(in), [](const tracecodec::diagnostic& d) {
    std::printf("%s: %s\n", std::string(d.code).c_str(), d.message.c_str());
  });
  const long peak = bench::peak_memory();
  constexpr long limit = 64 << 10;
  std::printf("%llu events, %llu threads, %llu variables: %.1f MiB\n",
              static_cast<unsigned long long>(sum.events),
              static_cast<unsigned long long>(sum.threads),
              static_cast<unsigned long long>(sum.variables), static_cast<double>(peak) / 1024);
  const bool right = sum.events == wanted && sum.threads == threads && sum.variables == variables &&
                     sum.locks == locks && sum.count(tracecodec::severity::error) == 0;
  return right && peak < limit ? 0 : 1;
}
