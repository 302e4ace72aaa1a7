// Any feed's instructions as ChampSim records, and what was lost on the way.
#pragma once
#include <tracecodec/champsim/record_of.hpp>
#include <tracecodec/champsim/writer.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "../common/any_feed.hpp"
#include "../common/progress.hpp"
#include "conversion.hpp"

namespace convert {

namespace champsim = tracecodec::champsim;

// Counts of instructions.
struct losses {
  std::uint64_t clipped = 0;     // had more operands than a record holds
  std::uint64_t incomplete = 0;  // have memory operands whose addresses cannot be known
  std::uint64_t undecoded = 0;   // the disassembler does not know
  std::uint64_t estimated = 0;   // branches whose successor is not in the trace
  std::uint64_t switches = 0;    // behind one of another thread
  std::uint64_t branches = 0;    // of formats with threads

  template <class Instruction> void add(const Instruction& i, std::uint64_t lost) {
    clipped += lost != 0;
    if constexpr (requires { i.record().decoded; }) {
      incomplete += !i.record().complete;
      undecoded += !i.record().decoded;
      estimated += i.record().outcome == std::remove_cvref_t<decltype(i.outcome())>::estimated;
    }
    if constexpr (requires { i.thread(); }) {
      switches += thread_ && thread_ != i.asid();
      thread_ = i.asid();
      branches += i.is_branch();
    }
  }

  // Calls note(text) for each kind of which there is some. A record without asid has no thread.
  template <class Note> void report(bool has_asid, Note&& note) const {
    const auto say = [&note](std::uint64_t n, const char* one, const char* more) {
      if (n != 0) note(std::to_string(n) + (n == 1 ? one : more));
    };
    if (clipped != 0) note(some(clipped, "instruction") + " had more operands than a record holds");
    say(incomplete, " instruction has memory operands whose addresses cannot be known",
        " instructions have memory operands whose addresses cannot be known");
    say(undecoded, " instruction is unknown to the disassembler: taken for no branch",
        " instructions are unknown to the disassembler: taken for no branches");
    say(estimated, " branch does not go on in the trace: its outcome is estimated",
        " branches do not go on in the trace: their outcome is estimated");
    if (has_asid || switches == 0) return;
    note(some(switches, "time") + " the thread changes, which a record cannot tell" +
         (branches != 0 ? ": a branch before it gets a wrong target from ChampSim" : "") +
         "; --thread takes one thread");
  }

 private:
  std::optional<std::uint32_t> thread_ = {};
};

// Writes a batch's records.
template <class Record, class Batch>
void write(const Batch& batch, champsim::writer<champsim::codec_of<Record>>& out, losses& lost) {
  for (std::size_t n = 0; n < batch.size(); ++n) {
    const auto i = batch[n];
    const auto r = champsim::record_of<Record>(i);
    out.write(r.record);
    lost.add(i, r.lost_operands);
  }
}

// As records of ChampSim's kind: those of a ChampSim trace as they are.
template <class Record, class Feed>
void to_champsim(Feed whole, const options& o, io::codec compression) {
  auto trace = examples::piped(std::move(whole), o.part);
  champsim::writer<champsim::codec_of<Record>> out(io::open_output(o.out, compression, o.packing),
                                                   output_name(o));
  losses lost;
  std::exception_ptr failure;
  {
    examples::progress_line progress(o.in);
    failure = examples::for_each_batch(trace, [&](const auto& batch) {
      stop_if_interrupted();
      if constexpr (requires { batch.records(); })
        out.write(batch.records());
      else
        write<Record>(batch, out, lost);
      progress.at(trace.progress());
    });
  }
  lost.report(
      requires(Record r) { r.asid; }, say);
  finish(out, out.written(), failure, o);
}

}  // namespace convert
