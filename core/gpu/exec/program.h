#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/alu/alu.h"
#include "core/gpu/alu/mma.h"
#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/launch.h"
#include "core/ptx/module.h"

namespace warpwalk::gpu {

class Machine;
struct Op;
/// Runs one operation for the active lanes of the machine's current split of a warp.
using Handler = void (*)(Machine&, const Op&);

/// Where 32 values lie: which array of bytes, and how far into it.
enum class Bank : std::uint8_t {
  frame,     ///< registers of the function that runs
  constant,  ///< immediates, each 32 times
  special,   ///< %tid and the like of the warp
};
struct Slot {
  std::uint32_t value = 0;  ///< offset * 4 + bank; offsets are even more aligned than that
  static Slot at(Bank bank, std::uint32_t offset) { return {offset << 2 | static_cast<std::uint32_t>(bank)}; }
  std::uint32_t bank() const { return value & 3; }
  std::uint32_t offset() const { return value >> 2; }
};

constexpr std::uint32_t nowhere = 0xffffffff;

/// One lowered instruction (or one of the marks that begin a basic block).
struct Op {
  Handler run = nullptr;
  AluFunction alu = nullptr;
  Slot d, a, b, c, e;
  std::int32_t guard = -1;              ///< byte offset of the predicate in the frame; -1: none
  std::int32_t p_out = -1, q_out = -1;  ///< likewise, predicates written
  std::int32_t p_in = -1;               ///< likewise, a predicate read
  std::uint32_t target = nowhere;       ///< branch, call
  std::uint32_t reconverge = nowhere;   ///< where lanes that a branch parts meet again; nowhere: they do not
  std::uint32_t detail = 0;             ///< index into one of Program's tables, by the kind of operation
  std::uint32_t block = 0;              ///< number of the basic block
  std::uint32_t instruction = nowhere;  ///< Program::sources
  std::uint32_t function = 0;           ///< Program::functions
  std::uint64_t immediate = 0;
  bool guard_negated = false;
  bool p_in_negated = false;
  bool backward = false;   ///< a branch to where the program already was
  std::uint8_t bytes = 0;  ///< of d
};

/// Loads, stores and atomics: what is accessed.
struct Access {
  ptx::Space space = ptx::Space::generic;
  std::uint8_t bytes = 4;               ///< of one element in memory
  std::uint8_t elements = 1;            ///< 1, 2, 4
  std::uint8_t register_bytes[4] = {};  ///< width of each destination or source register
  bool sign_extends = false;
  bool store = false;
  bool communicates = false;  ///< volatile, acquire, release, relaxed: may wait for another thread's doing
  bool wide_address = true;   ///< the base is a 64-bit register
  bool has_base = false;      ///< Op::a; otherwise the address is Op::immediate alone
  Slot values[4];             ///< destinations of loads, sources of stores
  bool discard[4] = {};       ///< `_`
  /// Shared-memory loads that ptxas would join into one wide one: the leader's bytes per lane; 0 for its followers.
  std::uint8_t joined_bytes = 0;
  std::uint32_t atomic = 0;  ///< atom and red: Program::atomics; values: register_bytes[0] of the source, [1] of d
};

/// atom and red.
struct Atomic {
  ptx::Action action = ptx::Action::none;
  ptx::Type type = ptx::Type::none;
  bool returns = false;
};

/// A barrier of the block: what is beyond the registers of Op.
struct Exchange {
  ptx::Action action = ptx::Action::none;
  bool arrive = false, reduce = false, has_count = false, aligned = false;
};

/// mma, and the instructions that move 8x8 matrices of 16-bit elements between lanes and shared memory.
struct MatrixOp {
  Mma mma;
  std::vector<Slot> d, a, b, c;  ///< registers of the fragments; ldmatrix: d, stmatrix: a
  bool transposed = false;
  WmmaMatrix wmma;      ///< wmma.load and wmma.store: what is moved
  bool by_rows = true;  ///< and how its elements follow one another in memory
};

/// An instruction on a barrier in shared memory (mbarrier_state.h).
struct MbarrierOp {
  ptx::Opcode opcode = ptx::Opcode::none;
  bool expects_bytes = false;  ///< .expect_tx: Op::b is bytes, and one thread arrives
  bool by_parity = false;      ///< test_wait, try_wait: Op::c is a phase's parity, not a state
  bool returns = false;        ///< Op::d is the state before
  Slot at;                     ///< cp.async.bulk: the barrier's address, 32 bits, and what to add
  std::uint32_t offset = 0;
  bool counts_itself = false;  ///< cp.async.mbarrier.arrive without .noinc: adds the arrival that it makes
};

struct Function {
  const ptx::Function* source = nullptr;
  std::uint32_t entry = nowhere;        ///< its first op
  std::uint32_t frame_bytes = 0;        ///< registers, 64 B aligned
  std::uint32_t scratch = 0;            ///< frame offset: 32 values of 8 bytes within one instruction
  std::uint32_t local_bytes = 0;        ///< stack of a thread: depots and parameters
  std::uint32_t return_slot = 0;        ///< frame offset: where to go back to, by lane (32 x u32)
  std::uint32_t caller_frame_slot = 0;  ///< frame offset: the caller's frame, by lane
  std::uint32_t caller_local_slot = 0;  ///< frame offset: the caller's stack, by lane
  std::uint32_t taken_slot = nowhere;   ///< frame offset: bytes beyond local_bytes that alloca took, by lane; or none
  std::vector<std::uint32_t> register_offsets;
  std::vector<std::uint32_t> variable_offsets;   ///< .local, .param: in the stack; .shared: in shared memory
  std::vector<std::uint32_t> parameter_offsets;  ///< in the stack
  std::vector<std::uint32_t> return_offsets;
};

/// How a call hands over what is not in registers: pieces of the stack copied in and out.
struct CallCopy {
  std::uint32_t caller = 0, bytes = 0;  ///< offset in the caller's stack
  std::uint32_t parameter = 0;          ///< which of the callee's parameters or returns
};
struct Call {
  std::vector<CallCopy> arguments, results;
};

/// An instruction of the PTX and what ptxas would make of it.
struct Source {
  const ptx::Function* function = nullptr;
  const ptx::Instruction* instruction = nullptr;
  std::uint32_t block = 0;
  std::uint8_t issues = 1;  ///< machine instructions (sass.h)
};

struct Block {
  std::uint32_t first = 0;                      ///< op
  std::uint32_t first_source = 0, sources = 0;  ///< instructions of it
  std::uint32_t issues = 0;                     ///< machine instructions of all of them
};

class Program {
 public:
  std::shared_ptr<const ptx::Module> module;
  const ptx::Function* entry = nullptr;
  std::vector<Op> ops;
  std::vector<Function> functions;               ///< that the entry can reach; 0 is the entry
  std::vector<std::int32_t> function_of_module;  ///< index into functions, by index into Module::functions; -1
  std::vector<Block> blocks;
  std::vector<Source> sources;
  std::vector<Access> accesses;
  std::vector<Atomic> atomics;
  std::vector<Exchange> exchanges;
  std::vector<MatrixOp> matrices;
  std::vector<MbarrierOp> mbarriers;
  std::vector<Call> calls;
  std::vector<std::vector<std::uint32_t>> tables;
  std::vector<std::uint8_t> constants;                                    ///< every value 32 times
  std::map<std::pair<std::uint64_t, int>, std::uint32_t> constant_slots;  ///< where in it, by value and bytes
  std::vector<std::pair<ptx::Special, std::uint32_t>> specials;           ///< and their offset in Bank::special
  std::uint32_t special_bytes = 0;
  std::uint32_t static_shared = 0;
  std::vector<std::uint64_t> variable_addresses;  ///< by Module::variables; shared: offset in the block's window
  std::vector<std::uint32_t> parameter_offsets;   ///< entry's
  std::uint32_t parameter_bytes = 0;
  int registers = 0;           ///< estimated
  int barriers = 0;            ///< named barriers used, as far as they are written as numbers
  bool order_matters = false;  ///< blocks see each other's work: run them in order
  bool reads_smid = false;
};

/// Fills in the PTX line and the source line of an instruction. Of code that was inlined, the innermost place in the
/// file of the kernel itself: not within CUDA's headers.
void place_finding(const Program& program, std::uint32_t instruction, Finding& finding);

}  // namespace warpwalk::gpu
