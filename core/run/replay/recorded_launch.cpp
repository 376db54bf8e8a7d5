#include "core/run/replay/recorded_launch.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/exec/program.h"
#include "core/ops/tensor/dtype.h"
#include "core/platform/available_memory.h"
#include "core/ptx/module.h"
#include "core/ptx/parse/parser.h"
#include "core/run/launch/generate.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::run {
namespace {

using RangeContent = trace::MemoryRange::Content;

/// Sets the recorded contents of variables: those of __constant__ variables are in the constant banks of the machine
/// code, others become variables of the launch. `cubin` was read from `code`.
void set_variables(const trace::RecordedState& record, const sass::Cubin& cubin, std::string& code,
                   gpu::Launch& launch) {
  for (const trace::VariableContents& recorded : record.variables) {
    const auto variable = std::ranges::find(cubin.variables, recorded.name, &sass::CubinVariable::name);
    if (variable == cubin.variables.end() || variable->bytes != recorded.bytes.size()) continue;
    if (variable->space != sass::CubinSpace::constant) {
      launch.variables.push_back({recorded.name, recorded.bytes});
      continue;
    }
    if (variable->initial.size() != recorded.bytes.size()) continue;
    std::ranges::copy(recorded.bytes, code.begin() + (variable->initial.data() - code.data()));
  }
}

gpu::Buffer buffer_of(const trace::MemoryRange& range) {
  gpu::Buffer buffer;
  buffer.name = name_of(range);
  buffer.address = range.address;
  buffer.initialized = range.content != RangeContent::unwritten;
  buffer.bytes = range.before;
  buffer.bytes.resize(range.bytes);
  if (range.content == RangeContent::seed) {
    // The launch file's generator fills whole elements.
    const ops::DType dtype = *ops::dtype_of(range.dtype);
    if (!ops::is_float(dtype)) return buffer;  // zeros: other numbers could be indices out of bounds
    std::vector<std::uint8_t> values(range.bytes / bytes_of(dtype) * bytes_of(dtype));
    generate(dtype, FillRandom{range.seed}, values);
    std::ranges::copy(values, buffer.bytes.begin());
  }
  return buffer;
}

constexpr std::string_view elf_magic =
    "\x7f"
    "ELF";

using Prepared = base::Result<std::shared_ptr<const gpu::Program>>;

Prepared prepare_recorded_cubin(const trace::RecordedState& recorded, const std::string& entry, std::string_view bytes,
                                gpu::Launch& launch) {
  std::string code(bytes);
  const auto parsed = sass::parse_cubin(code);
  if (!parsed) return base::Error{fmt::format("the machine code of {}: {}", entry, parsed.error())};
  if (std::ranges::find(parsed->functions, entry, &sass::CubinFunction::name) == parsed->functions.end())
    return base::Error{fmt::format("the machine code that is recorded for {} does not contain it", entry)};
  set_variables(recorded, *parsed, code, launch);
  auto prepared = gpu::prepare_machine_code(code, entry);
  if (!prepared) return base::Error{fmt::format("the machine code of {}: {}", entry, prepared.error())};
  return prepared;
}

Prepared prepare_recorded_ptx(const trace::RecordedState& recorded, const std::string& entry, std::string_view text,
                              gpu::Launch& launch) {
  auto parsed = ptx::parse(text);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed))
    return base::Error{fmt::format("the PTX of {}: line {}: {}", entry, error->line, error->message)};
  const auto module = std::make_shared<const ptx::Module>(std::move(std::get<ptx::Module>(parsed)));
  for (const trace::VariableContents& one : recorded.variables) {
    const auto variable = std::ranges::find(module->variables, one.name, &ptx::Variable::name);
    if (variable != module->variables.end() && variable->bytes == one.bytes.size())
      launch.variables.push_back({one.name, one.bytes});
  }
  auto prepared = gpu::prepare(module, entry);
  if (!prepared) return base::Error{fmt::format("the PTX of {}: {}", entry, prepared.error())};
  return prepared;
}

}  // namespace

