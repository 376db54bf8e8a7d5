// Which ops the library's composite ops call, and their results on the CPU backend.
#include "core/ops/library/library.h"

#include <algorithm>
#include <random>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/ops/cpu/memory.h"
#include "tests/ops/autograd_cases.h"
#include "tests/ops/dispatcher_log.h"

namespace warpwalk::ops {
namespace {

class Library : public testing::Test {
 protected:
  Library() {
    register_library(dispatcher);
    register_cpu(dispatcher);
    dispatcher.set_memory(memory);
  }
  Tensor make(const Sizes& sizes) {
    std::vector<double> values(static_cast<std::size_t>(count_of(sizes)));
    for (double& value : values) value = static_cast<double>(std::uniform_int_distribution<int>(-9, 9)(random));
    return tensor_of(memory, DType::f64, sizes, values);
  }
  Tensor call(std::string_view op, std::vector<Argument> arguments) {
    return dispatcher.call(op, std::move(arguments));
  }
  bool called(std::string_view op) const { return std::ranges::count(log.names(), op) > 0; }

  std::mt19937 random{5};
  Log log;
  CpuMemory memory{&log};
  Dispatcher dispatcher{&log};
};

// The matrix product by definition. Dimensions before the last two are broadcast batch dimensions. A vector is a row on
// the left and a column on the right; its added dimension is removed from the result.
std::vector<double> product(const Tensor& a, const Tensor& b) {
  Sizes of_a = a.sizes(), of_b = b.sizes();
  if (of_a.size() == 1) of_a.insert(of_a.begin(), 1);
  if (of_b.size() == 1) of_b.push_back(1);
  const std::vector<double> x = values_of(a), y = values_of(b);
  const std::size_t dims = std::max(of_a.size(), of_b.size());
  of_a.insert(of_a.begin(), dims - of_a.size(), 1);
  of_b.insert(of_b.begin(), dims - of_b.size(), 1);
  Sizes batch;
  for (std::size_t d = 0; d + 2 < dims; ++d) batch.push_back(of_a[d] == 1 ? of_b[d] : of_a[d]);
  const std::int64_t rows = of_a[dims - 2], inner = of_a[dims - 1], columns = of_b[dims - 1];
  std::vector<double> out;
  for (std::int64_t at = 0; at < count_of(batch); ++at) {
    std::int64_t matrix_a = 0, matrix_b = 0, rest = at, size_a = 1, size_b = 1;
    for (std::size_t d = dims - 2; d-- > 0;) {
      const std::int64_t index = rest % batch[d];
      rest /= batch[d];
      matrix_a += of_a[d] == 1 ? 0 : index * size_a;
      matrix_b += of_b[d] == 1 ? 0 : index * size_b;
      size_a *= of_a[d];
      size_b *= of_b[d];
    }
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) {
        double sum = 0;
        for (std::int64_t k = 0; k < inner; ++k)
          sum += x[static_cast<std::size_t>((matrix_a * rows + r) * inner + k)] *
                 y[static_cast<std::size_t>((matrix_b * inner + k) * columns + c)];
        out.push_back(sum);
      }
  }
  return out;
}

TEST_F(Library, MatmulOfEveryPairOfDimensions) {
  const std::vector<Sizes> batches = {{}, {2}, {1}, {3, 2}, {3, 1}, {1, 2}};
  for (int left = 0; left < 14; ++left)
    for (int right = 0; right < 14; ++right) {
      const bool row = left < 2, column = right < 2;
      const auto sizes = [&](int which, bool vector, std::int64_t rows, std::int64_t columns) {
        if (vector) return Sizes{4};
        Sizes out = batches[static_cast<std::size_t>(which / 2 - 1)];
        out.insert(out.end(), {rows, columns});
        return out;
      };
      // Odd-numbered tensors have swapped strides.
      const auto tensor = [&](int which, bool vector, std::int64_t rows, std::int64_t columns) {
        if (which % 2 == 0 || vector) return make(sizes(which, vector, rows, columns));
        return call("aten::transpose.int",
                    {make(sizes(which, vector, columns, rows)), std::int64_t{-1}, std::int64_t{-2}});
      };
      const Tensor a = tensor(left, row, 3, 4), b = tensor(right, column, 4, 5);
      SCOPED_TRACE(shape_text(a.sizes()) + " @ " + shape_text(b.sizes()));
      const Tensor result = call("aten::matmul", {a, b});
      EXPECT_EQ(values_of(result), product(a, b));
      Sizes want;
      const Sizes batch_a = row ? Sizes() : Sizes(a.sizes().begin(), a.sizes().end() - 2);
      const Sizes batch_b = column ? Sizes() : Sizes(b.sizes().begin(), b.sizes().end() - 2);
      want = broadcast(batch_a, batch_b);
      if (!row) want.push_back(3);
      if (!column) want.push_back(5);
      EXPECT_EQ(result.sizes(), want);
    }
}

TEST_F(Library, MatmulOfNothing) {
  EXPECT_EQ(call("aten::matmul", {make({0, 3}), make({3, 2})}).sizes(), (Sizes{0, 2}));
  EXPECT_EQ(values_of(call("aten::matmul", {make({2, 0}), make({0, 2})})), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(call("aten::matmul", {make({0, 2, 3}), make({3, 2})}).sizes(), (Sizes{0, 2, 2}));
}

TEST_F(Library, MatmulsErrorsSayWhatDoesNotFit) {
  EXPECT_EQ(error_of([&] {
              call("aten::matmul", {make({2, 3}), make({2, 3})});
            }),
            "aten::matmul: 2x3 @ 2x3: the last size of the first (3) and the second-to-last size of the second (2) "
            "must be equal");
  EXPECT_EQ(error_of([&] {
              call("aten::matmul", {make({2, 3}), make({4})});
            }),
            "aten::matmul: 2x3 @ 4: the last size of the first (3) and the size of the second (4) must be equal");
  EXPECT_EQ(error_of([&] {
              call("aten::matmul", {make({2, 3}), make({})});
            }),
            "aten::matmul: 2x3 @ scalar: both need at least one dimension; * multiplies by a scalar");
  EXPECT_THROW(call("aten::matmul", {make({2, 2, 3}), make({3, 3, 2})}), OpError);
}

TEST_F(Library, ABatchTimesAMatrixIsOneProductWhereNothingIsCopied) {
  call("aten::matmul", {make({2, 2, 3}), make({3, 2})});
  EXPECT_TRUE(called("aten::mm") && !called("aten::bmm") && !called("aten::clone"));
  log.rows.clear();
  call("aten::matmul",
       {call("aten::transpose.int", {make({2, 3, 3}), std::int64_t{0}, std::int64_t{1}}), make({3, 2})});
  EXPECT_TRUE(!called("aten::mm") && called("aten::bmm"));
}

TEST_F(Library, ViewsAllocateNothing) {
  const Tensor a = make({2, 3, 1});
  log.changes.clear();
  const std::vector<std::pair<std::string_view, std::vector<Argument>>> views = {
      {"aten::view", {a, Sizes{3, -1}}},
      {"aten::transpose.int", {a, std::int64_t{0}, std::int64_t{1}}},
      {"aten::permute", {a, Sizes{2, 0, 1}}},
      {"aten::numpy_T", {a}},
      {"aten::slice.Tensor", {a, std::int64_t{1}, std::int64_t{1}}},
      {"aten::select.int", {a, std::int64_t{1}, std::int64_t{-1}}},
      {"aten::expand", {a, Sizes{2, 3, 4}}},
      {"aten::squeeze.dim", {a, std::int64_t{2}}},
      {"aten::unsqueeze", {a, std::int64_t{0}}},
      {"aten::detach", {a}},
      {"aten::reshape", {a, Sizes{6}}},
      {"aten::contiguous", {a}},
      {"aten::to.dtype", {a, DType::f64}},
      {"aten::t", {call("aten::select.int", {a, std::int64_t{0}, std::int64_t{1}})}},
  };
  for (const auto& [op, arguments] : views) EXPECT_EQ(call(op, arguments).storage(), a.storage()) << op;
  EXPECT_TRUE(log.changes.empty());
  EXPECT_EQ(values_of(call("aten::slice.Tensor", {a, std::int64_t{1}, None{}, None{}, std::int64_t{2}})).size(), 4U);
}

TEST_F(Library, ReshapeCopiesOnlyWhereItMust) {
  const Tensor a = make({2, 3});
  const Tensor turned = call("aten::t", {a});
  log.rows.clear();
  const Tensor flat = call("aten::reshape", {turned, Sizes{-1}});
  EXPECT_EQ(log.names()[1], "aten::clone");
  EXPECT_EQ(values_of(flat), values_of(turned));
  EXPECT_NE(flat.storage(), a.storage());
  EXPECT_THAT(error_of([&] {
                call("aten::view", {turned, Sizes{6}});
              }),
              ::testing::HasSubstr("reshape copies where needed"));
}

TEST_F(Library, OpsMadeOfOthers) {
  const Tensor a = make({2, 3});
  EXPECT_EQ(values_of(call("aten::zeros", {Sizes{3}, DType::f16, std::int64_t{0}})), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(values_of(call("aten::ones", {Sizes{2}, DType::i32, std::int64_t{0}})), (std::vector<double>{1, 1}));
  EXPECT_EQ(values_of(call("aten::ones_like", {a})), (std::vector<double>(6, 1)));
  EXPECT_EQ(values_of(call("aten::zeros_like", {a})), (std::vector<double>(6, 0)));
  EXPECT_EQ(values_of(call("aten::clone", {call("aten::t", {a})})), values_of(call("aten::t", {a})));
  const Tensor cast = call("aten::to.dtype", {a, DType::i64});
  EXPECT_EQ(cast.dtype(), DType::i64);
  EXPECT_EQ(values_of(cast), values_of(a));
  EXPECT_EQ(values_of(call("aten::rsub.Scalar", {tensor_of(memory, DType::f64, {2}, {1.5, -1}), std::int64_t{2}, 3.0})),
            (std::vector<double>{-2.5, 5}));
  const Tensor two =
      call("aten::reciprocal", {call("aten::to.dtype", {tensor_of(memory, DType::f64, {}, {2}), DType::i32})});
  EXPECT_EQ(two.dtype(), DType::f32);
  EXPECT_EQ(values_of(two), (std::vector<double>{0.5}));
  EXPECT_EQ(values_of(call("aten::slice_backward",
                           {make({0}), Sizes{2}, std::int64_t{0}, None{}, std::int64_t{0}, std::int64_t{1}})),
            (std::vector<double>{0, 0}));
}

TEST_F(Library, AFactoryFindsItsBackendByTheDevice) {
  call("aten::empty.memory_format", {Sizes{2}, DType::f32, std::int64_t{0}});
  EXPECT_EQ(log.rows[0].way(), "ADInplaceOrView fallthrough, BackendSelect redispatch, CPU kernel");
  EXPECT_THAT(error_of([&] {
                call("aten::empty.memory_format", {Sizes{2}, DType::f32, std::int64_t{1}});
              }),
              ::testing::HasSubstr("aten::empty.memory_format has no function for CUDA; it has one for CPU"));
  EXPECT_THROW(call("aten::empty.memory_format", {Sizes{2}, DType::f32, std::int64_t{2}}), OpError);
}

TEST_F(Library, SparseTensorsHaveKeysAndNoFunctions) {
  const Tensor sparse(std::make_shared<Storage>(memory, 16), DType::f32, contiguous_geometry({4}),
                      TensorLayout::sparse_coo);
  EXPECT_EQ(error_of([&] { call("aten::relu", {sparse}); }),
            "aten::relu has no function for SparseCPU; it has one for CPU: make the tensors dense (strided)");
  EXPECT_EQ(error_of([&] { call("aten::t", {sparse}); }),
            "aten::t has no function for SparseCPU; it has one for CPU, CUDA: make the tensors dense (strided)");
}

// Function names must be short because they are drawn in a table.
TEST_F(Library, NamesOfFunctionsAreShort) {
  register_autograd(dispatcher);
  register_autocast(dispatcher, DType::bf16);
  for (const auto& [name, op] : dispatcher.operators()) {
    EXPECT_TRUE(op.schema.starts_with(name.substr(name.rfind(':') + 1) + "(")) << name;
    std::vector<std::string> names;
    for (const Registration& registration : op.table) names.push_back(registration.name);
    if (op.composite) names.push_back(op.composite->name);
    if (op.any_backend) names.push_back(op.any_backend->name);
    for (const std::string& function : names) EXPECT_LT(function.size(), 52U) << function;
  }
}

}  // namespace
}  // namespace warpwalk::ops
