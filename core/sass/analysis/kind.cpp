#include "core/sass/analysis/kind.h"

#include <algorithm>

namespace warpwalk::sass {
namespace {

// HFMA2.MMA R1, -RZ, RZ, 0, 0: 0 * 0 + a constant, which compilers use to write a constant on the pipe of half
// precision.
bool writes_constant(const Instruction& instruction) {
  return instruction.opcode == Opcode::hfma2 && std::ranges::count_if(instruction.operands, [](const Operand& operand) {
                                                  return !operand.written && operand.kind == OperandKind::reg &&
                                                         operand.reg == zero_register;
                                                }) == 2;
}

}  // namespace

InstructionKind kind_of(const Instruction& instruction) {
  if (instruction.has(Word::mov) || writes_constant(instruction)) return InstructionKind::move;
  switch (instruction.opcode) {
    case Opcode::ld:
    case Opcode::ldg:
    case Opcode::ldgmc:
    case Opcode::ldgsts:
    case Opcode::lds:
    case Opcode::ldsm:
    case Opcode::suld:
    case Opcode::tex:
    case Opcode::tld:
    case Opcode::tld4:
    case Opcode::txd:
    case Opcode::txq:
    case Opcode::ublkcp:
    case Opcode::ublkpf:
    case Opcode::utmaldg:
    case Opcode::utmapf: return InstructionKind::load;
    case Opcode::atom:
    case Opcode::atomg:
    case Opcode::atoms:
    case Opcode::red:
    case Opcode::redas:
    case Opcode::redg:
    case Opcode::st:
    case Opcode::stas:
    case Opcode::stg:
    case Opcode::sts:
    case Opcode::stsm:
    case Opcode::sured:
    case Opcode::sust:
    case Opcode::ublkred:
    case Opcode::utmaredg:
    case Opcode::utmastg: return InstructionKind::store;
    case Opcode::ldl:
    case Opcode::stl: return InstructionKind::local;
    case Opcode::bgmma:
    case Opcode::bmma:
    case Opcode::dadd:
    case Opcode::dfma:
    case Opcode::dmma:
    case Opcode::dmul:
    case Opcode::dsetp:
    case Opcode::f2f:
    case Opcode::f2fp:
    case Opcode::f2i:
    case Opcode::f2ip:
    case Opcode::fadd:
    case Opcode::fchk:
    case Opcode::ffma:
    case Opcode::fmnmx:
    case Opcode::fmul:
    case Opcode::frnd:
    case Opcode::fsel:
    case Opcode::fset:
    case Opcode::fsetp:
    case Opcode::fswzadd:
    case Opcode::hadd2:
    case Opcode::hfma2:
    case Opcode::hgmma:
    case Opcode::hmma:
    case Opcode::hmnmx2:
    case Opcode::hmul2:
    case Opcode::hset2:
    case Opcode::hsetp2:
    case Opcode::i2f:
    case Opcode::i2fp:
    case Opcode::igmma:
    case Opcode::imma:
    case Opcode::mufu:
    case Opcode::qgmma:
    case Opcode::qmma:
    case Opcode::vhmnmx: return InstructionKind::floating;
    case Opcode::b2r:
    case Opcode::cs2r:
    case Opcode::ldc:
    case Opcode::mov:
    case Opcode::movm:
    case Opcode::p2r:
    case Opcode::r2p:
    case Opcode::r2ur:
    case Opcode::s2r:
    case Opcode::s2ur:
    case Opcode::shfl:
    case Opcode::uldc:
    case Opcode::umov:
    case Opcode::up2ur:
    case Opcode::ur2up: return InstructionKind::move;
    case Opcode::acqbulk:
    case Opcode::arrives:
    case Opcode::bar:
    case Opcode::bmov:
    case Opcode::bpt:
    case Opcode::bra:
    case Opcode::break_:
    case Opcode::brx:
    case Opcode::bssy:
    case Opcode::bsync:
    case Opcode::call:
    case Opcode::cctl:
    case Opcode::cctll:
    case Opcode::cgaerrbar:
    case Opcode::depbar:
    case Opcode::elect:
    case Opcode::endcollective:
    case Opcode::errbar:
    case Opcode::exit:
    case Opcode::fence:
    case Opcode::kill:
    case Opcode::ldgdepbar:
    case Opcode::lepc:
    case Opcode::membar:
    case Opcode::nanosleep:
    case Opcode::pmtrig:
    case Opcode::preexit:
    case Opcode::ret:
    case Opcode::rpcmov:
    case Opcode::syncs:
    case Opcode::ucgabar_arv:
    case Opcode::ucgabar_wait:
    case Opcode::usetmaxreg:
    case Opcode::utmacctl:
    case Opcode::utmacmdflush:
    case Opcode::warpgroup:
    case Opcode::warpsync:
    case Opcode::yield: return InstructionKind::control;
    case Opcode::nop: return InstructionKind::no_operation;
    default: return InstructionKind::integer;
  }
}

}  // namespace warpwalk::sass
