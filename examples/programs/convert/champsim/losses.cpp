#include "losses.hpp"

#include "../../common/text.hpp"

namespace convert {

void report(const tracecodec::trace::record_losses& lost, bool has_asid,
            const std::function<void(const std::string&)>& note) {
  const auto say = [&note](std::uint64_t n, const char* one, const char* more) {
    if (n != 0) note(std::to_string(n) + (n == 1 ? one : more));
  };
  if (lost.clipped != 0)
    note(examples::some(lost.clipped, "instruction") + " had more operands than a record holds");
  say(lost.incomplete, " instruction has memory operands whose addresses cannot be known",
      " instructions have memory operands whose addresses cannot be known");
  say(lost.undecoded, " instruction is unknown to the disassembler: taken for no branch",
      " instructions are unknown to the disassembler: taken for no branches");
  say(lost.estimated, " branch does not go on in the trace: its outcome is estimated",
      " branches do not go on in the trace: their outcome is estimated");
  if (has_asid || lost.switches == 0) return;
  note(examples::some(lost.switches, "time") + " the thread changes, which a record cannot tell" +
       (lost.branches != 0 ? ": a branch before it gets a wrong target from ChampSim" : "") +
       "; --thread takes one thread");
}

}  // namespace convert
