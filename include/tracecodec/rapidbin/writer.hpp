// Writes RapidBin files: events one after another, then the header with what was counted.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../file/writer.hpp"
#include "reader/counter.hpp"
#include "trace_file.hpp"

namespace tracecodec::rapidbin {

// A file::writer that counts threads, locks and variables as well.
class writer : private file::writer<trace_file> {
  using base = file::writer<trace_file>;

 public:
  using base::base, base::written;

  // Throws trace_error: system if the output cannot be written; refused, with record and field, for
  // a location above 32,767, a decor above 34 bits, a thread above 1,023, also as the one that is
  // forked or joined, or an operation above 15.
  void write(const event& e) {
    const bool odd = operand_of(e.operation) == operand::thread && e.decor > largest_thread;
    if (odd || !put(e)) [[unlikely]]
      refuse(e);
    counted_.add(e);
  }
  void write(const event_array& events) {
    for (const event e : events) write(e);
  }

  // Completes the output, header first of all; nothing may be written after it. Throws
  // trace_error(refused) if there are more locks or variables than a header can count.
  void finish() {
    set_count<&header::threads>(base::header(), counted_.threads());
    set_count<&header::locks>(base::header(), counted_.locks());
    set_count<&header::variables>(base::header(), counted_.variables());
    base::finish();
  }

  // What the header will say.
  [[nodiscard]] rapidbin::header counts() const { return counted_.counts(); }

 private:
  [[noreturn, gnu::cold]] void refuse(const event& e) const {
    std::array<std::byte, event_codec::size> nowhere{};
    const auto done = event_codec::encode(e, nowhere);
    const std::string field(done ? "decor" : done.field);  // the thread that it is, if it fits
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

}  // namespace tracecodec::rapidbin
