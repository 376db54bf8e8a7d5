#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::ops {

/// Which entry of a kernel module does a call, and with what besides its tensors.
struct KernelChoice {
  std::string stem;             ///< "gelu_tanh" of gelu_tanh_f32
  std::vector<double> scalars;  ///< in the type that the elements are computed in
  std::vector<bool> reduced;    ///< form rows: the dimensions of the result that are one row together
};

/// The kernels of an op, kernels/MODULE.cu. A planner of core/run/catalogue knows each form; the arguments of the
/// entries, in order, are listed here. TYPE is that of the elements: f16 bf16 f32 f64 i32 i64.
struct GpuKernel {
  enum class Form : std::uint8_t {
    none,  ///< the op is composed of other ops
    /// One thread per element. STEM_TYPE(inputs..., result, scalars..., int elements) if no tensor has gaps, else
    /// STEM_strided_TYPE(inputs..., result, scalars..., Layout, int elements).
    elementwise,
    arithmetic,  ///< elementwise; with a number instead of the second tensor the entries of kernels/number.cu
    /// One block per row. STEM_TYPE(inputs..., result, scalars..., Layout of the rows, Layout of a row, int elements).
    rows,
    /// Some dimensions are reduced. STEM_TYPE_TO and STEM_columns_TYPE_TO, as in kernels/sum.cu.
    reduction,
    matrices,  ///< mm and bmm, as in kernels/mm.cu
    vectors,   ///< mv and dot, as in kernels/mv.cu
    addmm,     ///< as in kernels/addmm.cu
    fill,
    copy,
  };
  enum class Types : std::uint8_t { all, floats };

  Form form = Form::none;
  Types types = Types::all;  ///< floats: integers are cast to f32 first if `casts_integers`, else refused
  bool casts_integers = false;
  bool adds = false;                  ///< form reduction: integers are added as i64, f16 and bf16 as f32
  std::string_view module{};          ///< kernels/MODULE.cu and assets/ptx/MODULE.ptx
  std::string_view strided_module{};  ///< of the strided entries; empty: the same module
  std::string_view f32_module{};      ///< a teaching kernel for row-major f32, its entry of the same name; may be empty
  /// Picks the entry. `sizes`: of the first tensor; `numbers`: the arguments that are not tensors, in order. Null: the
  /// stem is the op's name, and all numbers are scalars.
  KernelChoice (*choose)(const Sizes& sizes, std::size_t tensors, std::span<const double> numbers) = nullptr;
  /// The type that the inputs are cast to. Null: the promoted type of the tensors.
  DType (*computed_as)(const Call& call) = nullptr;
};

}  // namespace warpwalk::ops
