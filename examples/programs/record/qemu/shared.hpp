// The memory that the plugin, inside QEMU, and the recorder share: of each thread of the program a ring of
// chunks of records, which the plugin fills and the recorder takes. The program can write to all of it. So the recorder
// reads each value once (read_once) and checks what it read; flags are integers, as any bits of those are a value.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <tracecodec/tracepack/layout.hpp>

namespace record::qemu {

namespace tracepack = tracecodec::tracepack;

// Both sides are built together; one that is of another build is refused. To be raised with each change of what is
// said; the size of what is shared is compared, too (layout).
inline constexpr std::uint32_t protocol = 4;

inline constexpr std::size_t most_threads = 4096;
inline constexpr std::size_t chunks = 8;              // of a ring
inline constexpr std::size_t chunk_size = 96 * 1024;  // bytes: whole records of 64 or 96 each

// How much is shared. Little of it is ever touched; but limits of a process (ulimit -v, -f) count all.
struct room {
  std::uint32_t threads = most_threads;           // at once
  std::uint64_t arena = std::uint64_t{1} << 30U;  // bytes: what is known of the program's code
};
inline constexpr room little_room{256, std::uint64_t{1} << 27U};

// Where the recording begins, or ends.
struct trigger {
  std::uint64_t address = 0;
  std::uint64_t count = 1;  // the execution of this number
  bool begins = false;
};

inline constexpr std::size_t most_triggers = 16;

// Places in [from, to) where the recording begins or ends.
struct answer {
  std::uint64_t from = 0, to = 0;
  std::uint32_t count = 0;
  std::array<trigger, most_triggers> triggers = {};
};

// Code is new to the plugin: one of its threads asks, and waits.
struct question {
  enum : std::uint32_t { none, asked, answered };
  std::atomic<std::uint32_t> state = none;
  std::uint64_t ip = 0;
  std::uint64_t base = 0;  // where address 0 of the program is
  answer found = {};
};

// Rung when there is something for the recorder, which waits on it; one for all processes.
struct bell {
  std::atomic<std::uint32_t> rung = 0;
  std::atomic<std::uint32_t> waited_for = 0;
};

// Which instructions are recorded, counted over all threads of a process.
struct region {
  std::uint64_t skip = 0;    // so many first are left out
  std::uint64_t count = 0;   // at most so many are recorded
  std::uint64_t every = 0;   // of so many
  std::uint64_t length = 0;  // the first so many; 0: all
};

// How far a process is.
struct progress {
  std::uint64_t position = 0;  // instructions, from the begin of the region on
  std::uint64_t recorded = 0;
  std::uint32_t waits = 0;  // not 0: for the place to begin at
};

// What a process of the program is told when it begins.
struct order {
  std::uint32_t version = protocol;
  std::uint32_t record_size = 0;  // 64, 96: ChampSim's, CloudSuite's
  std::int64_t recorder = 0;      // its process
  qemu::room room = {};
  qemu::region region = {};
  std::uint32_t follow_forks = 0;  // these are 0 or 1
  std::uint32_t markers = 0;       // tracecodec/roi.h's begin and end the recording
  std::uint32_t keeps_code =
      0;               // records contain where the code of their instruction is (kept_code)
  progress from = {};  // it was another program before
};

// With order::keeps_code: of an instruction that was translated. It lies in the arena; its place, in units of 8 bytes
// from the arena's begin, is in each of its records, in place of the source registers.
struct kept_code {
  std::array<std::uint8_t, 4> source_registers = {};
  tracepack::property known = {};
  friend bool operator==(const kept_code&, const kept_code&) = default;
};
inline constexpr std::size_t place_unit = 8;

// A thread of the program, as the plugin sees it: a pointer is one of the plugin's. On its own lines of the
// cache.
struct alignas(128) lane {
  std::byte* at = nullptr;     // the record of the instruction that is executed now
  std::byte* end = nullptr;    // of the chunk, or of what may be recorded
  const void* last = nullptr;  // what is known of that instruction; nullptr: there is none
  std::byte* begin = nullptr;  // of the chunk
  std::uint64_t lost = 0;      // instructions with operands that had no room
  // The address of the repeated instruction that was done once at least.
  std::uint64_t repeating = 0;
  // Behind what it has read and written, of several accesses.
  std::uint64_t next_read = 0, next_write = 0;
  std::uint8_t records = 0;  // 1: the chunk will be taken
  std::uint8_t counted = 0;  // 1: what the chunk has room for is in `now` already
  std::uint8_t clipped = 0;  // 1: of several accesses some had no room
  std::uint32_t opened = 0;  // chunks

  // Chunks that were filled and taken since the thread began. The plugin waits on `taken`.
  alignas(64) std::atomic<std::uint32_t> filled = 0;
  std::atomic<std::uint32_t> taken = 0;
  std::array<std::uint32_t, chunks> records_in = {};
  std::array<std::uint32_t, chunks> threads = {};  // whose they are
};

struct shared {
  qemu::order order = {};
  progress now = {};                          // with all that threads may do with their chunks
  std::atomic<std::uint64_t> children = 0;    // that were made
  std::byte* base = nullptr;                  // where the plugin has this
  std::atomic<std::uint32_t> lanes_used = 0;  // the first so many
  // Nothing more will be recorded of this process, which goes on.
  std::atomic<std::uint32_t> finished = 0;
  // Not 0 once the recorder takes nothing more of this process, so that no thread waits for it.
  std::atomic<std::uint32_t> released = 0;
  std::atomic<std::uint32_t> too_many_threads = 0;  // at once, which has ended it
  question look = {};
  std::array<lane, most_threads> lanes = {};
};

inline constexpr std::uint32_t layout = sizeof(shared) + chunk_size;

// From the begin of the shared memory, in bytes.
inline constexpr std::size_t rings_offset = (sizeof(shared) + 4095) / 4096 * 4096;
// Behind a lane's ring lies one chunk more, for what is not recorded.
inline constexpr std::size_t lane_size = (chunks + 1) * chunk_size;
// Loads `from` exactly once, so that what was checked is what is used.
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
