// Compares every op of the catalogue on the simulated GPU with the CPU backend, which is tested against PyTorch's
// results: all types, contiguous and strided, broadcast, empty, one element. The sanitizer is on and must find nothing.
//   Elementwise ops: bitwise equal (all NaNs are equal); exp within 2 units in the last place (CUDA programming guide,
//   mathematical functions: expf 2, exp 1).
//   Sums and products of k terms: gamma_k sum |a||b| with u = 2^-24 (f64: 2^-53), plus one rounding to the result's
//   type.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/run/catalogue_plans.h"
#include "tests/run/sim_library.h"

namespace warpwalk::run {
namespace {

using ops::Argument;
using ops::DeviceKind;
using ops::DType;
using ops::Geometry;
using ops::OpError;
using ops::Sizes;
using ops::Tensor;
using warpwalk::testing::random_elements;
using warpwalk::testing::SimLibrary;
using warpwalk::testing::tensor_dtypes;

/// A tensor on both devices with the same elements and the same view of them.
struct Both {
  Tensor cpu, gpu;
};

class GpuFunctions : public ::testing::Test {
 protected:
  /// `view`: a geometry on a row of `count` elements.
  Both both(DType dtype, std::int64_t count, const Geometry& view, bool special = true) {
    const auto bytes = random_elements(dtype, count, ++seed, special);
    return {library.make(DeviceKind::cpu, dtype, {count}, bytes).with(view),
            library.make(DeviceKind::cuda, dtype, {count}, bytes).with(view)};
  }
  Both both(DType dtype, const Sizes& sizes, bool special = true) {
    return both(dtype, ops::count_of(sizes), ops::contiguous_geometry(sizes), special);
  }

  /// The views that elementwise ops are tested with: (elements, geometry).
  static std::vector<std::pair<std::int64_t, Geometry>> views() {
    const Geometry matrix = ops::contiguous_geometry({37, 21});
    return {{1000, ops::contiguous_geometry({1000})},
            {777, matrix},
            {777, transposed(matrix, 0, 1)},
            {777, sliced(sliced(matrix, 0, 1, 36, 3), 1, 2, {}, 2)},
            {21, expanded(ops::contiguous_geometry({21}), {7, 21})},
            {120, permuted(ops::contiguous_geometry({2, 3, 4, 5}), {3, 1, 0, 2})},
            {1, ops::contiguous_geometry({})},
            {1, ops::contiguous_geometry({1, 1})},
            {0, ops::contiguous_geometry({0})},
            {0, ops::contiguous_geometry({3, 0, 2})}};
  }

  /// Calls the op on both devices.
  Both called(std::string_view op, const std::vector<std::variant<Both, Argument>>& arguments) {
    Both results;
    for (const bool gpu : {false, true}) {
      std::vector<Argument> given;
      for (const auto& argument : arguments) {
        const auto* const tensors = std::get_if<Both>(&argument);
        given.push_back(tensors == nullptr ? std::get<Argument>(argument)
                                           : Argument(gpu ? tensors->gpu : tensors->cpu));
      }
      (gpu ? results.gpu : results.cpu) = library.dispatcher.call(op, given);
    }
    return results;
  }

  /// Expects the same type and sizes, and elements at most `ulps` representable values apart.
  static void expect_same(const Both& got, std::int64_t ulps = 0) {
    ASSERT_EQ(got.cpu.dtype(), got.gpu.dtype());
    ASSERT_EQ(got.cpu.sizes(), got.gpu.sizes());
    const DType dtype = got.cpu.dtype();
    const auto cpu = ops::bytes_of(got.cpu), gpu = ops::bytes_of(got.gpu);
    const std::size_t size = ops::bytes_of(dtype);
    for (std::size_t i = 0; i < cpu.size(); i += size) {
      const std::uint64_t want = ops::load_bits(dtype, &cpu[i]), is = ops::load_bits(dtype, &gpu[i]);
      if (want == is) continue;
      ASSERT_TRUE(is_float(dtype)) << name_of(dtype) << " element " << i / size << ": " << is << " for " << want;
      if (std::isnan(ops::float_value(dtype, want)) && std::isnan(ops::float_value(dtype, is))) continue;
      const auto ordered = [&](std::uint64_t bits) {
        const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
        const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
        return (bits & sign) != 0 ? -magnitude : magnitude;
      };
      ASSERT_LE(std::abs(ordered(want) - ordered(is)), ulps)
          << name_of(dtype) << " element " << i / size << ": " << ops::text_of(dtype, is) << " for "
          << ops::text_of(dtype, want);
      ASSERT_TRUE(ulps > 0 || want == is) << "a zero of the other sign";
    }
  }

