#include "comparison.hpp"

#include <tracecodec/umtracer/descriptor.hpp>
#include <tracecodec/umtracer/diff_events.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../../common/text.hpp"

namespace diff::umtracer {

namespace {

// Comparison of the UMTracer records that are not instructions.
class event_comparison final : public own_comparison {
  using what = tracecodec::umtracer::event_difference;

 public:
  explicit event_comparison(const options& o)
      : a_(o.a, {.lenient = o.as.repair}),
        b_(o.b, {.lenient = o.as.repair}),
        of_a_(events_of_threads(a_)),
        of_b_(events_of_threads(b_)),
        how_{o.how.values && !o.ignored.addresses, o.how.moved},
        most_(o.most),
        as_json_(o.as_json) {
    syscalls_.wanted = o.ignored.wants("syscalls");
    contexts_.wanted = o.ignored.wants("contexts");
    threads_.wanted = o.ignored.wants("events");
  }

  void compare(examples::output& out, std::optional<std::uint32_t> x,
               std::optional<std::uint32_t> y) override {
    const auto differs = [this, &out](what kind, std::uint64_t p, std::uint64_t q,
                                      const std::string& text) {
      found& of = kind == what::syscall ? syscalls_ : kind == what::context ? contexts_ : threads_;
      if (!of.wanted) return;
      ++of.count;
      if (as_json_ || shown_ == most_) {
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
    tracecodec::umtracer::event_comparison all(a_, b_, how_, differs);
    all.run(of_thread(of_a_, x), of_thread(of_b_, y));
  }

  [[nodiscard]] std::vector<own_count> counts() const override {
    return {{"system_calls", "system calls differ", syscalls_.count},
            {"contexts", "contexts differ", contexts_.count},
            {"thread_events", "records of threads differ", threads_.count}};
  }

  void finish(examples::output& out) const override {
    if (!as_json_ && hidden_ != 0)
      out.text +=
          "and " + examples::grouped(hidden_) + " more of system calls, contexts, threads\n";
  }

 private:
  // Setting and counter for one kind of difference.
  struct found {
    bool wanted = true;
    std::uint64_t count = 0;
  };

  static std::vector<std::uint64_t> of_thread(const tracecodec::umtracer::thread_events& all,
                                              std::optional<std::uint32_t> thread) {
    if (!thread) return {};
    const auto at = all.find(*thread);
    return at == all.end() ? std::vector<std::uint64_t>() : at->second;
  }

  tracecodec::umtracer::reader a_, b_;
  tracecodec::umtracer::thread_events of_a_, of_b_;
  tracecodec::umtracer::event_diff_options how_;
  std::uint64_t most_;
  bool as_json_;
  found syscalls_ = {}, contexts_ = {}, threads_ = {};
  std::uint64_t shown_ = 0, hidden_ = 0;
};

std::unique_ptr<own_comparison> compare_events(const options& o) {
  return std::make_unique<event_comparison>(o);
}

}  // namespace

constexpr format_comparison comparison{.format = &tracecodec::umtracer::descriptor::facts,
                                       .compare_rest = compare_events};

}  // namespace diff::umtracer
