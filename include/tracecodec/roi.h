/* Markers for C and C++ programs. trace_record --markers records only the part of a program between
   the two markers. Each marker is one instruction without an effect, whether the program is recorded
   or not. */
#ifndef TRACECODEC_ROI_H
#define TRACECODEC_ROI_H

#if defined(__x86_64__) || defined(__i386__)
/* nopl 0x1524354(%eax or %rax). The displacement is "TCR" followed by 1 or 2, which compilers do not
   generate. */
#define TRACECODEC_ROI_BEGIN() \
  __asm__ volatile(".byte 0x0f,0x1f,0x80,0x54,0x43,0x52,0x01" ::: "memory")
#define TRACECODEC_ROI_END() \
  __asm__ volatile(".byte 0x0f,0x1f,0x80,0x54,0x43,0x52,0x02" ::: "memory")
#elif defined(__aarch64__)
/* mov xzr, #0x5521 or #0x5522, which has no effect, because xzr is always zero. */
#define TRACECODEC_ROI_BEGIN() __asm__ volatile(".inst 0xd28aa43f" ::: "memory")
#define TRACECODEC_ROI_END() __asm__ volatile(".inst 0xd28aa45f" ::: "memory")
#elif defined(__riscv)
/* slti x0, x0, 0x541 or 0x542, which is a hint (The RISC-V Instruction Set Manual I, 2.9). */
#define TRACECODEC_ROI_BEGIN() __asm__ volatile(".4byte 0x54102013" ::: "memory")
#define TRACECODEC_ROI_END() __asm__ volatile(".4byte 0x54202013" ::: "memory")
#else
#error "tracecodec/roi.h has no marker for this processor"
#endif

#endif
