#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ptx/opcode.h"
#include "core/ptx/special.h"
#include "core/ptx/type.h"

namespace warpwalk::ptx {

/// The kinds of operands.
enum class OperandKind : std::uint8_t {
  none,
  reg,        ///< index: Function::registers; an element of a vector register (%v.x) is a register of its own
  immediate,  ///< bits: integer as 64-bit two's complement, f32 (0f...) in the low 32 bits, f64 (0d..., 1.5) as 64 bits
  special,    ///< special: %tid.x, %laneid, ...
  variable,   ///< index: Module::variables; offset: bytes. Outside brackets (mov), its address
  local_variable,  ///< index: Function::variables (.local, .shared, .param); offset: bytes. Outside brackets, its
                   ///< address
  parameter,       ///< index: Function::parameters, or Function::returns if `returns` is set
  function,        ///< index: Module::functions (call, address of a function)
  label,           ///< index: instruction number (bra); may be one past the last instruction
  table,           ///< index: Function::tables (brx.idx)
  prototype,       ///< index: Function::prototypes (indirect call)
  vector,          ///< elements: {a, b, ...}, or the (a, b) list of a call
  pair,            ///< elements: p|q, two destinations
  discard,         ///< _
  texel,           ///< elements: the texture or surface, then the layer and coordinates: [a, {b, c}]
};

/// How an immediate was written. This decides how its bits become a value of the instruction's type.
enum class Literal : std::uint8_t { integer, f32, f64 };

/// The bytes or halves of a register that a video instruction reads or writes: .b2, .h10, .b7654.
struct Selector {
  std::uint8_t count = 0;  ///< 0: no selector
  bool halves = false;
  std::array<std::uint8_t, 4> parts{};  ///< the digits from right to left
};

struct Operand {
  OperandKind kind = OperandKind::none;
  Literal literal = Literal::integer;
  Special special = Special::none;
  bool negated = false;  ///< !p
  bool minus = false;    ///< -a of vmad
  Selector selector;     ///< of video instructions: %r1.h0
  bool address = false;  ///< in brackets: base (reg, variable, local_variable, parameter, immediate) plus offset
  bool returns = false;  ///< kind parameter: one of the function's return parameters
  std::int32_t index = -1;
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  std::vector<Operand> elements;
};

/// The comparisons of setp and set. The variants with a u suffix (equ, ...) are also true for NaN operands.
enum class Compare : std::uint8_t {
  none,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};
/// rn, rz, ... round to a representable value; rni, rzi, ... round to an integral value.
enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi };
/// The operation or mode in the suffix of atom, red, redux, bar.red, set, setp, vote, match, shfl, prmt, testp and
/// lop3.
enum class Action : std::uint8_t {
  none,
  and_,
  or_,
  xor_,
  cas,
  exch,
  add,
  inc,
  dec,
  min,
  max,
  popc,  // atom, red, redux, set, setp, bar.red
  all,
  any,
  uni,
  ballot,  // vote, match
  up,
  down,
  bfly,
  idx,  // shfl
  f4e,
  b4e,
  rc8,
  ecl,
  ecr,
  rc16,  // prmt
  finite,
  infinite,
  number,
  notanumber,
  normal,
  subnormal,  // testp
};

