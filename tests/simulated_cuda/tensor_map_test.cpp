// Tensor maps, compared with those that the driver of an H200 made of the same parameters (data/tensor_maps.txt).
#include "instrumentation/simulated/device/tensor_map.h"

#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::simulated {
namespace {

/// The numbers of "64,32,4", separated by commas.
template <class Number>
std::vector<Number> next_numbers(std::istream& line) {
  std::string word;
  line >> word;
  std::vector<Number> numbers;
  std::istringstream parts(word);
  for (std::string part; std::getline(parts, part, ',');) numbers.push_back(static_cast<Number>(std::stoll(part)));
  return numbers;
}

/// A call that was recorded, with what came of it.
struct RecordedMap {
  TensorMapRequest request;
  std::vector<std::uint64_t> sizes, strides;
  std::vector<std::uint32_t> box, steps;
  std::vector<int> lower, upper;
  int error = 0;
  TensorMapWords words{};

  explicit RecordedMap(std::istream& line) {
    std::string call, equals;
    line >> call >> request.type >> request.rank >> std::hex >> request.address >> std::dec;
    request.is_image = call == "im2col";
    sizes = next_numbers<std::uint64_t>(line);
    strides = next_numbers<std::uint64_t>(line);
    if (!request.is_image) box = next_numbers<std::uint32_t>(line);
    steps = next_numbers<std::uint32_t>(line);
    line >> request.interleave >> request.swizzle >> request.l2_promotion >> request.fill;
    if (request.is_image) {
      lower = next_numbers<int>(line);
      upper = next_numbers<int>(line);
      line >> request.channels >> request.pixels;
    }
    line >> equals >> error >> std::hex;
    for (std::uint64_t& word : words)
      if (!(line >> word)) word = 0;
    request.sizes = sizes.data();
    request.strides = strides.data();
    request.box = box.data();
    request.steps = steps.data();
    request.lower = lower.data();
    request.upper = upper.data();
  }
};

TEST(SimulatedTensorMap, IsThatOfADriver) {
  std::ifstream file(WARPWALK_SOURCE_DIR "/tests/simulated_cuda/data/tensor_maps.txt");
  int count = 0;
  for (std::string text; std::getline(file, text);) {
    if (text.starts_with('#')) continue;
    std::istringstream line(text);
    const RecordedMap recorded(line);
    TensorMapWords words{};
    EXPECT_EQ(static_cast<int>(encode_tensor_map(recorded.request, words)), recorded.error) << text;
    EXPECT_EQ(words, recorded.words) << text;
    ++count;
  }
  EXPECT_GT(count, 100);
}

TEST(SimulatedTensorMap, NeedsItsLists) {
  const std::array<std::uint64_t, 2> sizes = {64, 32}, strides = {256, 0};
  const std::array<std::uint32_t, 2> box = {16, 8}, steps = {1, 1};
  TensorMapRequest request;
  request.type = 3;
  request.rank = 2;
  TensorMapWords words;
  const auto encode = [&] { return encode_tensor_map(request, words); };
  EXPECT_EQ(encode(), Error::invalid_value);
  request.sizes = sizes.data();
  EXPECT_EQ(encode(), Error::invalid_value);
  request.strides = strides.data();
  EXPECT_EQ(encode(), Error::invalid_value);
  request.steps = steps.data();
  EXPECT_EQ(encode(), Error::invalid_value);
  request.box = box.data();
  EXPECT_EQ(encode(), Error::success);
}

}  // namespace
}  // namespace warpwalk::simulated