  /// Expects equality within the bound for k additions in another order. `magnitudes`: the op's result on the absolute
  /// values, in f64.
  static void expect_close(const Both& got, const Tensor& magnitudes, std::int64_t k) {
    ASSERT_EQ(got.cpu.dtype(), got.gpu.dtype());
    ASSERT_EQ(got.cpu.sizes(), got.gpu.sizes());
    if (!is_float(got.cpu.dtype())) return expect_same(got);
    const DType dtype = got.cpu.dtype();
    const double u = dtype == DType::f64 ? 0x1p-53 : 0x1p-24, n = static_cast<double>(k + 1);
    const double rounding = dtype == DType::f16 ? 0x1p-11 : dtype == DType::bf16 ? 0x1p-8 : u;
    const auto cpu = ops::values_of(got.cpu), gpu = ops::values_of(got.gpu), sums = ops::values_of(magnitudes);
    for (std::size_t i = 0; i < cpu.size(); ++i)
      ASSERT_LE(std::abs(cpu[i] - gpu[i]), n * u / (1 - n * u) * sums[i] + 2 * rounding * std::abs(cpu[i]) + 0x1p-24)
          << name_of(dtype) << " element " << i;
  }

  /// The absolute values as f64 on the CPU, with the same view.
  Tensor magnitudes(const Tensor& tensor) {
    std::vector<double> values = ops::values_of(tensor);
    for (double& value : values) value = std::abs(value);
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(values.data());
    return library.make(DeviceKind::cpu, DType::f64, tensor.sizes(), {bytes, values.size() * sizeof(double)});
  }

  std::size_t launches() const { return library.entries.size(); }