/// Suffixes without a field of their own in Instruction.
enum class Modifier : std::uint8_t {
  // Arithmetic
  ftz,
  sat,
  satfinite,
  relu,
  approx,
  full,
  wide,
  hi,
  lo,
  cc,
  nan,
  xorsign,
  abs,
  noftz,
  oob,
  shiftamt,
  clamp,
  wrap,
  po,     ///< vmad: plus one
  shr7,   ///< vmad: the result is shifted right
  shr15,  ///< the same
  l,
  r,
  to,  ///< cvta.to
  // Control and barriers
  uni,
  sync,
  aligned,
  arrive,
  wait,
  red,
  noinc,
  complete_tx,  ///< cp.async.bulk.mbarrier::complete_tx::bytes: the copy signals an mbarrier
  mask,         ///< pmevent.mask
  no_complete,  ///< mbarrier.arrive.noComplete
  expect_tx,    ///< mbarrier.arrive.expect_tx
  parity,       ///< mbarrier.try_wait.parity
  launch_dependents,
  read,        ///< cp.async.bulk.wait_group.read: only until the sources have been read
  bulk_group,  ///< cp.async.bulk.bulk_group: the copy belongs to a group
  multicast,   ///< .multicast::cluster: the data go to several blocks of the cluster
  tile,        ///< cp.async.bulk.tensor.tile, the default
  im2col,      ///< cp.async.bulk.tensor.im2col: pixels of images
  im2col_no_offs,
  tensormap,   ///< prefetch.tensormap
  // The fields of tensormap.replace
  global_address,
  map_rank,
  box_dim,
  global_dim,
  global_stride,
  element_stride,
  elemtype,
  interleave_layout,
  swizzle_mode,
  fill_mode,
  b1024,  ///< the size of a tensor map in bits
  // Scopes
  cta,
  cluster,
  gpu,  ///< also membar.gl
  sys,
  // Memory order
  weak,
  volatile_,
  mmio,
  relaxed,
  acquire,
  release,
  acq_rel,
  sc,
  mbarrier_init,
  proxy,
  alias,              ///< fence.proxy.alias
  async_,             ///< fence.proxy.async
  tensormap_generic,  ///< fence.proxy.tensormap::generic
  sync_restrict,      ///< fence.acquire.sync_restrict::shared::cluster
  // Destinations and cache behavior of memory accesses
  shared_cluster,  ///< .shared::cluster (`space` is shared)
  shared_cta,      ///< .shared::cta, also as the source of a bulk copy whose destination is `space`
  entry,           ///< .param::entry (`space` is param)
  global,          ///< cp.async.ca.shared.global: the source (`space` is shared)
  nc,
  ca,
  cg,
  cs,
  cv,
  lu,
  wb,
  wt,
  l1_hint,      ///< an L1 eviction priority
  l2_hint,      ///< an L2 eviction priority
  l2_prefetch,  ///< an L2 prefetch size
  cache_hint,   ///< .L2::cache_hint: the last operand is a cache policy
  prefetch_l1,  ///< prefetch.L1
  prefetch_l2,
  fractional,
  cvt,
  range,
  // Matrices
  row,    ///< the rows of a are contiguous; for wmma.load and wmma.store, those of the matrix
  col,    ///< the columns of b are contiguous; for wmma.load and wmma.store, those of the matrix
  a_col,  ///< the columns of a are contiguous
  b_row,  ///< the rows of b are contiguous
  trans,
  x1,
  x2,
  x4,
  m8n8,
  m8n8k4,
  m8n8k16,
  m16n8k4,
  m16n8k8,
  m16n8k16,
  m16n8k32,
  bit_count,  ///< .popc of mma
  m8n8k32,
  m16n8k64,
  m8n8k128,
  m16n8k128,
  m16n8k256,
  m16n16k16,
  m16n16k8,
  m8n32k16,
  m32n8k16,
  // Textures and surfaces
  line,         ///< .1d
  plane,        ///< .2d
  volume,       ///< .3d
  n4d,          ///< .4d, of tensor copies only
  n5d,          ///< .5d, likewise
  line_array,   ///< .a1d
  plane_array,  ///< .a2d
  cube,
  cube_array,  ///< .acube
  base,
  level,
  grad,
  green,  ///< tld4.g; tld4.r is Modifier::r
  blue,
  alpha,
  trap,  ///< outside a surface; also Modifier::clamp
  zero,
  width,
  height,
  depth,
  channel_data_type,
  channel_order,
  normalized_coords,
  array_size,
  num_mipmap_levels,
  num_samples,
  count_
};
std::string_view name_of(Modifier modifier);

/// One instruction with every name resolved to an index and every number converted to bits.
struct Instruction {
  Opcode opcode = Opcode::none;
  Compare compare = Compare::none;
  Action action = Action::none;
  Rounding rounding = Rounding::none;
  Space space = Space::generic;    ///< if not written, the space of the variable in the address
  std::uint8_t vector = 1;         ///< 1, 2, 4 (.v2, .v4)
  std::uint8_t columns_by_8 = 0;   ///< wgmma.mma_async: n / 8 of the shape .m64nNkK
  std::uint8_t guard_negated = 0;  ///< @!p
  std::int32_t guard = -1;         ///< index of the predicate register, -1 for none
  std::bitset<static_cast<std::size_t>(Modifier::count_)> modifiers;
  std::vector<Type> types;  ///< in the order written: cvt.rn.f32.s32 has {f32, s32}
  /// The operands as written, destinations first. A call always has three or four: the return values (a vector,
  /// possibly empty), the callee (a function, or a register that holds its address), the arguments (a vector), and for
  /// a register the prototype.
  std::vector<Operand> operands;
  std::uint32_t line = 0, column = 0;  ///< in the PTX text, from 1
  std::int32_t location = -1;          ///< index into Function::locations of the .loc in effect here, -1 for none

  bool has(Modifier modifier) const { return modifiers[static_cast<std::size_t>(modifier)]; }
  /// The number of columns of wgmma.mma_async.
  int columns() const { return 8 * columns_by_8; }
  /// Returns types[i], or Type::none if fewer types were written.
  Type type(std::size_t i = 0) const { return i < types.size() ? types[i] : Type::none; }
};

/// The dimensions of a tensor copy (.1d to .5d); 0 without any.
inline int tensor_dimensions(const Instruction& instruction) {
  constexpr Modifier names[] = {Modifier::line, Modifier::plane, Modifier::volume, Modifier::n4d, Modifier::n5d};
  for (int i = 0; i < 5; ++i)
    if (instruction.has(names[i])) return i + 1;
  return 0;
}

}  // namespace warpwalk::ptx
