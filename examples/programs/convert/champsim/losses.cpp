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
  say(lost.incomplete, " instruction has memory operands whose addresses are unknown",
      " instructions have memory operands whose addresses are unknown");
  say(lost.undecoded, " instruction cannot be disassembled: not counted as a branch",
      " instructions cannot be disassembled: not counted as branches");
  say(lost.estimated, " branch has no next instruction in the trace: its outcome is estimated",
      " branches have no next instruction in the trace: their outcome is estimated");
  if (has_asid || lost.switches == 0) return;
  note("the thread changes " + examples::some(lost.switches, "time") +
       ", which records cannot store" +
       (lost.branches != 0 ? ": ChampSim derives wrong targets for branches before a change" : "") +
       "; --thread selects one thread");
}

}  // namespace convert
