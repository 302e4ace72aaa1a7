#pragma once
#include "../std_reader.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

#include "../../../io/window.hpp"
#include "../numbers.hpp"
#include "../std_text.hpp"
#include "made_events.hpp"

namespace tracecodec::rapidbin {

class std_reader::lines {
 public:
  lines(io::input in, std_options options) : window_(std::move(in)), options_(options) {
    window_.pass_byte_order_mark();
  }

  event_batch next() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    batch_.clear();
    const std::uint64_t first = position_;
    fill(batch_size);
    if (batch_.size() == 0) {
      if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
      window_.check_end();
    }
    return {batch_.events(), first, nullptr, batch_.size() < batch_size && !failure_};
  }

  std::uint64_t skip(std::uint64_t n) {
    std::uint64_t done = 0;
    while (done < n && !failure_) {
      batch_.clear();
      fill(static_cast<std::size_t>(std::min<std::uint64_t>(n - done, batch_size)));
      if (batch_.size() == 0) break;
      done += batch_.size();
    }
    return done;
  }

  void rewind() {
    window_.rewind();
    window_.pass_byte_order_mark();
    failure_ = nullptr;
    position_ = 0;
    names_ = {};
  }

  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] std::optional<double> progress() const { return window_.progress(); }
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }

 private:
  struct all_names {
    name_numbers threads{'T'}, locks{'L'}, variables{'V'};
    numbering<std::string> thread_order = {}, lock_order = {}, variable_order = {}, locations = {};
  };

  // Adds events up to `n`, the end, or a line that is none.
  void fill(std::size_t n) {
    while (batch_.size() < n && !failure_) {
      const auto in = window_.look(longest_line + 1);
      if (in.empty()) return;
      const void* end = std::memchr(in.data(), '\n', std::min(in.size(), longest_line + 1));
      if (end == nullptr && in.size() <= longest_line && cut_short()) return;
      if (end == nullptr && in.size() > longest_line) {
        note({"", "a line of more than 64 KiB"}, trace_errc::bad_value);
        skip_line();
        return;
      }
      const std::size_t size =
          end != nullptr ? static_cast<std::size_t>(static_cast<const std::byte*>(end) - in.data())
                         : in.size();
      std::string_view line(reinterpret_cast<const char*>(in.data()), size);
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!line.empty()) add(line);
      window_.consume(size + (end != nullptr ? 1 : 0));
    }
  }

  // Whether the input did not come to its end: what is left is then no line, however it looks.
  bool cut_short() {
    try {
      window_.check_end();
      return false;
    } catch (const trace_error&) {
      failure_ = std::current_exception();
      return true;
    }
  }

  void add(std::string_view line) {
    std_error error;
    const auto parts = split_std(line, error);
    if (!parts) return note(error, trace_errc::bad_value);
    event e{};
    e.operation = parts->operation;
    if (!set(e, *parts)) return;
    batch_.push(e);
    ++position_;
  }

  // Ids in Wasmgrind's order: thread, decor, location.
  bool set(event& e, const std_line& l) {
    std::uint64_t thread = 0, location = 0;
    if (!number(operand::thread, l.thread, "thread", largest_thread, thread)) return false;
    const operand kind = operand_of(l.operation);
    const std::uint64_t most = kind == operand::thread ? largest_thread : largest_decor;
    if (kind != operand::none && !number(kind, l.decor, "decor", most, e.decor)) return false;
    if (options_.renumber) {
      location = names_.locations(std::string(l.location));
    } else {
      const auto n = detail::plain_number(l.location);
      if (!n) {
        note({"location", "'" + std::string(l.location) + "' is no number"}, trace_errc::bad_value);
        return false;
      }
      location = *n;
    }
    if (!fits(location, largest_location, "location")) return false;
    e.thread = static_cast<std::uint16_t>(thread);
    e.location = static_cast<std::uint16_t>(location);
    return true;
  }

  bool number(operand kind, std::string_view name, std::string_view field, std::uint64_t largest,
              std::uint64_t& to) {
    if (options_.renumber) {
      auto& order = kind == operand::thread ? names_.thread_order
                    : kind == operand::lock ? names_.lock_order
                                            : names_.variable_order;
      to = order(std::string(name));
    } else {
      auto& numbers = kind == operand::thread ? names_.threads
                      : kind == operand::lock ? names_.locks
                                              : names_.variables;
      const auto n = numbers(name);
      if (!n) {
        note({field, "the number of '" + std::string(name) +
                         "' was given to a name before it: all must be renumbered"},
             trace_errc::bad_value);
        return false;
      }
      to = *n;
    }
    return fits(to, largest, field);
  }

  bool fits(std::uint64_t n, std::uint64_t largest, std::string_view field) {
    if (n <= largest) return true;
    note({field, std::to_string(n) + " does not fit an event: " + std::to_string(largest) +
                     " at most" + (options_.renumber ? "" : "; renumbering may help")},
         trace_errc::refused);
    return false;
  }

  // Thrown when what comes before it is delivered.
  void note(const std_error& e, trace_errc code) {
    failure_ = std::make_exception_ptr(
        trace_error(code, {name(), window_.offset(), position_, std::string(e.field)},
                    e.message + window_.from().offset_note()));
  }

  void skip_line() {
    for (;;) {
      const auto in = window_.look(1);
      if (in.empty()) return;
      const void* end = std::memchr(in.data(), '\n', in.size());
      if (end != nullptr) return window_.consume_to(static_cast<const std::byte*>(end) + 1);
      window_.consume(in.size());
    }
  }

  io::window window_;
  std_options options_;
  detail::event_buffer batch_ = {};
  all_names names_ = {};
  std::uint64_t position_ = 0;
  std::exception_ptr failure_ = {};
};

TRACECODEC_FUNC std_reader::std_reader(io::input in, std_options options)
    : lines_(io::make_owned<lines>(std::move(in), options)) {}
TRACECODEC_FUNC std_reader::std_reader(const std::string& path, std_options options)
    : std_reader(io::open_input(path), options) {}
TRACECODEC_FUNC std_reader::~std_reader() = default;

TRACECODEC_FUNC event_batch std_reader::next() { return lines_->next(); }
TRACECODEC_FUNC std::uint64_t std_reader::skip(std::uint64_t n) { return lines_->skip(n); }
TRACECODEC_FUNC void std_reader::rewind() { lines_->rewind(); }
TRACECODEC_FUNC std::uint64_t std_reader::count() { return detail::count_all(*this, position()); }
TRACECODEC_FUNC std::uint64_t std_reader::position() const { return lines_->position(); }
TRACECODEC_FUNC std::optional<double> std_reader::progress() const { return lines_->progress(); }
TRACECODEC_FUNC const std::string& std_reader::name() const { return lines_->name(); }

}  // namespace tracecodec::rapidbin
