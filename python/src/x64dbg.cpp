// Queries on x64dbg traces.
#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include <tracecodec/io/window.hpp>
#include <tracecodec/x64dbg/memory.hpp>
#include <tracecodec/x64dbg/read_header.hpp>

#include "queries.hpp"

namespace tracecodec::python {

namespace {

namespace xd = tracecodec::x64dbg;

// Number of instructions between two polls for signals.
constexpr std::uint64_t x64dbg_piece = std::uint64_t{1} << 17;

io::input open_x64dbg(origin& from) {
  trace::source s = from.open();
  return std::move(s.input());
}

// Index of a trace. A query that needs more of the index extends it on the query's own thread.
template <xd::target T> class growing_index {
 public:
  explicit growing_index(origin& from) : from_(&from), repair_(from.options().repair) {}

  // Returns an index that contains instruction `n`. If there is no such instruction, returns the
  // index of the whole trace.
  std::shared_ptr<const xd::snapshot_index> up_to(std::uint64_t n) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t wanted = n;
    for (bool grown = false;; grown = true) {
      {
        if (grows_ == std::this_thread::get_id())
          throw trace_error(trace_errc::refused, {.file = from_->name()},
                            "called by a signal handler while the trace is read");
        const std::lock_guard guard(mutex_);
        if (done_ || at_.instruction > wanted) {
          if (shown_ == nullptr || shown_->instructions() != at_.instruction)
            shown_ = std::make_shared<const xd::snapshot_index>(snapshots_, at_, repair_);
          return shown_;
        }
        grows_ = std::this_thread::get_id();
        const struct at_exit {
          std::atomic<std::thread::id>& grows;
          ~at_exit() { grows = std::thread::id(); }
        } nobody{grows_};
        grow();
        warn_if_slow();
      }
      handle_signals();
      // Extend the index further than requested. The next query often needs a slightly larger
      // index, and each extension copies the index.
      if (!grown) wanted = n > most / 2 ? most : n + n / 8 + x64dbg_piece;
    }
  }
  // Returns the error that ends the trace early, or nullptr. The result is valid only if the index
  // covers the whole trace.
  [[nodiscard]] std::exception_ptr failure() {
    const std::lock_guard guard(mutex_);
    return failure_;
  }

 private:
  void grow() {
    if (!blocks_) {
      xd::block_reader<T> blocks(open_x64dbg(*from_), {.repair = repair_});
      if (at_.offset != 0) blocks.seek(at_, thread_);
      blocks_.emplace(std::move(blocks));
    }
    const std::size_t before = snapshots_.size();
    try {
      done_ = !take_piece(*blocks_);
    } catch (const trace_error&) {
      failure_ = std::current_exception();
      done_ = true;
    } catch (...) {
      // A signal has interrupted the extension, so undo the extension. The next call begins again
      // at the same place.
      snapshots_.resize(before);
      blocks_.reset();
      throw;
    }
    at_ = blocks_->position();
    thread_ = blocks_->thread();
    if (done_) blocks_.reset();
  }
  // Prints one warning about a long file that can be decompressed only from its start. In such a
  // file, each query that moves backward decompresses the file from the start again.
  void warn_if_slow() {
    constexpr std::uint64_t long_content = std::uint64_t{64} << 20;
    if (warned_ || !blocks_ || at_.offset < long_content) return;
    warned_ = true;
    const format::open_options how = from_->options();
    if (how.warn && blocks_->window().entry_before(at_.offset) == 0)
      how.warn(from_->name() +
               ": is compressed as a whole, so each step backwards decompresses it from the first "
               "byte: decompress the file, or convert it to .xz or .zst with trace_convert, whose "
               "blocks can be read alone");
  }
  // Adds the next piece of the trace to the index. Returns false at the end of the trace.
  bool take_piece(xd::block_reader<T>& blocks) {
    auto left = static_cast<std::int64_t>(x64dbg_piece);
    const auto stop = [&left](const xd::block<T>& b) { return --left <= 0 || b.snapshot(); };
    xd::block<T> b;
    while (blocks.next(b, stop)) {
      // Omit a repaired snapshot. A reader that starts at this snapshot could not detect that it needs
      // repair, because that requires the block before it.
      if (b.snapshot() && !blocks.was_mended()) add(blocks.position_of(b), blocks.thread());
      if (left <= 0) return true;
    }
    return false;
  }
  void add(xd::block_position at, std::optional<std::uint32_t> thread) {
    if (snapshots_.empty() ||
        at.offset - snapshots_.back().offset >= xd::snapshot_index::default_spacing)
      snapshots_.push_back({at.offset, at.instruction, thread});
  }

