// cuRAND's host API: the numbers of NVIDIA's library.
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "called_library.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test::random {
namespace {

enum Type : int { xorwow = 101, mrg32k3a = 121, philox = 161 };
enum Status : int {
  success = 0,
  not_initialized = 101,
  type_error = 103,
  out_of_range = 104,
  length_not_multiple = 105
};

const CalledLibrary& curand() {
  static const CalledLibrary& library = *new CalledLibrary{"libcurand.so.10"};
  return library;
}

/// A generator with the seed 1234.
class Generator {
 public:
  explicit Generator(int type, bool on_host = false) {
    EXPECT_EQ(curand().call(on_host ? "curandCreateGeneratorHost" : "curandCreateGenerator", &at_, type), success);
    EXPECT_EQ(curand().call("curandSetPseudoRandomGeneratorSeed", at_, 1234ULL), success);
  }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  ~Generator() { EXPECT_EQ(curand().call("curandDestroyGenerator", at_), success); }

  template <class Number, class... Parameters>
  std::vector<Number> numbers(const char* function, std::size_t count, Parameters... parameters) const {
    const OnDevice<Number> out((std::vector<Number>(count)));
    EXPECT_EQ(curand().call(function, at_, out.get(), count, parameters...), success);
    return out.values();
  }
  void* get() const { return at_; }

