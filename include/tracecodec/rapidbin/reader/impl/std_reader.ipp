#pragma once
#include "../std_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "../../../io/window.hpp"
#include "../numbers.hpp"
#include "../renumber.hpp"
#include "../std_text.hpp"
#include "made_events.hpp"

namespace tracecodec::rapidbin {

class std_reader::lines {
 public:
  lines(io::input in, std_options options) : window_(std::move(in)), options_(std::move(options)) {
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
    const bool last = batch_.size() < batch_size && !failure_;
    if (last) remark_lines();
    return {batch_.events(), first, nullptr, last};
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
    position_ = left_out_ = more_columns_ = 0;
    auto none = no_names();
    for (std::size_t k = 0; k != kinds_.size(); ++k) kinds_[k].ids = std::move(none[k].ids);
    numbers_ = {};
  }

  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] std::optional<double> progress() const { return window_.progress(); }
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }

  [[nodiscard]] std::uint64_t named() const {
    std::uint64_t all = 0;
    for (const kind_names& k : kinds_) all += k.ids.size();
    return all;
  }
  [[nodiscard]] const std::string* name_of(id_kind kind, std::uint64_t id) const {
    if (options_.renumber) {
      const auto old = numbers_.old_id(kind, id);
      const std::string* const name = old ? of(kind).ids.name_of(*old) : nullptr;
      return name != nullptr && !std_number(kind, *name) ? name : nullptr;
    }
    return of(kind).ids.name_of(id);
  }
  [[nodiscard]] std::optional<std::uint64_t> id_of(id_kind kind, std::string_view name) const {
    const auto id = of(kind).ids.id_of(name);
    return id && options_.renumber ? numbers_.new_id(kind, *id) : id;
  }

 private:
  static constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

  struct kind_names {
    name_numbers ids;
    std::uint64_t fits;     // largest number that fits in an event's 64-bit word
    bool remarked = false;  // true once remark_spellings() has been called for this kind
  };

  // Adds events until the batch contains `n`, the input ends, or a line is malformed.
  void fill(std::size_t n) {
    while (batch_.size() < n && !failure_) {
      const auto in = window_.look(longest_line + 1);
      if (in.empty()) return;
      const void* end = std::memchr(in.data(), '\n', std::min(in.size(), longest_line + 1));
      if (end == nullptr && in.size() <= longest_line && cut_short()) return;
      if (end == nullptr && in.size() > longest_line) {
        fail({"", "a line longer than 64 KiB"}, trace_errc::bad_value);
        skip_line();
        return;
      }
      const std::size_t size =
          end != nullptr ? static_cast<std::size_t>(static_cast<const std::byte*>(end) - in.data())
                         : in.size();
      std::string_view line(reinterpret_cast<const char*>(in.data()), size);
      if (line.ends_with('\r')) line.remove_suffix(1);
      add(line);
      window_.consume(size + (end != nullptr ? 1 : 0));
    }
  }

  // Returns true if the input ends with an error. The remaining bytes may then be an incomplete
  // line, even if they can be parsed.
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
    if (line.empty() || (line.front() <= '#' && is_comment(line))) return;
    std_error error;
    const auto parts = split_std(line, error);
    if (!parts) return fail(error, trace_errc::bad_value);
    if (parts->left_out || parts->more) [[unlikely]] {
      if (!leave_out(*parts)) return;
    }
    event e{};
    e.operation = parts->operation;
    if (!set(e, *parts)) return;
    batch_.push(options_.renumber ? numbers_(e) : e);
    ++position_;
  }

  // Counts a line that is ignored, entirely or in part. If options_.strict is set, calls fail()
  // instead. Returns true if the line contains an event.
  bool leave_out(const std_line& l) {
    if (options_.strict) {
      if (l.left_out)
        fail({"operation", "RapidBin does not have this event"}, trace_errc::refused);
      else
        fail({"location", "columns follow it"}, trace_errc::refused);
      return false;
    }
    left_out_ += l.left_out;
    more_columns_ += !l.left_out;
    return !l.left_out;
  }

  // Sets the ids of `e`. Assigns new ids in Wasmgrind's order: thread, decor, location. Returns
  // false if an id does not fit.
  bool set(event& e, const std_line& l) {
    std::uint64_t thread = 0, location = 0;
    if (!number(id_kind::thread, l.thread, "thread", thread)) return false;
    if (const operand kind = operand_of(l.operation); kind != operand::none)
      if (!number(kind_of(kind), l.decor, "decor", e.decor)) return false;
    if (!number(id_kind::location, l.location, "location", location)) return false;
    e.thread = static_cast<std::uint32_t>(thread);
    e.location = static_cast<std::uint32_t>(location);
    return true;
  }

  bool number(id_kind kind, std::string_view name, std::string_view field, std::uint64_t& to) {
    kind_names& k = of(kind);
    to = k.ids(name);
    if (k.ids.mixed() && !k.remarked) [[unlikely]]
      remark_spellings(kind, name);
    return !options_.fitting || fits(k, name, field, to);
  }

  // Returns true if the id and the number in the text both fit in the 64-bit word of an event.
  // Otherwise, calls fail() and returns false.
  bool fits(const kind_names& k, std::string_view name, std::string_view field, std::uint64_t id) {
    const std::string_view digits = k.ids.digits_in(name);
    const std::uint64_t number =
        digits.empty() ? id : detail::plain_number(digits).value_or(any_number);
    if (number <= k.fits && id <= k.fits) return true;
    fail({field, (digits.empty() ? std::to_string(id) : std::string(digits)) +
                     " does not fit an event: " + std::to_string(k.fits) +
                     " at most; renumber the ids (--renumber)"},
         trace_errc::refused);
    return false;
  }

  void remark_spellings(id_kind kind, std::string_view name) {
    kind_names& k = of(kind);
    k.remarked = true;
    if (!options_.remark) return;
    const std::string number(k.ids.digits_in(name));
    const std::string with_letter = std_letter(kind) + number;
    options_.remark(std_remark::two_spellings,
                    std::string(rapidbin::name(kind)) +
                        "s occur both with and without their letter: " + number + " and " +
                        with_letter + " are the same " + std::string(rapidbin::name(kind)));
  }
  // Calls the remark callback with the number of lines that were ignored. Later calls have no
  // effect.
  void remark_lines() {
    if (std::exchange(ended_, true) || !options_.remark) return;
    const auto counted = [](std::uint64_t n) {
      return std::to_string(n) + (n == 1 ? " line" : " lines");
    };
    if (left_out_ != 0)
      options_.remark(std_remark::left_out,
                      counted(left_out_) + " with wait, notify, notifyAll or dummy skipped");
    if (more_columns_ != 0)
      options_.remark(
          std_remark::more_columns,
          counted(more_columns_) + " with columns after the location, which are ignored");
  }

  // Stores an error. next() throws the error after it has returned all earlier events.
  void fail(const std_error& e, trace_errc code) {
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

  [[nodiscard]] kind_names& of(id_kind kind) { return kinds_[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] const kind_names& of(id_kind kind) const {
    return kinds_[static_cast<std::size_t>(kind)];
  }
  static kind_names kind(id_kind k, std::uint64_t fits) {
    return {name_numbers(std_letter(k), largest_std_number(k)), fits};
  }
  // Returns empty name tables, indexed by id_kind.
  static std::array<kind_names, id_kind_count> no_names() {
    return {kind(id_kind::thread, largest_thread), kind(id_kind::lock, largest_decor),
            kind(id_kind::variable, largest_decor), kind(id_kind::location, largest_location)};
  }

  io::window window_;
  std_options options_;
  detail::event_buffer batch_ = {};
  std::array<kind_names, id_kind_count> kinds_ = no_names();
  renumbering numbers_ = {};
  std::uint64_t position_ = 0, left_out_ = 0, more_columns_ = 0;
  bool ended_ = false;
  std::exception_ptr failure_ = {};
};

TRACECODEC_FUNC std_reader::std_reader(io::input in, std_options options)
    : lines_(std::make_unique<lines>(std::move(in), std::move(options))) {}
TRACECODEC_FUNC std_reader::std_reader(const std::string& path, std_options options)
    : std_reader(io::open_input(path), std::move(options)) {}
TRACECODEC_FUNC std_reader::~std_reader() = default;

TRACECODEC_FUNC event_batch std_reader::next() { return lines_->next(); }
TRACECODEC_FUNC std::uint64_t std_reader::skip(std::uint64_t n) { return lines_->skip(n); }
TRACECODEC_FUNC void std_reader::rewind() { lines_->rewind(); }
TRACECODEC_FUNC std::uint64_t std_reader::count() { return detail::count_all(*this, position()); }
TRACECODEC_FUNC std::uint64_t std_reader::position() const { return lines_->position(); }
TRACECODEC_FUNC std::optional<double> std_reader::progress() const { return lines_->progress(); }
TRACECODEC_FUNC const std::string& std_reader::name() const { return lines_->name(); }
TRACECODEC_FUNC std::uint64_t std_reader::named() const { return lines_->named(); }
TRACECODEC_FUNC const std::string* std_reader::name_of(id_kind kind, std::uint64_t id) const {
  return lines_->name_of(kind, id);
}
TRACECODEC_FUNC std::optional<std::uint64_t> std_reader::id_of(id_kind kind,
                                                               std::string_view name) const {
  return lines_->id_of(kind, name);
}

}  // namespace tracecodec::rapidbin