  SimLibrary library;
  unsigned seed = 0;
};

TEST_F(GpuFunctions, UnaryOpsGiveWhatTheCpuGives) {
  for (const DType dtype : tensor_dtypes)
    for (const auto& [count, view] : views())
      for (const std::string_view op : {"aten::neg", "aten::relu", "aten::sqrt", "aten::exp"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", op, name_of(dtype), ops::shape_text(view.sizes)));
        expect_same(called(op, {both(dtype, count, view)}), op == "aten::exp" ? 2 : 0);
      }
}

TEST_F(GpuFunctions, BinaryOpsGiveWhatTheCpuGives) {
  for (const DType dtype : tensor_dtypes)
    for (const auto& [count, view] : views())
      for (const std::string_view op :
           {"aten::add.Tensor", "aten::sub.Tensor", "aten::mul.Tensor", "aten::div.Tensor"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", op, name_of(dtype), ops::shape_text(view.sizes)));
        const Both a = both(dtype, count, view);
        expect_same(called(op, {a, both(dtype, view.sizes)}));
        expect_same(called(op, {both(dtype, view.sizes), a}));
        expect_same(called(op, {a, Argument(std::int64_t{3})}));
        expect_same(called(op, {a, Argument(0.1)}));
      }
}

TEST_F(GpuFunctions, ThirdArgumentsAndThresholds) {
  for (const DType dtype : tensor_dtypes)
    for (const auto& [count, view] : views()) {
      SCOPED_TRACE(fmt::format("{} {}", name_of(dtype), ops::shape_text(view.sizes)));
      const Both a = both(dtype, count, view), b = both(dtype, view.sizes);
      const Argument alpha = is_float(dtype) ? Argument(0.3) : Argument(std::int64_t{-7});
      expect_same(called("aten::add.Tensor", {a, b, alpha}));
      expect_same(called("aten::sub.Tensor", {b, a, alpha}));
      expect_same(called("aten::sub.Tensor", {a, Argument(std::int64_t{5}), alpha}));
      expect_same(called("aten::threshold_backward", {a, b, Argument(std::int64_t{0})}));
    }
}

TEST_F(GpuFunctions, BroadcastsBothOperands) {
  for (const DType dtype : tensor_dtypes) {
    expect_same(called("aten::mul.Tensor", {both(dtype, {5, 1, 7}), both(dtype, {3, 1})}));
    expect_same(called("aten::add.Tensor", {both(dtype, Sizes{}), both(dtype, {4, 9})}));
    expect_same(called("aten::sub.Tensor", {both(dtype, {300}), both(dtype, {1})}));
  }
}

TEST_F(GpuFunctions, PromotesAsTheCpuDoes) {
  for (const DType a : tensor_dtypes)
    for (const DType b : tensor_dtypes) {
      SCOPED_TRACE(fmt::format("{} {}", name_of(a), name_of(b)));
      for (const std::string_view op : {"aten::add.Tensor", "aten::div.Tensor"}) {
        expect_same(called(op, {both(a, {40}, false), both(b, {40}, false)}));
        expect_same(called(op, {both(a, {40}, false), both(b, Sizes{}, false)}));
      }
    }
}

TEST_F(GpuFunctions, OpsInPlaceChangeWhatTheyAreGiven) {
  for (const DType dtype : tensor_dtypes)
    for (const auto& [count, view] : views()) {
      SCOPED_TRACE(fmt::format("{} {}", name_of(dtype), ops::shape_text(view.sizes)));
      const Both a = both(dtype, count, view), b = both(dtype, view.sizes);
      if (view.overlaps_itself()) {
        EXPECT_THROW(library.dispatcher.call("aten::relu_", {a.gpu}), OpError);
        EXPECT_THROW(library.dispatcher.call("aten::add_.Tensor", {a.gpu, b.gpu}), OpError);
        EXPECT_THROW(library.dispatcher.call("aten::copy_", {a.gpu, b.gpu}), OpError);
        EXPECT_THROW(library.dispatcher.call("aten::fill_.Scalar", {a.gpu, std::int64_t{1}}), OpError);
        continue;
      }
      for (const auto& [op, other] : std::initializer_list<std::pair<std::string_view, std::variant<Both, Argument>>>{
               {"aten::add_.Tensor", b}, {"aten::mul_.Tensor", b}, {"aten::mul_.Tensor", Argument(std::int64_t{3})}}) {
        const Both result = called(op, {a, other});
        EXPECT_TRUE(result.gpu.same_as(a.gpu) || result.gpu.address() == a.gpu.address());
        expect_same(a);
      }
      called("aten::relu_", {a});
      expect_same(a);
      called("aten::fill_.Scalar", {a, Argument(std::int64_t{-5})});
      expect_same(a);
    }
}

TEST_F(GpuFunctions, AnotherViewOfWhatIsWrittenIsReadBefore) {
  const Both square = both(DType::f32, {20, 20}, false);
  const Both turned = {square.cpu.with(transposed(square.cpu.geometry(), 0, 1)),
                       square.gpu.with(transposed(square.gpu.geometry(), 0, 1))};
  called("aten::add_.Tensor", {square, turned});
  expect_same(square);
  called("aten::copy_", {square, turned});
  expect_same(square);
}

TEST_F(GpuFunctions, CopiesCastEveryTypeToEveryOther) {
  const Geometry matrix = ops::contiguous_geometry({12, 30});
  for (const DType from : tensor_dtypes)
    for (const DType to : tensor_dtypes)
      for (const Geometry& view : {matrix, transposed(matrix, 0, 1)}) {
        SCOPED_TRACE(fmt::format("{} to {}", name_of(from), name_of(to)));
        const bool special = is_float(to) || !is_float(from);  // NaN and large floats do not fit in an integer
        const Both target = both(to, view.sizes), source = both(from, 360, view, special);
        called("aten::copy_", {target, source});
        expect_same(target);
      }
}

TEST_F(GpuFunctions, CopiesGoBetweenDevices) {
  const Both a = both(DType::f16, {6, 8}), b = both(DType::f32, {8, 6}), c = both(DType::f32, {8, 6});
  const auto turned = [](const Tensor& tensor) { return tensor.with(transposed(tensor.geometry(), 0, 1)); };
  library.dispatcher.call("aten::copy_", {b.gpu, turned(a.cpu)});
  library.dispatcher.call("aten::copy_", {b.cpu, turned(a.cpu)});
  expect_same(b);
  library.dispatcher.call("aten::copy_", {c.cpu, turned(a.gpu)});
  expect_same({b.cpu, c.cpu});
}

TEST_F(GpuFunctions, SumsAreWithinTheBoundOfTheirAdditions) {
  struct Case {
    Geometry view;
    std::int64_t count;
    Argument dims;
    bool keep = false;
  };
  const Geometry matrix = ops::contiguous_geometry({70, 90}), cube = ops::contiguous_geometry({5, 40, 6});
  const std::vector<Case> cases = {{ops::contiguous_geometry({20000}), 20000, ops::None{}},
                                   {sliced(ops::contiguous_geometry({20000}), 0, {}, {}, 2), 20000, ops::None{}},
                                   {matrix, 6300, Sizes{0}},
                                   {matrix, 6300, Sizes{1}, true},
                                   {transposed(matrix, 0, 1), 6300, Sizes{0}},
                                   {transposed(matrix, 0, 1), 6300, Sizes{-1}},
                                   {cube, 1200, Sizes{0, 2}, true},
                                   {cube, 1200, Sizes{1}},
                                   {expanded(ops::contiguous_geometry({9}), {50, 9}), 9, Sizes{0}},
                                   {ops::contiguous_geometry({}), 1, ops::None{}},
                                   {ops::contiguous_geometry({0}), 0, ops::None{}},
                                   {ops::contiguous_geometry({3, 0}), 0, Sizes{1}},
                                   {ops::contiguous_geometry({0, 3}), 0, Sizes{1}}};
  for (const DType dtype : tensor_dtypes)
    for (const Case& c : cases) {
      SCOPED_TRACE(fmt::format("{} {}", name_of(dtype), ops::shape_text(c.view.sizes)));
      const Both x = both(dtype, c.count, c.view, false);
      const Both got = called("aten::sum.dim_IntList", {x, c.dims, Argument(c.keep)});
      const Tensor sums =
          library.dispatcher.call("aten::sum.dim_IntList", {magnitudes(x.cpu), c.dims, Argument(c.keep)});
      expect_close(got, sums, x.cpu.count() / std::max<std::int64_t>(1, got.cpu.count()));
      if (std::holds_alternative<ops::None>(c.dims)) expect_close(called("aten::sum", {x}), sums, x.cpu.count());
    }
}

TEST_F(GpuFunctions, ProductsAreWithinTheBoundOfTheirAdditions) {
  const Geometry a = ops::contiguous_geometry({33, 20}), b = ops::contiguous_geometry({20, 50});
  struct Case {
    std::string_view op;
    Geometry a, b;
    std::int64_t k = 0;
  };
  const auto row_major = [](const Sizes& sizes) { return ops::contiguous_geometry(sizes); };
  const auto turned = [&](const Sizes& sizes) {
    return transposed(row_major(sizes), static_cast<std::int64_t>(sizes.size()) - 2,
                      static_cast<std::int64_t>(sizes.size()) - 1);
  };
  const std::vector<Case> cases = {
      {"aten::mm", a, b, 20},
      {"aten::mm", turned({20, 33}), b, 20},
      {"aten::mm", a, turned({50, 20}), 20},
      {"aten::mm", row_major({1, 1}), row_major({1, 1}), 1},
      {"aten::mm", row_major({3, 0}), row_major({0, 4}), 0},
      {"aten::mm", row_major({0, 5}), row_major({5, 4}), 5},
      {"aten::bmm", row_major({3, 18, 7}), turned({3, 21, 7}), 7},
      {"aten::bmm", expanded(row_major({1, 4, 5}), {2, 4, 5}), row_major({2, 5, 6}), 5},
      {"aten::mv", a, row_major({20}), 20},
      {"aten::mv", turned({300, 5}), sliced(row_major({600}), 0, {}, {}, 2), 300},
      {"aten::dot", row_major({3000}), row_major({3000}), 3000},
      {"aten::dot", row_major({0}), row_major({0}), 0},
  };
  for (const DType dtype : tensor_dtypes)
    for (const Case& c : cases) {
      SCOPED_TRACE(
          fmt::format("{} {} {} {}", c.op, name_of(dtype), ops::shape_text(c.a.sizes), ops::shape_text(c.b.sizes)));
      const Both x = both(dtype, c.a.last() + 1, c.a, false), y = both(dtype, c.b.last() + 1, c.b, false);
      const Both got = called(c.op, {x, y});
      expect_close(got, library.dispatcher.call(c.op, {magnitudes(x.cpu), magnitudes(y.cpu)}), c.k);
    }
}

TEST_F(GpuFunctions, IntegerProductsWrap) {
  for (const DType dtype : {DType::i32, DType::i64})
    expect_same(called("aten::mm", {both(dtype, {17, 18}), both(dtype, {18, 19})}));
}

TEST_F(GpuFunctions, RowMajorProductsTakeTheTeachingKernels) {
  const Both a = both(DType::f32, {70, 32}, false), b = both(DType::f32, {32, 66}, false);
  expect_close(called("aten::mm", {a, b}), library.dispatcher.call("aten::mm", {magnitudes(a.cpu), magnitudes(b.cpu)}),
               32);
  EXPECT_EQ(library.entries.back(), "matmul_tiled");
  const Both c = both(DType::f32, {1024, 16}, false), d = both(DType::f32, {16, 512}, false);
  SimLibrary quick(false);
  const Tensor product =
      quick.dispatcher.call("aten::mm", {quick.make(DeviceKind::cuda, DType::f32, {1024, 16}, ops::bytes_of(c.cpu)),
                                         quick.make(DeviceKind::cuda, DType::f32, {16, 512}, ops::bytes_of(d.cpu))});
  EXPECT_EQ(quick.entries.back(), "matmul_registers");
  expect_close({library.dispatcher.call("aten::mm", {c.cpu, d.cpu}), product},
               library.dispatcher.call("aten::mm", {magnitudes(c.cpu), magnitudes(d.cpu)}), 16);
}

TEST_F(GpuFunctions, SaysWhatDoesNotFit) {
  const auto message = [&](std::string_view op, const std::vector<Argument>& arguments) -> std::string {
    try {
      library.dispatcher.call(op, arguments);
    } catch (const OpError& error) {
      return error.what();
    }
    return "";
  };
  const Tensor a = both(DType::f32, {2, 3}).gpu, b = both(DType::f32, {2, 3}).gpu, i = both(DType::i32, {2, 3}).gpu;
  const Tensor half = both(DType::f16, {3, 2}).gpu, host = both(DType::f32, {2, 3}).cpu;
  EXPECT_THAT(message("aten::mm", {a, b}), ::testing::HasSubstr("inner sizes must be equal"));
  EXPECT_THAT(message("aten::mm", {a, half}), ::testing::HasSubstr("cast one of them"));
  EXPECT_THAT(message("aten::add.Tensor", {a, host}), ::testing::HasSubstr("copy the tensor there first"));
  EXPECT_THAT(message("aten::add_.Tensor", {i, 0.5}), ::testing::HasSubstr("cannot hold it"));
  EXPECT_THAT(message("aten::fill_.Scalar", {half, 1e6}), ::testing::HasSubstr("cannot represent this value"));
  EXPECT_THAT(message("aten::sum.dim_IntList", {a, Sizes{1, -1}}), ::testing::HasSubstr("named twice"));
}

}  // namespace
}  // namespace warpwalk::run
