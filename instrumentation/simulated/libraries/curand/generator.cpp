#include "instrumentation/simulated/libraries/curand/generator.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/curand/sequences.h"

namespace warpwalk::simulated::libraries {
namespace {

using stand_in::curand::Draw;

/// Frees memory of a generator once the GPU has done with it.
void release_memory(DeviceMemory::Place& place) {
  if (place == nullptr) return;
  Gpu& gpu = Gpu::the();
  gpu.queue.wait_all();
  if (gpu.memory.find(place->address) == place) gpu.memory.free(place->address);
  place = nullptr;
}

DeviceMemory::Place take_memory(std::size_t bytes) {
  const DeviceMemory::Place place = Gpu::the().memory.allocate(MemoryKind::device, bytes, "cudaMalloc");
  if (place != nullptr) place->owned = true;
  return place;
}

/// Device memory with these elements; null if there is none.
template <class Element>
DeviceMemory::Place uploaded(const std::vector<Element>& elements) {
  const std::size_t bytes = elements.size() * sizeof(Element);
  const DeviceMemory::Place place = take_memory(bytes);
  if (place == nullptr) return place;
  std::memcpy(place->data, elements.data(), bytes);
  std::ranges::fill(place->written, std::uint8_t{1});
  return place;
}

std::size_t bytes_of_number(RandomNumber number) { return number == RandomNumber::twice ? 8 : 4; }

/// Probabilities of at most `least`, `least` + 1, ...: twelve standard deviations around the mean.
std::vector<double> poisson_sums(double mean, unsigned& least) {
  constexpr double deviations = 12, margin = 40;
  const double spread = deviations * std::sqrt(mean);
  least = static_cast<unsigned>(std::max(0.0, std::floor(mean - spread)));
  const auto most = static_cast<unsigned>(std::ceil(mean + spread + margin));
  std::vector<double> sums;
  double sum = 0;
  for (unsigned k = least; k <= most; ++k) {
    sum += std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace

RandomGenerator::~RandomGenerator() {
  release_memory(states_);
  release_memory(poisson_);
}

void RandomGenerator::forget_states() {
  release_memory(states_);
  position_ = 0;
  next_ = 0;
}

void RandomGenerator::set_seed(std::uint64_t seed) {
  seed_ = seed;
  forget_states();
}

void RandomGenerator::set_offset(std::uint64_t offset) {
  offset_ = offset;
  forget_states();
}

RandomStatus RandomGenerator::set_ordering(RandomOrdering ordering) {
  switch (ordering) {
    case RandomOrdering::seeded:
      tell_not_supported("cuRAND", "curandSetGeneratorOrdering", "CURAND_ORDERING_PSEUDO_SEEDED");
      return RandomStatus::out_of_range;
    case RandomOrdering::dynamic:
      if (on_host_) return RandomStatus::out_of_range;
      break;
    case RandomOrdering::best:
    case RandomOrdering::standard:
    case RandomOrdering::legacy: break;
    default: return RandomStatus::out_of_range;
  }
  ordering_ = ordering;
  forget_states();
  return RandomStatus::success;
}

unsigned RandomGenerator::sequences() const {
  return type_ == RandomType::mrg32k3a && ordering_ != RandomOrdering::legacy ? stand_in::curand::mrg_sequences
                                                                              : stand_in::curand::xorwow_sequences;
}

RandomStatus RandomGenerator::make_states() {
  if (type_ == RandomType::philox || states_ != nullptr) return RandomStatus::success;
  states_ = type_ == RandomType::mrg32k3a ? uploaded(mrg_states(seed_, offset_, sequences()))
                                          : uploaded(xorwow_states(seed_, offset_, sequences()));
  next_ = static_cast<unsigned>(offset_ % sequences());
  return states_ == nullptr ? RandomStatus::allocation_failed : RandomStatus::success;
}

RandomStatus RandomGenerator::launch_draw(const Draw& draw, RandomNumber number) {
  constexpr std::uint32_t threads = 128;
  Error error = Error::success;
  if (type_ == RandomType::philox) {
    const char* const kernels[] = {"philox_words", "philox_floats", "philox_doubles"};
    const std::uint64_t groups = (draw.first + draw.count - 1) / 4 - draw.first / 4 + 1;
    error = launch("philox", kernels[static_cast<std::size_t>(number)], shape_over(groups, threads), stream, draw,
                   static_cast<unsigned long long>(seed_));
  } else {
    const char* const numbers[] = {"unsigned int", "float", "double"};
    const std::string kernel = std::string("from_sequences<stand_in::curand::") +
                               (type_ == RandomType::mrg32k3a ? "Mrg32k3a, " : "Xorwow, ") +
                               numbers[static_cast<std::size_t>(number)] + ">";
    error = launch("sequences", kernel, shape_over(sequences(), threads), stream, draw,
                   reinterpret_cast<void*>(states_->address), sequences(), next_);
  }
  return error == Error::success ? RandomStatus::success : RandomStatus::launch_failure;
}

RandomStatus RandomGenerator::generate(void* out, std::size_t count, RandomNumber number, Draw draw) {
  const bool pairs = draw.distribution == stand_in::curand::normal || draw.distribution == stand_in::curand::log_normal;
  if (pairs && count % 2 != 0 && type_ != RandomType::philox) return RandomStatus::length_not_multiple;
  if (count == 0) return RandomStatus::success;
  if (const RandomStatus failed = make_states(); failed != RandomStatus::success) return failed;
  draw.first = offset_ + position_;
  draw.count = count;
  const std::size_t bytes = count * bytes_of_number(number);
  DeviceMemory::Place copied;
  if (on_host_) {
    copied = take_memory(bytes);
    if (copied == nullptr) return RandomStatus::allocation_failed;
  }
  draw.out = on_host_ ? reinterpret_cast<void*>(copied->address) : out;
  const RandomStatus status = launch_draw(draw, number);
  if (on_host_) {
    Gpu::the().queue.wait_all();
    std::memcpy(out, copied->data, bytes);
    release_memory(copied);
  }
  position_ += count;
  next_ = static_cast<unsigned>((next_ + (pairs ? count / 2 : count)) % sequences());
  return status;
}

RandomStatus RandomGenerator::generate_poisson(unsigned* out, std::size_t count, double mean) {
  constexpr double largest = 1e9;
  if (!(mean > 0)) return RandomStatus::out_of_range;
  if (mean > largest) {
    tell_not_supported("cuRAND", "curandGeneratePoisson", "a mean above 1e9");
    return RandomStatus::out_of_range;
  }
  if (poisson_ == nullptr || poisson_mean_ != mean) {
    release_memory(poisson_);
    const std::vector<double> sums = poisson_sums(mean, poisson_least_);
    poisson_ = uploaded(sums);
    if (poisson_ == nullptr) return RandomStatus::allocation_failed;
    poisson_mean_ = mean;
    poisson_count_ = static_cast<unsigned>(sums.size());
  }
  Draw draw{};
  draw.distribution = stand_in::curand::poisson;
  draw.sums = reinterpret_cast<const double*>(poisson_->address);
  draw.sum_count = poisson_count_, draw.least = poisson_least_;
  return generate(out, count, RandomNumber::word, draw);
}

}  // namespace warpwalk::simulated::libraries
