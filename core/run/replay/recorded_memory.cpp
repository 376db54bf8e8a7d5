#include "core/run/replay/recorded_memory.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/ptx/module.h"
#include "core/ptx/parse/parser.h"
#include "core/run/replay/recorded_launch.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::run {
namespace {

using trace::MemoryRange;
using RangeContent = MemoryRange::Content;

constexpr std::uint64_t sector_bytes = 32;
/// cudaMalloc gives memory in multiples of this. A kernel may read behind its tensor in the last one, for example with
/// vectors of 16 bytes; the driver only copies what the program asked for.
constexpr std::uint64_t granule_bytes = 256;

/// Bytes of a recorded range up to the end of its last granule, or to the next range.
std::uint64_t granted_bytes(const LaunchRecording& recording, const RecordedRange& range) {
  const std::uint64_t end = range.address + range.before.size();
  if (end % granule_bytes == 0) return range.before.size();
  std::uint64_t granted = (end + granule_bytes - 1) / granule_bytes * granule_bytes;
  for (const RecordedRange& other : recording.memory)
    if (other.address >= end) granted = std::min(granted, other.address);
  return std::max(granted, end) - range.address;
}

/// The bytes, and zeros behind their end: contents that were not recorded.
std::vector<std::uint8_t> part_of(const std::vector<std::uint8_t>& bytes, std::uint64_t from, std::uint64_t size) {
  std::vector<std::uint8_t> part(size);
  if (from < bytes.size())
    std::memcpy(part.data(), bytes.data() + from, std::min<std::uint64_t>(size, bytes.size() - from));
  return part;
}

/// Part of a recorded range.
struct Piece {
  std::uint64_t address = 0, bytes = 0;
  bool read_first = true;
};

trace::KernelRecord kernel_record_of(const LaunchRecording& recording) {
  trace::KernelRecord record;
  record.entry = recording.entry;
  record.grid = recording.grid;
  record.block = recording.block;
  record.dynamic_shared_bytes = recording.dynamic_shared_bytes;
  trace::RecordedState& launch = record.state.emplace();
  launch.cluster = recording.cluster;
  launch.cooperative = recording.cooperative;
  launch.parameters = recording.parameters;
  launch.variables = recording.variables;
  launch.missing = recording.missing;
  launch.caches = recording.caches;
  for (const RecordedRange& range : recording.memory) {
    MemoryRange& row = launch.memory.emplace_back();
    row.address = range.address;
    row.bytes = granted_bytes(recording, range);
    row.before = part_of(range.before, 0, row.bytes);
  }
  std::ranges::sort(launch.memory, {}, &MemoryRange::address);
  return record;
}

/// One simulation of the launch.
struct SimulationAttempt {
  std::string error;  ///< why there is none; empty if there is one
  std::vector<gpu::TouchedRange> touched;
  bool same_bits = false;
};

const RecordedRange* range_at(const LaunchRecording& recording, std::uint64_t address) {
  for (const RecordedRange& range : recording.memory)
    if (address >= range.address && address - range.address < range.before.size() + granule_bytes &&
        address - range.address < granted_bytes(recording, range))
      return &range;
  return nullptr;
}

SimulationAttempt simulate(const LaunchRecording& recording, const trace::KernelRecord& record,
                           const std::string& cubin, const KeepOptions& options) {
  SimulationAttempt attempt;
  if (recording.touched) {
    attempt.touched = *recording.touched;
    return attempt;
  }
  auto made = recorded_launch(record, cubin);
  if (!made) {
    attempt.error = made.error();
    return attempt;
  }
  auto& recorded = *made;
  gpu::SimulateOptions how;
  how.touched = &attempt.touched;
  how.cancel = options.cancel;
  how.launch_operation_limit = options.max_warp_instructions;
  how.operation_limit = options.max_warp_instructions;
  auto ran = gpu::simulate(options.device, *recorded.program, recorded.launch, how);
  if (!ran) {
    attempt.error = ran.error();
    return attempt;
  }
  const auto& simulation = *ran;
  if (simulation.cancelled) attempt.error = "the simulation was cancelled";
  if (simulation.over_limit)
    attempt.error = fmt::format("it takes more than {} warp instructions", options.max_warp_instructions);
  if (simulation.stopped) attempt.error = simulation.findings.front().message;
  if (!attempt.error.empty()) return attempt;
  attempt.same_bits = true;
  for (const gpu::Buffer& buffer : recorded.launch.buffers) {
    const RecordedRange* const range = range_at(recording, buffer.address);
    if (range == nullptr || part_of(range->after, 0, buffer.bytes.size()) != buffer.bytes) attempt.same_bits = false;
  }
  return attempt;
}

/// "argument 2", or "argument 0 at 24" inside a structure.
std::string argument_at(std::size_t offset, const std::vector<sass::CubinParameter>& parameters) {
  for (const sass::CubinParameter& parameter : parameters) {
    if (offset < parameter.offset || offset >= parameter.offset + parameter.bytes) continue;
    if (parameter.bytes == sizeof(std::uint64_t)) return fmt::format("argument {}", parameter.ordinal);
    return fmt::format("argument {} at {}", parameter.ordinal, offset - parameter.offset);
  }
  return fmt::format("parameters at {}", offset);
}

/// Properties of the launch that the kernel's cubin contains.
struct KernelUses {
  std::vector<sass::CubinParameter> parameters;
  std::set<std::string, std::less<>> variables;  ///< all constant ones, and the others that its code names
};
KernelUses uses_of_ptx(const LaunchRecording& recording, std::string_view text) {
  KernelUses uses;
  const auto parsed = ptx::parse(text);
  const auto* const module = std::get_if<ptx::Module>(&parsed);
  const ptx::Function* const entry = module == nullptr ? nullptr : module->entry(recording.entry);
  if (entry == nullptr) return uses;
  for (std::uint32_t i = 0; i < entry->parameters.size(); ++i)
    uses.parameters.push_back({i, entry->parameters[i].offset, entry->parameters[i].bytes});
  for (const ptx::Variable& variable : module->variables) uses.variables.emplace(variable.name);
  return uses;
}

KernelUses uses_of(const LaunchRecording& recording, std::string_view cubin) {
  KernelUses uses;
  const auto parsed = sass::parse_cubin(cubin);
  if (!parsed) return uses_of_ptx(recording, cubin);
  for (const sass::CubinFunction& function : parsed->functions)
    if (function.name == recording.entry) uses.parameters = function.parameters;
  for (const sass::CubinRelocation& relocation : parsed->relocations) uses.variables.emplace(relocation.symbol);
  for (const sass::CubinVariable& variable : parsed->variables)
    if (variable.space == sass::CubinSpace::constant) uses.variables.emplace(variable.name);
  return uses;
}

/// The parameters that are addresses of recorded memory, with what to call them.
std::map<std::uint64_t, std::string> pointers_of(const LaunchRecording& recording,
                                                 const std::vector<sass::CubinParameter>& parameters) {
  std::map<std::uint64_t, std::string> pointers;
  for (std::size_t offset = 0; offset + sizeof(std::uint64_t) <= recording.parameters.size(); offset += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, recording.parameters.data() + offset, sizeof word);
    const auto is_cut_off = [&](const sass::CubinParameter& parameter) {
      return offset >= parameter.offset && offset < parameter.offset + parameter.bytes &&
             offset + sizeof word > parameter.offset + parameter.bytes;
    };
    // Behind a smaller number there may be anything, also the upper half of an address.
    if (std::ranges::any_of(parameters, is_cut_off)) continue;
    if (range_at(recording, word) != nullptr) pointers.emplace(word, argument_at(offset, parameters));
  }
  return pointers;
}

