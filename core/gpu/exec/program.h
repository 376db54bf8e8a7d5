#pragma once

// This folder has programs and launches as data: operations, findings, counters. lower and lower_sass make programs,
// run executes them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/alu/alu.h"
#include "core/gpu/alu/matrix/group_mma.h"
#include "core/gpu/alu/matrix/mma.h"
#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/machine_code.h"
#include "core/gpu/exec/slot.h"
#include "core/gpu/exec/texture_op.h"
#include "core/ptx/module.h"

namespace warpwalk::gpu {

class Machine;
struct Op;
/// Executes one operation for the active lanes of the machine's current split.
using Handler = void (*)(Machine&, const Op&);

constexpr std::uint32_t no_index = 0xffffffff;

/// One lowered instruction, or the marker at the start of a basic block.
struct Op {
  Handler run = nullptr;
  AluFunction alu = nullptr;
  Slot d, a, b, c, e;
  std::int32_t guard = -1;               ///< frame byte offset of the predicate; -1: none
  std::int32_t p_out = -1, q_out = -1;   ///< likewise: predicates written
  std::int32_t p_in = -1;                ///< likewise: predicate read
  std::uint32_t target = no_index;       ///< of a branch or call
  std::uint32_t reconverge = no_index;   ///< reconvergence point of a divergent branch; no_index: none
  std::uint32_t table_index = 0;         ///< index into the Program table for this kind of operation
  std::uint32_t block = 0;               ///< index into Program::blocks
  std::uint32_t instruction = no_index;  ///< index into Program::sources
  std::uint32_t function = 0;            ///< index into Program::functions
  std::uint64_t immediate = 0;
  bool guard_negated = false;
  bool p_in_negated = false;
  bool backward = false;   ///< a branch to the same or an earlier basic block
  std::uint8_t bytes = 0;  ///< width of d
};

/// The memory access of a load, store or atomic.
struct Access {
  ptx::Space space = ptx::Space::generic;
  std::uint8_t bytes = 4;               ///< size of one element in memory
  std::uint8_t elements = 1;            ///< 1, 2, 4 or 8
  std::uint8_t register_bytes[8] = {};  ///< width of each destination or source register
  bool sign_extends = false;
  bool store = false;
  bool communicates = false;  ///< volatile, acquire, release or relaxed: may wait for another thread
  bool block_scope = false;   ///< such an access, or an atomic, for the threads of the block or cluster only
  bool wide_address = true;   ///< the base is a 64-bit register
  bool has_base = false;      ///< Op::a holds the base; otherwise the address is Op::immediate
  Slot values[8];             ///< destinations of loads, sources of stores
  bool discard[8] = {};       ///< `_`
  /// Bytes per lane of the wide load that ptxas would merge these shared-memory loads into. Set on the first of them;
  /// 0 on the others.
  std::uint8_t merged_bytes = 0;
  /// Load: up to this instruction, exclusive, the value is only stored (no_index: for good); 0: it is used, or may be.
  /// Store: not 0 if the value may come from such a load.
  std::uint32_t copied_until = 0;
  /// Load: fetches a register that ptxas has spilled to local memory. Of a value of 16 bits, it has stored only those.
  bool reloads_spill = false;
  std::uint32_t atomic = 0;  ///< index into Program::atomics; register_bytes[0] is the source's width, [1] the result's
};

/// An atom or red instruction.
struct Atomic {
  ptx::Action action = ptx::Action::none;
  ptx::Type type = ptx::Type::none;
  bool returns = false;
};

/// A bar or barrier instruction, apart from the registers in Op.
struct BarrierOp {
  ptx::Action action = ptx::Action::none;
  bool arrive = false, reduce = false, has_count = false, aligned = false;
};

/// mma and wmma, and the instructions that move 8x8 matrices of 16-bit elements between lanes and shared memory.
struct MatrixOp {
  Mma mma;
  std::vector<Slot> d, a, b, c;  ///< registers of the fragments; ldmatrix: d, stmatrix: a
  bool transposed = false;
  WmmaMatrix wmma;      ///< wmma.load and wmma.store: the matrix that is moved
  bool by_rows = true;  ///< and its layout in memory: row-major
};

/// A matrix product of a warp group (wgmma). The descriptors of A and B are in four 32-bit registers (matrix_place.h).
struct GroupProduct {
  GroupMma mma;
  bool transposes_a = false, transposes_b = false;  ///< the matrix is stored with its rows (A) or columns (B) adjacent
  bool commits = false;                             ///< ends a group of products, which WARPGROUP.DEPBAR waits for
  Slot descriptors[4];
  std::vector<Slot> d, a, c;  ///< registers; a: empty if A is in shared memory, c: empty if it is zero
};

/// A copy or reduction by the tensor memory accelerator. In machine code, a warp issues it once, with operands in
/// uniform registers; in PTX, each lane issues one.
struct BulkCopy {
  enum class Kind : std::uint8_t {
    load,      ///< from global to shared memory; completes bytes of an mbarrier
    store,     ///< from shared to global memory
    reduce,    ///< the same, but combines the values
    exchange,  ///< from the block's shared memory to that of a block of the cluster; completes bytes of an mbarrier
  };
  Kind kind = Kind::load;
  bool each_lane = false;
  bool combines = false;    ///< exchange: combines the values, as a reduction does
  unsigned dimensions = 0;  ///< of the tensor; 0: contiguous bytes
  bool is_image = false;    ///< copies pixels (im2col); their offsets are in the lower half of `size`
  bool multicast = false;   ///< the upper half of `size` has a bit for each block of the cluster that gets the data
  ptx::Action action = ptx::Action::add;  ///< of a reduction
  ptx::Type type = ptx::Type::none;       ///< of its elements; with a tensor map, those of the map
  bool flushes = false;                   ///< subnormal f32 become zeros
  Slot shared;                            ///< address in shared memory (exchange: of the source)
  Slot target;                            ///< exchange: address in the shared memory of the cluster
  Slot barrier;                           ///< load, exchange: address of the mbarrier
  std::array<Slot, 5> coordinates;        ///< with a tensor map, innermost first
  Slot global[2];                         ///< address in global memory, or of the tensor map
  Slot size;                              ///< contiguous bytes: the lower half is their number / 16