 private:
  void* at_ = nullptr;
};

constexpr std::size_t count = 40000;
constexpr std::array<std::size_t, 5> places{0, 1, 4095, 4097, 39999};

/// Numbers at these places, as cuRAND 10.4.0 of CUDA 13.0 writes them with curandCreateGeneratorHost, which gives the
/// same numbers as a GPU (cuRAND library, host API overview).
struct Recorded {
  int type;
  std::array<std::uint32_t, 5> words;
  std::array<double, 5> uniform, normal, log_normal, uniform_double, normal_double;
};
constexpr Recorded recorded[] = {
    {
        101,
        {0x253d5e15U, 0xd1f7605aU, 0xe5dcbadaU, 0xed29ae49U, 0xe5746ffeU},
        {0.145467639, 0.820180893, 0.89789933, 0.926417232, 0.896307945},
        {0.780973554, -1.80157816, 1.29743934, 0.454981744, 0.42780894},
        {2.18359709, 0.165038228, 3.65991282, 1.57614458, 1.53389299},
        {0.43489880438841294, 0.92641692020243771, 0.98820661192243198, 0.53759377731372671, 0.4540545997098035},
        {0.35873979852445503, -1.239592503223552, 0.20635353954514107, 1.002612107498315, 1.4273646548628802},
    },
    {
        121,
        {0xc96891f0U, 0x26f0d612U, 0xa85b4ff8U, 0x44f3c35fU, 0x1d3f8d8bU},
        {0.786751866, 0.152112365, 0.657643318, 0.269344538, 0.114250988},
        {-0.360653788, -0.591281295, 1.30085957, 0.448747933, 0.335115403},
        {0.697220325, 0.553617477, 3.67245197, 1.56634974, 1.39810169},
        {0.78675186271572939, 0.15211236914421553, 0.65764331641780527, 0.26934453083505089, 0.11425099053384202},
        {-0.36065364611174472, -0.59128140374174409, 1.3008596332329811, 0.44874795048110394, 0.33511531903556652},
    },
    {
        161,
        {0x2090b348U, 0xda7cf0abU, 0x3aad5500U, 0x3734acf6U, 0xa6b02eb4U},
        {0.12720795, 0.853468955, 0.229207337, 0.215647519, 0.651125848},
        {-1.61649048, 1.22915542, 0.0742003247, 0.260178208, -0.614245594},
        {0.198594451, 3.41834116, 1.07702255, 1.29716122, 0.541048884},
        {0.85346899543001431, 0.79605514883270523, 0.80878207458661233, 0.83971973543461997, 0.32430655061488961},
        {-0.53952669590731883, 0.16063334644202293, 0.10187815007924603, 0.93596619236804179, -0.36687398114111947},
    },
};

template <class Number>
void expect_close(const std::vector<Number>& got, const std::array<double, 5>& wanted, double error) {
  for (std::size_t i = 0; i < places.size(); ++i)
    EXPECT_NEAR(static_cast<double>(got[places[i]]), wanted[i], error * std::max(1.0, std::abs(wanted[i])))
        << places[i];
}

TEST(Curand, writes_the_numbers_of_nvidias_library) {
  for (const Recorded& of : recorded) {
    SCOPED_TRACE(of.type);
    const auto words = Generator(of.type).numbers<std::uint32_t>("curandGenerate", count);
    for (std::size_t i = 0; i < places.size(); ++i) EXPECT_EQ(words[places[i]], of.words[i]) << places[i];
    // The GPU's fast sine and cosine have less digits than those of the CPU.
    expect_close(Generator(of.type).numbers<float>("curandGenerateUniform", count), of.uniform, 1e-7);
    expect_close(Generator(of.type).numbers<float>("curandGenerateNormal", count, 0.0F, 1.0F), of.normal, 1e-5);
    expect_close(Generator(of.type).numbers<float>("curandGenerateLogNormal", count, 0.0F, 1.0F), of.log_normal, 1e-5);
    expect_close(Generator(of.type).numbers<double>("curandGenerateUniformDouble", count), of.uniform_double, 1e-15);
    expect_close(Generator(of.type).numbers<double>("curandGenerateNormalDouble", count, 0.0, 1.0), of.normal_double,
                 1e-13);
  }
}

TEST(Curand, continues_where_the_last_call_ended) {
  for (const Recorded& of : recorded) {
    SCOPED_TRACE(of.type);
    const auto whole = Generator(of.type).numbers<std::uint32_t>("curandGenerate", 9000);
    const Generator twice(of.type);
    twice.numbers<std::uint32_t>("curandGenerate", 4099);
    const auto second = twice.numbers<std::uint32_t>("curandGenerate", 1000);
    EXPECT_EQ(second, std::vector<std::uint32_t>(whole.begin() + 4099, whole.begin() + 5099));
    const Generator skipped(of.type);
    EXPECT_EQ(curand().call("curandSetGeneratorOffset", skipped.get(), 8200ULL), success);
    EXPECT_EQ(skipped.numbers<std::uint32_t>("curandGenerate", 800),
              std::vector<std::uint32_t>(whole.begin() + 8200, whole.end()));
  }
}

TEST(Curand, shifts_normal_distributions) {
  const Generator plain(philox), shifted(philox);
  const auto numbers = plain.numbers<float>("curandGenerateNormal", 1000, 0.0F, 1.0F),
             moved = shifted.numbers<float>("curandGenerateNormal", 1000, 3.0F, 0.5F);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_NEAR(moved[i], 3 + 0.5 * numbers[i], 1e-5);
}

TEST(Curand, has_poissons_distribution) {
  for (const int type : {xorwow, mrg32k3a, philox})
    for (const double mean : {3.5, 5000.0}) {
      SCOPED_TRACE(mean);
      const auto numbers = Generator(type).numbers<std::uint32_t>("curandGeneratePoisson", count, mean);
      double sum = 0, squares = 0;
      for (const std::uint32_t number : numbers) sum += number, squares += (number - mean) * (number - mean);
      // Five standard errors of the mean, and of the variance of nearly normal numbers.
      EXPECT_NEAR(sum / count, mean, 5 * std::sqrt(mean / count));
      EXPECT_NEAR(squares / count, mean, 6 * mean * std::sqrt(2.0 / count));
    }
}

TEST(Curand, writes_to_host_memory) {
  const Generator on_host(philox, true);
  std::vector<std::uint32_t> words(2);
  EXPECT_EQ(curand().call("curandGenerate", on_host.get(), words.data(), std::size_t{2}), success);
  EXPECT_EQ(words, (std::vector<std::uint32_t>{recorded[2].words[0], recorded[2].words[1]}));
}

TEST(Curand, refuses_what_the_documentation_excludes) {
  const Generator generator(xorwow);
  const OnDevice<float> out((std::vector<float>(3)));
  EXPECT_EQ(curand().call("curandGenerateNormal", generator.get(), out.get(), std::size_t{3}, 0.0F, 1.0F),
            length_not_multiple);
  EXPECT_EQ(curand().call("curandGenerateLongLong", generator.get(), static_cast<void*>(out.get()), std::size_t{1}),
            type_error);
  EXPECT_EQ(curand().call("curandGeneratePoisson", generator.get(), static_cast<void*>(out.get()), std::size_t{1}, 0.0),
            out_of_range);
  EXPECT_EQ(curand().call("curandSetGeneratorOrdering", generator.get(), 7), out_of_range);
  EXPECT_EQ(curand().call("curandSetPseudoRandomGeneratorSeed", static_cast<void*>(nullptr), 1ULL), not_initialized);
  int version = 0;
  EXPECT_EQ(curand().call("curandGetVersion", &version), success);
  EXPECT_GE(version, 10300);
}

}  // namespace
}  // namespace warpwalk::libraries_test::random
