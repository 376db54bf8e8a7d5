// cuFFT: transforms of all types, dimensions and layouts against sums in double precision.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "called_library.h"
#include "stored_numbers.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test::stored::fft {
namespace {

using Complex = std::complex<double>;
using Sizes = std::array<long long, 3>;

constexpr int forward = -1, inverse = 1;
enum Result : int { success = 0, invalid_plan = 1, invalid_type = 3, invalid_value = 4, invalid_size = 8 };

const CalledLibrary& cufft() {
  static const CalledLibrary& library = *new CalledLibrary{"libcufft.so.12", "libcufft.so.11"};
  return library;
}

/// The transform along each dimension, as its definition says.
std::vector<Complex> transformed(std::vector<Complex> x, const Sizes& n, int direction) {
  const Sizes step{n[1] * n[2], n[2], 1};
  for (std::size_t d = 0; d < 3; ++d) {
    std::vector<Complex> y(x.size());
    std::vector<Complex> roots(static_cast<std::size_t>(n[d]));
    for (std::size_t k = 0; k < roots.size(); ++k)
      roots[k] = std::polar(1.0, direction * 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n[d]));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long long k = static_cast<long long>(i) / step[d] % n[d];
      const long long first = static_cast<long long>(i) - k * step[d];
      for (long long j = 0; j < n[d]; ++j)
        y[i] += x[static_cast<std::size_t>(first + j * step[d])] * roots[static_cast<std::size_t>(j * k % n[d])];
    }
    x = y;
  }
  return x;
}

struct Side {
  DataType type;
  Sizes embed{};  ///< with leading ones; all 0: basic
  long long stride = 1, distance = 0;
};
struct Case {
  int rank;
  Sizes n;  ///< with leading ones
  long long batch;
  Side in, out;
  int direction = forward;
  bool in_place = false;
};

/// An array of a case: where its elements are.
struct Place {
  Sizes extents, embed;
  long long stride, distance;
  std::size_t elements;
  Place(const Case& of, const Side& side, const Side& other) {
    extents = of.n;
    if (is_complex(side.type) && !is_complex(other.type)) extents[2] = of.n[2] / 2 + 1;
    embed = side.embed, stride = side.stride, distance = side.distance;
    if (embed[2] == 0) {
      embed = extents, stride = 1;
      if (of.in_place && !is_complex(side.type)) embed[2] = 2 * (of.n[2] / 2 + 1);
      distance = embed[0] * embed[1] * embed[2];
    }
    elements = static_cast<std::size_t>(
        (of.batch - 1) * distance +
        (((extents[0] - 1) * embed[1] + extents[1] - 1) * embed[2] + extents[2] - 1) * stride + 1);
  }
  template <class Body>
  void each(long long batch, const Body& body) const {
    for (long long a = 0; a < extents[0]; ++a)
      for (long long b = 0; b < extents[1]; ++b)
        for (long long c = 0; c < extents[2]; ++c)
          body(static_cast<std::size_t>(batch * distance + ((a * embed[1] + b) * embed[2] + c) * stride), a, b, c);
  }
};

