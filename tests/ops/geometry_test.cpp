// Compares views and broadcasting with PyTorch's results (data/views.json, by record_tensors.py), and checks cases that
// PyTorch does not cover.
#include "core/ops/tensor/geometry.h"

#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/ops/cpu/memory.h"
#include "core/ops/tensor/error.h"
#include "tests/ops/dispatcher_log.h"
#include "tests/ops/tensor_json.h"

namespace warpwalk::ops {
namespace {

std::optional<std::int64_t> optional_integer(const Json& value) {
  if (value.IsNull()) return {};
  return value.GetInt64();
}

/// Applies one op of a chain; `op` holds its name, then its arguments.
Geometry apply(const Geometry& g, const Json& op) {
  const std::string kind = op[0].GetString();
  if (kind == "transpose") return transposed(g, op[1].GetInt64(), op[2].GetInt64());
  if (kind == "permute") return permuted(g, sizes_of(op[1]));
  if (kind == "slice")
    return sliced(g, op[1].GetInt64(), optional_integer(op[2]), optional_integer(op[3]), op[4].GetInt64());
  if (kind == "select") return selected(g, op[1].GetInt64(), op[2].GetInt64());
  if (kind == "expand") return expanded(g, sizes_of(op[1]));
  if (kind == "squeeze") return squeezed(g, op[1].GetInt64());
  if (kind == "unsqueeze") return unsqueezed(g, op[1].GetInt64());
  const auto view = viewed(g, sizes_of(op[1]));
  if (!view) throw OpError("the strides forbid it");
  return *view;
}

/// The result of f, or nullopt if it throws an OpError.
template <class F>
std::optional<Geometry> tried(F f) {
  try {
    return f();
  } catch (const OpError& error) {
    EXPECT_THAT(std::string_view(error.what()), ::testing::Not(::testing::HasSubstr("\n")));
    return {};
  }
}

void expect_recorded(const std::optional<Geometry>& got, const Json& recorded) {
  ASSERT_EQ(got.has_value(), !recorded.IsNull());
  if (!got) return;
  EXPECT_EQ(got->sizes, sizes_of(recorded[0]));
  EXPECT_EQ(got->strides, sizes_of(recorded[1]));
  EXPECT_EQ(got->offset, recorded[2].GetInt64());
  EXPECT_EQ(got->contiguous(), recorded[3].GetInt() == 1);
}

/// A tensor whose element i has the value i.
Tensor counting(Memory& memory, const Sizes& sizes) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count_of(sizes)));
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(numbers.data());
  return tensor_from(memory, DType::i64, sizes, {bytes, numbers.size() * sizeof(std::int64_t)});
}

TEST(Geometry, ChainsOfViewsAreThoseOfPyTorch) {
  const auto data = read_data("views.json");
  std::size_t steps = 0, refused = 0, views = 0, forbidden = 0;
  std::set<std::string> kinds;
  for (const Json& chain : data["chains"].GetArray()) {
    SCOPED_TRACE(json_text(chain));
    CpuMemory memory;
    const Tensor base = counting(memory, sizes_of(chain["sizes"]));
    Geometry g = base.geometry();
    for (const Json& step : chain["steps"].GetArray()) {
      const auto next = tried([&] { return std::optional(apply(g, step[0])); });
      expect_recorded(next, step[1]);
      kinds.insert(step[0][0].GetString());
      ++(next ? steps : refused);
      if (next) g = *next;
    }
    if (chain.HasMember("elements")) {
      const std::vector<double> got = values_of(base.with(g));
      ASSERT_EQ(got.size(), chain["elements"].Size());
      for (rapidjson::SizeType i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], chain["elements"][i].GetDouble()) << i;
      EXPECT_EQ(g.last() < g.offset, got.empty());
    }
    for (const Json& view : chain["views"].GetArray()) {
      const auto got = tried([&] { return viewed(g, sizes_of(view[0])); });
      expect_recorded(got, view[1]);
      ++(got ? views : forbidden);
    }
  }
  // Check that the data covers every op, with valid and rejected cases.
  EXPECT_EQ(kinds.size(), 8u);
  EXPECT_GT(steps, 600u);
  EXPECT_GT(refused, 40u);
  EXPECT_GT(views, 200u);
  EXPECT_GT(forbidden, 50u);
}