  bool reduces() const { return kind == Kind::reduce || combines; }
};

/// An instruction on an mbarrier in shared memory (mbarrier_state.h).
struct MbarrierOp {
  ptx::Opcode opcode = ptx::Opcode::none;
  bool expects_bytes = false;  ///< .expect_tx: Op::b is a byte count, and one thread arrives
  bool by_parity = false;      ///< test_wait, try_wait: Op::c is a phase parity, not a state
  bool returns = false;        ///< Op::d receives the previous state
  bool adds_pending_arrival =
      false;  ///< cp.async.mbarrier.arrive without .noinc: first adds a pending arrival for itself
};

struct Function {
  const ptx::Function* source = nullptr;
  std::uint32_t entry = no_index;  ///< first op
  std::uint32_t frame_bytes = 0;   ///< size of the register frame, 64-byte aligned
  std::uint32_t scratch = 0;  ///< frame offset of a temporary (32 x 8 bytes, more for bulk copies), valid within one
                              ///< instruction
  std::uint32_t local_bytes = 0;         ///< stack bytes per thread: depots and parameters
  std::uint32_t return_slot = 0;         ///< frame offset: return address per lane (32 x u32)
  std::uint32_t caller_frame_slot = 0;   ///< frame offset: the caller's frame per lane
  std::uint32_t caller_local_slot = 0;   ///< frame offset: the caller's stack per lane
  std::uint32_t alloca_slot = no_index;  ///< frame offset: bytes allocated by alloca per lane; no_index: none
  std::vector<std::uint32_t> register_offsets;
  std::vector<std::uint32_t> variable_offsets;   ///< .local and .param: in the stack; .shared: in shared memory
  std::vector<std::uint32_t> parameter_offsets;  ///< in the stack
  std::vector<std::uint32_t> return_offsets;
};

/// One argument or result of a call, copied between the caller's and the callee's stack.
struct CallCopy {
  std::uint32_t caller = 0, bytes = 0;  ///< offset in the caller's stack
  std::uint32_t parameter = 0;          ///< index among the callee's parameters or returns
};
struct Call {
  std::vector<CallCopy> arguments, results;
};

/// A PTX instruction and its estimated cost in machine instructions.
struct SourceInstruction {
  const ptx::Function* function = nullptr;
  const ptx::Instruction* instruction = nullptr;
  std::uint32_t block = 0;
  std::uint8_t machine_instructions = 1;  ///< machine instructions (instruction_estimate.h)
};

/// A basic block.
struct BasicBlock {
  std::uint32_t first = 0;                      ///< first op
  std::uint32_t first_source = 0, sources = 0;  ///< its range in Program::sources
  std::uint32_t machine_instructions = 0;       ///< machine instructions in total
};

class Program {
 public:
  std::shared_ptr<const ptx::Module> module;
  const ptx::Function* entry = nullptr;
  std::vector<Op> ops;
  std::vector<Function> functions;               ///< all reachable functions; 0 is the entry
  std::vector<std::int32_t> function_of_module;  ///< Module::functions index to functions index; -1: unreachable
  std::vector<BasicBlock> blocks;
  std::vector<SourceInstruction> sources;
  std::vector<Access> accesses;
  std::vector<Atomic> atomics;
  std::vector<BarrierOp> barrier_ops;
  std::vector<MatrixOp> matrices;
  std::vector<GroupProduct> group_products;
  std::vector<MbarrierOp> mbarriers;
  std::vector<BulkCopy> bulk_copies;
  std::vector<TextureOp> textures;
  std::vector<Call> calls;
  std::vector<std::vector<std::uint32_t>> branch_tables;
  std::vector<std::uint8_t> constants;                                    ///< each value repeated for 32 lanes
  std::map<std::pair<std::uint64_t, int>, std::uint32_t> constant_slots;  ///< offset in constants, by value and width
  std::vector<std::pair<ptx::Special, std::uint32_t>> specials;           ///< with offsets in SlotSpace::special
  std::uint32_t special_bytes = 0;
  std::uint32_t static_shared = 0;
  std::vector<std::uint64_t> variable_addresses;  ///< by Module::variables index; shared: offset in the shared window
  std::map<std::string, std::uint64_t, std::less<>> function_addresses;  ///< of the functions that launches may pass
  std::vector<std::uint32_t> parameter_offsets;                          ///< of the entry
  std::uint32_t parameter_bytes = 0;
  int registers = 0;               ///< estimated
  int barriers = 0;                ///< named barriers used; 16 if a number is not constant
  bool needs_block_order = false;  ///< blocks may observe each other's effects: run them in order
  bool reads_smid = false;
  bool uses_heap = false;             ///< calls malloc() or free()
  bool uses_derivatives = false;      ///< tex.grad
  bool uses_clusters = false;         ///< has instructions that act on a block's cluster
  bool uses_reserved_shared = false;  ///< accesses the part of shared memory that is reserved for cooperative groups
  std::optional<MachineCode> machine_code;  ///< set if the program was lowered from a cubin, not from PTX

  /// The slot of a constant `bytes` wide (1 to 8), repeated for 32 lanes. Equal constants share one.
  Slot constant_slot(std::uint64_t value, int bytes) {
    if (bytes < 8) value &= (std::uint64_t{1} << 8 * bytes) - 1;
    const auto [found, fresh] = constant_slots.try_emplace({value, bytes}, 0);
    if (fresh) {
      const std::size_t offset = constants.size(), width = static_cast<std::size_t>(bytes);
      constants.resize(offset + static_cast<std::size_t>(lanes_per_warp) * width);
      for (std::size_t at = offset; at < constants.size(); at += width)
        std::memcpy(constants.data() + at, &value, width);
      found->second = static_cast<std::uint32_t>(offset);
    }
    return Slot::at(SlotSpace::constant, found->second);
  }
};

/// Fills in the PTX line and the source line of an instruction. For inlined code, uses the innermost location in the
/// kernel's own file, not one in CUDA's headers.
void locate_finding(const Program& program, std::uint32_t instruction, Finding& finding);

}  // namespace warpwalk::gpu
