// Prints a trace's format and each instruction of it, by libtracecodec: read_with_c TRACE.
#include <tracecodec.h>

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  tracecodec_trace* trace = nullptr;
  tracecodec_status status = tracecodec_open(argv[1], nullptr, &trace);
  if (status == TRACECODEC_OK) std::printf("%s\n", tracecodec_format(trace));
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
