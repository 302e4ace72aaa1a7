// Memory shared by the plugin (inside QEMU) and the recorder. Each thread of the program has a ring
// of chunks of records, which the plugin fills and the recorder takes. The program can write to all
// of this memory. Therefore the recorder reads each value once (read_once) and checks the value
// that it read. Flags are integers, because every bit pattern of an integer is valid.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <tracecodec/tracepack/layout.hpp>

namespace record::qemu {

namespace tracepack = tracecodec::tracepack;

// Version of the protocol. The plugin and the recorder come from one build; the recorder refuses a
// plugin from a different build. Increment the version with each change of the messages. The size
// of the shared memory is also compared (layout).
inline constexpr std::uint32_t protocol = 4;

inline constexpr std::size_t most_threads = 4096;
// Number of chunks in each ring.
inline constexpr std::size_t chunks = 8;
// Size of a chunk in bytes. A chunk contains whole records of 64 or of 96 bytes.
inline constexpr std::size_t chunk_size = 96 * 1024;

// Size of the shared memory. Only a small part of the memory is ever used, but process limits
// (ulimit -v, -f) include all of it.
struct room {
  // Number of simultaneous threads.
  std::uint32_t threads = most_threads;
  // Bytes for properties of the program's code.
  std::uint64_t arena = std::uint64_t{1} << 30U;
};
inline constexpr room little_room{256, std::uint64_t{1} << 27U};

// Place at which the recording begins or ends.
struct trigger {
  std::uint64_t address = 0;
  std::uint64_t count = 1;  // number of the execution at which the place takes effect
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
  // Position of the program's address 0.
  std::uint64_t base = 0;
  answer found = {};
};

// Bell that wakes the waiting recorder. All processes share it.
struct bell {
  std::atomic<std::uint32_t> rung = 0;
  std::atomic<std::uint32_t> waited_for = 0;
};

// Selection of the instructions to record, counted over all threads of a process.
struct region {
  // Number of instructions to skip at the start.
  std::uint64_t skip = 0;
  std::uint64_t count = 0;  // maximum number of recorded instructions
  std::uint64_t every = 0;  // period in instructions
  // Number of instructions to record at the start of each period; 0 for all.
  std::uint64_t length = 0;
};

// Progress of a process.
struct progress {
  // Number of instructions so far, including skipped instructions.
  std::uint64_t position = 0;
  std::uint64_t recorded = 0;
  // Not 0 if the process waits for the place at which the recording begins.
  std::uint32_t waits = 0;
};

// Settings that each process of the program receives when it begins.
struct order {
  std::uint32_t version = protocol;
  std::uint32_t record_size = 0;  // 64 (ChampSim) or 96 (CloudSuite)
  std::int64_t recorder = 0;      // process id of the recorder
  qemu::room room = {};
  qemu::region region = {};
  // 0 or 1, like all flags in this structure.
  std::uint32_t follow_forks = 0;
  // 1 if the markers of tracecodec/roi.h begin and end the recording.
  std::uint32_t markers = 0;
  // 1 if records contain the place of their instruction's code (kept_code).
  std::uint32_t keeps_code = 0;
  // Initial progress, if this process ran another program before.
  progress from = {};
};

// Code of a translated instruction, stored in the arena if order::keeps_code is set. Records then
// contain the place of the code instead of the source registers. The place is the offset in the
// arena, in units of 8 bytes.
struct kept_code {
  std::array<std::uint8_t, 4> source_registers = {};
  tracepack::property known = {};
  friend bool operator==(const kept_code&, const kept_code&) = default;
};
inline constexpr std::size_t place_unit = 8;

// Thread of the program. The pointers are addresses in the plugin. The alignment avoids false
// sharing of cache lines.
struct alignas(128) lane {
  // Record of the current instruction.
  std::byte* at = nullptr;
  // End of the chunk, or of the part of the chunk that may be used.
  std::byte* end = nullptr;
  // Current instruction in its translated form; nullptr if none.
  const void* last = nullptr;
  // Start of the chunk.
  std::byte* begin = nullptr;
  // Number of instructions with dropped operands.
  std::uint64_t lost = 0;
  // Address of a repeated instruction that was executed at least once, otherwise 0.
  std::uint64_t repeating = 0;
  // Addresses after the last read and the last write of an instruction with several accesses.
  std::uint64_t next_read = 0, next_write = 0;
  // 1 if the recorder will take the chunk.
  std::uint8_t records = 0;
  // 1 if `now` already includes the chunk's instructions.
  std::uint8_t counted = 0;
  // 1 if some of several accesses were dropped.
  std::uint8_t clipped = 0;
  // Number of chunks opened so far.
  std::uint32_t opened = 0;

  // Numbers of chunks filled and taken since the thread began. The plugin waits on `taken`.
  alignas(64) std::atomic<std::uint32_t> filled = 0;
  std::atomic<std::uint32_t> taken = 0;
  std::array<std::uint32_t, chunks> records_in = {};
  // Thread id of each chunk.
  std::array<std::uint32_t, chunks> threads = {};
};

struct shared {
  qemu::order order = {};
  // Progress that includes all instructions for which the threads' chunks have room.
  progress now = {};
  // Number of children that were created.
  std::atomic<std::uint64_t> children = 0;
  // Address of this object in the plugin.
  std::byte* base = nullptr;
  // Number of lanes that have been used. Only lanes below this number are in use.
  std::atomic<std::uint32_t> lanes_used = 0;
  // 1 if nothing more will be recorded of this process, which runs on.
  std::atomic<std::uint32_t> finished = 0;
  // Not 0 once the recorder takes no more records of this process. The threads then do not wait for
  // the recorder.
  std::atomic<std::uint32_t> released = 0;
  // 1 if too many threads ended the process.
  std::atomic<std::uint32_t> too_many_threads = 0;
  question look = {};
  std::array<lane, most_threads> lanes = {};
};

inline constexpr std::uint32_t layout = sizeof(shared) + chunk_size;

// Offset of the rings from the start of the shared memory, in bytes.
inline constexpr std::size_t rings_offset = (sizeof(shared) + 4095) / 4096 * 4096;
// Size in bytes of a lane's ring and of one more chunk, which is for instructions that are not
// recorded.
inline constexpr std::size_t lane_size = (chunks + 1) * chunk_size;
// Loads `from` exactly once, so that the value that is checked is the value that is used.
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