  origin* from_;
  bool repair_;
  std::mutex mutex_ = {};
  std::atomic<std::thread::id> grows_ =
      {};  // thread that has locked mutex_ while it grows the index
  std::optional<xd::block_reader<T>> blocks_ = {};
  std::vector<xd::snapshot> snapshots_ = {};
  xd::block_position at_ = {};
  std::optional<std::uint32_t> thread_ = {};
  std::exception_ptr failure_ = {};
  bool done_ = false, warned_ = false;
  std::shared_ptr<const xd::snapshot_index> shown_ = {};
};

template <xd::target T> class x64dbg_registers final : public register_set {
 public:
  explicit x64dbg_registers(const xd::instruction<T>& i)
      : register_set(i.index, i.ip(), i.thread), state_(*i.before) {}

  [[nodiscard]] std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const xd::register_name& r : xd::register_names<T>()) all.emplace_back(r.name.view());
    return all;
  }
  std::optional<register_bytes> get(const std::string& name) override {
    const auto r = xd::find_register<T>(name);
    if (!r) return std::nullopt;
    register_bytes found;
    for (std::size_t i = 0; i != r->size; ++i) {
      const auto b = state_.byte(*r, i);
      found.values.push_back(b.value_or(0));
      found.known.push_back(b ? 1 : 0);
    }
    return found;
  }

 private:
  xd::register_state<T> state_;
};

