// How CPU ops run: their allocations and observer callbacks, several views of one storage in one op, and matrix
// products with sizes around the block boundaries.
#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "core/ops/cpu/memory.h"
#include "core/ops/library/library.h"

namespace warpwalk::ops {
namespace {

struct Watcher : Observer {
  std::vector<std::string> seen;
  void op_begins(const Call& call) override { seen.emplace_back(call.name()); }
  void step(const trace::DispatchStep& step) override {
    if (step.key == "CPU") seen.push_back(step.function);
  }
  void memory(const MemoryChange& change) override {
    seen.push_back((change.kind == MemoryChange::Kind::allocate ? "+" : "-") + std::to_string(change.bytes));
  }
};

class CpuCall : public testing::Test {
 protected:
  CpuCall() {
    register_library(dispatcher);
    register_cpu(dispatcher);
    dispatcher.set_memory(memory);
  }

  template <class T>
  Tensor tensor(DType dtype, const Sizes& sizes, const std::vector<T>& values) {
    return tensor_from(memory, dtype, sizes,
                       {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)});
  }
  Tensor floats(const Sizes& sizes, const std::vector<float>& values) { return tensor(DType::f32, sizes, values); }

  Watcher watcher;
  CpuMemory memory{&watcher};
  Dispatcher dispatcher{&watcher};
};

using Words = std::vector<std::string>;

TEST_F(CpuCall, TheResultIsAllocatedByEmptyAndTheInstanceIsTold) {
  const Tensor a = floats({2, 2}, {1, 2, 3, 4});
  watcher.seen.clear();
  dispatcher.call("aten::mm", {a, a});
  EXPECT_EQ(watcher.seen, (Words{"aten::mm", "cpu loops: mm, sums in double", "aten::empty.memory_format",
                                 "cpu: allocate", "+16", "mm<f32>", "-16"}));
}

TEST_F(CpuCall, AnOperandOfAnotherTypeIsConvertedInMemoryOfItsOwn) {
  const Tensor a = floats({2}, {1, 2}), b = tensor(DType::i64, {2}, std::vector<std::int64_t>{10, 20});
  watcher.seen.clear();
  const Tensor sum = dispatcher.call("aten::add.Tensor", {a, b});
  EXPECT_EQ(values_of(sum), (std::vector<double>{11, 22}));
  EXPECT_EQ(std::ranges::count(watcher.seen, "+8"), 2);
  EXPECT_EQ(std::ranges::count(watcher.seen, "-8"), 1);
}

TEST_F(CpuCall, InPlaceOpsAllocateNothing) {
  const Tensor a = floats({3}, {-1, 2, -3});
  watcher.seen.clear();
  EXPECT_TRUE(dispatcher.call("aten::relu_", {a}).same_as(a));
  EXPECT_TRUE(dispatcher.call("aten::mul_.Tensor", {a, 2.0}).same_as(a));
  EXPECT_EQ(values_of(a), (std::vector<double>{0, 4, 0}));
  EXPECT_EQ(watcher.seen, (Words{"aten::relu_", "cpu loop: relu in place", "relu_<f32>", "aten::mul_.Tensor",
                                 "cpu loop: multiply in place", "mul_<f32>"}));
}

TEST_F(CpuCall, AViewOfWhatIsWrittenIsReadAsItWas) {
  const Tensor a = floats({4}, {1, 2, 3, 4});
  const Tensor head = a.with(sliced(a.geometry(), 0, 0, 3, 1)), tail = a.with(sliced(a.geometry(), 0, 1, {}, 1));
  dispatcher.call("aten::add_.Tensor", {tail, head});
  EXPECT_EQ(values_of(a), (std::vector<double>{1, 3, 5, 7}));
  dispatcher.call("aten::copy_", {tail, head});
  EXPECT_EQ(values_of(a), (std::vector<double>{1, 1, 3, 5}));
  const Tensor square = floats({2, 2}, {1, 2, 3, 4});
  dispatcher.call("aten::copy_", {square, square.with(transposed(square.geometry(), 0, 1))});
  EXPECT_EQ(values_of(square), (std::vector<double>{1, 3, 2, 4}));
}

TEST_F(CpuCall, SumOfAllIsTheSumOverAllDimensions) {
  const Tensor a = tensor(DType::i32, {2, 2}, std::vector<std::int32_t>{2147483647, 1, 1, 1});
  const Tensor sum = dispatcher.call("aten::sum", {a});
  EXPECT_EQ(sum.dtype(), DType::i64);
  EXPECT_EQ(values_of(sum), std::vector<double>{2147483650.0});
}

/// The matrix product by definition, for integers that float adds exactly.
std::vector<double> by_definition(const std::vector<float>& a, const std::vector<float>& b, std::size_t m,
                                  std::size_t n, std::size_t k) {
  std::vector<double> out(m * n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t p = 0; p < k; ++p) out[i * n + j] += static_cast<double>(a[i * k + p]) * b[p * n + j];
  return out;
}

TEST_F(CpuCall, ProductsAreRightWhereverBlocksEnd) {
  std::mt19937 random(3);
  const auto whole = [&](std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(random() % 17) - 8;
    return values;
  };
  for (const auto& [m, n, k] : {std::array<std::size_t, 3>{4, 8, 256},
                                {5, 9, 257},
                                {3, 7, 1},
                                {1, 1, 600},
                                {33, 17, 300},
                                {8, 1, 40},
                                {1, 40, 8},
                                {0, 3, 4}}) {
    const auto a = whole(m * k), b = whole(k * n);
    const auto rows = static_cast<std::int64_t>(m), columns = static_cast<std::int64_t>(n),
               inner = static_cast<std::int64_t>(k);
    const Tensor out = dispatcher.call("aten::mm", {floats({rows, inner}, a), floats({inner, columns}, b)});
    EXPECT_EQ(values_of(out), by_definition(a, b, m, n, k)) << m << " " << n << " " << k;
  }
}

TEST_F(CpuCall, ErrorsSayWhatDoesNotFit) {
  const auto line = [&](std::string_view op, std::vector<Argument> arguments) -> std::string {
    try {
      dispatcher.call(op, std::move(arguments));
    } catch (const OpError& error) {
      return error.what();
    }
    return "no error";
  };
  const Tensor a = floats({2, 3}, std::vector<float>(6)), i = tensor(DType::i32, {3}, std::vector<std::int32_t>(3));
  EXPECT_EQ(line("aten::mm", {a, a}),
            "aten::mm of 2x3 and 2x3: the first has 3 elements per row, the second 2 per column; these must be equal");
  EXPECT_EQ(line("aten::mv", {a, i}), "aten::mv of f32 and i32: both must have the same type; convert one of them");
  EXPECT_EQ(
      line("aten::add_.Tensor", {i, 0.5}),
      "aten::add_.Tensor: the result is f32, but self is i32 and cannot hold it; use the op that returns a new tensor");
  EXPECT_EQ(line("aten::fill_.Scalar", {i, 0x1p31}), "fill with 2147483648: i32 cannot represent this value");
  EXPECT_EQ(line("aten::relu_", {a.with(expanded(contiguous_geometry({1, 3}), {2, 3}))}),
            "aten::relu_ into a view of 2x3 whose elements overlap (stride 0): clone it first");
  EXPECT_EQ(line("aten::empty.memory_format", {Sizes{std::int64_t{1} << 40}, DType::f32, std::int64_t{0}}),
            "out of memory on the cpu: 4398046511104 B requested, 128 of 8589934592 B in use; use smaller tensors");
}

}  // namespace
}  // namespace warpwalk::ops
