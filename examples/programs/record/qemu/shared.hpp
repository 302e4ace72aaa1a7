// Memory shared by the plugin (inside QEMU) and the recorder. Each thread of the program has a
// ring of chunks of records, which the plugin fills and the recorder takes. The program can
// write to all of this memory. Therefore the recorder reads each value once (read_once) and
// checks what it read. Flags are integers, because every bit pattern of an integer is valid.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <tracecodec/tracepack/layout.hpp>

namespace record::qemu {

namespace tracepack = tracecodec::tracepack;

// Version of the protocol. Plugin and recorder come from one build; a different build is
// refused. Increment the version with each change of the messages. The size of the shared
// memory is also compared (layout).
inline constexpr std::uint32_t protocol = 4;

inline constexpr std::size_t most_threads = 4096;
inline constexpr std::size_t chunks = 8;              // per ring
inline constexpr std::size_t chunk_size = 96 * 1024;  // bytes; whole records of 64 or of 96

// Size of the shared memory. Only a small part is ever touched, but process limits (ulimit -v,
// -f) count all of it.
struct room {
  std::uint32_t threads = most_threads;           // simultaneous threads
  std::uint64_t arena = std::uint64_t{1} << 30U;  // bytes for properties of the program's code
};
inline constexpr room little_room{256, std::uint64_t{1} << 27U};

// Place at which the recording begins or ends.
struct trigger {
  std::uint64_t address = 0;
  std::uint64_t count = 1;  // number of the execution that takes effect
  bool begins = false;
};

inline constexpr std::size_t most_triggers = 16;

// Places in [from, to) at which the recording begins or ends.
struct answer {
  std::uint64_t from = 0, to = 0;
  std::uint32_t count = 0;
  std::array<trigger, most_triggers> triggers = {};
};

// Request of the plugin about new code. The requesting thread waits for the answer.
struct question {
  enum : std::uint32_t { none, asked, answered };
  std::atomic<std::uint32_t> state = none;
  std::uint64_t ip = 0;
  std::uint64_t base = 0;  // position of the program's address 0
  answer found = {};
};

// Bell that wakes the waiting recorder. All processes share it.
struct bell {
  std::atomic<std::uint32_t> rung = 0;
  std::atomic<std::uint32_t> waited_for = 0;
};

// Selection of the instructions to record, counted over all threads of a process.
struct region {
  std::uint64_t skip = 0;    // instructions to leave out first
  std::uint64_t count = 0;   // maximum of recorded instructions
  std::uint64_t every = 0;   // period, in instructions
  std::uint64_t length = 0;  // recorded at the start of each period; 0: all
};

// Progress of a process.
struct progress {
  std::uint64_t position = 0;  // instructions counted so far, including skipped ones
  std::uint64_t recorded = 0;
  std::uint32_t waits = 0;  // not 0: waiting for the place to begin at
};

// Settings that each process of the program receives when it begins.
struct order {
  std::uint32_t version = protocol;
  std::uint32_t record_size = 0;  // 64 (ChampSim) or 96 (CloudSuite)
  std::int64_t recorder = 0;      // process id of the recorder
  qemu::room room = {};
  qemu::region region = {};
  std::uint32_t follow_forks = 0;  // 0 or 1, like all flags here
  std::uint32_t markers = 0;       // 1: the markers of tracecodec/roi.h begin and end the recording
  std::uint32_t keeps_code =
      0;               // 1: records contain the place of their instruction's code (kept_code)
  progress from = {};  // initial progress, after another program in this process
};

// Code of a translated instruction, stored in the arena if order::keeps_code is set. Records
// contain its place instead of the source registers. The place is the offset in the arena, in
// units of 8 bytes.
struct kept_code {
  std::array<std::uint8_t, 4> source_registers = {};
  tracepack::property known = {};
  friend bool operator==(const kept_code&, const kept_code&) = default;
};
inline constexpr std::size_t place_unit = 8;

// Thread of the program; pointers are addresses in the plugin. The alignment avoids false
// sharing of cache lines.
struct alignas(128) lane {
  std::byte* at = nullptr;     // record of the current instruction
  std::byte* end = nullptr;    // end of the chunk, or of the part that may be used
  const void* last = nullptr;  // the current instruction, translated; nullptr: none
  std::byte* begin = nullptr;  // start of the chunk
  std::uint64_t lost = 0;      // instructions with dropped operands
  // Address of the repeated instruction that was executed at least once.
  std::uint64_t repeating = 0;
  // Addresses after the last read and the last write of an instruction with several accesses.
  std::uint64_t next_read = 0, next_write = 0;
  std::uint8_t records = 0;  // 1: the recorder will take the chunk
  std::uint8_t counted = 0;  // 1: `now` already counts the chunk's instructions
  std::uint8_t clipped = 0;  // 1: some of several accesses were dropped
  std::uint32_t opened = 0;  // number of opened chunks

  // Numbers of chunks filled and taken since the thread began. The plugin waits on `taken`.
  alignas(64) std::atomic<std::uint32_t> filled = 0;
  std::atomic<std::uint32_t> taken = 0;
  std::array<std::uint32_t, chunks> records_in = {};
  std::array<std::uint32_t, chunks> threads = {};  // thread id of each chunk
};

struct shared {
  qemu::order order = {};
  progress now = {};  // includes all instructions that fit in the threads' chunks
  std::atomic<std::uint64_t> children = 0;    // number of created children
  std::byte* base = nullptr;                  // address of this object in the plugin
  std::atomic<std::uint32_t> lanes_used = 0;  // the lanes below this number are in use
  // 1 if nothing more will be recorded of this process, which runs on.
  std::atomic<std::uint32_t> finished = 0;
  // Not 0 once the recorder takes nothing more of this process. Threads then do not wait for
  // the recorder.
  std::atomic<std::uint32_t> released = 0;
  std::atomic<std::uint32_t> too_many_threads = 0;  // 1: too many threads ended the process
  question look = {};
  std::array<lane, most_threads> lanes = {};
};

inline constexpr std::uint32_t layout = sizeof(shared) + chunk_size;

// Offset of the rings from the start of the shared memory, in bytes.
inline constexpr std::size_t rings_offset = (sizeof(shared) + 4095) / 4096 * 4096;
// Size of a lane's ring, and of one more chunk for instructions that are not recorded, in
// bytes.
inline constexpr std::size_t lane_size = (chunks + 1) * chunk_size;
// Loads `from` exactly once, so that the checked value is the one that is used.
template <class T> T read_once(const T& from) { return static_cast<const volatile T&>(from); }

constexpr std::size_t arena_offset(const room& r) { return rings_offset + r.threads * lane_size; }
constexpr std::size_t shared_size(const room& r) { return arena_offset(r) + r.arena; }

constexpr std::size_t chunk_offset(std::size_t lane, std::size_t chunk) {
  return rings_offset + lane * lane_size + chunk % chunks * chunk_size;
}
constexpr std::size_t scratch_offset(std::size_t lane) {
  return rings_offset + lane * lane_size + chunks * chunk_size;
}

}  // namespace record::qemu
