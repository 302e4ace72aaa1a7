// REGDUMP, the registers as x64dbg's C struct has them: word N of a trace's register changes is the
// N-th pointer-wide word of this layout.
#pragma once
#include <array>
#include <cstdint>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// The x87 environment. The tag word is followed by padding.
struct x87_environment {
  std::uint16_t control_word;
  std::uint16_t status_word;
  std::uint16_t tag_word;
  std::uint32_t error_offset;
  std::uint32_t error_selector;
  std::uint32_t data_offset;
  std::uint32_t data_selector;
  std::uint32_t cr0_state;
};
struct xmm_register {
  std::uint64_t low;
  std::uint64_t high;
};
struct ymm_register {
  xmm_register low;  // the xmm register once more
  xmm_register high;
};
// rflags, a byte each.
struct flag_bytes {
  std::uint8_t c, p, a, z, s, t, i, d, o;
};
struct x87_register {
  std::array<std::uint8_t, 10> data;
  std::int32_t st_value;
  std::int32_t tag;
};
struct mxcsr_fields {
  std::uint8_t fz, pm, um, om, zm, im, dm, daz, pe, ue, oe, ze, de, ie;
  std::uint16_t rc;
};
struct x87_status_fields {
  std::uint8_t b, c3, c2, c1, c0, es, sf, p, u, o, z, d, i;
  std::uint16_t top;
};
struct x87_control_fields {
  std::uint8_t ic, iem, pm, um, om, zm, dm, im;
  std::uint16_t rc, pc;
};

// r8 to r15 are the only difference of the two targets in kind; the others are in width and number.
template <target T> struct general_registers;
template <> struct general_registers<target::x86> {
  std::uint32_t cax, ccx, cdx, cbx, csp, cbp, csi, cdi;
};
template <> struct general_registers<target::x64> {
  std::uint64_t cax, ccx, cdx, cbx, csp, cbp, csi, cdi;
  std::uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
};

template <target T> struct regdump {
  using word = wire::word_t<T>;
  static constexpr std::size_t vectors = T == target::x86 ? 8 : 16;
  general_registers<T> general;
  word cip;
  word eflags;
  std::uint16_t gs, fs, es, ds, cs, ss;
  word dr0, dr1, dr2, dr3, dr6, dr7;
  std::array<std::uint8_t, 80> register_area;
  x87_environment x87;
  std::uint32_t mxcsr;
  std::array<xmm_register, vectors> xmm;
  std::array<ymm_register, vectors> ymm;
  flag_bytes flags;
  std::array<x87_register, 8> x87_registers;
  std::array<std::uint64_t, 8> mmx;
  mxcsr_fields mxcsr_parts;
  x87_status_fields x87_status;
  x87_control_fields x87_control;
  std::uint32_t last_error;
};

template <target T> using regdump_codec =
    wire::record<regdump<T>, wire::order::little, wire::placement::natural, T>;