/// Runs a case as PyTorch does and returns the largest error, relative to the root mean square of the result.
double error_of(const Case& of) {
  const Place in(of, of.in, of.out), out(of, of.out, of.in);
  const auto bytes = [](const Side& side) { return bytes_of_part(side.type) * (is_complex(side.type) ? 2 : 1); };
  std::size_t input_bytes = in.elements * bytes(of.in);
  if (of.in_place) input_bytes = std::max(input_bytes, out.elements * bytes(of.out));
  std::vector<std::uint8_t> memory(input_bytes);
  std::vector<std::vector<Complex>> expected;
  const auto at = [&](long long a, long long b, long long c) {
    return static_cast<std::size_t>((a * of.n[1] + b) * of.n[2] + c);
  };
  Noise noise(7);
  for (long long batch = 0; batch < of.batch; ++batch) {
    std::vector<Complex> x(static_cast<std::size_t>(of.n[0] * of.n[1] * of.n[2]));
    const bool real = !is_complex(of.in.type) || !is_complex(of.out.type);
    std::array<std::uint8_t, 8> rounded{};
    for (Complex& value : x) {
      double parts[] = {noise.next(), real ? 0 : noise.next()};
      for (double& part : parts) {
        put(rounded.data(), of.in.type, part);
        part = get(rounded.data(), of.in.type);
      }
      value = {parts[0], parts[1]};
    }
    std::vector<Complex> source = x;
    if (!is_complex(of.out.type)) {
      // The spectrum of a real signal, which the inverse transform multiplies by the number of elements.
      source = transformed(x, of.n, forward);
      for (Complex& value : x) value *= static_cast<double>(x.size());
      expected.push_back(x);
    } else {
      expected.push_back(transformed(x, of.n, of.direction));
    }
    in.each(batch, [&](std::size_t element, long long a, long long b, long long c) {
      std::uint8_t* const to = memory.data() + element * bytes(of.in);
      put(to, of.in.type, source[at(a, b, c)].real());
      if (is_complex(of.in.type)) put(to + bytes_of_part(of.in.type), of.in.type, source[at(a, b, c)].imag());
    });
  }

  int plan = 0;
  std::size_t work_bytes = 0;
  const auto last = [&](const Sizes& sizes) {
    Sizes shifted{};
    std::copy_n(sizes.end() - of.rank, of.rank, shifted.begin());
    return shifted;
  };
  Sizes n = last(of.n), in_embed = last(of.in.embed), out_embed = last(of.out.embed);
  const DataType computed = bytes_of_part(of.in.type) == 8    ? c64
                            : bytes_of_part(of.in.type) == 4  ? c32
                            : real_type_of(of.in.type) == r16 ? c16
                                                              : c16b;
  EXPECT_EQ(cufft().call("cufftCreate", &plan), success);
  EXPECT_EQ(cufft().call("cufftSetAutoAllocation", plan, 0), success);
  EXPECT_EQ(
      cufft().call("cufftXtMakePlanMany", plan, of.rank, n.data(), of.in.embed[2] == 0 ? nullptr : in_embed.data(),
                   of.in.stride, of.in.distance, static_cast<int>(of.in.type),
                   of.out.embed[2] == 0 ? nullptr : out_embed.data(), of.out.stride, of.out.distance,
                   static_cast<int>(of.out.type), of.batch, &work_bytes, static_cast<int>(computed)),
      success);
  const OnDevice<std::uint8_t> input(memory),
      output(std::vector<std::uint8_t>(of.in_place ? 1 : out.elements * bytes(of.out))),
      work(std::vector<std::uint8_t>(work_bytes + 1));
  std::uint8_t* const target = of.in_place ? input.get() : output.get();
  EXPECT_EQ(cufft().call("cufftSetStream", plan, static_cast<void*>(nullptr)), success);
  EXPECT_EQ(cufft().call("cufftSetWorkArea", plan, static_cast<void*>(work.get())), success);
  EXPECT_EQ(
      cufft().call("cufftXtExec", plan, static_cast<void*>(input.get()), static_cast<void*>(target), of.direction),
      success);
  const std::vector<std::uint8_t> result = of.in_place ? input.values() : output.values();
  EXPECT_EQ(cufft().call("cufftDestroy", plan), success);

  double worst = 0, squares = 0;
  std::size_t compared = 0;
  for (long long batch = 0; batch < of.batch; ++batch)
    out.each(batch, [&](std::size_t element, long long a, long long b, long long c) {
      const std::uint8_t* const from = result.data() + element * bytes(of.out);
      const Complex wanted = expected[static_cast<std::size_t>(batch)][at(a, b, c)];
      const Complex got{get(from, of.out.type),
                        is_complex(of.out.type) ? get(from + bytes_of_part(of.out.type), of.out.type) : 0};
      worst = std::max(worst, std::abs(got - wanted));
      if (!(std::abs(got - wanted) < 1e30)) worst = 1e30;
      squares += std::norm(wanted);
      ++compared;
    });
  return worst / std::sqrt(squares / static_cast<double>(compared));
}

constexpr double float_error = 2e-6, double_error = 1e-14;

