/* Traces of any format for C11, C++17 and all languages that call C: records of ChampSim, columns of
 * instructions, and Arrow's C stream interface. The library is libtracecodec; docs/c.md has programs.
 *
 *   tracecodec_trace* trace;
 *   const tracecodec_record* records;
 *   size_t n;
 *   if (tracecodec_open("x.trace64", NULL, &trace) == TRACECODEC_OK)
 *     while (tracecodec_next_records(trace, SIZE_MAX, &records, &n) == TRACECODEC_OK && n != 0)
 *       ... records[0] to records[n - 1] ...
 *   if (tracecodec_last_error(trace) != NULL) ... tracecodec_last_error(trace)->line ...
 *   tracecodec_close(trace);
 *
 * Errors: a function that can fail returns TRACECODEC_OK or another code, and the trace tells the rest:
 * tracecodec_last_error(). What a function writes to is only valid if it returned TRACECODEC_OK. No C++
 * exception leaves a function, but one that an application's own callback throws ends the program.
 *
 * Threads: there is no global state. Several traces may be used in several threads at once; one trace, and
 * what it gave out, only in one thread at a time, whichever that is. What a trace gave out may be read by
 * several threads, as long as none calls a function with the trace.
 *
 * Lifetime: what a function gives out belongs to the trace, is not to be freed or written to, and is valid
 * until the time that the function's comment says. "Until the trace moves" is until tracecodec_next_records(),
 * tracecodec_next_columns(), tracecodec_skip(), tracecodec_shard(), tracecodec_rewind(), tracecodec_count(),
 * tracecodec_arrow_stream() or tracecodec_close(). Arguments are copied, unless the comment says otherwise.
 *
 * Text is bytes and their number: file names and what files hold may be no UTF-8, and hold zeros. `bytes` is
 * never null, and a zero follows the last one.
 *
 * The ABI grows by functions and at the end of structs. A struct that an application makes begins with its
 * size; those that the library gives out are read in place, and not copied by their size. */
