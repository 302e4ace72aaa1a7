// Prints a trace's format and its instructions with libtracecodec: read_with_c TRACE
// [NAME=VALUE]. NAME is a format-specific option.
#include <tracecodec.h>

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  tracecodec_options options{};
  options.size = sizeof options;
  options.own = argv + 2;  // argv ends with a null pointer
  tracecodec_trace* trace = nullptr;
  tracecodec_status status = tracecodec_open(argv[1], &options, &trace);
  if (status == TRACECODEC_OK) std::printf("%s\n", tracecodec_format(trace));
  for (std::size_t i = 0; status == TRACECODEC_OK && tracecodec_format_name(i) != nullptr; ++i)
    if (std::strcmp(tracecodec_format_name(i), tracecodec_format(trace)) == 0)
      std::printf("%s is format %zu\n", tracecodec_format_name(i), i);
  if (const tracecodec_error* e = tracecodec_last_error(trace))
    std::printf("%.*s\n", static_cast<int>(e->message.size), e->message.bytes);
  const tracecodec_record* records = nullptr;
  std::size_t n = 0;
  while (status == TRACECODEC_OK) {
    status = tracecodec_next_records(trace, SIZE_MAX, &records, &n);
    if (status != TRACECODEC_OK || n == 0) break;
    for (std::size_t i = 0; i != n; ++i)
      std::printf("%" PRIx64 " %d %" PRIx64 " %" PRIx64 "\n", records[i].ip,
                  records[i].branch_taken, records[i].source_memory[0],
                  records[i].destination_memory[0]);
  }
  tracecodec_close(trace);
  return status == TRACECODEC_OK ? 0 : 1;
}
