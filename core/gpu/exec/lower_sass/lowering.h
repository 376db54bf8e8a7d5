#pragma once

// This folder makes programs of machine code. core/gpu/exec/lower makes them of PTX, core/gpu/exec/run executes them.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/alu/alu.h"
#include "core/gpu/exec/lower_sass/code_image.h"
#include "core/gpu/exec/program.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/instruction.h"

namespace warpwalk::gpu {

/// Thrown for an instruction that cannot be simulated. Never leaves prepare_machine_code().
struct MachineCodeRefusal {
  std::string why;  ///< follows the instruction's mnemonic, e.g. "is not supported by the simulated GPU"
};

class MachineCodeLowering;

/// How the instructions of an opcode are lowered: a row of the table in lower.cpp.
struct OpcodeLowering {
  struct Properties {
    ptx::Space space = ptx::Space::generic;  ///< of loads, stores and atomics
    ptx::Opcode ptx = ptx::Opcode::none;     ///< the PTX instruction that messages name
    bool ends_block = false;                 ///< lanes may leave after it, or others may join
  };
  sass::Opcode opcode = sass::Opcode::nop;
  void (MachineCodeLowering::*lower)() = nullptr;  ///< null: not executed
  Properties properties{};
};
const OpcodeLowering& lowering_of(sass::Opcode opcode);

/// Lowers the machine code of a kernel to operations. A machine instruction becomes one operation or a few: register
/// pairs are joined into 64-bit values in scratch slots, and results are taken apart again.
class MachineCodeLowering {
 public:
  /// `source` describes the instructions of the image (description.h).
  MachineCodeLowering(Program& program, sass::Architecture architecture, const CodeImage& image,
                      const ptx::Function& source);

  /// Lowers all instructions. On failure, returns a one-line message that names the instruction and its address.
  std::string run();

 private:
  friend const OpcodeLowering& lowering_of(sass::Opcode opcode);

  // flow.cpp
  void find_leaders();
  void begin_block(std::size_t index);
  void patch_targets();

  // registers.cpp
  void lay_out_frame();
  Slot reg(unsigned number) const;
  Slot uniform_reg(unsigned number) const;
  std::int32_t predicate_slot(const sass::Operand& o) const;
  Slot convergence_register(const sass::Operand& o) const;
  Slot scratch();
  std::int32_t scratch_predicate();

  // operands.cpp
  const sass::Operand& operand(std::size_t index) const;
  /// The first operand of a kind; null if there is none.
  const sass::Operand* find(sass::OperandKind kind) const;
  /// The operands of the current instruction that are (not) destinations.
  std::vector<const sass::Operand*> sources() const;
  std::vector<const sass::Operand*> destinations() const;
  Slot constant(std::uint64_t value, int bytes);
  Slot bank_value(const sass::Operand& o, int bytes);
  void see_launch_constant(std::uint32_t offset, std::uint32_t bytes);
  /// A source as it is written, without negation, absolute value or complement.
  Slot word(const sass::Operand& o);
  Slot wide(const sass::Operand& o);
  /// Sources with their modifiers applied.
  Slot f32(const sass::Operand& o);
  Slot f64(const sass::Operand& o);
  Slot halves(const sass::Operand& o);
  Slot inverted_word(const sass::Operand& o);
  /// The slot of a register operand's n-th register.
  Slot part(const sass::Operand& o, unsigned n) const;
  Slot destination(const sass::Operand& o) const;
  /// The predicate destination: -1 for PT.
  std::int32_t predicate_out(const sass::Operand& o) const;
  PredicateSource predicate_in(const sass::Operand& o) const;
  static bool is_zero(const sass::Operand& o);  ///< RZ or URZ
  bool is_true(const sass::Operand& o) const;   ///< PT
  bool is_false(const sass::Operand& o) const;  ///< !PT

  // emit.cpp
  Op& emit(Handler handler);        ///< executes in the lanes where the guard holds
  Op& emit_plain(Handler handler);  ///< executes in all active lanes
  Op& emit_alu(const Alu& alu, Slot d, Slot a, Slot b = {}, Slot c = {}, Slot e = {});
  /// Into a scratch slot, for all active lanes.
  Slot compute(const Alu& alu, Slot a, Slot b = {}, Slot c = {});
  void set_predicate_in(Op& op, const sass::Operand& o);
  void split_pair(const sass::Operand& o, Slot wide);
  Alu like_ptx(const ptx::Instruction& instruction) const;
  std::uint32_t add_predicates(const std::vector<PredicateSource>& sources);
  void use_guard();
  void combine_guard(const sass::Operand& condition);
  /// Refuses what the decoder knows but no function of this room implements.
  void refuse_what_is_not_executed() const;

  /// Lowers the current instruction with the function of its opcode.
  void lower();

