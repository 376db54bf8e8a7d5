#pragma once

#include <cstdint>
#include <string_view>

namespace warpwalk::sass {

/// The operations of the machine code, named as nvdisasm writes them; break_ is BREAK.
enum class Opcode : std::uint8_t {
  atom, atomg, atoms, b2r, bar, bmov, bmsk, bpt, bra, break_, brev, brx, bssy, bsync, call, cctl, cgaerrbar, cs2r,
  dadd, depbar, dfma, dmma, dmul, dsetp, elect, endcollective, errbar, exit, f2f, f2fp, f2i, fadd, fchk, fence, ffma,
  flo, fmnmx, fmul, frnd, fsel, fset, fsetp, hadd2, hfma2, hmma, hmnmx2, hmul2, hset2, hsetp2, i2f, i2fp, i2i, i2ip,
  iabs, iadd3, idp, imad, imma, imnmx, isetp, ld, ldc, ldg, ldgdepbar, ldgsts, ldl, lds, ldsm, lea, lepc, lop3,
  match, membar, mov, movm, mufu, nanosleep, nop, p2r, plop3, popc, prmt, qspc, r2p, r2ur, red, redg, redux, ret,
  s2r, s2ur, sel, sgxt, shf, shfl, st, stg, stl, sts, stsm, syncs, ubrev, uflo, uiadd3, uimad, uisetp, uldc, ulea,
  ulop3, umov, upopc, usel, usgxt, ushf, vabsdiff, vabsdiff4, viadd, viaddmnmx, vimnmx, vote, voteu, warpsync, yield
};

/// "LDG" for Opcode::ldg.
std::string_view name_of(Opcode opcode);

}  // namespace warpwalk::sass
