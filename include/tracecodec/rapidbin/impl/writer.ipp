#pragma once
#include "../writer.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "../../file/writer.hpp"
#include "../reader/counter.hpp"
#include "../trace_file.hpp"

namespace tracecodec::rapidbin {

class writer::state : public file::writer<trace_file> {
  using base = file::writer<trace_file>;

 public:
  using base::base;

  void write(const event& e) {
    const bool odd = operand_of(e.operation) == operand::thread && e.decor > largest_thread;
    if (odd || !put(e)) [[unlikely]]
      refuse(e);
    counted_.add(e);
  }

  void finish() {
    set_count<&header::threads>(base::header(), counted_.threads());
    set_count<&header::locks>(base::header(), counted_.locks());
    set_count<&header::variables>(base::header(), counted_.variables());
    base::finish();
  }

  [[nodiscard]] rapidbin::header counts() const { return counted_.counts(); }

 private:
  [[noreturn, gnu::cold]] void refuse(const event& e) const {
    std::array<std::byte, event_codec::size> nowhere{};
    const auto done = event_codec::encode(e, nowhere);
    // If all fields fit, the error is a forked or joined thread above largest_thread.
    const std::string field(done ? "decor" : done.field);
    std::string why = "does not fit";
    const auto say = [&](std::string_view wanted, std::uint64_t value, std::uint64_t largest) {
      if (field == wanted)
        why = std::to_string(value) + " does not fit: " + std::to_string(largest) + " at most";
    };
    const bool child = operand_of(e.operation) == operand::thread;
    say("location", e.location, largest_location);
    say("decor", e.decor, child ? largest_thread : largest_decor);
    say("thread", e.thread, largest_thread);
    say("operation", static_cast<std::uint64_t>(e.operation), 15);
    throw trace_error(trace_errc::refused, {name(), offset(), written(), field}, why);
  }

  counter counted_ = {};
};

TRACECODEC_FUNC writer::writer(std::unique_ptr<io::sink> out, std::string name)
    : state_(std::make_unique<state>(std::move(out), std::move(name))) {}
TRACECODEC_FUNC writer::writer(const std::string& path) : state_(std::make_unique<state>(path)) {}
TRACECODEC_FUNC writer::writer(writer&&) noexcept = default;
TRACECODEC_FUNC writer& writer::operator=(writer&&) noexcept = default;
TRACECODEC_FUNC writer::~writer() = default;

TRACECODEC_FUNC void writer::write(const event& e) { state_->write(e); }
TRACECODEC_FUNC void writer::write(const event_list& events) {
  for (const event e : events) state_->write(e);
}
TRACECODEC_FUNC void writer::finish() { state_->finish(); }
TRACECODEC_FUNC std::uint64_t writer::written() const { return state_->written(); }
TRACECODEC_FUNC header writer::counts() const { return state_->counts(); }

}  // namespace tracecodec::rapidbin
