#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/debug/expression.h"
#include "core/debug/recording.h"
#include "core/sass/dwarf/location.h"

namespace warpwalk::debug {

/// Registers of a warp, all 32 lanes.
struct RegisterRow {
  std::string name;
  ptx::Type type = ptx::Type::b32;
  std::uint8_t bytes = 4;                 ///< per lane; 0: a predicate, a bit per lane in lanes[0]
  std::uint32_t offset = 0;               ///< in Warp::registers
  std::vector<std::uint64_t> lanes = {};  ///< up to 8 bytes each
};

/// A function that the thread is in, the innermost one first.
struct StackFrame {
  CodeFrame code;
  std::uint32_t instruction = 0;
  unsigned depth = 0;                          ///< of inlining
  const gpu::Function* function = nullptr;     ///< in PTX: its registers and variables
  std::uint32_t registers = 0, variables = 0;  ///< in PTX: where they begin in Warp::registers and in local memory
};

/// A variable of the source.
struct SourceVariable {
  std::string name, type;
  std::optional<Value> value;
  std::string note;  ///< why it has no value, or what to know of it
  bool is_parameter = false;
  std::uint32_t line = 0;
};

/// The variables that a function or a block of it declares.
struct SourceVariables {
  std::string scope;  ///< "reduce", "block at line 12"
  std::vector<SourceVariable> variables;
};

/// The registers and memory of one thread at the beginning of a cycle. Reads the state when it is first needed.
class Moment final : public Names {
 public:
  /// `recording` must outlive it.
  Moment(Recording& recording, std::int64_t cycle, std::uint64_t block, std::uint32_t warp, int lane);

  std::int64_t cycle() const { return cycle_; }
  std::uint64_t block() const { return block_; }
  std::uint32_t warp_number() const { return warp_; }
  int lane() const { return lane_; }
  std::uint16_t sm() const { return sm_; }
  /// The warp; null if it has not started or has ended. Valid until another SM's or cycle's state is read.
  const gpu::Warp* warp();
  /// The scheduler's view of it, such as the reason why it waits; null likewise.
  const gpu::WarpState* state();
  std::array<std::uint32_t, 3> thread_id() const;
  /// Lanes of the warp that have not ended.
  std::uint32_t live_lanes();

  /// The call stack of the lane at an instruction. Callers of functions that were not inlined are known in PTX only.
  std::vector<StackFrame> stack(std::uint32_t instruction);
  /// Names of variables mean those of this frame of the stack; 0 is the innermost.
  void select_frame(std::size_t number) { frame_number_ = number; }
  /// The variables of the source that the selected frame has, the innermost block first; empty: see
  /// SourceInfo::absence().
  std::vector<SourceVariables> source_variables();
  /// The members of an object, or of the object that a pointer points to.
  std::vector<SourceVariable> members(const Value& object);
  /// The registers of the function that the lane is in. Of machine code, only registers that the program uses.
  std::vector<RegisterRow> registers();
  std::vector<RegisterRow> predicates();
  /// Bytes of shared memory of the block from an offset on (without the reserved bytes), or of the lane's local memory.
  bool read_shared(std::uint64_t offset, std::span<std::uint8_t> into);
  bool read_local(std::uint64_t offset, std::span<std::uint8_t> into);
  bool read_global(std::uint64_t address, std::span<std::uint8_t> into);

  /// The names that expressions know: all of them, or those of one kind.
  enum class Kind : std::uint8_t { special, parameter, buffer, shared, variable };
  std::vector<std::string> names(Kind kind) const;

  base::Result<Value> find(std::string_view name) override;
  base::Result<Value> load(const Value& pointer, std::int64_t index) override;
  base::Result<Value> member(const Value& object, std::string_view name) override;
  /// The memory of a parameter by name: p0, or as the kernel calls it.
  std::optional<gpu::ValuePlace> parameter_place(std::string_view name) const;
  /// The place that a pointer and an index mean, for data breakpoints and for who wrote it.
  std::optional<gpu::ValuePlace> place_of(const Value& pointer, std::int64_t index);
  /// The place of a register by name, or of a variable of the source that is in one.
  std::optional<gpu::ValuePlace> register_place(std::string_view name);

 private:
  void look();
  std::uint32_t frame();
  const gpu::Split* split();
  std::optional<std::uint32_t> instruction();
  const StackFrame* selected();
  /// A variable of the source by name; null: the selected frame has none.
  std::optional<SourceVariable> source_variable(std::string_view name);
  SourceVariable source_value(const sass::DebugVariable& variable, const sass::DebugScope& scope);
  std::vector<sass::DebugPlace> places_of(const sass::DebugVariable& variable, std::string& why);
  sass::LocationContext location_context();
  struct Address {
    Value::Space space = Value::Space::global;
    std::uint64_t address = 0;
  };
  std::optional<Address> address_of(sass::MemoryClass memory, std::string_view symbol, std::uint64_t number);
  Address generic(std::uint64_t address);
  std::optional<std::uint64_t> register_bits(std::string_view name, std::string& why);
  bool read(const Address& at, std::span<std::uint8_t> into);
  base::Result<Value> typed_in_memory(std::int32_t type, const Address& at, int nested = 0);
  base::Result<Value> typed(std::int32_t type, std::span<const std::uint8_t> bytes, int nested = 0);
  base::Result<Value> member(const Value& object, std::string_view name, int nested);
  /// Of an array that is in registers.
  base::Result<Value> element(const Value& object, std::int64_t index, int nested);
  void describe(Value& value, int nested);
  /// Whether a variable of the module is one number and no array: `__shared__ float mean`.
  bool is_single_number(std::string_view name) const;
  /// The number at a pointer; the pointer if it cannot be read.
  Value number_at(const Value& pointer);
  const gpu::Function& function();
  std::optional<RegisterRow> register_row(std::string_view name);
  void read_lanes(RegisterRow& row);
  std::optional<Value> special(std::string_view name) const;
  std::optional<Value> memory_name(std::string_view name) const;

  Recording& recording_;
  const std::int64_t cycle_;
  const std::uint64_t block_;
  const std::uint32_t warp_;
  const int lane_;
  std::uint16_t sm_ = 0;
  bool looked_ = false;
  gpu::SmState sm_state_;
  const gpu::WarpState* state_ = nullptr;
  std::size_t frame_number_ = 0;
  std::optional<std::vector<StackFrame>> stack_;  ///< at instruction()
};

}  // namespace warpwalk::debug
