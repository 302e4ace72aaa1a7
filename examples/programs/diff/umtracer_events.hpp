// Compares what is no instruction in two UMTracer traces, and prints it.
#pragma once
#include <tracecodec/umtracer/diff_events.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../common/output.hpp"
#include "../common/text.hpp"
#include "report.hpp"

namespace diff {

// Of which of them differences are wanted.
struct event_kinds {
  bool events = true, syscalls = true, contexts = true;
};

class umtracer_events {
  using what = tracecodec::umtracer::event_difference;

 public:
  umtracer_events(const std::string& a, const std::string& b, bool repair, event_kinds wanted,
                  tracecodec::umtracer::event_diff_options how)
      : a_(a, {.lenient = repair}),
        b_(b, {.lenient = repair}),
        of_a_(events_of_threads(a_)),
        of_b_(events_of_threads(b_)),
        wanted_(wanted),
        how_(std::move(how)) {}

  // The records of two threads; of each trace all if none is named. What differs is printed, `most`
  // in all.
  void compare(examples::output& out, std::optional<std::uint32_t> x,
               std::optional<std::uint32_t> y, std::uint64_t most, bool as_json) {
    const auto tell = [&](what kind, std::uint64_t p, std::uint64_t q, const std::string& text) {
      std::uint64_t& n = kind == what::syscall   ? found_.syscalls
                         : kind == what::context ? found_.contexts
                                                 : found_.events;
      const bool is_wanted = kind == what::syscall   ? wanted_.syscalls
                             : kind == what::context ? wanted_.contexts
                                                     : wanted_.events;
      if (!is_wanted) return;
      ++n;
      if (as_json || shown_ == most) {
        ++hidden_;
        return;
      }
      ++shown_;
      if (kind == what::only_a || kind == what::only_b) {
        out.text += kind == what::only_a ? "- record " : "+ record ";
        examples::add_number(out.text, p);
      } else {
        out.text += kind == what::syscall   ? "system calls differ, records "
                    : kind == what::context ? "contexts differ, records "
                                            : "threads differ, records ";
        examples::add_number(out.text, p);
        out.text += " | ";
        examples::add_number(out.text, q);
      }
      out.text += ": " + examples::printable(text) + '\n';
      out.passed();
    };
    tracecodec::umtracer::event_comparison comparison(a_, b_, how_, tell);
    comparison.run(of_thread(of_a_, x), of_thread(of_b_, y));
  }
  [[nodiscard]] const event_counts& found() const noexcept { return found_; }
  // Says how many are not shown.
  void finish(examples::output& out, bool as_json) const {
    if (!as_json && hidden_ != 0)
      out.text +=
          "and " + examples::grouped(hidden_) + " more of system calls, contexts, threads\n";
  }

 private:
  static std::vector<std::uint64_t> of_thread(const tracecodec::umtracer::thread_events& all,
                                              std::optional<std::uint32_t> thread) {
    if (!thread) return {};
    const auto at = all.find(*thread);
    return at == all.end() ? std::vector<std::uint64_t>() : at->second;
  }

  tracecodec::umtracer::reader a_, b_;
  tracecodec::umtracer::thread_events of_a_, of_b_;
  event_kinds wanted_;
  tracecodec::umtracer::event_diff_options how_;
  event_counts found_ = {};
  std::uint64_t shown_ = 0, hidden_ = 0;
};

}  // namespace diff