  // The functions of the table, each for one opcode or a few, and those that they share.
  void lower_sum();
  void lower_short_sum();
  Alu byte_arithmetic(ptx::Opcode opcode, bool is_signed) const;
  Slot halves_sum(Slot a, Slot b, bool negated);
  void lower_product();
  void lower_shift_add();
  void lower_funnel_shift();
  void lower_logic();
  void lower_integer_compare();
  void lower_integer_extreme();
  void lower_bits();
  void lower_dot();
  void lower_integer_pack();
  void emit_carries(const Alu& alu, const sass::Operand& d, Slot a, Slot b, Slot c);
  void lower_float_arithmetic();
  void lower_double_arithmetic();
  void lower_float_compare();
  void lower_double_extreme();
  void lower_float_select();
  void lower_special_function();
  void lower_division_check();
  void lower_half();
  void lower_half_sum_f32();
  void lower_half_compare();
  void lower_convert();
  void lower_conversion(ptx::Type to, ptx::Type from, ptx::Rounding rounding);
  void lower_pack_float();
  void lower_pack_bytes();
  void merge_halves(Slot packed, const sass::Operand& into);
  void lower_move();
  void lower_first_lane();
  void lower_code_address();
  void lower_special_register();
  void lower_select();
  void lower_predicates();
  PredicateSource table_source(const sass::Operand& o);
  void lower_load();
  void lower_store();
  bool is_swapped(const sass::Operand& address) const;
  void lower_constant_load();
  void lower_copy();
  void lower_copy_group();
  void lower_copy_wait();
  void lower_space_test();
  void lower_fence();
  void lower_cache_control();
  Slot address(const sass::Operand& o, Access& access);
  std::uint64_t offset(const sass::Operand& o, const Access& access) const;
  void set_size(Access& access) const;
  bool has_block_scope() const;
  void set_order(Access& access);
  void finish_access(Op& op, Access access);
  Slot quad(const sass::Operand& o);
  Slot quad_scratch();
  void lower_atomic();
  void lower_shared_atomic();
  void lower_texture();
  void lower_surface();
  std::optional<Slot> texture_handle();
  Slot texture_source(const sass::Operand& o, unsigned n);
  void finish_texture(Op& op, const TextureOp& texture);

  // wide_integer.cpp
  bool is_wide_integer() const;
  void lower_wide_move();
  void lower_wide_select();
  void lower_wide_sum();
  void lower_wide_compare();
  void lower_wide_extreme();

  // float_pair.cpp
  void lower_float_pair();
  sass::Operand register_after(const sass::Operand& o, std::size_t n) const;
  void lower_float_extreme_of_three();

  // control.cpp
  void use_condition();
  void skip_where_guard_fails();
  void lower_branch();
  void lower_table_branch();
  void lower_exit();
  void lower_convergence();
  void lower_convergence_move();
  void lower_lane_sync();
  void lower_converged_sync();
  void lower_sleep();
  void lower_trap();
  void lower_barrier();
  void lower_barrier_result();
  void lower_cluster_barrier();
  void lower_hint();
  void lower_no_operation();

  std::uint32_t copied_until(unsigned first, unsigned count);  // memory.cpp
  bool takes_stack_addresses() const;                          // memory.cpp
  bool lower_gradient_fetch(std::string_view function);        // texture.cpp

  // call.cpp
  void lower_call();
  void lower_system_call(std::string_view name);
  std::string_view system_function_called_by(const sass::Operand& pointer) const;
  std::optional<std::uint32_t> known_word(unsigned reg, std::size_t before) const;

  // exchange.cpp
  const sass::Operand* value_destination() const;
  std::int32_t predicate_destination() const;
  void lower_shuffle();
  void lower_vote();
  void lower_match();
  void lower_reduction();
  void lower_election();

  // mbarrier.cpp, matrix.cpp
  void lower_mbarrier();
  void lower_matrix();
  void lower_matrix_move();

  // bulk_copy.cpp
  void lower_tensor_copy();
  void lower_contiguous_copy();
  void lower_async_store();

  // warp_group.cpp
  void lower_group_product();
  void lower_warp_group();
  void lower_register_count();

  [[noreturn]] void refuse(std::string why = "is not supported by the simulated GPU") const;
  bool has(sass::Word word) const { return i_->has(word); }

  Program& program_;
  const sass::Architecture architecture_;
  const CodeImage& image_;
  const std::vector<sass::Instruction>& code_;  ///< of the image
  const ptx::Function& source_;
  ptx::Function widths_;  ///< registers 0 and 1 have 32 and 64 bits, for like_ptx()
  const sass::Instruction* i_ = nullptr;
  std::size_t index_ = 0;
  bool uniform_ = false;                       ///< the instruction runs on the uniform datapath
  PredicateSource guard_;                      ///< offset -1: none
  std::vector<std::uint8_t> leads_;            ///< by instruction: starts a basic block
  std::optional<bool> takes_stack_addresses_;  ///< takes_stack_addresses(), once it is needed
  std::set<std::size_t> carrying_;             ///< LOP3 of values that may be the padding of an object (copied_until())
  struct Target {
    std::uint32_t op;
    std::uint64_t address;
  };
  std::vector<Target> targets_;
  std::uint32_t registers_ = 0, uniform_registers_ = 0;
  std::uint32_t never_offset_ = 0;  ///< a predicate that is false in all lanes
  std::uint32_t sink_offset_ = 0, scratch_offset_ = 0, scratch_predicate_offset_ = 0;
  std::uint32_t barrier_result_offset_ = 0, barrier_predicate_offset_ = 0;
  unsigned scratch_used_ = 0, scratch_predicates_used_ = 0;
};

}  // namespace warpwalk::gpu