/// Sectors that the simulated launch accessed, and those that the GPU changed.
std::vector<Piece> accessed(const LaunchRecording& recording, const std::vector<gpu::TouchedRange>& touched) {
  std::map<std::uint64_t, bool> sectors;  // by address: read first
  for (const gpu::TouchedRange& range : touched)
    for (std::uint64_t at = range.address; at < range.address + range.bytes; at += sector_bytes)
      sectors[at] = range.read_first;
  for (const RecordedRange& range : recording.memory)
    for (std::uint64_t at = 0; at < range.before.size(); at += sector_bytes) {
      const std::size_t bytes = std::min<std::size_t>(sector_bytes, range.before.size() - at);
      if (std::memcmp(range.before.data() + at, range.after.data() + at, bytes) != 0)
        sectors.try_emplace(range.address + at, true);
    }
  std::vector<Piece> pieces;
  for (const auto& [address, read_first] : sectors) {
    const RecordedRange* const range = range_at(recording, address);
    if (range == nullptr) continue;
    const std::uint64_t bytes = std::min(sector_bytes, range->address + granted_bytes(recording, *range) - address);
    const bool continues = !pieces.empty() && pieces.back().address + pieces.back().bytes == address &&
                           pieces.back().read_first == read_first && address != range->address;
    if (continues)
      pieces.back().bytes += bytes;
    else
      pieces.push_back({address, bytes, read_first});
  }
  return pieces;
}

