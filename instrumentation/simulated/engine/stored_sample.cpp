#include "instrumentation/simulated/engine/stored_sample.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "core/gpu/alu/floating/half.h"

namespace warpwalk::simulated {
namespace {

std::uint64_t element_bytes(StoredAs as) {
  switch (as) {
    case StoredAs::f16:
    case StoredAs::bf16: return 2;
    case StoredAs::f32: return 4;
    case StoredAs::f64: return 8;
    default: return 1;
  }
}

template <class Number>
Number number_at(const std::uint8_t* at) {
  Number number{};
  std::memcpy(&number, at, sizeof number);
  return number;
}

double element_at(const std::uint8_t* at, StoredAs as) {
  switch (as) {
    case StoredAs::f16: return gpu::alu::widen(number_at<gpu::alu::F16>(at));
    case StoredAs::bf16: return gpu::alu::widen(number_at<gpu::alu::Bf16>(at));
    case StoredAs::f32: return number_at<float>(at);
    case StoredAs::f64: return number_at<double>(at);
    default: return *at;
  }
}

bool are_close(double simulated, double computed, double difference) {
  if (std::isnan(simulated) || std::isnan(computed)) return std::isnan(simulated) && std::isnan(computed);
  return simulated == computed || std::abs(simulated - computed) <= difference;
}

/// The elements of an output that blocks have changed, as they have stored them and as the host computed them.
struct ComparedElements {
  const HostRun::Output* output;
  struct Element {
    std::uint64_t number = 0;
    double simulated = 0, computed = 0;
  };
  std::vector<Element> elements;
  double largest = 0;

  explicit ComparedElements(const HostRun::Output& of) : output(&of) {}
  std::uint64_t address() const { return output->address; }
  bool contains(std::uint64_t at) const { return at - output->address < output->bytes; }
  void add(std::uint64_t address, const std::uint8_t* simulated) {
    const std::uint64_t offset = address - output->address;
    const Element& element =
        elements.emplace_back(Element{offset / element_bytes(output->as), element_at(simulated, output->as),
                                      element_at(output->data + offset, output->as)});
    if (std::isfinite(element.computed)) largest = std::max(largest, std::abs(element.computed));
  }
  std::string difference() const {
    for (const Element& element : elements)
      if (!are_close(element.simulated, element.computed, output->tolerance * largest))
        return fmt::format(
            "element {} of the output at 0x{:x} is {} when its block is simulated, and {} when the host "
            "computes it",
            element.number, output->address, element.simulated, element.computed);
    return {};
  }
};

}  // namespace

void StoredSample::take(std::span<const gpu::TouchedRange> touched) {
  for (const gpu::TouchedRange& range : touched) {
    if (!range.written) continue;
    std::uint8_t* const data = data_at(view_, range.address, range.bytes);
    if (data == nullptr) continue;
    stored_.push_back({range.address, range.before, {data, data + range.bytes}});
    std::ranges::copy(range.before, data);
  }
}

std::string StoredSample::difference(const HostRun& host) const {
  std::vector<ComparedElements> compared;
  for (const HostRun::Output& output : host.outputs()) compared.emplace_back(output);
  std::ranges::sort(compared, {}, &ComparedElements::address);
  for (const Stored& stored : stored_) {
    const std::uint64_t end = stored.address + stored.after.size();
    for (std::uint64_t at = stored.address; at < end;) {
      auto place = std::ranges::upper_bound(compared, at, {}, &ComparedElements::address);
      const bool inside = place != compared.begin() && (--place)->contains(at);
      const std::uint64_t size = inside ? element_bytes(place->output->as) : 1;
      // A part of an element at the start of the range.
      const std::uint64_t skipped = inside ? (at - place->address()) % size : 0;
      const std::uint64_t bytes = std::min(size - skipped, end - at);
      const std::uint64_t offset = at - stored.address;
      // Blocks store parts of sectors; what they have left as it was is compared nowhere.
      const bool changed = std::memcmp(&stored.after[offset], &stored.before[offset], bytes) != 0;
      if (changed && !inside) return fmt::format("a block stores at 0x{:x}, where the host computes nothing", at);
      if (changed && bytes == size && place->output->as != StoredAs::anything) place->add(at, &stored.after[offset]);
      at += bytes;
    }
  }
  for (const ComparedElements& one : compared)
    if (std::string difference = one.difference(); !difference.empty()) return difference;
  return {};
}

}  // namespace warpwalk::simulated
