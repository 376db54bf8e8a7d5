#pragma once

// This folder shows the tensors of a Triton program as tiles with values: what a block computes by the kernel's TTIR,
// and where the run has these values: in registers, by the layouts of the TTGIR, or in shared memory.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/compiled/evaluate/evaluate_block.h"
#include "core/compiled/layout/module_layouts.h"
#include "core/compiled/mlir/mlir.h"
#include "core/compiled/triton_launch.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::run {

/// A value of the TTIR, as one execution of its operation gave it.
struct TileValue {
  std::int32_t op = -1;         ///< index in the TTIR's operations; -1: an argument of the kernel
  std::uint32_t result = 0;     ///< which of its results, or which argument
  std::uint32_t execution = 0;  ///< of the operation, from 0
  compiled::SharedValue value;
};

/// An access of an operation to global memory.
struct TileAccess {
  compiled::EvaluatedOp access;
  std::uint32_t execution = 0;
};

/// What a block of the grid does by the TTIR.
struct BlockValues {
  std::vector<TileValue> values;          ///< in the order in which the program computes them
  std::vector<TileAccess> accesses;       ///< likewise
  std::vector<std::uint32_t> executions;  ///< by operation
  std::string incomplete;                 ///< why not all is there; else empty
};

/// A value that the program names.
struct TileName {
  std::int32_t op = -1;
  std::uint32_t result = 0;
  std::string name;   ///< "acc": the variable of Python; empty: none
  std::string value;  ///< "%acc_6"
  std::string type;   ///< "64x64 f32", "i32"
  std::string element;
  std::vector<std::int64_t> shape;
  std::string file;  ///< of the kernel's line; empty: not known
  int line = 0;
  std::string place;  ///< "zoo.py:34;" for the operation and each call that was inlined, innermost first
  bool last = false;  ///< the last operation of its statement: the variable's own value
};

/// Whether another block of the launch writes any of these bytes.
using WrittenElsewhere = std::function<bool(std::uint64_t address, int bytes)>;

/// The TTIR and the TTGIR of one kernel. Not to be used from several threads at once.
class KernelTiles {
 public:
  /// `entry`: any file of an entry of Triton's cache, or its folder. The error is one line.
  static base::Result<std::unique_ptr<KernelTiles>> open(const std::filesystem::path& entry);

  /// What a block computes. The values of memory are those before the launch and what the block itself stores; what
  /// other blocks write is not known. `before` has the contents before the launch. Kept for the block that was asked
  /// for last.
  base::Result<const BlockValues*> block(const gpu::Program& program, const gpu::Launch& before, std::uint64_t number,
                                         const WrittenElsewhere& elsewhere);

  const compiled::MlirModule& module() const { return ttir_; }
  const std::string& kernel() const { return kernel_; }
  const std::vector<TileName>& names() const { return names_; }
  /// The name of a value; null if it is none of the kernel's.
  const TileName* name_of(std::int32_t op, std::uint32_t result) const;
  /// The layouts that the TTGIR gives a value: those of tensors of the same place, shape and type.
  std::vector<compiled::LinearLayout> register_layouts(const TileName& name) const;
  /// The layouts of the registers that an operation accesses global memory with.
  std::vector<compiled::LinearLayout> access_layouts(std::int32_t op) const;
  /// The layouts in shared memory that a loaded value gets.
  std::vector<compiled::LinearLayout> shared_layouts(const TileName& name) const;

 private:
  void name_values();
  void find_layouts();

  std::string kernel_;
  compiled::MlirModule ttir_;
  std::optional<compiled::MlirModule> ttgir_;
  std::int32_t function_ = -1;
  std::vector<TileName> names_;
  std::map<std::pair<std::int32_t, std::uint32_t>, std::size_t> by_value_;
  /// By place and name, type and shape: the attributes of the TTGIR's tensors.
  std::map<std::string, std::vector<std::string>, std::less<>> register_encodings_, shared_encodings_;
  std::map<std::string, std::vector<compiled::LinearLayout>, std::less<>> access_layouts_;  ///< by place
  std::optional<std::uint64_t> number_;
  BlockValues block_;
};

/// "64x64 f32" of a type; "i32" of a single value.
std::string tile_type(std::string_view type);
/// The frames of an operation's location, innermost first, as TileName::place has them.
std::string place_of_location(const compiled::MlirModule& module, std::int32_t location);
/// The same of an instruction of a program.
std::string place_of_instruction(const gpu::Program& program, std::uint32_t instruction);

/// The argument values that a launch gives a function; nullopt if it has fewer.
std::optional<std::vector<compiled::TensorValue>> launch_arguments(const compiled::MlirModule& module,
                                                                   std::int32_t function, const gpu::Program& program,
                                                                   const gpu::Launch& launch);

/// One element, as its type has it: "1.5", "-3", "true", "0x7f1000000000".
std::string element_text(const TileName& name, const compiled::TensorValue& value, std::size_t element);
/// "[3, 5]" of a row-major number.
std::string index_text(const std::vector<std::int64_t>& shape, std::size_t element);
/// The number of the first NaN, and how many there are; 0 of them if there is none.
struct NanCount {
  std::size_t first = 0, count = 0;
};
NanCount count_nans(const compiled::TensorValue& value);

}  // namespace warpwalk::run