/// The allocations that the launch accessed.
std::vector<Piece> whole_allocations(const LaunchRecording& recording, const std::vector<gpu::TouchedRange>& touched) {
  std::vector<Piece> pieces;
  for (const RecordedRange& range : recording.memory) {
    Piece piece{range.address, range.before.size(), false};
    bool accessed = false;
    for (const gpu::TouchedRange& one : touched) {
      if (one.address < range.address || one.address >= range.address + range.before.size()) continue;
      accessed = true;
      piece.read_first = piece.read_first || one.read_first;
    }
    if (accessed) pieces.push_back(piece);
  }
  std::ranges::sort(pieces, {}, &Piece::address);
  return pieces;
}

/// Cuts pieces at the sectors of the addresses that the parameters hold, so that each tensor is a piece of its own.
/// Within a sector, an access could lie across the cut.
std::vector<Piece> cut(const std::vector<Piece>& pieces, const std::map<std::uint64_t, std::string>& pointers) {
  std::vector<Piece> out;
  for (Piece piece : pieces) {
    for (auto at = pointers.upper_bound(piece.address); at != pointers.end() && at->first < piece.address + piece.bytes;
         ++at) {
      const std::uint64_t sector = at->first / sector_bytes * sector_bytes;
      if (sector <= piece.address) continue;
      const std::uint64_t first = sector - piece.address;
      out.push_back({piece.address, first, piece.read_first});
      piece.address += first;
      piece.bytes -= first;
    }
    out.push_back(piece);
  }
  return out;
}

/// The element type that contents look like, for random values in their place.
std::string_view kind_of(const std::vector<std::uint8_t>& bytes) {
  std::size_t wide = 0, single = 0, brain = 0, half = 0, zero = 0;
  const std::size_t words = bytes.size() / 8;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + 8 * i, sizeof word);
    const auto upper = static_cast<std::uint32_t>(word >> 32);
    const auto within = [](std::uint32_t exponent, std::uint32_t bias, std::uint32_t reach) {
      return exponent >= bias - reach && exponent <= bias + reach;
    };
    if (word == 0) {
      ++zero;
      continue;
    }
    wide += upper == 0 || upper == 0xffffffff || (word >> 40) == 0x7f || (word >> 40) == 0x7e;
    single += within(upper >> 23 & 0xff, 127, 30) && within(static_cast<std::uint32_t>(word) >> 23 & 0xff, 127, 30);
    brain += within(upper >> 23 & 0xff, 127, 30) && within(static_cast<std::uint32_t>(word) >> 7 & 0xff, 127, 30);
    half += within(upper >> 26 & 0x1f, 15, 10) && within(static_cast<std::uint32_t>(word) >> 10 & 0x1f, 15, 10);
  }
  const std::size_t used = words - zero;
  if (used == 0 || 10 * wide > 9 * used) return "i64";
  if (single >= brain && 10 * single > 8 * used) return brain > single * 95 / 100 ? "bf16" : "f32";
  if (10 * brain > 8 * used) return "bf16";
  return 10 * half > 8 * used ? "f16" : "i32";
}

