// Compares every op of the CPU backend with PyTorch's results (data/results.json, by record_tensors.py): random and
// special values, all types, strided and broadcast inputs, scalars.
//   Elementwise ops: bitwise equal (all NaNs are equal, and relu's zeros may have either sign, as PyTorch's own vary).
//   exp: within 1 unit in the last place of PyTorch's rounded float64 result.
//   Products and sums: compared with PyTorch's float64 result. Tolerance: one rounding to the type, plus
//   2 k 2^-53 sum |a||b| for the k additions in double on both sides.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/ops/cpu/memory.h"
#include "core/ops/library/library.h"
#include "tests/ops/tensor_json.h"

namespace warpwalk::ops {
namespace {

class CpuAgainstPyTorch : public testing::Test {
 protected:
  CpuAgainstPyTorch() : data(read_data("results.json")) {
    register_library(dispatcher);
    register_cpu(dispatcher);
    dispatcher.set_memory(memory);
  }

  Tensor tensor(const Json& recorded) {
    const DType dtype = *dtype_of(recorded["t"].GetString());
    const std::vector<std::uint8_t> bytes = bytes_of_hex(recorded["hex"].GetString());
    const auto count = static_cast<std::int64_t>(bytes.size() / bytes_of(dtype));
    return tensor_from(memory, dtype, {count}, bytes)
        .with({sizes_of(recorded["sizes"]), sizes_of(recorded["strides"]), recorded["offset"].GetInt64()});
  }

  Argument argument(const Json& recorded) {
    if (recorded.IsNull()) return None{};
    if (recorded.HasMember("t")) return tensor(recorded);
    if (recorded.HasMember("bool")) return recorded["bool"].GetBool();
    if (recorded.HasMember("i")) return recorded["i"].GetInt64();
    if (recorded.HasMember("f")) return doubles(recorded["f"]).at(0);
    if (recorded.HasMember("dtype")) return *dtype_of(recorded["dtype"].GetString());
    return sizes_of(recorded["sizes"]);
  }

  static std::vector<double> doubles(const Json& hex) {
    const std::vector<std::uint8_t> bytes = bytes_of_hex(hex.GetString());
    std::vector<double> values(bytes.size() / sizeof(double));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  Tensor call(const Json& recorded) {
    std::vector<Argument> arguments;
    for (const Json& a : recorded["args"].GetArray()) arguments.push_back(argument(a));
    return dispatcher.call(std::string("aten::") + recorded["op"].GetString(), std::move(arguments));
  }

  /// Returns the result if its type and sizes match PyTorch's, or an undefined tensor if both report an error.
  Tensor checked(const Json& recorded) {
    Tensor out;
    try {
      out = call(recorded);
    } catch (const OpError& error) {
      EXPECT_TRUE(recorded.HasMember("error")) << error.what();
      EXPECT_THAT(std::string_view(error.what()), ::testing::Not(::testing::HasSubstr("\n"))) << error.what();
      return {};
    }
    if (recorded.HasMember("error")) {
      ADD_FAILURE() << "PyTorch refuses: " << recorded["error"].GetString();
      return {};
    }
    EXPECT_EQ(name_of(out.dtype()), recorded["dtype"].GetString());
    EXPECT_EQ(out.sizes(), sizes_of(recorded["sizes"]));
    return name_of(out.dtype()) == recorded["dtype"].GetString() && out.sizes() == sizes_of(recorded["sizes"])
               ? out
               : Tensor();
  }

  void expect_exact(const Json& recorded, const Tensor& out) {
    const std::vector<std::uint8_t> got = bytes_of(out), want = bytes_of_hex(recorded["out"].GetString());
    ASSERT_EQ(got.size(), want.size());
    const std::size_t width = bytes_of(out.dtype());
    for (std::size_t i = 0; i < got.size(); i += width) {
      const std::uint64_t a = load_bits(out.dtype(), &got[i]), b = load_bits(out.dtype(), &want[i]);
      EXPECT_TRUE(a == b || as_good(recorded["op"].GetString(), out.dtype(), a, b))
          << "element " << i / width << ": " << text_of(out.dtype(), a) << ", PyTorch has " << text_of(out.dtype(), b);
    }
  }

  static bool as_good(std::string_view op, DType dtype, std::uint64_t a, std::uint64_t b) {
    if (!is_float(dtype)) return false;
    const double x = float_value(dtype, a), y = float_value(dtype, b);
    return (std::isnan(x) && std::isnan(y)) || (op.starts_with("relu") && x == 0 && y == 0);
  }

  /// `allowed(i, want)` returns the error allowed at element i.
  template <class Allowed>
  void expect_near(const Json& recorded, const Tensor& out, Allowed allowed) {
    const std::vector<double> got = values_of(out), want = doubles(recorded["double"]);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double rounded = float_value(out.dtype(), float_bits(out.dtype(), want[i]));
      if (std::isnan(rounded))
        EXPECT_TRUE(std::isnan(got[i])) << "element " << i;
      else if (std::isinf(rounded))
        EXPECT_EQ(got[i], rounded) << "element " << i;
      else
        EXPECT_LE(std::abs(got[i] - want[i]), allowed(i, want[i])) << "element " << i << ": " << got[i];
    }
  }

