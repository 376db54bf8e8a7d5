#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/sass/instruction.h"
#include "core/sass/opcode.h"

namespace warpwalk::sass {

/// The purpose of an instruction, in the coarse groups by which compiled code is compared.
enum class InstructionKind : std::uint8_t {
  load,         ///< from global or shared memory, or a texture
  store,        ///< to global or shared memory, atomics included
  local,        ///< local memory: variables on the stack, spilled registers
  floating,     ///< floating-point arithmetic and conversion, matrix products
  integer,      ///< integer arithmetic, logic and comparisons: indices, addresses and loop counters
  move,         ///< between registers, from constants and special registers
  control,      ///< branches, barriers, the end of the thread
  no_operation  ///< padding
};

/// The execution pipes of a sub-partition. Sources: NVIDIA's "Nsight Compute, Metrics Decoder" (pipelines), the
/// arithmetic throughput table of the CUDA programming guide, and tests/cuda/microbench.
enum class Pipe : std::uint8_t {
  none,       ///< the instruction only issues
  fma,        ///< both halves of the pipe for single precision
  fma_heavy,  ///< the half that also multiplies integers
  alu,
  half,
  fp64,
  xu,  ///< special functions and conversions
  uniform,
  tensor,
  mio  ///< the queue of the load-store unit and the other units of the SM
};

/// Which property of an instruction gives the number of registers of an operand (analysis/register_count.cpp).
enum class RegisterRule : std::uint8_t {
  one,  ///< every operand is one register
  pair,
  product,      ///< .WIDE and .HI: 64-bit results and addends
  uniform_sum,  ///< .64, also of moves and selections
  conversion,   ///< the types of the result and of the source
  type,
  size,            ///< of the access
  atomic,          ///< the type, .CAST and .ARRIVE
  mbarrier,        ///< .EXCH and .ARRIVE
  clock,           ///< .32
  match,           ///< .U64
  matrices,        ///< .2 and .4: 8x8 matrices
  matrix_product,  ///< shape and types
  group_product,   ///< shape and type; A and B may be in shared memory
  texture          ///< shape, layout and mask
};

/// Whether an address operand is one of global or generic memory, which is 64 bits wide, or any other.
enum class AddressRange : std::uint8_t { other, global };

/// The properties of an opcode that do not depend on the operands and modifiers of an instruction.
struct OpcodeRow {
  Opcode opcode = Opcode::nop;
  std::string_view name;  ///< as nvdisasm writes it
  InstructionKind kind = InstructionKind::integer;
  Pipe pipe = Pipe::none;
  RegisterRule registers = RegisterRule::one;
  AddressRange address = AddressRange::other;
};

constexpr std::size_t opcode_count = static_cast<std::size_t>(Opcode::yield) + 1;

/// True if a table has one row for each opcode, in the order of Opcode. Rooms above assert it of their own tables, so
/// that a new opcode cannot be left out there.
template <class Table>
constexpr bool has_row_for_each_opcode(const Table& table) {
  if (std::size(table) != opcode_count) return false;
  for (std::size_t i = 0; i < opcode_count; ++i)
    if (table[i].opcode != static_cast<Opcode>(i)) return false;
  return true;
}

namespace detail {

constexpr auto opcode_rows() {
  using K = InstructionKind;
  using P = Pipe;
  using R = RegisterRule;
  using A = AddressRange;
  // clang-format off
  return std::to_array<OpcodeRow>({
    {Opcode::acqbulk,       "ACQBULK",       K::control,      P::none},
    {Opcode::arrives,       "ARRIVES",       K::control,      P::mio},
    {Opcode::atom,          "ATOM",          K::store,        P::mio,       R::atomic,         A::global},
    {Opcode::atomg,         "ATOMG",         K::store,        P::mio,       R::atomic,         A::global},
    {Opcode::atoms,         "ATOMS",         K::store,        P::mio,       R::atomic},
    {Opcode::b2r,           "B2R",           K::move,         P::mio},
    {Opcode::bar,           "BAR",           K::control,      P::mio},
    {Opcode::bgmma,         "BGMMA",         K::floating,     P::tensor,    R::group_product},
    {Opcode::bmma,          "BMMA",          K::floating,     P::tensor},
    {Opcode::bmov,          "BMOV",          K::control,      P::none},
    {Opcode::bmsk,          "BMSK",          K::integer,      P::alu},
    {Opcode::bpt,           "BPT",           K::control,      P::alu},
    {Opcode::bra,           "BRA",           K::control,      P::none},
    {Opcode::break_,        "BREAK",         K::control,      P::none},
    {Opcode::brev,          "BREV",          K::integer,      P::xu},
    {Opcode::brx,           "BRX",           K::control,      P::none,      R::pair},
    {Opcode::bssy,          "BSSY",          K::control,      P::none},
    {Opcode::bsync,         "BSYNC",         K::control,      P::none},
    {Opcode::call,          "CALL",          K::control,      P::none,      R::pair},
    {Opcode::cctl,          "CCTL",          K::control,      P::none,      R::one,            A::global},
    {Opcode::cctll,         "CCTLL",         K::control,      P::none},
    {Opcode::cgaerrbar,     "CGAERRBAR",     K::control,      P::alu},
    {Opcode::credux,         "CREDUX",        K::integer,       P::alu},
    {Opcode::cs2r,          "CS2R",          K::move,         P::alu,       R::clock},
    {Opcode::cs2ur,          "CS2UR",         K::move,          P::uniform,   R::clock},
    {Opcode::dadd,          "DADD",          K::floating,     P::fp64,      R::pair},
    {Opcode::depbar,        "DEPBAR",        K::control,      P::none},
    {Opcode::dfma,          "DFMA",          K::floating,     P::fp64,      R::pair},
    {Opcode::dmma,          "DMMA",          K::floating,     P::tensor,    R::matrix_product},
    {Opcode::dmul,          "DMUL",          K::floating,     P::fp64,      R::pair},
    {Opcode::dsetp,         "DSETP",         K::floating,     P::fp64,      R::pair},
    {Opcode::elect,         "ELECT",         K::control,      P::mio},
    {Opcode::endcollective, "ENDCOLLECTIVE", K::control,      P::alu},
    {Opcode::errbar,        "ERRBAR",        K::control,      P::none},
    {Opcode::exit,          "EXIT",          K::control,      P::none},
    {Opcode::f2f,           "F2F",           K::floating,     P::xu,        R::conversion},
    {Opcode::f2fp,          "F2FP",          K::floating,     P::alu},
    {Opcode::f2i,           "F2I",           K::floating,     P::xu,        R::conversion},
    {Opcode::f2ip,          "F2IP",          K::floating,     P::alu},
    {Opcode::fadd,          "FADD",          K::floating,     P::fma},
    {Opcode::fadd2,          "FADD2",         K::floating,      P::fma,       R::pair},
    {Opcode::fchk,          "FCHK",          K::floating,     P::xu},
    {Opcode::fence,         "FENCE",         K::control,      P::none},
    {Opcode::ffma,          "FFMA",          K::floating,     P::fma},
    {Opcode::ffma2,          "FFMA2",         K::floating,      P::fma,       R::pair},
    {Opcode::flo,           "FLO",           K::integer,      P::xu},
    {Opcode::fmnmx,         "FMNMX",         K::floating,     P::alu},
    {Opcode::fmnmx3,         "FMNMX3",        K::floating,      P::alu},
    {Opcode::fmul,          "FMUL",          K::floating,     P::fma},
    {Opcode::fmul2,          "FMUL2",         K::floating,      P::fma,       R::pair},
    {Opcode::frnd,          "FRND",          K::floating,     P::xu,        R::type},
    {Opcode::fsel,          "FSEL",          K::floating,     P::alu},
    {Opcode::fset,          "FSET",          K::floating,     P::alu},
    {Opcode::fsetp,         "FSETP",         K::floating,     P::alu},
    {Opcode::fswzadd,       "FSWZADD",       K::floating,     P::alu},
    {Opcode::hadd2,         "HADD2",         K::floating,     P::half},
    {Opcode::hfma2,         "HFMA2",         K::floating,     P::half},
    {Opcode::hgmma,         "HGMMA",         K::floating,     P::tensor,    R::group_product},
    {Opcode::hmma,          "HMMA",          K::floating,     P::tensor,    R::matrix_product},
    {Opcode::hmnmx2,        "HMNMX2",        K::floating,     P::alu},
    {Opcode::hmul2,         "HMUL2",         K::floating,     P::half},
    {Opcode::hset2,         "HSET2",         K::floating,     P::alu},
    {Opcode::hsetp2,        "HSETP2",        K::floating,     P::alu},
    {Opcode::i2f,           "I2F",           K::floating,     P::xu,        R::conversion},
    {Opcode::i2fp,          "I2FP",          K::floating,     P::alu},
    {Opcode::i2i,           "I2I",           K::integer,      P::alu},
    {Opcode::i2ip,          "I2IP",          K::integer,      P::alu},
    {Opcode::iabs,          "IABS",          K::integer,      P::alu},
    {Opcode::iadd,           "IADD",          K::integer,       P::alu,       R::uniform_sum},
    {Opcode::iadd3,         "IADD3",         K::integer,      P::alu},
    {Opcode::idp,           "IDP",           K::integer,      P::fma_heavy},
    {Opcode::igmma,         "IGMMA",         K::floating,     P::tensor,    R::group_product},
    {Opcode::imad,          "IMAD",          K::integer,      P::fma_heavy, R::product},
    {Opcode::imma,          "IMMA",          K::floating,     P::tensor,    R::matrix_product},
    {Opcode::imnmx,         "IMNMX",         K::integer,      P::alu,       R::type},
    {Opcode::isetp,         "ISETP",         K::integer,      P::alu,       R::type},
    {Opcode::kill,          "KILL",          K::control,      P::none},
    {Opcode::ld,            "LD",            K::load,         P::mio,       R::size,           A::global},
    {Opcode::ldc,           "LDC",           K::move,         P::mio,       R::size},
    {Opcode::ldcu,           "LDCU",          K::move,          P::uniform,   R::size},
    {Opcode::ldg,           "LDG",           K::load,         P::mio,       R::size,           A::global},
    {Opcode::ldgdepbar,     "LDGDEPBAR",     K::control,      P::none},
    {Opcode::ldgmc,         "LDGMC",         K::load,         P::mio},
    {Opcode::ldgsts,        "LDGSTS",        K::load,         P::mio},
    {Opcode::ldl,           "LDL",           K::local,        P::mio,       R::size},
    {Opcode::lds,           "LDS",           K::load,         P::mio,       R::size},
    {Opcode::ldsm,          "LDSM",          K::load,         P::mio,       R::matrices},
    {Opcode::lea,           "LEA",           K::integer,      P::alu},
    {Opcode::lepc,          "LEPC",          K::control,      P::none,      R::pair},
    {Opcode::lop3,          "LOP3",          K::integer,      P::alu},
    {Opcode::match,         "MATCH",         K::integer,      P::mio,       R::match},
    {Opcode::membar,        "MEMBAR",        K::control,      P::none},
    {Opcode::mov,           "MOV",           K::move,         P::alu,       R::uniform_sum},
    {Opcode::movm,          "MOVM",          K::move,         P::mio},
    {Opcode::mufu,          "MUFU",          K::floating,     P::xu},
    {Opcode::nanosleep,     "NANOSLEEP",     K::control,      P::none},
    {Opcode::nop,           "NOP",           K::no_operation, P::none},
    {Opcode::p2r,           "P2R",           K::move,         P::alu},
    {Opcode::plop3,         "PLOP3",         K::integer,      P::alu},
    {Opcode::pmtrig,        "PMTRIG",        K::control,      P::none},
    {Opcode::popc,          "POPC",          K::integer,      P::xu},
    {Opcode::preexit,       "PREEXIT",       K::control,      P::none},
    {Opcode::prmt,          "PRMT",          K::integer,      P::alu},
    {Opcode::qgmma,         "QGMMA",         K::floating,     P::tensor,    R::group_product},
    {Opcode::qmma,          "QMMA",          K::floating,     P::tensor},
    {Opcode::qspc,          "QSPC",          K::integer,      P::mio,       R::one,            A::global},
    {Opcode::r2p,           "R2P",           K::move,         P::alu},
    {Opcode::r2ur,          "R2UR",          K::move,         P::mio},
    {Opcode::red,           "RED",           K::store,        P::mio,       R::type,           A::global},
    {Opcode::redas,         "REDAS",         K::store,        P::mio},
    {Opcode::redg,          "REDG",          K::store,        P::mio,       R::type,           A::global},
    {Opcode::redux,         "REDUX",         K::integer,      P::mio},
    {Opcode::ret,           "RET",           K::control,      P::none,      R::pair},
    {Opcode::rpcmov,        "RPCMOV",        K::control,      P::alu},
    {Opcode::s2r,           "S2R",           K::move,         P::mio},
    {Opcode::s2ur,          "S2UR",          K::move,         P::mio},
    {Opcode::sel,           "SEL",           K::integer,      P::alu,       R::uniform_sum},
    {Opcode::sgxt,          "SGXT",          K::integer,      P::alu},
    {Opcode::shf,           "SHF",           K::integer,      P::alu},
    {Opcode::shfl,          "SHFL",          K::move,         P::mio},
    {Opcode::st,            "ST",            K::store,        P::mio,       R::size,           A::global},
    {Opcode::stas,          "STAS",          K::store,        P::mio},
    {Opcode::stg,           "STG",           K::store,        P::mio,       R::size,           A::global},
    {Opcode::stl,           "STL",           K::local,        P::mio,       R::size},
    {Opcode::sts,           "STS",           K::store,        P::mio,       R::size},
    {Opcode::stsm,          "STSM",          K::store,        P::mio,       R::matrices},
    {Opcode::suld,          "SULD",          K::load,         P::mio,       R::texture},
    {Opcode::sured,         "SURED",         K::store,        P::mio,       R::texture},
    {Opcode::sust,          "SUST",          K::store,        P::mio,       R::texture},
    {Opcode::syncs,         "SYNCS",         K::control,      P::mio,       R::mbarrier},
    {Opcode::tex,           "TEX",           K::load,         P::mio,       R::texture},
    {Opcode::tld,           "TLD",           K::load,         P::mio,       R::texture},
    {Opcode::tld4,          "TLD4",          K::load,         P::mio,       R::texture},
    {Opcode::txd,           "TXD",           K::load,         P::mio,       R::texture},
    {Opcode::txq,           "TXQ",           K::load,         P::mio,       R::texture},
    {Opcode::ublkcp,        "UBLKCP",        K::load,         P::none},
    {Opcode::ublkpf,        "UBLKPF",        K::load,         P::none},
    {Opcode::ublkred,       "UBLKRED",       K::store,        P::none},
    {Opcode::ubmsk,         "UBMSK",         K::integer,      P::uniform},
    {Opcode::ubrev,         "UBREV",         K::integer,      P::uniform},
    {Opcode::ucgabar_arv,   "UCGABAR_ARV",   K::control,      P::none},
    {Opcode::ucgabar_wait,  "UCGABAR_WAIT",  K::control,      P::none},
    {Opcode::uf2i,           "UF2I",          K::integer,       P::uniform},
    {Opcode::uffma,          "UFFMA",         K::integer,       P::uniform},
    {Opcode::uflo,          "UFLO",          K::integer,      P::uniform},
    {Opcode::ufmul,          "UFMUL",         K::integer,       P::uniform},
    {Opcode::ufsetp,         "UFSETP",        K::integer,       P::uniform},
    {Opcode::ui2f,           "UI2F",          K::integer,       P::uniform},
    {Opcode::ui2fp,          "UI2FP",         K::integer,       P::uniform},
    {Opcode::ugetnextworkid, "UGETNEXTWORKID", K::control,     P::none},
    {Opcode::uiadd3,        "UIADD3",        K::integer,      P::uniform,   R::uniform_sum},
    {Opcode::uimad,         "UIMAD",         K::integer,      P::uniform,   R::product},
    {Opcode::uimnmx,         "UIMNMX",        K::integer,       P::uniform,   R::type},
    {Opcode::uisetp,        "UISETP",        K::integer,      P::uniform,   R::type},
    {Opcode::uldc,          "ULDC",          K::move,         P::uniform,   R::size},
    {Opcode::ulea,          "ULEA",          K::integer,      P::uniform},
    {Opcode::ulop3,         "ULOP3",         K::integer,      P::uniform},
    {Opcode::umov,          "UMOV",          K::move,         P::uniform,   R::uniform_sum},
    {Opcode::up2ur,         "UP2UR",         K::move,         P::uniform},
    {Opcode::uplop3,        "UPLOP3",        K::integer,      P::uniform},
    {Opcode::upopc,         "UPOPC",         K::integer,      P::uniform},
    {Opcode::uprmt,         "UPRMT",         K::integer,      P::uniform},
    {Opcode::ur2up,         "UR2UP",         K::move,         P::uniform},
    {Opcode::usel,          "USEL",          K::integer,      P::uniform,   R::uniform_sum},
    {Opcode::usetmaxreg,    "USETMAXREG",    K::control,      P::none},
    {Opcode::usetshmsz,     "USETSHMSZ",     K::control,      P::none},
    {Opcode::usgxt,         "USGXT",         K::integer,      P::uniform},
    {Opcode::ushf,          "USHF",          K::integer,      P::uniform},
    {Opcode::utmacctl,      "UTMACCTL",      K::control,      P::none},
    {Opcode::utmacmdflush,  "UTMACMDFLUSH",  K::control,      P::none},
    {Opcode::utmaldg,       "UTMALDG",       K::load,         P::none},
    {Opcode::utmapf,        "UTMAPF",        K::load,         P::none},
    {Opcode::utmaredg,      "UTMAREDG",      K::store,        P::none},
    {Opcode::utmastg,       "UTMASTG",       K::store,        P::none},
    {Opcode::uvimnmx,        "UVIMNMX",       K::integer,       P::uniform},
    {Opcode::vabsdiff,      "VABSDIFF",      K::integer,      P::alu},
    {Opcode::vabsdiff4,     "VABSDIFF4",     K::integer,      P::alu},
    {Opcode::vhmnmx,        "VHMNMX",        K::floating,     P::alu},
    {Opcode::viadd,         "VIADD",         K::integer,      P::alu},
    {Opcode::viaddmnmx,     "VIADDMNMX",     K::integer,      P::alu},
    {Opcode::vimnmx,        "VIMNMX",        K::integer,      P::alu},
    {Opcode::vimnmx3,       "VIMNMX3",       K::integer,      P::alu},
    {Opcode::vote,          "VOTE",          K::integer,      P::alu},
    {Opcode::voteu,         "VOTEU",         K::integer,      P::uniform},
    {Opcode::warpgroup,     "WARPGROUP",     K::control,      P::none},
    {Opcode::warpsync,      "WARPSYNC",      K::control,      P::none},
    {Opcode::yield,         "YIELD",         K::control,      P::none},
  });
  // clang-format on
}

}  // namespace detail

/// In the order of Opcode.
inline constexpr auto opcode_properties = detail::opcode_rows();
static_assert(has_row_for_each_opcode(opcode_properties), "the rows are not those of Opcode, in its order");

constexpr const OpcodeRow& row_of(Opcode opcode) { return opcode_properties[static_cast<std::size_t>(opcode)]; }

/// The kind of an instruction. IMAD.MOV is integer arithmetic in the machine but counts as a move.
InstructionKind kind_of(const Instruction& instruction);

}  // namespace warpwalk::sass
