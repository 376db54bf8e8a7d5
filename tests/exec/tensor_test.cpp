#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/exec/kernel.h"

namespace warpwalk::gpu {
namespace {

/// The integers -2 to 2 as f16 bit patterns.
const std::vector<std::uint16_t> halves{0xc000, 0xbc00, 0, 0x3c00, 0x4000};
int number_at(int i, int step) { return (i * step + i / 7) % 5; }

/// 1 + A B, with A in row-major and B in column-major order. Rows of A and columns of B have 16 elements.
template <class T>
std::vector<T> product(int m, int n) {
  std::vector<T> d;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      int sum = 1;
      for (int k = 0; k < 16; ++k) sum += (number_at(row * 16 + k, 3) - 2) * (number_at(column * 16 + k, 2) - 2);
      d.push_back(static_cast<T>(sum));
    }
  return d;
}

template <class T, class Element>
void expect_product(const std::string& entry, int m, int n, Element element) {
  using Input = decltype(element(0));
  std::vector<Input> a, b;
  for (int i = 0; i < m * 16; ++i) a.push_back(element(number_at(i, 3)));
  for (int i = 0; i < n * 16; ++i) b.push_back(element(number_at(i, 2)));
  TestKernel kernel("tensor", entry);
  kernel.buffer(a).buffer(b).template zeros<T>(static_cast<std::size_t>(m * n));
  EXPECT_EQ(findings_text(kernel.run(1, 32)), "");
  EXPECT_EQ(kernel.values<T>(2), product<T>(m, n)) << entry;
}

TEST(Wmma, HalvesInEveryShape) {
  const auto element = [](int i) { return halves[static_cast<std::size_t>(i)]; };
  expect_product<float>("square_halves", 16, 16, element);
  expect_product<float>("tall_halves", 32, 8, element);
  expect_product<float>("wide_halves", 8, 32, element);
}

TEST(Wmma, BytesInEveryShape) {
  const auto element = [](int i) { return static_cast<std::int8_t>(i - 2); };
  expect_product<int>("square_bytes", 16, 16, element);
  expect_product<int>("tall_bytes", 32, 8, element);
  expect_product<int>("wide_bytes", 8, 32, element);
}

TEST(Wmma, SinglesAndDoubles) {
  expect_product<float>("square_singles", 16, 16, [](int i) { return static_cast<float>(i - 2); });
  expect_product<double>("square_doubles", 8, 8, [](int i) { return static_cast<double>(i - 2); });
}

}  // namespace
}  // namespace warpwalk::gpu