TEST(Geometry, ShapesBroadcastAsPyTorchs) {
  const auto data = read_data("views.json");
  std::size_t refused = 0;
  for (const Json& pair : data["broadcasts"].GetArray()) {
    SCOPED_TRACE(json_text(pair));
    std::optional<Sizes> got;
    try {
      got = broadcast(sizes_of(pair[0]), sizes_of(pair[1]));
    } catch (const OpError&) {
      ++refused;
    }
    ASSERT_EQ(got.has_value(), !pair[2].IsNull());
    if (got) {
      EXPECT_EQ(*got, sizes_of(pair[2]));
    }
  }
  EXPECT_GT(refused, 10u);
  EXPECT_LT(refused, data["broadcasts"].Size() / 2);
}

TEST(Geometry, ErrorsSayWhatWouldFit) {
  EXPECT_EQ(error_of([] {
              broadcast({4, 3}, {2, 1, 5});
            }),
            "4x3 and 2x1x5 cannot be broadcast: dimension -1 is 3 and 5; the sizes must be equal, or one must be 1");
  EXPECT_EQ(error_of([] { wrapped_dim(3, 2); }),
            "dimension 3 is out of range: a tensor of rank 2 has dimensions -2 to 1");
  EXPECT_EQ(error_of([] { inferred_sizes({5, -1}, 12); }), "12 elements as [5, -1]: 12 is not a multiple of 5");
  EXPECT_EQ(error_of([] { sliced(contiguous_geometry({4}), 0, 0, 4, 0); }),
            "a slice with step 0: the step must be 1 or more");
  EXPECT_EQ(error_of([] {
              expanded(contiguous_geometry({2, 3}), {2, 6});
            }),
            "expand of 2x3 to 2x6: dimension 1 has size 3 and cannot become 6 (only size 1 can)");
  EXPECT_EQ(error_of([] {
              selected(contiguous_geometry({2, 3}), -1, 3);
            }),
            "index 3 is out of range: dimension 1 has 3 elements");
  EXPECT_EQ(error_of([] { contiguous_geometry({2, -3}); }), "a tensor of 2x-3: sizes must be 0 or more");
}

TEST(Geometry, NumbersThatNoMemoryHoldsAreErrors) {
  constexpr std::int64_t many = std::int64_t{1} << 40, maximum = std::numeric_limits<std::int64_t>::max();
  EXPECT_NE(error_of([&] { count_of({many, many}); }), "");
  EXPECT_NE(error_of([&] { contiguous_geometry({2, many, many}); }), "");
  EXPECT_EQ(count_of({many, many, 0}), 0);
  EXPECT_EQ(sliced(contiguous_geometry({5}), 0, -maximum - 1, maximum, maximum), (Geometry{{1}, {maximum}, 0}));
  EXPECT_NE(error_of([&] { sliced(contiguous_geometry({5, 2}), 0, {}, {}, maximum); }), "");
  EXPECT_NE(error_of([&] { inferred_sizes({many, many, -1}, 12); }), "");
}

TEST(Geometry, OverlapIsAStrideOfZeroOnALongDimension) {
  const Geometry row = contiguous_geometry({1, 3});
  EXPECT_FALSE(row.overlaps_itself());
  EXPECT_TRUE(expanded(row, {4, 3}).overlaps_itself());
  EXPECT_FALSE(expanded(row, {1, 1, 3}).overlaps_itself());
  EXPECT_FALSE(expanded(contiguous_geometry({1, 0}), {4, 0}).overlaps_itself()) << "no element lies anywhere";
  EXPECT_EQ(expanded(row, {4, 3}).last(), 2);
  EXPECT_EQ(contiguous_geometry({4, 0}).last(), -1);
}

TEST(Geometry, ShapesReadAsTheCommandLineHasThem) {
  EXPECT_EQ(shape_text({256, 128}), "256x128");
  EXPECT_EQ(shape_text({}), "scalar");
}

}  // namespace
}  // namespace warpwalk::ops
