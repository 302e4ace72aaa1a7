// Answers the packets of GDB's remote protocol about a trace, without input or output.
#pragma once
#include <tracecodec/program/map.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hex.hpp"
#include "replay.hpp"

namespace debug {

class server {
 public:
  // Receives a message for the user who started the program.
  using note = std::function<void(const std::string&)>;

  // The objects must outlive this one.
  server(replay& of, const tracecodec::program_map& places, note f);

  // Returns the reply to a packet, or nullopt if it has none. The reply to an unknown packet is
  // empty, as the protocol demands. Errors of the trace become error replies and notes.
  std::optional<std::string> answer(const std::string& packet);
  // Returns the reply for a program that was interrupted while it did not run.
  [[nodiscard]] std::string interrupted() { return stopped({.reason = stop_reason::interrupted}); }
  // Returns true once the client has ended the session.
  [[nodiscard]] bool is_done() const noexcept { return is_done_; }
  // Returns true once the client no longer wants acknowledgements.
  [[nodiscard]] bool leaves_out_acknowledgements() const noexcept { return no_acknowledgements_; }

 private:
  std::optional<std::string> answer_known(const std::string& packet);
  std::string answer_query(packet_text p);
  std::string answer_v(packet_text p);
  std::string resume(packet_text p);
  std::string change_point(packet_text p, bool inserts);
  std::string select_thread(packet_text p);
  std::string read_register(packet_text p);
  std::string read_memory(packet_text p);
  std::string transfer(packet_text p);
  std::string stopped(const stop& s);

  // Returns the number of a thread in the protocol: that of the trace, or an unused one for thread 0.
  [[nodiscard]] std::uint64_t id_of(std::uint32_t thread) const noexcept;
  // Returns the thread, or nullopt if there is none. The ids 0 and -1 mean any thread.
  [[nodiscard]] std::optional<std::uint32_t> read_thread(packet_text& p) const;
  [[nodiscard]] std::string thread_list() const;
  [[nodiscard]] std::string libraries() const;

  replay* of_;
  const tracecodec::program_map* places_;
  note note_;
  std::uint64_t zero_id_ = 0;                 // id of thread 0
  std::uint32_t selected_ = 0, resumed_ = 0;  // threads of packets Hg and Hc
  bool is_done_ = false, no_acknowledgements_ = false;
  bool knows_breakpoints_ = false;  // true if the client knows the stop reason swbreak
};

// Answers a command of GDB's `monitor` with lines of text.
std::string answer_monitor(replay& of, const tracecodec::program_map& places,
                           std::string_view command);

}  // namespace debug
