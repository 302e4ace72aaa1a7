// A program under QEMU: what its processes record comes here, in chunks.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "shared.hpp"

namespace record::qemu {

// A process of the program.
struct process {
  pid_t id = 0;
  pid_t parent = 0;            // the process of the program that made it; 0: the program itself
  bool becomes = false;        // another program; at its end
  std::uint64_t children = 0;  // that it has made; at its end
  std::uint64_t skipped = 0;   // instructions that were not recorded; at its end
  std::uint64_t lost = 0;      // instructions with operands that had no room; at its end
  tracepack::processor processor = tracepack::processor::unknown;  // whose code it executes
  std::span<const std::byte> code = {};  // of its instructions: where places of kept_code lead

  // What is at such a place; nothing is believed.
  [[nodiscard]] kept_code code_at(std::uint32_t place) const;
};

// What becomes of it.
struct consumer {
  // A process begins; again, with the same id, if it became another program.
  std::function<void(const process&)> begins;
  // Records of one of its threads, in the order in which it executed them; to be changed at will.
  std::function<void(const process&, std::uint32_t thread, std::span<std::byte>)> records;
  // The code at `ip` is new in a process, whose address 0 is at `base`. Returns what begins or ends there.
  std::function<answer(const process&, std::uint64_t ip, std::uint64_t base)> looks;
  // Nothing more comes of it.
  std::function<void(const process&)> ends;
};

class session {
 public:
  // Listens for processes, each of which is told `order`. Throws std::system_error.
  explicit session(const qemu::order& order);
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  // Kills what was recorded, unless let_go() was called.
  ~session();

  // The plugin's argument, by which a process finds this.
  [[nodiscard]] const std::string& name() const { return name_; }

  // Starts `command`, the emulator and its arguments. Throws std::runtime_error if it cannot be.
  pid_t start(const std::vector<std::string>& command);
  // Whether a process of the program has come.
  [[nodiscard]] bool heard() const { return !known_.empty(); }
  // Until nothing is recorded any more. Returns the wait status of what was started, if it has ended.
  std::optional<int> run(const consumer& to);
  // The recording is complete: processes that run on do so without this.
  void let_go() { complete_ = true; }

 private:
  struct channel;
  // Keeps the process that `c` was of, which runs on until let_go() or the end of this.
  void keep(channel& c);
  void answer_question(channel& c, const consumer& to);
  // Hands over at most as many records as may still be recorded.
  void deliver(channel& c, std::uint32_t thread, const std::byte* from, std::size_t records,
               const consumer& to);
  void accept_one(const consumer& to);
  // Takes what there is; whether there was something.
  bool take_all(channel& c, const consumer& to);
  bool take(channel& c, std::size_t lane, const consumer& to);
  // Whether a child that was made has not come yet: who made it may have ended meanwhile. Not for ever.
  [[nodiscard]] bool awaits_children() const;
  // What its threads have begun, and how far they are, at its end.
  void end(channel& c, const consumer& to);
  void end_lane(channel& c, std::size_t lane, const consumer& to);
  static progress reached(const channel& c);

  qemu::order order_;
  std::string name_ = {};
  int listening_ = -1, bell_file_ = -1;
  bell* bell_ = nullptr;
  pid_t program_ = 0;
  std::optional<int> status_ = {};
  std::set<pid_t> known_ = {};  // processes of the program that there were
  bool goes_on_ = false;        // the program, which is recorded no more
  bool complete_ = false;
  std::uint64_t made_ = 0, come_ = 0;  // children to follow: of processes that have ended; of all
  std::chrono::steady_clock::time_point last_end_ = {};
  std::vector<std::unique_ptr<channel>> channels_;
  std::vector<int> running_;  // processes that were recorded and run on: files that poll as ended
  std::vector<std::byte> copy_ = {};  // of a chunk, which the program may change at any time
};

}  // namespace record::qemu