  rapidjson::Document data;
  CpuMemory memory;
  Dispatcher dispatcher;
};

/// The distance from a value of this type to the next representable one.
double last_place(DType dtype, double value) {
  struct Format {
    int digits, least_exponent;
  };
  const Format format = dtype == DType::f16    ? Format{11, -14}
                        : dtype == DType::bf16 ? Format{8, -126}
                        : dtype == DType::f32  ? Format{24, -126}
                                               : Format{53, -1022};
  const int exponent = value == 0 ? format.least_exponent : std::max(std::ilogb(value), format.least_exponent);
  return std::ldexp(1.0, exponent - format.digits + 1);
}

/// The maximum number of products or terms summed per element of the result.
double depth(const Json& recorded) {
  double count = 1;
  for (const auto& size : recorded["args"][0]["sizes"].GetArray()) count *= size.GetDouble();
  return count;
}

TEST_F(CpuAgainstPyTorch, ElementwiseOps) {
  std::set<std::string> ops;
  for (const Json& recorded : data["elementwise"].GetArray()) {
    SCOPED_TRACE(json_text(recorded));
    ops.insert(recorded["op"].GetString());
    const Tensor out = checked(recorded);
    if (!out.defined()) continue;
    if (recorded.HasMember("out"))
      expect_exact(recorded, out);
    else
      expect_near(recorded, out, [&](std::size_t, double want) { return last_place(out.dtype(), want); });
  }
  EXPECT_EQ(ops.size(), 14u);
  EXPECT_GT(data["elementwise"].Size(), 450u);
}

TEST_F(CpuAgainstPyTorch, ProductsAndSums) {
  std::set<std::string> ops;
  for (const Json& recorded : data["sums"].GetArray()) {
    SCOPED_TRACE(json_text(recorded));
    ops.insert(recorded["op"].GetString());
    const Tensor out = checked(recorded);
    if (!out.defined()) continue;
    if (recorded.HasMember("out")) {
      expect_exact(recorded, out);
      continue;
    }
    const std::vector<double> magnitude = doubles(recorded["magnitude"]);
    expect_near(recorded, out, [&](std::size_t i, double want) {
      const double rounding =
          is_float(out.dtype()) && out.dtype() != DType::f64 ? last_place(out.dtype(), want) / 2 : 0;
      return rounding + 2 * depth(recorded) * 0x1p-53 * magnitude[i];
    });
  }
  EXPECT_EQ(ops.size(), 6u);
}

TEST_F(CpuAgainstPyTorch, WhatPyTorchRefusesIsRefused) {
  for (const Json& recorded : data["errors"].GetArray()) {
    SCOPED_TRACE(json_text(recorded));
    const Tensor out = checked(recorded);
    if (out.defined()) expect_exact(recorded, out);
  }
}

}  // namespace
}  // namespace warpwalk::ops