static_assert(wire::is_laid_out_as<regdump_codec<target::x64>, R"(
Offset  Size  Field
0       8     general.cax
8       8     general.ccx
16      8     general.cdx
24      8     general.cbx
32      8     general.csp
40      8     general.cbp
48      8     general.csi
56      8     general.cdi
64      8     general.r8
72      8     general.r9
80      8     general.r10
88      8     general.r11
96      8     general.r12
104     8     general.r13
112     8     general.r14
120     8     general.r15
128     8     cip
136     8     eflags
144     2     gs
146     2     fs
148     2     es
150     2     ds
152     2     cs
154     2     ss
156     4     (padding)
160     8     dr0
168     8     dr1
176     8     dr2
184     8     dr3
192     8     dr6
200     8     dr7
208     80    register_area
288     2     x87.control_word
290     2     x87.status_word
292     2     x87.tag_word
294     2     x87.(padding)
296     4     x87.error_offset
300     4     x87.error_selector
304     4     x87.data_offset
308     4     x87.data_selector
312     4     x87.cr0_state
316     4     mxcsr
320     256   xmm
576     512   ymm
1088    1     flags.c
1089    1     flags.p
1090    1     flags.a
1091    1     flags.z
1092    1     flags.s
1093    1     flags.t
1094    1     flags.i
1095    1     flags.d
1096    1     flags.o
1097    3     (padding)
1100    160   x87_registers
1260    4     (padding)
1264    64    mmx
1328    1     mxcsr_parts.fz
1329    1     mxcsr_parts.pm
1330    1     mxcsr_parts.um
1331    1     mxcsr_parts.om
1332    1     mxcsr_parts.zm
1333    1     mxcsr_parts.im
1334    1     mxcsr_parts.dm
1335    1     mxcsr_parts.daz
1336    1     mxcsr_parts.pe
1337    1     mxcsr_parts.ue
1338    1     mxcsr_parts.oe
1339    1     mxcsr_parts.ze
1340    1     mxcsr_parts.de
1341    1     mxcsr_parts.ie
1342    2     mxcsr_parts.rc
1344    1     x87_status.b
1345    1     x87_status.c3
1346    1     x87_status.c2
1347    1     x87_status.c1
1348    1     x87_status.c0
1349    1     x87_status.es
1350    1     x87_status.sf
1351    1     x87_status.p
1352    1     x87_status.u
1353    1     x87_status.o
1354    1     x87_status.z
1355    1     x87_status.d
1356    1     x87_status.i
1357    1     x87_status.(padding)
1358    2     x87_status.top
1360    1     x87_control.ic
1361    1     x87_control.iem
1362    1     x87_control.pm
1363    1     x87_control.um
1364    1     x87_control.om
1365    1     x87_control.zm
1366    1     x87_control.dm
1367    1     x87_control.im
1368    2     x87_control.rc
1370    2     x87_control.pc
1372    4     last_error
)">);
static_assert(wire::is_laid_out_as<regdump_codec<target::x86>, R"(
Offset  Size  Field
0       4     general.cax
4       4     general.ccx
8       4     general.cdx
12      4     general.cbx
16      4     general.csp
20      4     general.cbp
24      4     general.csi
28      4     general.cdi
32      4     cip
36      4     eflags
40      2     gs
42      2     fs
44      2     es
46      2     ds
48      2     cs
50      2     ss
52      4     dr0
56      4     dr1
60      4     dr2
64      4     dr3
68      4     dr6
72      4     dr7
76      80    register_area
156     2     x87.control_word
158     2     x87.status_word
160     2     x87.tag_word
162     2     x87.(padding)
164     4     x87.error_offset
168     4     x87.error_selector
172     4     x87.data_offset
176     4     x87.data_selector
180     4     x87.cr0_state
184     4     mxcsr
188     4     (padding)
192     128   xmm
320     256   ymm
576     1     flags.c
577     1     flags.p
578     1     flags.a
579     1     flags.z
580     1     flags.s
581     1     flags.t
582     1     flags.i
583     1     flags.d
584     1     flags.o
585     3     (padding)
588     160   x87_registers
748     4     (padding)
752     64    mmx
816     1     mxcsr_parts.fz
817     1     mxcsr_parts.pm
818     1     mxcsr_parts.um
819     1     mxcsr_parts.om
820     1     mxcsr_parts.zm
821     1     mxcsr_parts.im
822     1     mxcsr_parts.dm
823     1     mxcsr_parts.daz
824     1     mxcsr_parts.pe
825     1     mxcsr_parts.ue
826     1     mxcsr_parts.oe
827     1     mxcsr_parts.ze
828     1     mxcsr_parts.de
829     1     mxcsr_parts.ie
830     2     mxcsr_parts.rc
832     1     x87_status.b
833     1     x87_status.c3
834     1     x87_status.c2
835     1     x87_status.c1
836     1     x87_status.c0
837     1     x87_status.es
838     1     x87_status.sf
839     1     x87_status.p
840     1     x87_status.u
841     1     x87_status.o
842     1     x87_status.z
843     1     x87_status.d
844     1     x87_status.i
845     1     x87_status.(padding)
846     2     x87_status.top
848     1     x87_control.ic
849     1     x87_control.iem
850     1     x87_control.pm
851     1     x87_control.um
852     1     x87_control.om
853     1     x87_control.zm
854     1     x87_control.dm
855     1     x87_control.im
856     2     x87_control.rc
858     2     x87_control.pc
860     4     last_error
)">);

}  // namespace tracecodec::x64dbg
