// The functions of cuRAND's host API.
#include <memory>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/curand/generator.h"

namespace warpwalk::simulated::libraries {
namespace {

/// The version of CUDA 13.0's library.
constexpr int random_version[] = {10, 4, 0};

RandomStatus random_not_supported(const char* function, const char* what) {
  tell_not_supported("cuRAND", function, what);
  return RandomStatus::type_error;
}

RandomStatus create_generator(const char* function, RandomGenerator** generator, RandomType type, bool on_host) {
  return guarded<RandomStatus>(function, RandomStatus::allocation_failed, [&] {
    if (generator == nullptr) return RandomStatus::out_of_range;
    switch (type) {
      case RandomType::pseudo_default: type = RandomType::xorwow; break;
      case RandomType::xorwow:
      case RandomType::mrg32k3a:
      case RandomType::philox: break;
      default: return random_not_supported(function, "a generator other than XORWOW, MRG32K3A and Philox");
    }
    *generator = std::make_unique<RandomGenerator>(type, on_host).release();
    return RandomStatus::success;
  });
}

template <class Body>
RandomStatus with_generator(const char* function, RandomGenerator* generator, const Body& body) {
  return guarded<RandomStatus>(function, RandomStatus::internal_error,
                               [&] { return generator == nullptr ? RandomStatus::not_initialized : body(*generator); });
}

/// Numbers of a distribution without a table.
RandomStatus draw_numbers(const char* function, RandomGenerator* generator, void* out, std::size_t count,
                          RandomNumber number, int distribution, double mean = 0, double deviation = 1) {
  return with_generator(function, generator, [&](RandomGenerator& of) {
    stand_in::curand::Draw draw{};
    draw.distribution = distribution, draw.mean = mean, draw.deviation = deviation;
    return of.generate(out, count, number, draw);
  });
}

}  // namespace

extern "C" {

RandomStatus curandCreateGenerator(RandomGenerator** generator, RandomType type) {
  return create_generator("curandCreateGenerator", generator, type, false);
}
RandomStatus curandCreateGeneratorHost(RandomGenerator** generator, RandomType type) {
  return create_generator("curandCreateGeneratorHost", generator, type, true);
}
RandomStatus curandDestroyGenerator(RandomGenerator* generator) {
  const std::unique_ptr<RandomGenerator> owned(generator);
  return generator == nullptr ? RandomStatus::not_initialized : RandomStatus::success;
}

RandomStatus curandGetVersion(int* version) {
  if (version == nullptr) return RandomStatus::out_of_range;
  *version = random_version[0] * 1000 + random_version[1] * 100 + random_version[2];
  return RandomStatus::success;
}
RandomStatus curandGetProperty(int property, int* value) {
  if (value == nullptr || property < 0 || property > 2) return RandomStatus::out_of_range;
  *value = random_version[property];
  return RandomStatus::success;
}

RandomStatus curandSetStream(RandomGenerator* generator, const void* stream) {
  if (generator == nullptr) return RandomStatus::not_initialized;
  generator->stream = stream;
  return RandomStatus::success;
}
RandomStatus curandSetPseudoRandomGeneratorSeed(RandomGenerator* generator, unsigned long long seed) {
  return with_generator("curandSetPseudoRandomGeneratorSeed", generator, [&](RandomGenerator& of) {
    of.set_seed(seed);
    return RandomStatus::success;
  });
}
RandomStatus curandSetGeneratorOffset(RandomGenerator* generator, unsigned long long offset) {
  return with_generator("curandSetGeneratorOffset", generator, [&](RandomGenerator& of) {
    of.set_offset(offset);
    return RandomStatus::success;
  });
}
RandomStatus curandSetGeneratorOrdering(RandomGenerator* generator, RandomOrdering ordering) {
  return with_generator("curandSetGeneratorOrdering", generator,
                        [&](RandomGenerator& of) { return of.set_ordering(ordering); });
}
// Only quasirandom generators have dimensions, and only those of 64 bits give numbers of 64 bits.
RandomStatus curandSetQuasiRandomGeneratorDimensions(RandomGenerator* generator, unsigned) {
  return generator == nullptr ? RandomStatus::not_initialized : RandomStatus::type_error;
}
RandomStatus curandGenerateLongLong(RandomGenerator* generator, unsigned long long*, std::size_t) {
  return generator == nullptr ? RandomStatus::not_initialized : RandomStatus::type_error;
}
RandomStatus curandGenerateSeeds(RandomGenerator* generator) {
  return with_generator("curandGenerateSeeds", generator, [](RandomGenerator& of) { return of.make_states(); });
}

RandomStatus curandGenerate(RandomGenerator* generator, unsigned* out, std::size_t count) {
  return draw_numbers("curandGenerate", generator, out, count, RandomNumber::word, stand_in::curand::bits);
}
RandomStatus curandGenerateUniform(RandomGenerator* generator, float* out, std::size_t count) {
  return draw_numbers("curandGenerateUniform", generator, out, count, RandomNumber::single, stand_in::curand::uniform);
}
RandomStatus curandGenerateUniformDouble(RandomGenerator* generator, double* out, std::size_t count) {
  return draw_numbers("curandGenerateUniformDouble", generator, out, count, RandomNumber::twice,
                      stand_in::curand::uniform);
}
RandomStatus curandGenerateNormal(RandomGenerator* generator, float* out, std::size_t count, float mean,
                                  float deviation) {
  return draw_numbers("curandGenerateNormal", generator, out, count, RandomNumber::single, stand_in::curand::normal,
                      mean, deviation);
}
RandomStatus curandGenerateNormalDouble(RandomGenerator* generator, double* out, std::size_t count, double mean,
                                        double deviation) {
  return draw_numbers("curandGenerateNormalDouble", generator, out, count, RandomNumber::twice,
                      stand_in::curand::normal, mean, deviation);
}
RandomStatus curandGenerateLogNormal(RandomGenerator* generator, float* out, std::size_t count, float mean,
                                     float deviation) {
  return draw_numbers("curandGenerateLogNormal", generator, out, count, RandomNumber::single,
                      stand_in::curand::log_normal, mean, deviation);
}
RandomStatus curandGenerateLogNormalDouble(RandomGenerator* generator, double* out, std::size_t count, double mean,
                                           double deviation) {
  return draw_numbers("curandGenerateLogNormalDouble", generator, out, count, RandomNumber::twice,
                      stand_in::curand::log_normal, mean, deviation);
}
RandomStatus curandGeneratePoisson(RandomGenerator* generator, unsigned* out, std::size_t count, double mean) {
  return with_generator("curandGeneratePoisson", generator,
                        [&](RandomGenerator& of) { return of.generate_poisson(out, count, mean); });
}

RandomStatus curandCreatePoissonDistribution() { return random_not_supported("curandCreatePoissonDistribution", ""); }
RandomStatus curandDestroyDistribution() { return random_not_supported("curandDestroyDistribution", ""); }
RandomStatus curandGeneratePoissonMethod() { return random_not_supported("curandGeneratePoissonMethod", ""); }
RandomStatus curandGenerateBinomial() { return random_not_supported("curandGenerateBinomial", ""); }
RandomStatus curandGenerateBinomialMethod() { return random_not_supported("curandGenerateBinomialMethod", ""); }
RandomStatus curandGetDirectionVectors32() {
  return random_not_supported("curandGetDirectionVectors32", "quasirandom numbers");
}
RandomStatus curandGetDirectionVectors64() {
  return random_not_supported("curandGetDirectionVectors64", "quasirandom numbers");
}
RandomStatus curandGetScrambleConstants32() {
  return random_not_supported("curandGetScrambleConstants32", "quasirandom numbers");
}
RandomStatus curandGetScrambleConstants64() {
  return random_not_supported("curandGetScrambleConstants64", "quasirandom numbers");
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
