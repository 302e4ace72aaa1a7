// Adapts a feed to a simulator that pulls instructions of its own type one at a time, like
// ChampSim's tracereader.
#pragma once
#include <bit>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

#include "feed.hpp"
#include "record_of.hpp"

namespace tracecodec::champsim {

// Source that constructs a `Model` from (cpu, record) for every instruction of `Feed`. `Record` is
// the simulator's own struct for a record, with the same bytes as ChampSim's record (input_instr)
// or CloudSuite's record. Records with these bytes are passed on unchanged, and
// champsim::record_of() converts instructions of other formats. `Cpu` is the type of the first
// parameter of the model's constructor: a core's number or ChampSim's origin. Example for ChampSim:
//
//   champsim::tracereader r{tracecodec::champsim::model_reader<ooo_model_instr, input_instr>(
//       cpu, tracecodec::champsim::trace_feed<>("sed.xz") | tracecodec::feed::repeat{})};
//
// The reader in the example never ends. Without `repeat`, the reader ends at the end of the trace.
// docs/into-champsim.md contains the complete example. If the model has a member `branch_target`,
// the source sets it to the target of the instruction, which the feed's lookahead determines.
template <class Model, class Record, feed::stream Feed, class Cpu = std::uint8_t>
class model_source {
 public:
  model_source(Cpu cpu, Feed feed) : feed_(std::move(feed)), cpu_(cpu) { advance(); }

  // Returns the next instruction. May be called only while eof() is false. Throws the feed's
  // trace_error, but only after all intact instructions were returned.
  Model operator()() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    const auto view = batch_[i_++];
    Model m(cpu_, as_record(view));
    if constexpr (requires { m.branch_target = decltype(m.branch_target){view.target()}; })
      m.branch_target = decltype(m.branch_target){view.target()};
    if (i_ == batch_.size()) advance();
    return m;
  }

  [[nodiscard]] bool eof() const noexcept { return batch_.size() == 0 && !failure_; }

 private:
  // Returns true if the feed's records have the size of `Record`.
  template <class View> static constexpr bool shows_records() {
    if constexpr (requires(const View& v) { v.record(); })
      return sizeof(std::declval<const View&>().record()) == sizeof(Record);
    return false;
  }
  template <class View> static Record as_record(const View& v) {
    if constexpr (shows_records<View>()) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v.record())>, Record>)
        return v.record();
      else
        return std::bit_cast<Record>(v.record());
    } else {
      using made = std::conditional_t<sizeof(Record) == sizeof(cloudsuite_instruction),
                                      cloudsuite_instruction, instruction>;
      static_assert(sizeof(Record) == sizeof(made), "Record is not a ChampSim record");
      return std::bit_cast<Record>(champsim::record_of<made>(v).record);
    }
  }
  // Fetches the next batch. An error is stored for the next call, because the current call can
  // still return an instruction.
  void advance() {
    i_ = 0;
    batch_ = {};
    try {
      batch_ = feed_.next();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  Feed feed_;
  typename Feed::batch_type batch_ = {};
  std::size_t i_ = 0;
  Cpu cpu_;
  std::exception_ptr failure_ = {};
};

template <class Model, class Record = instruction, feed::stream Feed>
model_source<Model, Record, Feed> model_reader(std::uint8_t cpu, Feed feed) {
  return {cpu, std::move(feed)};
}
template <class Model, class Record = instruction, class Cpu, feed::stream Feed>
requires(!std::is_integral_v<Cpu>) model_source<Model, Record, Feed, Cpu> model_reader(Cpu cpu,
                                                                                       Feed feed) {
  return {cpu, std::move(feed)};
}

}  // namespace tracecodec::champsim
