#include "champsim_losses.hpp"

#include "../common/text.hpp"

namespace convert {

void losses::add(const feed::columns& batch) {
  const auto is = [](std::uint8_t all, feed::doubt d) {
    return (all & static_cast<std::uint8_t>(d)) != 0 ? 1U : 0U;
  };
  for (const std::uint8_t doubts : batch.doubts()) {
    incomplete += is(doubts, feed::doubt::address);
    undecoded += is(doubts, feed::doubt::code);
    estimated += is(doubts, feed::doubt::outcome);
  }
  if (!batch.asked().has(feed::column::thread_known)) return;
  for (const std::uint32_t thread : batch.thread()) {
    switches += thread_ && thread_ != thread;
    thread_ = thread;
  }
  for (const std::uint8_t branch : batch.is_branch()) branches += branch;
}

void losses::report(bool has_asid, const std::function<void(const std::string&)>& note) const {
  const auto say = [&note](std::uint64_t n, const char* one, const char* more) {
    if (n != 0) note(std::to_string(n) + (n == 1 ? one : more));
  };
  if (clipped != 0)
    note(examples::some(clipped, "instruction") + " had more operands than a record holds");
  say(incomplete, " instruction has memory operands whose addresses cannot be known",
      " instructions have memory operands whose addresses cannot be known");
  say(undecoded, " instruction is unknown to the disassembler: taken for no branch",
      " instructions are unknown to the disassembler: taken for no branches");
  say(estimated, " branch does not go on in the trace: its outcome is estimated",
      " branches do not go on in the trace: their outcome is estimated");
  if (has_asid || switches == 0) return;
  note(examples::some(switches, "time") + " the thread changes, which a record cannot tell" +
       (branches != 0 ? ": a branch before it gets a wrong target from ChampSim" : "") +
       "; --thread takes one thread");
}

feed::column_set champsim_columns(feed::column_set has) {
  using feed::column;
  return feed::operand_columns |
         feed::column_set{column::ip, column::is_branch, column::taken, column::thread,
                          column::lost_operands} |
         (has & feed::column_set{column::thread_known, column::doubts});
}

}  // namespace convert
