/* Marks the part of a program that is to be recorded: trace_record --markers begins and ends there.
   For C and C++; each is one instruction that changes nothing, recorded or not. */
#ifndef TRACECODEC_ROI_H
#define TRACECODEC_ROI_H

#if defined(__x86_64__) || defined(__i386__)
/* nopl 0x1524354(%eax or %rax), with a displacement that no compiler chooses: "TCR", then 1 or 2. */
#define TRACECODEC_ROI_BEGIN() \
  __asm__ volatile(".byte 0x0f,0x1f,0x80,0x54,0x43,0x52,0x01" ::: "memory")
#define TRACECODEC_ROI_END() \
  __asm__ volatile(".byte 0x0f,0x1f,0x80,0x54,0x43,0x52,0x02" ::: "memory")
#elif defined(__aarch64__)
/* mov xzr, #0x5521, and #0x5522: to the register that stays zero. */
#define TRACECODEC_ROI_BEGIN() __asm__ volatile(".inst 0xd28aa43f" ::: "memory")
#define TRACECODEC_ROI_END() __asm__ volatile(".inst 0xd28aa45f" ::: "memory")
#elif defined(__riscv)
/* slti x0, x0, 0x541, and 0x542: a hint (The RISC-V Instruction Set Manual I, 2.9). */
#define TRACECODEC_ROI_BEGIN() __asm__ volatile(".4byte 0x54102013" ::: "memory")
#define TRACECODEC_ROI_END() __asm__ volatile(".4byte 0x54202013" ::: "memory")
#else
#error "tracecodec/roi.h has no marker for this processor"
#endif

#endif