TEST(Cufft, transforms_any_length_of_complex_numbers) {
  for (const long long n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 30, 49, 64, 100, 11, 26, 127, 251, 210, 512}) {
    SCOPED_TRACE(n);
    EXPECT_LT(error_of({1, {1, 1, n}, 3, {c32}, {c32}, forward}), float_error);
    EXPECT_LT(error_of({1, {1, 1, n}, 2, {c64}, {c64}, inverse}), double_error);
  }
}

TEST(Cufft, transforms_in_several_passes) {
  EXPECT_LT(error_of({1, {1, 1, 4096}, 1, {c32}, {c32}, inverse}), float_error);
  EXPECT_LT(error_of({1, {1, 1, 1080}, 2, {c64}, {c64}, forward}), double_error);
  EXPECT_LT(error_of({1, {1, 1, 2500}, 1, {r32}, {c32}, forward}), float_error);
  EXPECT_LT(error_of({1, {1, 1, 1030}, 1, {c64}, {r64}, inverse}), double_error);
}

TEST(Cufft, transforms_lengths_with_large_prime_factors) {
  EXPECT_LT(error_of({1, {1, 1, 262}, 2, {c32}, {c32}, inverse}), 2 * float_error);
  EXPECT_LT(error_of({1, {1, 1, 1031}, 1, {c32}, {c32}, forward}), 2 * float_error);
  EXPECT_LT(error_of({1, {1, 1, 257}, 1, {r64}, {c64}, forward}), 2 * double_error);
  EXPECT_LT(error_of({1, {1, 1, 137}, 1, {c64}, {r64}, inverse}), 2 * double_error);
}

TEST(Cufft, transforms_real_signals) {
  for (const long long n : {1, 2, 5, 8, 12, 33, 100}) {
    SCOPED_TRACE(n);
    EXPECT_LT(error_of({1, {1, 1, n}, 3, {r32}, {c32}, forward}), float_error);
    EXPECT_LT(error_of({1, {1, 1, n}, 3, {c32}, {r32}, inverse}), float_error);
    EXPECT_LT(error_of({1, {1, 1, n}, 1, {r64}, {c64}, forward}), double_error);
    EXPECT_LT(error_of({1, {1, 1, n}, 1, {c64}, {r64}, inverse}), double_error);
  }
}

TEST(Cufft, transforms_two_and_three_dimensions) {
  EXPECT_LT(error_of({2, {1, 6, 8}, 3, {c32}, {c32}, forward}), float_error);
  EXPECT_LT(error_of({3, {4, 3, 10}, 2, {c64}, {c64}, inverse}), double_error);
  EXPECT_LT(error_of({2, {1, 7, 9}, 2, {r32}, {c32}, forward}), float_error);
  EXPECT_LT(error_of({2, {1, 7, 9}, 2, {c32}, {r32}, inverse}), float_error);
  EXPECT_LT(error_of({3, {5, 1, 6}, 2, {r64}, {c64}, forward}), double_error);
  EXPECT_LT(error_of({3, {3, 4, 6}, 2, {c64}, {r64}, inverse}), double_error);
  EXPECT_LT(error_of({2, {1, 131, 4}, 1, {c32}, {c32}, forward}), 2 * float_error);
}

TEST(Cufft, transforms_in_place) {
  EXPECT_LT(error_of({1, {1, 1, 96}, 2, {c32}, {c32}, forward, true}), float_error);
  EXPECT_LT(error_of({1, {1, 1, 3000}, 1, {c32}, {c32}, forward, true}), float_error);
  EXPECT_LT(error_of({2, {1, 6, 10}, 2, {r32}, {c32}, forward, true}), float_error);
  EXPECT_LT(error_of({2, {1, 6, 9}, 2, {c64}, {r64}, inverse, true}), double_error);
}

