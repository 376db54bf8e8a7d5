// The words of the tensor maps that the driver of an H200 made (tests/simulated_cuda/data/tensor_maps.txt).
#include "core/gpu/exec/run/tensor_map.h"

#include <array>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace warpwalk::gpu {
namespace {

TEST(TensorMapWords, AreReadCompletely) {
  std::ifstream file(WARPWALK_SOURCE_DIR "/tests/simulated_cuda/data/tensor_maps.txt");
  const std::string made = " = 0 ";  // CUDA_SUCCESS
  int count = 0;
  for (std::string text; std::getline(file, text);) {
    const std::size_t at = text.find(made);
    if (at == std::string::npos) continue;
    std::istringstream line(text.substr(at + made.size()));
    std::array<std::uint64_t, 16> words{};
    for (std::uint64_t& word : words)
      if (!(line >> std::hex >> word)) word = 0;
    EXPECT_EQ(TensorMap::of(reinterpret_cast<const std::uint8_t*>(words.data())).words(), words) << text;
    ++count;
  }
  EXPECT_GT(count, 60);
}

}  // namespace
}  // namespace warpwalk::gpu
