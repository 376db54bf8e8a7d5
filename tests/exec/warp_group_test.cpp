// Matrix products of warp groups (wgmma), against those of an H200 (data/README.md).
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/exec/hopper_launch.h"

namespace warpwalk::testing {
namespace {

struct Product {
  std::string_view kernel;
  int part;                      ///< of the cubins
  int registers;                 ///< of C and D in each thread
  std::uint32_t sign, infinity;  ///< of D; sign 0: integers
};
constexpr std::uint32_t f32_sign = 0x80000000, f32_infinity = 0x7f800000, f16_sign = 0x8000, f16_infinity = 0x7c00;
constexpr Product products[] = {
    {"bf16_s", 0, 16, f32_sign, f32_infinity},
    {"bf16_sn", 0, 16, f32_sign, f32_infinity},
    {"bf16_r", 0, 16, f32_sign, f32_infinity},
    {"f16_s", 0, 16, f32_sign, f32_infinity},
    {"f16h_r", 0, 8, f16_sign, f16_infinity},
    {"tf32_r", 0, 16, f32_sign, f32_infinity},
    {"e4m3_s", 1, 16, f32_sign, f32_infinity},
    {"e5m2_r", 1, 16, f32_sign, f32_infinity},
    {"e4m3h_s", 1, 8, f16_sign, f16_infinity},
    {"s8_s", 1, 16, 0, 0},
    {"u8s8_r", 1, 16, 0, 0},
};
constexpr std::size_t trials = 2;
// Only warp 2's part of A, C and D is recorded: rows 32 to 47.
constexpr std::size_t a_bytes = 2048, b_bytes = 1024, recorded_a = 512, a_begin = 1024, warp_bytes = 128,
                      group_bytes = 512, warp_begin = 256;

bool same(const Product& product, std::uint32_t a, std::uint32_t b) {
  if (a == b || product.sign == 0) return a == b;
  return (a & ~product.sign) > product.infinity && (b & ~product.sign) > product.infinity;  // NaNs
}

int differences(const Product& product, const std::vector<std::uint8_t>& d, const std::vector<std::uint8_t>& recorded) {
  const std::size_t size = product.sign == f16_sign ? 2 : 4;
  int different = 0;
  for (std::size_t i = 0; i < recorded.size(); i += size) {
    std::uint32_t a = 0, b = 0;
    std::memcpy(&a, d.data() + i / warp_bytes * group_bytes + warp_begin + i % warp_bytes, size);
    std::memcpy(&b, recorded.data() + i, size);
    if (!same(product, a, b)) ++different;
  }
  return different;
}

void check_products(Code code) {
  const std::string data = bytes_of_file("data/group_products.bin");
  Reader recorded(data);
  for (const Product& product : products) {
    const auto count = static_cast<std::size_t>(product.registers);
    std::vector<std::uint8_t> a(trials * a_bytes), b, c(trials * count * group_bytes), d;
    for (std::size_t t = 0; t < trials; ++t) {
      const auto part = recorded.take(recorded_a), columns = recorded.take(b_bytes),
                 addend = recorded.take(count * warp_bytes), sum = recorded.take(count * warp_bytes);
      std::copy(part.begin(), part.end(), a.begin() + static_cast<std::ptrdiff_t>(t * a_bytes + a_begin));
      b.insert(b.end(), columns.begin(), columns.end());
      d.insert(d.end(), sum.begin(), sum.end());
      for (std::size_t r = 0; r < count; ++r)
        std::memcpy(c.data() + (t * count + r) * group_bytes + warp_begin, addend.data() + r * warp_bytes, warp_bytes);
    }
    gpu::Launch launch;
    launch.block = {128, 1, 1};
    launch.dynamic_shared_bytes = 4096;
    launch.buffers = {{"a", a}, {"b", b}, {"c", c}, {"d", std::vector<std::uint8_t>(c.size())}};
    for (int i = 0; i < 4; ++i) launch.arguments.push_back(buffer_argument(i));
    launch.arguments.push_back(number_argument(trials));
    const std::string file = "group_products_" + std::to_string(product.part);
    EXPECT_EQ(run_code(code, file, std::string(product.kernel), launch), std::vector<std::string>{}) << product.kernel;
    EXPECT_EQ(differences(product, launch.buffers[3].bytes, d), 0) << product.kernel;
  }
  EXPECT_TRUE(recorded.empty());
}

TEST(WarpGroup, ProductsGiveTheBitsOfTheGpu) { check_products(Code::machine_code); }
TEST(WarpGroup, ProductsFromPtxGiveTheBitsOfTheGpu) { check_products(Code::ptx); }

/// Small integers as bf16.
std::vector<std::uint8_t> integers(std::size_t count, int step, std::vector<int>& values) {
  std::vector<std::uint8_t> bytes(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(static_cast<int>((i * static_cast<std::size_t>(step) + i / 11) % 7) - 3);
    const auto value = static_cast<float>(values.back());
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, 4);
    bytes[2 * i] = static_cast<std::uint8_t>(bits >> 16);
    bytes[2 * i + 1] = static_cast<std::uint8_t>(bits >> 24);
  }
  return bytes;
}

// A matmul as cuBLAS writes them: clusters of two blocks, multicast, four stages with mbarriers, a producer warp. Every
// sum is an integer below 256, so bf16 holds it exactly. The sanitizer finds nothing.
void check_matmul(Code code) {
  constexpr std::uint32_t m = 256, n = 128, k = 320;
  constexpr std::uint64_t base = 0x7f2000000000, apart = 1 << 24;
  std::vector<int> a, b;
  gpu::Launch launch;
  launch.grid = {m / 128, n / 128, 1};
  launch.block = {384, 1, 1};
  launch.dynamic_shared_bytes = 4 * 32768 + 32768 + 1024;
  launch.buffers = {{"a", integers(std::size_t{m} * k, 5, a)},
                    {"b", integers(std::size_t{n} * k, 3, b)},
                    {"c", std::vector<std::uint8_t>(std::size_t{2} * m * n)}};
  for (std::size_t i = 0; i < 3; ++i) launch.buffers[i].address = base + i * apart;
  launch.arguments = {map_argument(base, {k, m}, 2 * k, {64, 128}, 3),
                      map_argument(base + apart, {k, n}, 2 * k, {64, 64}, 3),
                      map_argument(base + 2 * apart, {n, m}, 2 * n, {64, 128}, 0), number_argument(k / 64)};
  EXPECT_EQ(run_code(code, "tensor_gemm", "gemm", launch), std::vector<std::string>{});
  int different = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const int sum = std::inner_product(a.begin() + static_cast<std::ptrdiff_t>(i * k),
                                         a.begin() + static_cast<std::ptrdiff_t>((i + 1) * k),
                                         b.begin() + static_cast<std::ptrdiff_t>(j * k), 0);
      const std::uint8_t* const at = launch.buffers[2].bytes.data() + 2 * (i * n + j);
      const std::uint32_t bits = std::uint32_t{at[0]} << 16 | std::uint32_t{at[1]} << 24;
      float value = 0;
      std::memcpy(&value, &bits, 4);
      if (std::abs(sum) <= 256 && value != static_cast<float>(sum)) ++different;
    }
  }
  EXPECT_EQ(different, 0);
}

TEST(WarpGroup, AMatmulOfAClusterWithTensorCopies) { check_matmul(Code::machine_code); }
TEST(WarpGroup, AMatmulOfAClusterWithTensorCopiesFromPtx) { check_matmul(Code::ptx); }

}  // namespace
}  // namespace warpwalk::testing