std::string_view recorded_code(const trace::KernelRecord& record, const trace::Module& module) {
  if (record.code == "ptx") return module.ptx;
  return {reinterpret_cast<const char*>(module.cubin.data()), module.cubin.size()};
}

std::string name_of(const trace::MemoryRange& range) {
  return range.name.empty() ? fmt::format("memory at {:#x}", range.address) : range.name;
}

base::Result<RecordedLaunch> recorded_launch(const trace::KernelRecord& record, std::string_view bytes) {
  const trace::RecordedState& recorded = *record.state;
  if (bytes.empty()) return base::Error{fmt::format("the machine code of {} is not recorded", record.entry)};
  std::uint64_t total = 0;
  for (const trace::MemoryRange& range : recorded.memory) {
    if (range.bytes > platform::available_memory() / 2 || (total += range.bytes) > platform::available_memory() / 2)
      return base::Error{
          fmt::format("the recorded memory of {} needs more than half of the memory that is free here", record.entry)};
    if (range.content == RangeContent::seed && !ops::dtype_of(range.dtype))
      return base::Error{fmt::format("the record gives {} the unknown element type {}", name_of(range), range.dtype)};
  }
  RecordedLaunch out;
  gpu::Launch& launch = out.launch;
  launch.grid = record.grid;
  launch.block = record.block;
  if (recorded.cluster[0] != 0) launch.cluster = recorded.cluster;
  launch.nonportable_cluster = true;  // the GPU has accepted the cluster
  launch.cooperative = recorded.cooperative;
  if (record.dynamic_shared_bytes > ~std::uint32_t{0})
    return base::Error{fmt::format("the record gives {} {} bytes of dynamic shared memory, which is too much",
                                   record.entry, record.dynamic_shared_bytes)};
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(record.dynamic_shared_bytes);
  for (const trace::MemoryRange& range : recorded.memory) {
    launch.buffers.push_back(buffer_of(range));
    out.seeded = out.seeded || range.content == RangeContent::seed;
  }
  auto prepared = bytes.starts_with(elf_magic) ? prepare_recorded_cubin(recorded, record.entry, bytes, launch)
                                               : prepare_recorded_ptx(recorded, record.entry, bytes, launch);
  if (!prepared) return base::Error{prepared.error()};
  out.program = std::move(*prepared);
  const ptx::Function& entry = *out.program->entry;
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const std::uint64_t offset = out.program->parameter_offsets[i], size = entry.parameters[i].bytes;
    if (offset + size > recorded.parameters.size())
      return base::Error{fmt::format("{} has {} bytes of parameters, but {} are recorded", record.entry,
                                     out.program->parameter_bytes, recorded.parameters.size())};
    const auto begin = recorded.parameters.begin() + static_cast<std::ptrdiff_t>(offset);
    launch.arguments.emplace_back().bytes.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  if (!out.program->textures.empty())
    return base::Error{fmt::format("{} reads textures or surfaces, which are not recorded", record.entry)};
  return out;
}

std::optional<gpu::CacheState> recorded_caches(const trace::RecordedState& record, const gpu::Device& device) {
  return record.caches.empty() ? std::nullopt : gpu::CacheState::restored(device, record.caches);
}

RecordedOutputs recorded_outputs(const trace::RecordedState& record, const gpu::Launch& after) {
  RecordedOutputs result;
  for (std::size_t i = 0; i < record.memory.size() && i < after.buffers.size(); ++i) {
    const trace::MemoryRange& range = record.memory[i];
    if (range.sha256_after.empty()) {
      ++result.unknown;
    } else if (base::sha256(after.buffers[i].bytes) == range.sha256_after) {
      ++result.same;
    } else {
      if (result.different++ == 0) result.first_different = name_of(range);
    }
  }
  return result;
}

}  // namespace warpwalk::run
