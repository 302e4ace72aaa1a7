/* Marks the part of a program that is to be recorded: trace_record --markers begins and ends there.
   For C and C++; each is one instruction that does nothing, recorded or not. */
#ifndef TRACECODEC_ROI_H
#define TRACECODEC_ROI_H

#if defined(__x86_64__) || defined(__i386__)
/* nopl with a displacement that no compiler chooses: "TCR", then 1 or 2. */
#define TRACECODEC_ROI_BEGIN() __asm__ volatile(".byte 0x0f,0x1f,0x80,0x54,0x43,0x52,0x01" ::: "memory")
#define TRACECODEC_ROI_END() __asm__ volatile(".byte 0x0f,0x1f,0x80,0x54,0x43,0x52,0x02" ::: "memory")
#else
#error "tracecodec/roi.h knows no marker for this processor"
#endif

#endif