TEST(Cufft, uses_the_layouts_of_the_program) {
  // Every second column of a larger array, batches side by side.
  EXPECT_LT(error_of({1, {1, 1, 8}, 4, {c32, {1, 1, 8}, 4, 1}, {c32, {1, 1, 8}, 1, 9}, forward}), float_error);
  EXPECT_LT(error_of({2, {1, 4, 6}, 2, {c32, {1, 5, 7}, 2, 80}, {c32, {1, 4, 8}, 1, 40}, inverse}), float_error);
  EXPECT_LT(error_of({2, {1, 4, 6}, 2, {r32, {1, 5, 7}, 2, 80}, {c32, {1, 4, 4}, 3, 60}, forward}), float_error);
  EXPECT_LT(error_of({3, {2, 3, 6}, 2, {c64, {2, 3, 4}, 2, 60}, {r64, {2, 4, 7}, 1, 60}, inverse}), double_error);
}

TEST(Cufft, transforms_half_precision) {
  EXPECT_LT(error_of({1, {1, 1, 64}, 2, {c16}, {c16}, forward}), 5e-3);
  EXPECT_LT(error_of({2, {1, 8, 16}, 2, {r16}, {c16}, forward}), 5e-3);
  EXPECT_LT(error_of({2, {1, 8, 16}, 1, {c16}, {r16}, inverse}), 5e-3);
  EXPECT_LT(error_of({1, {1, 1, 32}, 2, {r16b}, {c16b}, forward}), 4e-2);
}

TEST(Cufft, executes_plans_of_the_classic_functions) {
  std::vector<std::complex<float>> x(60);
  Noise noise(3);
  std::vector<Complex> wide;
  for (auto& value : x) {
    value = {static_cast<float>(noise.next()), static_cast<float>(noise.next())};
    wide.emplace_back(value);
  }
  const OnDevice<std::complex<float>> input(x), output(std::vector<std::complex<float>>(60));
  int plan = 0;
  ASSERT_EQ(cufft().call("cufftPlan3d", &plan, 3, 4, 5, 0x29), success);
  std::size_t bytes = 1;
  EXPECT_EQ(cufft().call("cufftGetSize", plan, &bytes), success);
  EXPECT_EQ(cufft().call("cufftExecC2C", plan, input.get(), output.get(), inverse), success);
  const auto got = output.values();
  const auto wanted = transformed(wide, {3, 4, 5}, inverse);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_LT(std::abs(Complex(got[i]) - wanted[i]), 1e-5) << i;
  EXPECT_EQ(cufft().call("cufftDestroy", plan), success);

  // One batch of 2d transforms by all parameters.
  std::array<int, 2> n{6, 10};
  ASSERT_EQ(cufft().call("cufftPlanMany", &plan, 2, n.data(), static_cast<int*>(nullptr), 1, 0,
                         static_cast<int*>(nullptr), 1, 0, 0x29, 1),
            success);
  EXPECT_EQ(cufft().call("cufftExecC2C", plan, input.get(), output.get(), forward), success);
  const auto second = output.values();
  const auto wanted_second = transformed(wide, {1, 6, 10}, forward);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_LT(std::abs(Complex(second[i]) - wanted_second[i]), 1e-5) << i;
  EXPECT_EQ(cufft().call("cufftDestroy", plan), success);
}

TEST(Cufft, refuses_what_the_documentation_excludes) {
  int plan = 0;
  EXPECT_EQ(cufft().call("cufftPlan1d", &plan, 0, 0x29, 1), invalid_size);
  EXPECT_EQ(cufft().call("cufftPlan1d", &plan, 8, 0x28, 1), invalid_type);
  EXPECT_EQ(cufft().call("cufftDestroy", 12345), invalid_plan);
  ASSERT_EQ(cufft().call("cufftPlan1d", &plan, 8, 0x29, 1), success);
  std::size_t bytes = 0;
  EXPECT_EQ(cufft().call("cufftMakePlan1d", plan, 8, 0x29, 1, &bytes), invalid_plan);
  EXPECT_EQ(cufft().call("cufftExecC2C", plan, static_cast<void*>(nullptr), static_cast<void*>(nullptr), forward),
            invalid_value);
  EXPECT_EQ(cufft().call("cufftDestroy", plan), success);
  EXPECT_EQ(cufft().call("cufftDestroy", plan), invalid_plan);
  int version = 0;
  EXPECT_EQ(cufft().call("cufftGetVersion", &version), success);
  EXPECT_GE(version, 11000);
}

}  // namespace
}  // namespace warpwalk::libraries_test::stored::fft
