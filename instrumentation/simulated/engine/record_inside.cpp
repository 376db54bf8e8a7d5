// Launches with their memory, as `record --inside` writes them on a real GPU
// (instrumentation/inside/inside_recorder.h).
#include <algorithm>
#include <cstring>

#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {
namespace {

using instrumentation::InsidePart;

/// Ranges that are closer than this are kept as one: the bytes between them cost less than a row.
constexpr std::uint64_t merged_gap = 64;

}  // namespace

bool Gpu::wants_inside(const KernelLaunch& launch, const std::vector<std::string>& ops) {
  const bool by_name = !recording_.inside.named.empty();
  const bool named = by_name && names_inside(*launch.kernel, ops);  // which counts the launch
  if (recording_.inside_bytes >= recording_.inside.limit) return false;
  // Such a launch may use what earlier ones have left in the heap, which is not recorded.
  if (const auto used = heap(); used != nullptr && !used->is_empty()) return false;
  if (by_name) return named;
  const std::uint64_t threads = std::uint64_t{launch.shape.grid[0]} * launch.shape.grid[1] * launch.shape.grid[2] *
                                launch.shape.block[0] * launch.shape.block[1] * launch.shape.block[2];
  // A launch is recorded on one host thread. Large launches are recorded once per kernel, and as often as --inside
  // asks.
  constexpr std::uint64_t large = 1 << 18;
  return recording_.inside_kernels.insert(launch.kernel).second || threads < large ||
         recording_.last_inside < recording_.inside.asked;
}

bool Gpu::names_inside(const Kernel& kernel, const std::vector<std::string>& ops) {
  const std::vector<instrumentation::InsidePattern>& patterns = recording_.inside.named;
  recording_.inside_matches.resize(patterns.size());
  const bool first = recording_.inside_kernels.insert(&kernel).second;
  bool named = false;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const instrumentation::InsidePattern& pattern = patterns[i];
    const auto is_part_of = [&](const std::string& name) { return instrumentation::matches(pattern, name); };
    if (!is_part_of(kernel.name) && std::ranges::none_of(ops, is_part_of)) continue;
    const std::uint64_t number = ++recording_.inside_matches[i];
    named = named || (pattern.each ? first : number == pattern.which);
  }
  return named;
}

bool Gpu::had_all_named() const {
  const std::vector<std::uint64_t>& matches = recording_.inside_matches;
  for (std::size_t i = 0; i < recording_.inside.named.size(); ++i)
    if (i >= matches.size() || matches[i] < recording_.inside.named[i].which) return false;
  return true;
}

void Gpu::record_inside(const KernelLaunch& launch, const std::vector<gpu::TouchedRange>& touched,
                        const std::vector<std::uint8_t>& variables, std::uint32_t correlation) {
  const std::uint32_t number = ++recording_.last_inside;
  instrumentation::InsideLaunch row;
  row.number = number, row.correlation = correlation;
  row.cooperative = launch.shape.cooperative ? 1 : 0;
  row.dynamic_shared = static_cast<std::uint32_t>(launch.shape.dynamic_shared_bytes);
  row.grid = launch.shape.grid, row.block = launch.shape.block, row.cluster = launch.shape.cluster;
  row.entry = launch.kernel->name;
  recorder.add(row);
  record_parts(number, InsidePart::parameters, 0, launch.arguments.data(), launch.arguments.size());

  std::uint32_t index = 0;
  std::size_t at = 0;
  for (const ModuleVariable& variable : launch.kernel->module.variables()) {
    recorder.add(InsidePart{number, InsidePart::name, index, 0, variable.name});
    record_parts(number, InsidePart::variable, index++, variables.data() + at, variable.memory->bytes);
    at += variable.memory->bytes;
  }

  index = 0;
  for (std::size_t first = 0; first < touched.size();) {
    const auto place = memory.find(touched[first].address);
    std::size_t end = first + 1;
    std::uint64_t last = touched[first].address + touched[first].bytes;
    const bool whole = recording_.inside.whole;
    while (place != nullptr && end < touched.size() && (whole || touched[end].address < last + merged_gap) &&
           touched[end].address < place->address + place->bytes) {
      last = touched[end].address + touched[end].bytes;
      ++end;
    }
    if (place != nullptr && place->kind != MemoryKind::variable && place->kind != MemoryKind::array) {
      const std::uint64_t address = whole ? place->address : touched[first].address;
      const std::uint64_t bytes = (whole ? place->address + place->bytes : last) - address;
      const std::uint8_t* const now = place->data + (address - place->address);
      std::vector<std::uint8_t> before(now, now + bytes);
      for (std::size_t i = first; i < end; ++i)
        std::ranges::copy(touched[i].before,
                          before.begin() + static_cast<std::ptrdiff_t>(touched[i].address - address));
      recorder.add(instrumentation::InsideRange{number, index, address, bytes});
      record_parts(number, InsidePart::before, index, before.data(), bytes);
      if (std::memcmp(before.data(), now, bytes) != 0) record_parts(number, InsidePart::after, index, now, bytes);
      for (std::size_t i = first; i < end; ++i)
        recorder.add(
            instrumentation::TouchedRow{number, touched[i].read_first ? 1u : 0u, touched[i].address, touched[i].bytes});
      recording_.inside_bytes += bytes;
      ++index;
    }
    first = end;
  }
  if (index == 0) recorder.add(instrumentation::TouchedRow{number, 0, 0, 0});
  recorder.add(instrumentation::InsideEnd{number, 0, 0, 0});
}

void Gpu::record_parts(std::uint32_t number, std::uint32_t kind, std::uint32_t index, const std::uint8_t* bytes,
                       std::size_t size) {
  for (std::size_t at = 0; at < size; at += recorded_part)
    recorder.add(
        InsidePart{number, kind, index, at,
                   std::string_view(reinterpret_cast<const char*>(bytes) + at, std::min(recorded_part, size - at))});
}

std::vector<std::uint8_t> Gpu::contents_of_variables(Module& module) {
  std::vector<std::uint8_t> contents;
  for (const ModuleVariable& variable : module.variables())
    contents.insert(contents.end(), variable.memory->data, variable.memory->data + variable.memory->bytes);
  return contents;
}

}  // namespace warpwalk::simulated