template <xd::target T> class questions_of_x64dbg final : public queries {
  using reader = xd::reader<T>;
  using index = std::shared_ptr<const xd::snapshot_index>;
  using word = wire::word_t<T>;

 public:
  explicit questions_of_x64dbg(origin& from) : from_(&from), index_(from) {}

  std::unique_ptr<register_set> at(std::uint64_t n) override {
    const index known = index_.up_to(n);
    require(n < known->instructions(), n, known);
    std::unique_ptr<reader> r = idle_reader();
    go_to(*r, *known, n);
    xd::instruction<T> i;
    require(r->next(i), n, known);
    auto found = std::make_unique<x64dbg_registers<T>>(i);
    give_back(std::move(r));
    return found;
  }

  void memory(std::uint64_t address, std::optional<std::uint64_t> n, std::span<std::uint8_t> values,
              std::span<std::int64_t> origins) override {
    const word from = first_byte(address, values.size());
    const index known = index_up_to(n);
    const std::uint64_t end = n.value_or(known->instructions());
    std::unique_ptr<reader> r = idle_reader();
    bool all = true;
    const auto take = [&](const std::vector<xd::memory_byte>& found) {
      for (std::size_t i = 0; i != found.size(); ++i) {
        if (origins[i] != nowhere) continue;
        if (found[i].from == xd::memory_byte::origin::unknown) {
          all = false;
        } else {
          values[i] = found[i].value;
          origins[i] = static_cast<std::int64_t>(found[i].instruction);
        }
      }
    };
    take(queries_of(*r, *known).at(end, from, values.size(), {.forward = 0}));
    if (!all) {
      // Search only up to the end of the index. If the trace contains an error, the index ends
      // before the error.
      const index whole = index_up_to(std::nullopt);
      go_to(*r, *whole, end);
      take(queries_of(*r, *whole)
               .at(end, from, values.size(), {.back = 0, .forward = whole->instructions() - end}));
    }
    give_back(std::move(r));
  }

  std::optional<memory_touch> last_write(std::uint64_t address, std::uint64_t size,
                                         std::optional<std::uint64_t> before) override {
    const word from = first_byte(address, size);
    const index known = index_up_to(before);
    std::unique_ptr<reader> r = idle_reader();
    const auto hit = queries_of(*r, *known)
                         .last_write(before.value_or(known->instructions()), from,
                                     static_cast<std::size_t>(size));
    give_back(std::move(r));
    return touch_of_hit(hit);
  }

  std::optional<memory_touch> next_access(std::uint64_t address, std::uint64_t size,
                                          std::uint64_t since) override {
    const word from = first_byte(address, size);
    const index known = index_up_to(since);
    std::unique_ptr<reader> r = idle_reader();
    go_to(*r, *known, since);
    const auto hit =
        queries_of(*r, *known).next_access(since, from, static_cast<std::size_t>(size));
    give_back(std::move(r));
    return touch_of_hit(hit);
  }

 private:
  static word first_byte(std::uint64_t address, std::uint64_t size) {
    constexpr word last = std::numeric_limits<word>::max();
    if (address > last || (size != 0 && size - 1 > last - address))
      throw py::value_error("the trace's addresses have " + std::to_string(8 * sizeof(word)) +
                            " bits");
    return static_cast<word>(address);
  }
  static std::optional<memory_touch> touch_of_hit(const std::optional<xd::access_hit>& hit) {
    if (!hit) return std::nullopt;
    return memory_touch{hit->instruction, hit->access.new_value.has_value(), hit->access.address,
                        sizeof(word), true};
  }
  // Returns an index for a query on the state before instruction `n`, or on the state at the end of
  // the trace if `n` is nullopt.
  index index_up_to(std::optional<std::uint64_t> n) {
    const index known = index_.up_to(n.value_or(std::numeric_limits<std::uint64_t>::max()));
    if (n) require(*n <= known->instructions(), *n, known);
    return known;
  }
  void require(bool there, std::uint64_t n, const index& known) {
    if (there) return;
    if (const auto why = index_.failure()) std::rethrow_exception(why);
    no_instruction(n, known->instructions());
  }
  static xd::memory_queries<T> queries_of(reader& r, const xd::snapshot_index& known) {
    xd::memory_queries<T> q(r, known);
    q.on_poll(handle_signals);
    return q;
  }
  static void go_to(reader& r, const xd::snapshot_index& known, std::uint64_t n) {
    const xd::snapshot* const s = known.before(n);
    std::uint64_t at = s != nullptr ? s->instruction : 0;
    if (r.index() <= n) at = std::max(at, r.index());
    for (; n - at > x64dbg_piece; handle_signals()) r.seek(at += x64dbg_piece, &known);
    r.seek(n, &known);
  }

  // Returns a reader for one query. After a successful query, pass the reader to give_back(), so
  // that it can be used again.
  std::unique_ptr<reader> idle_reader() {
    {
      const std::lock_guard guard(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<reader> r = std::move(idle_.back());
        idle_.pop_back();
        return r;
      }
    }
    return std::make_unique<reader>(open_x64dbg(*from_),
                                    xd::reader_options{.repair = from_->options().repair});
  }
  void give_back(std::unique_ptr<reader> r) {
    const std::lock_guard guard(mutex_);
    if (idle_.size() < 4) idle_.push_back(std::move(r));
  }

  origin* from_;
  growing_index<T> index_;
  std::mutex mutex_ = {};
  std::vector<std::unique_ptr<reader>> idle_ = {};
};

}  // namespace

std::shared_ptr<queries> x64dbg_queries(origin& from) {
  io::window window(open_x64dbg(from));
  if (xd::read_header(window).arch == xd::target::x86)
    return std::make_shared<questions_of_x64dbg<xd::target::x86>>(from);
  return std::make_shared<questions_of_x64dbg<xd::target::x64>>(from);
}

}  // namespace tracecodec::python
