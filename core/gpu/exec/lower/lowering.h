#pragma once

// This folder makes programs of PTX. core/gpu/exec/lower_sass makes them of machine code, core/gpu/exec/run executes
// them.

#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/gpu/exec/lower/flow.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// Thrown for an instruction that cannot be simulated. Never leaves prepare().
struct Refusal {
  const ptx::Instruction* instruction;  ///< null: concerns the whole function or module
  std::string why;
};

/// Lowers the PTX of one function to operations.
class FunctionLowering {
 public:
  FunctionLowering(Program& program, std::uint32_t function);
  void run();

 private:
  // function.cpp
  void lay_out_block(std::uint32_t node);
  void lower(const ptx::Instruction& i, std::size_t at);
  void lower_carried(const ptx::Instruction& i);
  void lower_control(const ptx::Instruction& i, std::uint32_t node);
  void lower_call(const ptx::Instruction& i, std::uint32_t node);
  Op& emit(Handler handler, const ptx::Instruction& i);
  void begin_block(std::uint32_t node);
  void patch();

  // operands.cpp
  const ptx::Operand& operand(const ptx::Instruction& i, std::size_t index) const;
  int register_bytes(const ptx::Operand& o, const ptx::Instruction& i) const;
  bool only_copies(const ptx::Operand& value) const;
  bool is_predicate(const ptx::Operand& o) const;
  std::int32_t predicate(const ptx::Operand& o, const ptx::Instruction& i);
  /// Sets a predicate of all lanes to a constant before instruction i and returns it.
  std::int32_t constant_predicate(bool value, const ptx::Instruction& i);
  Slot destination(const ptx::Operand& o, const ptx::Instruction& i) const;
  /// The slot of a source operand that is `bytes` wide. An immediate is converted to `type`.
  Slot source(const ptx::Operand& o, int bytes, ptx::Type type, const ptx::Instruction& i);
  Slot constant(std::uint64_t value, int bytes);
  Slot special(ptx::Special which, const ptx::Instruction& i);
  /// The address of a variable, parameter or function. Sets `on_stack` if it is relative to the split's stack.
  std::uint64_t address_of(const ptx::Operand& o, bool& on_stack, const ptx::Instruction& i) const;
  std::uint32_t stack_offset(const ptx::Operand& o) const;
  bool names_shared_variable(const ptx::Operand& o) const;

  // alu.cpp
  void lower_alu(const ptx::Instruction& i);
  void lower_fused(const ptx::Instruction& sum, const ptx::Instruction& product);
  void lower_half(const ptx::Operand& special_register, Slot d, const ptx::Instruction& i);
  void lower_move(const ptx::Instruction& i);
  void lower_pack(const ptx::Instruction& i);
  void lower_predicates(const ptx::Instruction& i);
  void lower_address(const ptx::Instruction& i);

  // memory.cpp
  void lower_load(const ptx::Instruction& i);
  void lower_store(const ptx::Instruction& i);
  void lower_atomic(const ptx::Instruction& i);
  void lower_copy(const ptx::Instruction& i);
  void lower_policy(const ptx::Instruction& i);
  void lower_address_operand(const ptx::Operand& o, Access& access, Op& op, const ptx::Instruction& i);
  void lower_value_operands(const ptx::Operand& o, Access& access, const ptx::Instruction& i);

  // texture.cpp
  void lower_texture(const ptx::Instruction& i);
  void lower_surface(const ptx::Instruction& i);
  void lower_query(const ptx::Instruction& i);
  Slot texture_handle(const ptx::Operand& o, const ptx::Instruction& i);
  void lower_texel_place(const ptx::Operand& o, TextureOp& texture, Op& op, const ptx::Instruction& i);
  void finish_texture(Op& op, const TextureOp& texture);

  // stack.cpp
  void lower_stack(const ptx::Instruction& i);

  // exchange.cpp
  void lower_barrier(const ptx::Instruction& i);
  void lower_exchange(const ptx::Instruction& i);

  // cluster.cpp
  void lower_cluster_barrier(const ptx::Instruction& i);
  void lower_cluster_address(const ptx::Instruction& i);

  // mbarrier.cpp
  void lower_mbarrier(const ptx::Instruction& i);

  // bulk_copy.cpp
  std::array<Slot, 2> lower_address_words(const ptx::Operand& o, ptx::Space space, std::uint32_t place,
                                          const ptx::Instruction& i);
  void add_pixel_offsets(const ptx::Operand& offsets, Slot size, const ptx::Instruction& i);
  Slot lower_copy_size(const ptx::Operand* bytes, const ptx::Operand* blocks, std::uint32_t place,
                       const ptx::Instruction& i);
  void add_bulk_copy(Handler handler, BulkCopy copy, const ptx::Instruction& i);
  void lower_bulk_copy(const ptx::Instruction& i);
  void lower_tensor_copy(const ptx::Instruction& i);
  /// A field of a tensor map: bits of one of its 64-bit words (core/gpu/exec/run/tensor_map.cpp).
  struct MapField {
    unsigned word, first, bits;
    unsigned left_out = 0;  ///< lower bits of the value that the map does not have
    unsigned less = 0;      ///< what is subtracted from the value
  };
  static std::vector<MapField> fields_of(const ptx::Instruction& i, unsigned dimension);
  void add_map_field(const MapField& field, Slot value, int bytes, const ptx::Instruction& i);
  void add_map_access(bool stores, const ptx::Operand& address, ptx::Space space, unsigned word, Slot value,
                      const ptx::Instruction& i);
  void lower_tensor_map_field(const ptx::Instruction& i);
  void lower_tensor_map_copy(const ptx::Instruction& i);
  void lower_async_store(const ptx::Instruction& i);

  // warp_group.cpp
  void lower_group_product(const ptx::Instruction& i);
  void lower_warp_group(const ptx::Instruction& i);

  // matrix.cpp
  void lower_matrix(const ptx::Instruction& i);
  void lower_multiply(const ptx::Instruction& i);
  void lower_fragment(const ptx::Instruction& i);

  [[noreturn]] void refuse(const ptx::Instruction& i, std::string why) const;

  Program& program_;
  const std::uint32_t index_;
  const ptx::Function& source_;
  ControlFlow flow_;
  std::vector<std::int32_t> products_;   ///< by instruction: the multiplication fused into it, or -1
  std::vector<bool> only_copied_;        ///< by register: from local memory, only moved and stored
  std::vector<std::uint32_t> first_op_;  ///< by node: index in Program::ops
  std::vector<std::uint32_t> block_of_;  ///< by node: index in Program::blocks
  std::uint32_t block_ = 0;              ///< the block being lowered
  bool counted_ = false;                 ///< the current instruction already has its Source
  struct Patch {
    std::uint32_t op, node;
    bool reconverge;
  };
  std::vector<Patch> patches_;
  std::vector<std::pair<std::size_t, std::vector<std::uint32_t>>> tables_;  ///< Program::tables index, target nodes
};

/// Assigns offsets to a function's registers, stack variables and parameters.
void lay_out_frame(Program& program, Function& function);

/// Estimates the machine instructions that ptxas would generate: fills `machine_instructions` of the source
/// instructions and basic blocks, and merges shared-memory loads (lower/estimate_issues.cpp).
void estimate_issues(Program& program, const Function& function, const ControlFlow& flow,
                     const std::vector<std::uint32_t>& block_of);
/// Estimates registers per thread from the maximum number of live values (lower/registers.cpp).
int estimate_registers(const Program& program);

}  // namespace warpwalk::gpu
