#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/gpu/exec/lower/flow.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// Thrown inside prepare() alone: an instruction that cannot be run.
struct Refusal {
  const ptx::Instruction* instruction;  ///< null: of the whole
  std::string why;
};

/// Turns the PTX of one function into operations.
class FunctionLowering {
 public:
  FunctionLowering(Program& program, std::uint32_t function);
  void run();

 private:
  // lower_function.cpp
  void lay_out_block(std::uint32_t node);
  void lower(const ptx::Instruction& i, std::size_t at);
  void lower_control(const ptx::Instruction& i, std::uint32_t node);
  void lower_call(const ptx::Instruction& i, std::uint32_t node);
  Op& emit(Handler handler, const ptx::Instruction& i);
  void mark_block(std::uint32_t node);
  void patch();

  // lower_operands.cpp
  const ptx::Operand& operand(const ptx::Instruction& i, std::size_t index) const;
  int register_bytes(const ptx::Operand& o, const ptx::Instruction& i) const;
  bool is_predicate(const ptx::Operand& o) const;
  std::int32_t predicate(const ptx::Operand& o, const ptx::Instruction& i);
  Slot destination(const ptx::Operand& o, const ptx::Instruction& i) const;
  /// A source that is `bytes` wide; an immediate becomes a value of the type.
  Slot source(const ptx::Operand& o, int bytes, ptx::Type type, const ptx::Instruction& i);
  Slot constant(std::uint64_t value, int bytes);
  Slot special(ptx::Special which, const ptx::Instruction& i);
  /// The address that a name stands for; true in `on_stack` where the split's stack is to be added.
  std::uint64_t address_of(const ptx::Operand& o, bool& on_stack, const ptx::Instruction& i) const;
  std::uint32_t stack_offset(const ptx::Operand& o) const;

  // lower_alu.cpp
  void lower_alu(const ptx::Instruction& i);
  void lower_fused(const ptx::Instruction& sum, const ptx::Instruction& product);
  void lower_move(const ptx::Instruction& i);
  void lower_pack(const ptx::Instruction& i);
  void lower_predicates(const ptx::Instruction& i);
  void lower_address(const ptx::Instruction& i);

  // lower_memory.cpp
  void lower_load(const ptx::Instruction& i);
  void lower_store(const ptx::Instruction& i);
  void lower_atomic(const ptx::Instruction& i);
  void lower_copy(const ptx::Instruction& i);
  void lower_policy(const ptx::Instruction& i);
  void place(const ptx::Operand& o, Access& access, Op& op, const ptx::Instruction& i);
  void values(const ptx::Operand& o, Access& access, const ptx::Instruction& i);

  // lower_stack.cpp
  void lower_stack(const ptx::Instruction& i);

  // lower_exchange.cpp
  void lower_barrier(const ptx::Instruction& i);
  void lower_exchange(const ptx::Instruction& i);

  // lower_mbarrier.cpp
  void lower_mbarrier(const ptx::Instruction& i);
  void lower_bulk_copy(const ptx::Instruction& i);

  // lower_matrix.cpp
  void lower_matrix(const ptx::Instruction& i);
  void lower_multiply(const ptx::Instruction& i);
  void lower_fragment(const ptx::Instruction& i);

  [[noreturn]] void refuse(const ptx::Instruction& i, std::string why) const;

  Program& program_;
  const std::uint32_t index_;
  const ptx::Function& source_;
  Flow flow_;
  std::vector<std::int32_t> products_;   ///< by instruction: the product that is fused into it, or -1
  std::vector<std::uint32_t> first_op_;  ///< by node
  std::vector<std::uint32_t> block_of_;  ///< by node: number in Program::blocks
  std::uint32_t block_ = 0;              ///< that is being lowered
  bool counted_ = false;                 ///< the instruction has its Source already
  struct Patch {
    std::uint32_t op, node;
    bool reconverge;
  };
  std::vector<Patch> patches_;
  std::vector<std::pair<std::size_t, std::vector<std::uint32_t>>> tables_;  ///< Program::tables and their nodes
};

/// Places of registers, stack and parameters.
void lay_out(Program& program, Function& function);

/// What ptxas would make of it: fills Source::issues, Block::issues and joins shared-memory loads (sass.cpp).
void count_issues(Program& program, const Function& function, const Flow& flow,
                  const std::vector<std::uint32_t>& block_of);
/// Registers per thread as the longest list of values alive at once (registers.cpp).
int registers_of(const Program& program);

}  // namespace warpwalk::gpu
