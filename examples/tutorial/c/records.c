/* Counts the records and the branches of a trace of any format, as a simulator in C11 would. */
#include <inttypes.h>
#include <stdio.h>
#include <tracecodec.h>

static void print_text(const char* name, tracecodec_text text) {
  printf("  %s: ", name);
  fwrite(text.bytes, 1, text.size, stdout); /* the text is not necessarily UTF-8 */
  printf("\n");
}

static int print_error(const tracecodec_error* error) {
  if (error == NULL) {
    printf("there is no memory\n");
    return 1;
  }
  printf("error: %s\n", tracecodec_status_name(error->code));
  print_text("file", error->file);
  if (error->has_offset) printf("  offset: %" PRIu64 "\n", error->offset);
  if (error->has_record) printf("  record: %" PRIu64 "\n", error->record);
  if (error->field.size != 0) print_text("field", error->field);
  print_text("message", error->message);
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  tracecodec_trace* trace;
  uint64_t n = 0, branches = 0, taken = 0, read = 0, written = 0;
  tracecodec_status status = tracecodec_open(argv[1], NULL, &trace);
  while (status == TRACECODEC_OK) {
    const tracecodec_record* records;
    size_t size;
    status = tracecodec_next_records(trace, SIZE_MAX, &records, &size);
    if (status != TRACECODEC_OK || size == 0) break;
    for (size_t i = 0; i != size; ++i) {
      const tracecodec_record* const r = &records[i];
      branches += r->is_branch;
      taken += r->branch_taken;
      for (int k = 0; k != 4; ++k) read += r->source_memory[k] != 0;
      for (int k = 0; k != 2; ++k) written += r->destination_memory[k] != 0;
    }
    n += size;
  }
  printf("%s: %" PRIu64 " records, %" PRIu64 " branches, %" PRIu64 " taken, %" PRIu64
         " reads, %" PRIu64 " writes\n",
         tracecodec_format(trace), n, branches, taken, read, written);
  const int failed = status != TRACECODEC_OK ? print_error(tracecodec_last_error(trace)) : 0;
  tracecodec_close(trace);
  return failed;
}
