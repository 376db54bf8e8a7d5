#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/gpu/exec/program.h"
#include "core/gpu/timing/stall_reason.h"
#include "core/gpu/timing/timing.h"
#include "core/sass/opcode_properties.h"

namespace warpwalk::gpu {

using sass::Pipe;
constexpr std::size_t pipe_count = static_cast<std::size_t>(Pipe::mio) + 1;

/// The effects of an instruction besides arithmetic.
enum class InstructionKind : std::uint8_t {
  arithmetic,
  branch,            ///< may continue elsewhere; includes calls and returns
  converge,          ///< BSYNC, at which lanes wait for others, and YIELD
  convergence_move,  ///< BMOV, which saves and restores what BSYNC waits for
  exit,
  barrier,    ///< of the block or the cluster
  fence,      ///< for the threads of a block
  fence_gpu,  ///< for those of the GPU or the system
  sleep,
  special,           ///< through the queue, but without memory: SHFL, MATCH, ...
  special_register,  ///< S2R
  shared,            ///< shared memory
  global,            ///< global memory, also generic addresses
  local,
  texture,
  constant,        ///< LDC
  copy,            ///< LDGSTS: from global to shared memory
  copy_group,      ///< LDGDEPBAR: its dependence barrier is released when the copies so far have ended
  wait_for_count,  ///< DEPBAR: waits until a dependence barrier counts at most `count`
  group_product,   ///< HGMMA and the like: a product of a warp group
  group_sync,      ///< WARPGROUP.ARRIVE and .WAIT
  group_wait,      ///< WARPGROUP.DEPBAR: waits until at most `count` groups of products are not complete
  bulk_copy,       ///< UTMALDG, UTMASTG, UBLKCP, ...: by the tensor memory accelerator
  bulk_group,      ///< UTMACMDFLUSH: its dependence barrier is released when the bulk stores so far have been read
};

/// The properties of an instruction that the issue logic uses, from its opcode, operands and control codes.
struct InstructionTiming {
  static constexpr std::uint8_t no_counter = 7;
  static constexpr std::uint32_t no_constant = 0xffffffff;

  InstructionKind kind = InstructionKind::arithmetic;
  Pipe pipe = Pipe::none;
  float interval = 1;      ///< cycles for which it occupies the pipe
  float unit = 1;          ///< queued: cycles of the SM's unit, without those of accesses to memory; branches to an
                           ///< address in a register: of the sub-partition's
  float latency = 0;       ///< cycles until its write counter is released, if that is not up to memory; branches: until
                           ///< the next instruction
  std::uint8_t stall = 1;  ///< cycles until the warp's next instruction may issue
  bool yield = false;
  std::uint8_t write_counter = no_counter;  ///< released with the result
  std::uint8_t read_counter = no_counter;   ///< released when the operands have been read
  std::uint8_t wait_mask = 0;               ///< counters that must be zero before it issues
  std::uint8_t counter = 0, count = 0;      ///< wait_for_count
  std::uint8_t passes = 1;                  ///< shared: passes of a matrix load
  bool bypasses_l1 = false;                 ///< loads and copies
  bool floating = false;                    ///< atomics: on floating-point numbers
  bool arrives = false;                     ///< at a barrier in shared memory: SYNCS.ARRIVE, ARRIVES
  bool checks_phase = false;                ///< SYNCS.PHASECHK
  bool sleeps = false;                      ///< SYNCS.TRYWAIT: its result comes when the phase has ended
  bool commits = false;                     ///< group_product: ends a group of products
  std::uint32_t constant = no_constant;     ///< number of the 64-byte line of the constant banks that it reads
  std::array<std::uint8_t, 3> sources{255, 255, 255};  ///< registers by operand slot; 255: none
  std::uint8_t reuse = 0;                              ///< slots whose value stays in the operand cache

  bool queued() const { return pipe == Pipe::mio; }
  /// For stalls: the results of L1TEX (global, local and texture memory) are waited for as long_scoreboard, and so are
  /// those of looks at a phase, although it is in shared memory.
  bool is_long() const {
    return kind == InstructionKind::global || kind == InstructionKind::local || kind == InstructionKind::texture ||
           kind == InstructionKind::copy || kind == InstructionKind::copy_group || checks_phase;
  }
};

/// The timing of each instruction of a program of machine code, by instruction index.
std::vector<InstructionTiming> instruction_timings(const Program& program, const Timing& timing);

}  // namespace warpwalk::gpu