MemoryRange range_of(const LaunchRecording& recording, const Piece& piece,
                     const std::map<std::uint64_t, std::string>& pointers, const KeepOptions& options) {
  const RecordedRange& from = *range_at(recording, piece.address);
  const std::uint64_t begin = piece.address - from.address;
  MemoryRange range;
  range.address = piece.address;
  range.bytes = piece.bytes;
  if (auto at = pointers.upper_bound(piece.address + sector_bytes - 1); at != pointers.begin()) {
    --at;
    if (at->first >= from.address) {
      const std::uint64_t offset = piece.address > at->first ? piece.address - at->first : 0;
      range.name = offset == 0 ? at->second : fmt::format("{}, {} bytes on", at->second, offset);
    }
  }
  range.content = piece.read_first ? RangeContent::bytes : RangeContent::unwritten;
  if (piece.read_first) range.before = part_of(from.before, begin, piece.bytes);
  if (options.leave_out_data) {
    if (piece.read_first) {
      range.dtype = kind_of(range.before);
      range.content = RangeContent::seed;
      range.seed = piece.address >> 5;
      range.before.clear();
    }
    return range;
  }
  // What the simulated GPU left is nothing to compare it with.
  if (recording.touched || recording.failed) return range;
  range.sha256_after = base::sha256(part_of(from.after, begin, piece.bytes));
  return range;
}

}  // namespace

KeptLaunch keep_launch(const LaunchRecording& recording, const std::vector<std::string>& cubins,
                       const KeepOptions& options) {
  const trace::KernelRecord record = kernel_record_of(recording);
  KeptLaunch kept;
  if (recording.failed) {
    // All of it, in whole allocations: where they end is what the access that failed is measured by.
    kept.cubin = cubins.empty() ? 0 : cubins.size() - 1;
    kept.record = *record.state;
    kept.record.missing.emplace_back("the memory after the launch, which failed");
    const auto pointers = pointers_of(
        recording, cubins.empty() ? KernelUses().parameters : uses_of(recording, cubins[kept.cubin]).parameters);
    for (MemoryRange& range : kept.record.memory)
      range = range_of(recording, {range.address, range.bytes, true}, pointers, options);
    return kept;
  }
  std::optional<SimulationAttempt> best;
  std::string error = "its machine code is not recorded";
  for (std::size_t i = 0; i < cubins.size(); ++i) {
    SimulationAttempt attempt = simulate(recording, record, cubins[i], options);
    if (!best || best->error.empty() || attempt.error.empty()) kept.cubin = i;
    if (!attempt.error.empty()) {
      error = std::move(attempt.error);
      continue;
    }
    best = std::move(attempt);
    if (best->same_bits) break;
  }
  kept.record = *record.state;
  kept.record.memory.clear();
  if (options.leave_out_data) kept.record.variables.clear();
  std::vector<Piece> pieces;
  if (best) {
    kept.same_bits = best->same_bits;
    if (kept.same_bits) kept.record.missing.clear();  // then it did not matter
    pieces = options.whole ? whole_allocations(recording, best->touched) : accessed(recording, best->touched);
  } else {
    kept.record.missing.push_back(fmt::format("which memory it accesses, so all of it is kept: {}", error));
    for (const MemoryRange& range : record.state->memory) pieces.push_back({range.address, range.bytes, true});
  }
  const KernelUses uses = cubins.empty() ? KernelUses() : uses_of(recording, cubins[kept.cubin]);
  std::erase_if(kept.record.variables,
                [&](const trace::VariableContents& one) { return !uses.variables.contains(one.name); });
  const auto pointers = pointers_of(recording, uses.parameters);
  for (const Piece& piece : options.whole ? pieces : cut(pieces, pointers))
    kept.record.memory.push_back(range_of(recording, piece, pointers, options));
  return kept;
}

}  // namespace warpwalk::run