#ifndef TRACECODEC_H
#define TRACECODEC_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#if defined(TRACECODEC_BUILDS_LIBRARY)
#define TRACECODEC_API __declspec(dllexport)
#else
#define TRACECODEC_API __declspec(dllimport)
#endif
#elif defined(TRACECODEC_BUILDS_LIBRARY)
#define TRACECODEC_API __attribute__((visibility("default")))
#else
#define TRACECODEC_API
#endif
#if defined(__cplusplus)
#define TRACECODEC_NOEXCEPT noexcept
extern "C" {
#else
#define TRACECODEC_NOEXCEPT
#endif

/* "0.1.0". */
TRACECODEC_API const char* tracecodec_version(void) TRACECODEC_NOEXCEPT;

/* ---- Errors ---- */

typedef int32_t tracecodec_status;
enum {
  TRACECODEC_OK = 0,
  TRACECODEC_SYSTEM = 1,      /* the operating system refused: open, read */
  TRACECODEC_TRUNCATED = 2,   /* the bytes end inside a record or a compressed stream */
  TRACECODEC_CORRUPT = 3,     /* a compressed stream contradicts itself */
  TRACECODEC_NOT_A_TRACE = 4, /* the content is no trace of the expected format */
  TRACECODEC_BAD_VALUE = 5,   /* a field holds what its format does not allow */
  TRACECODEC_UNSUPPORTED = 6, /* recognised, but this build does not handle it */
  TRACECODEC_REFUSED = 7, /* the request makes no sense, or not for this trace; a null argument */
  TRACECODEC_NO_MEMORY = 8,
  TRACECODEC_INTERNAL = 9 /* none of these: a mistake in the library */
};

/* "truncated" and so on, as the enumerators are called in small letters; "unknown" for other numbers. */
TRACECODEC_API const char* tracecodec_status_name(tracecodec_status status) TRACECODEC_NOEXCEPT;

typedef struct tracecodec_text {
  const char* bytes;
  size_t size;
} tracecodec_text;

typedef struct tracecodec_error {
  tracecodec_status code;
  uint8_t has_offset; /* whether `offset` is known; else it is 0 */
  uint8_t has_record; /* the same of `record` */
  uint64_t
      offset; /* bytes from the start of the content; of the file if its compression is damaged */
  uint64_t record; /* index of the record, from 0 */
  tracecodec_text
      file; /* as the application named it; "<stdin>" for standard input; may be empty */
  tracecodec_text field;   /* name of the record's field; may be empty */
  tracecodec_text message; /* what is wrong, without the place */
  tracecodec_text line;    /* all of it: "FILE: offset 128, record 2, field ip: MESSAGE" */
} tracecodec_error;

/* ---- Opening ---- */

typedef struct tracecodec_trace tracecodec_trace;

enum { /* tracecodec_options.flags */
       TRACECODEC_ONE_THREAD =
           1, /* x64dbg, RapidBin, UMTracer: only instructions of options.thread; CloudSuite:
                                      only records of this address space */
       TRACECODEC_REPAIR =
           2, /* x64dbg: the thread-id defect is mended. RapidBin, UMTracer: only what
                                      keeps the reader from reading on is an error. tracepack: damaged
                                      frames are left out, and `warn` tells of each */
       TRACECODEC_REGISTERS =
           4, /* x64dbg: all registers before each instruction, which register_values
                                      tells. Takes longer */
       TRACECODEC_BRANCHES_OF_2022 =
           8, /* ChampSim, CloudSuite: classes of branches as ChampSim had them then */
       TRACECODEC_NO_MAP =
           16, /* read the file, do not map it: see tracecodec_survive_cut_files() */
       TRACECODEC_STRICT =
           32 /* STD text: lines of wait, notify, notifyAll and dummy, and columns after the
                                      location, are errors; else they are left out, and `warn` tells of them */
};

/* All bytes 0 but for `size`, which is sizeof(tracecodec_options), is what NULL in place of the options
 * means. An option that the trace's format does not have is refused. */
typedef struct tracecodec_options {
  size_t size;
  uint32_t flags;
  uint32_t thread;
  const char* format; /* a name of tracecodec_format_name(), such as "champsim"; NULL: the format
                              is recognised by content. A tracepack is of its records' format, and always
                              recognised */
  const char* compression; /* "none", "xz", "gzip", "bzip2", "zstd" or "lz4"; NULL: the same */
  const char* metadata; /* RapidBin: the file of its metadata. NULL: the one beside the trace, if it
                              exists. "": none */
  const char*
      record; /* file of a table that describes the trace's records, or the name of a table that
                              the library knows, "champsim2" or "chtrcv2" (docs/descriptors.md) */
  uint64_t memory; /* xz, zstd: a larger dictionary or window, in bytes, is refused. 0: the
                              library's own limit */
  /* Called with one line, without its end, about what is no error but makes what is read doubtful. NULL: it
     is not looked for. It is called in the thread that uses the trace, from any function but
     tracecodec_last_error(), and must not use the trace. `text` is valid until it returns. */
  void (*warn)(void* context, tracecodec_text text);
  void* context; /* first argument of `warn` */
  uint32_t
      threads; /* that decode, the caller's among them, at most 64: a tracepack's frames (0: the caller's
                       alone), the blocks of xz (0: as many as the machine runs at once). Each takes memory
                       for a frame, or a block. No matter to others */
  uint64_t
      record_offset; /* of `record`: bytes of the file before its first record, up to 2^30. 0: as the
                             table says */
  const char*
      map_registers; /* ChampSim, CloudSuite: the numbers that the trace has for the instruction pointer,
                                the stack pointer and the flags, "ip=35,sp=7,flags=34" or some of them. They are
                                read as ChampSim's 26, 6 and 25, and the registers that have those get the other
                                numbers. NULL: they are ChampSim's */
  const char* const*
      own; /* options that only some formats have, each "NAME=VALUE", or "NAME" for one without a value, and
              NULL after the last: {"branch-rules=2022", NULL}. The programs have options of the same names for reading.
              NULL: none */
} tracecodec_options;

/* A file that is mapped, and that another program shortens while it is read, ends the process by a signal,
 * SIGBUS. After this call, once in a process and before files are opened, functions return
 * TRACECODEC_SYSTEM instead: "became shorter while it was read". It installs a signal handler; other causes of
 * SIGBUS are left to the handler that was there before. Without a handler TRACECODEC_NO_MAP avoids the
 * signal. Returns TRACECODEC_SYSTEM if the system takes no handler. Nothing to do on Windows, where a mapped
 * file cannot become shorter. */
TRACECODEC_API tracecodec_status tracecodec_survive_cut_files(void) TRACECODEC_NOEXCEPT;

/* Returns the name of format `index`, from 0; NULL if there are not so many formats. */
TRACECODEC_API const char* tracecodec_format_name(size_t index) TRACECODEC_NOEXCEPT;

/* Opens `path`: a file, "-" for standard input, or the folder of an UMTracer trace. The name is in bytes as
 * the operating system takes them; UTF-8 on Windows. `options` may be NULL.
 * `*trace` is also set if opening fails, so that tracecodec_last_error() tells why; all that is asked of it
 * fails with the same error. It is to be closed in any case. Only without memory for it it is NULL.
 * Errors: TRACECODEC_SYSTEM if the file is missing, or is not to be read; TRACECODEC_NOT_A_TRACE;
 * TRACECODEC_UNSUPPORTED if this build does not read the format or the compression; TRACECODEC_REFUSED for
 * options that make no sense; what a damaged header is called. */
TRACECODEC_API tracecodec_status tracecodec_open(const char* path,
                                                 const tracecodec_options* options,
                                                 tracecodec_trace** trace) TRACECODEC_NOEXCEPT;
/* The same of `size` bytes in memory, which are a file's content, compressed or not. They are not copied, and
 * must stay until the trace is closed. `name` is what errors call it. */
TRACECODEC_API tracecodec_status tracecodec_open_memory(
    const void* bytes, size_t size, const char* name, const tracecodec_options* options,
    tracecodec_trace** trace) TRACECODEC_NOEXCEPT;
/* Everything that the trace gave out becomes invalid. NULL is allowed. */
TRACECODEC_API void tracecodec_close(tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* What the last function that failed says of it; NULL if the last one that could fail did not. Valid until
 * the next call with the trace. NULL for a trace that is NULL. */
TRACECODEC_API const tracecodec_error* tracecodec_last_error(const tracecodec_trace* trace)
    TRACECODEC_NOEXCEPT;

/* The path, "<stdin>" or the name that was given; valid until the trace is closed. */
TRACECODEC_API tracecodec_text tracecodec_name(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* As tracecodec_options.format names it; "" if it could not be opened. */
TRACECODEC_API const char* tracecodec_format(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* ---- Records ---- */

/* A record of ChampSim's: 64 bytes, whose numbers have the byte order of the processor. */
typedef struct tracecodec_record {
  uint64_t ip;
  uint8_t is_branch;    /* 0 or 1 */
  uint8_t branch_taken; /* 0 or 1 */
  uint8_t destination_registers
      [2]; /* registers written, 0 = unused; 6 is the stack pointer, 25 the flags, 26
                                       the instruction pointer */
  uint8_t source_registers[4];    /* registers read */
  uint64_t destination_memory[2]; /* virtual addresses written, 0 = none */
  uint64_t source_memory[4];      /* virtual addresses read, 0 = none */
} tracecodec_record;

/* The next records, `most` of them (0 is taken as 1) or fewer: as many as a call delivers well, 4,096 at most. `*size`
 * is 0 at the end. Of a ChampSim trace they are those of the file, not copied if it is mapped; of other
 * formats each instruction is made a record. Valid until the trace moves.
 * What is whole is delivered before an error is returned, which comes again until tracecodec_rewind(), or,
 * where one instruction is damaged, until that is skipped. */
TRACECODEC_API tracecodec_status tracecodec_next_records(tracecodec_trace* trace, size_t most,
                                                         const tracecodec_record** records,
                                                         size_t* size) TRACECODEC_NOEXCEPT;
/* How many operands of the instructions that tracecodec_next_records() delivered since the beginning, or the
 * last tracecodec_rewind(), their records have no room for. */
TRACECODEC_API uint64_t tracecodec_lost_operands(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* ---- Columns ---- */

enum {                              /* what is known of an instruction; a row is an instruction */
       TRACECODEC_COLUMN_INDEX = 0, /* its number in the trace */
       TRACECODEC_COLUMN_IP = 1,
       TRACECODEC_COLUMN_BRANCH =
           2, /* class: 0 direct jump, 1 indirect, 2 conditional, 3 direct call, 4 indirect
                                   call, 5 return, 6 other, 7 no branch */
       TRACECODEC_COLUMN_IS_BRANCH = 3,
       TRACECODEC_COLUMN_TAKEN = 4,
       TRACECODEC_COLUMN_TARGET = 5, /* 0 if not taken, or not known */
       TRACECODEC_COLUMN_THREAD = 6, /* thread or address space */
       TRACECODEC_COLUMN_THREAD_KNOWN = 7,
       TRACECODEC_COLUMN_SIZE = 8, /* bytes of its code */
       TRACECODEC_COLUMN_CODE = 9,
       TRACECODEC_COLUMN_TEXT = 10, /* how it reads, of formats whose traces hold that */
       TRACECODEC_COLUMN_CALLED =
           11, /* whether it has the mnemonic of tracecodec_watch_mnemonic() */
       TRACECODEC_COLUMN_OPERATION = 12, /* what an event does: tracecodec_operation_name() */
       TRACECODEC_COLUMN_DECOR = 13,
       TRACECODEC_COLUMN_LOCATION = 14,
       TRACECODEC_COLUMN_EVENT_OPERAND =
           15, /* what an event is about that neither reads nor writes */
       TRACECODEC_COLUMN_DESTINATION_REGISTERS = 16,
       TRACECODEC_COLUMN_SOURCE_REGISTERS = 17,
       TRACECODEC_COLUMN_LOST_OPERANDS = 18, /* how many operands the lists do not show */
       TRACECODEC_COLUMN_MEMORY = 19,        /* what is read, then what is written */
       TRACECODEC_COLUMN_MEMORY_VALUES = 20,
       TRACECODEC_COLUMN_REGISTER_VALUES = 21,
       TRACECODEC_COLUMN_WATCHED = 22, /* values of the register of tracecodec_watch_register() */
       TRACECODEC_COLUMN_RECORDED_BRANCH = 23, /* the record's flag, as it was written */
       TRACECODEC_COLUMN_RECORDED_TAKEN = 24,  /* the same */
       TRACECODEC_COLUMN_DOUBTS = 25, /* bits: 1 an operand's address is not known, 2 its code is no
                                             instruction, 4 a branch's outcome is estimated */
       TRACECODEC_COLUMN_READS = 26,  /* whether it reads memory */
       TRACECODEC_COLUMN_WRITES = 27  /* whether it writes memory */
};
/* Sets of columns: TRACECODEC_BIT(TRACECODEC_COLUMN_IP) | ... */
#define TRACECODEC_BIT(column) ((uint64_t)1 << (column))

enum {                      /* types of elements */
       TRACECODEC_FLAG = 0, /* a byte, 0 or 1 */
       TRACECODEC_BYTE = 1,
       TRACECODEC_U8 = 2,
       TRACECODEC_U16 = 3,
       TRACECODEC_U32 = 4,
       TRACECODEC_U64 = 5
};
/* A column has one part, or, where its entries have several members, a part for each: memory has address,
 * size and write. */
typedef struct tracecodec_part_info {
  const char* name;
  const char*
      unit; /* "address", "bytes", "number", "flag", "register", "class", "operation", "byte", "bits" */
  int32_t type;    /* of an element */
  uint8_t is_list; /* an entry has a list of elements, not one */
} tracecodec_part_info;
typedef struct tracecodec_column_info {
  const char* name;    /* "ip", "memory" ... */
  uint8_t is_list;     /* a row has a list of entries, not one */
  uint8_t is_nullable; /* a row may have no value. None is so far */
  size_t parts;
} tracecodec_column_info;

/* How many columns there are, whatever the format; they have the numbers from 0 on. */
TRACECODEC_API size_t tracecodec_columns(void) TRACECODEC_NOEXCEPT;
/* NULL if there is none of the number. Valid for ever. */
TRACECODEC_API const tracecodec_column_info* tracecodec_column(size_t column) TRACECODEC_NOEXCEPT;
TRACECODEC_API const tracecodec_part_info* tracecodec_part(size_t column,
                                                           size_t part) TRACECODEC_NOEXCEPT;

/* The columns of which the trace's format knows something, as a set; none if it could not be opened. */
TRACECODEC_API uint64_t tracecodec_has(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* The columns that tracecodec_next_columns() fills from now on; none at first. An instruction of which one of
 * the columns `lenient` cannot be told, as it is damaged, has nothing there, and is no error. Refused if the
 * format does not know a column, unless every format can be asked for it: index, ip, branch, is_branch, taken,
 * target, thread, destination_registers, source_registers, lost_operands, memory. */
TRACECODEC_API tracecodec_status tracecodec_want(tracecodec_trace* trace, uint64_t columns,
                                                 uint64_t lenient) TRACECODEC_NOEXCEPT;
/* From the next batch on the column `watched` is about the register with this name, in any case of letters.
 * `*bytes`, which may be NULL, becomes its size, 0 if that is not known. Refused if there is none. */
TRACECODEC_API tracecodec_status tracecodec_watch_register(tracecodec_trace* trace,
                                                           const char* name,
                                                           size_t* bytes) TRACECODEC_NOEXCEPT;
/* The same of the column `called`, and a mnemonic or a prefix. */
TRACECODEC_API tracecodec_status tracecodec_watch_mnemonic(tracecodec_trace* trace,
                                                           const char* name) TRACECODEC_NOEXCEPT;
/* What the number in the column `operation` means; empty if nothing. Valid until the next call of it. */
TRACECODEC_API tracecodec_status tracecodec_operation_name(
    tracecodec_trace* trace, uint8_t operation, tracecodec_text* name) TRACECODEC_NOEXCEPT;

/* Fills a batch with the next instructions, `most` of them (0 is taken as 1) or fewer, 4,096 at most; `*rows`
 * is 0 at the end. tracecodec_values() shows it, until the trace moves. Errors as of tracecodec_next_records().
 * Records and columns may be asked for in turn: each continues where the other ended. */
TRACECODEC_API tracecodec_status tracecodec_next_columns(tracecodec_trace* trace, size_t most,
                                                         size_t* rows) TRACECODEC_NOEXCEPT;
/* Of the batch: the number of its first row among what the trace delivers, from 0; and how many entries and
 * bytes of lists there was no room for (of one instruction a column has at most 64 KiB). */
TRACECODEC_API uint64_t tracecodec_first_row(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
TRACECODEC_API uint64_t tracecodec_left_out(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

typedef struct tracecodec_array {
  const void*
      values;  /* `size` elements of the part's type; the first lies at a multiple of 64 bytes */
  size_t size; /* of a column that is no list: rows */
  const int32_t*
      offsets; /* of lists, else NULL: row r has the entries from offsets[r] to offsets[r + 1]; so
                             has, where the part is a list, entry e the elements. One more than there are
                             rows, or entries */
} tracecodec_array;
/* Part `part` of column `column` of the batch, where it lies. For a part that is a list `offsets` are those of
 * its entries; the column's own are those of its other parts. Refused if the column was not wanted, or there
 * is no such part; size 0 if there is no batch. */
TRACECODEC_API tracecodec_status tracecodec_values(tracecodec_trace* trace, size_t column,
                                                   size_t part,
                                                   tracecodec_array* values) TRACECODEC_NOEXCEPT;

/* ---- Which part of the trace ---- */

/* Moves `n` instructions on, or to the end; `*done`, which may be NULL, becomes how many. */
TRACECODEC_API tracecodec_status tracecodec_skip(tracecodec_trace* trace, uint64_t n,
                                                 uint64_t* done) TRACECODEC_NOEXCEPT;
/* No more than `n` instructions from here. */
TRACECODEC_API tracecodec_status tracecodec_limit(tracecodec_trace* trace,
                                                  uint64_t n) TRACECODEC_NOEXCEPT;
/* Of the instructions from the trace's begin, or from where an earlier part begins, to the end: part `index`
 * of `of` equal ones. What was read or skipped before counts as not read. Refused if `index` is not below
 * `of`, or it cannot be counted (a pipe). */
TRACECODEC_API tracecodec_status tracecodec_shard(tracecodec_trace* trace, uint64_t index,
                                                  uint64_t of) TRACECODEC_NOEXCEPT;
/* Back to the first instruction, or to the first of the shard; a limit from there is kept. Refused for pipes. */
TRACECODEC_API tracecodec_status tracecodec_rewind(tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* How many instructions there are in all, or in the shard, within the limit. May read the whole file. Refused
 * for pipes. */
TRACECODEC_API tracecodec_status tracecodec_count(tracecodec_trace* trace,
                                                  uint64_t* count) TRACECODEC_NOEXCEPT;
/* 0 to 1: how much was read of the trace, or of the part up to the limit; negative if that is not known. */
TRACECODEC_API double tracecodec_progress(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;
/* The number of the next instruction, from 0. */
TRACECODEC_API uint64_t tracecodec_position(const tracecodec_trace* trace) TRACECODEC_NOEXCEPT;

/* ---- Arrow ---- */

/* Arrow's C data interface and C stream interface, as their specification has them. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/* Makes `*stream` deliver the trace from where it stands: batches of `most` rows or fewer (0: 4,096) with the
 * columns of tracecodec_want(); if none are wanted all that the trace has, but for `called` and `watched`.
 * The stream takes the trace over: its release() closes it. Until then functions with the trace are refused,
 * a second stream among them, and tracecodec_close() does nothing; afterwards the trace is no longer there. If
 * this fails the trace stays the application's.
 *
 * A batch is a struct with a child for each column, none of which has nulls. Numbers are unsigned integers,
 * flags booleans, `code` and `text` binary (text from a file may be no UTF-8). Lists have 32-bit offsets; where
 * their entries have several parts they are structs. The metadata of a field has its unit, key
 * "tracecodec.unit".
 *
 * Batches, children that were moved out of them, and schemas stay valid until they are released, also behind
 * the stream's release(). They may be released in any thread; the stream itself is to be used in one at a time.
 * get_next() returns EIO, EINVAL or ENOMEM. release() sets the stream's members to NULL; who has kept the
 * address of a function gets EINVAL from it. */
TRACECODEC_API tracecodec_status tracecodec_arrow_stream(
    tracecodec_trace* trace, size_t most, struct ArrowArrayStream* stream) TRACECODEC_NOEXCEPT;

#if defined(__cplusplus)
} /* extern "C" */
#endif

#endif /* TRACECODEC_H */
