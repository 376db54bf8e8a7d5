#include "core/run/replay/recorded_launch.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/exec/program.h"
#include "core/ops/tensor/dtype.h"
#include "core/platform/available_memory.h"
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

}  // namespace

std::string name_of(const trace::MemoryRange& range) {
  return range.name.empty() ? fmt::format("memory at {:#x}", range.address) : range.name;
}

base::Result<RecordedLaunch> recorded_launch(const trace::KernelRecord& record, std::string_view cubin) {
  const trace::RecordedState& recorded = *record.state;
  if (cubin.empty()) return base::Error{fmt::format("the machine code of {} is not recorded", record.entry)};
  std::uint64_t total = 0;
  for (const trace::MemoryRange& range : recorded.memory) {
    if (range.bytes > platform::available_memory() / 2 || (total += range.bytes) > platform::available_memory() / 2)
      return base::Error{
          fmt::format("the recorded memory of {} needs more than half of the memory that is free here", record.entry)};
    if (range.content == RangeContent::seed && !ops::dtype_of(range.dtype))
      return base::Error{fmt::format("the record gives {} the unknown element type {}", name_of(range), range.dtype)};
  }
  std::string code(cubin);
  const auto parsed = sass::parse_cubin(code);
  if (!parsed) return base::Error{fmt::format("the machine code of {}: {}", record.entry, parsed.error())};
  const auto& read = *parsed;
  const auto function = std::ranges::find(read.functions, record.entry, &sass::CubinFunction::name);
  if (function == read.functions.end())
    return base::Error{fmt::format("the machine code that is recorded for {} does not contain it", record.entry)};

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
  for (const sass::CubinParameter& parameter : function->parameters) {
    if (std::uint64_t{parameter.offset} + parameter.bytes > recorded.parameters.size())
      return base::Error{fmt::format("{} has {} bytes of parameters, but {} are recorded", record.entry,
                                     function->parameter_bytes, recorded.parameters.size())};
    const auto begin = recorded.parameters.begin() + parameter.offset;
    launch.arguments.emplace_back().bytes.assign(begin, begin + parameter.bytes);
  }
  for (const trace::MemoryRange& range : recorded.memory) {
    launch.buffers.push_back(buffer_of(range));
    out.seeded = out.seeded || range.content == RangeContent::seed;
  }
  set_variables(recorded, read, code, launch);
  auto prepared = gpu::prepare_machine_code(code, record.entry);
  if (!prepared) return base::Error{fmt::format("the machine code of {}: {}", record.entry, prepared.error())};
  out.program = std::move(*prepared);
  if (!out.program->textures.empty())
    return base::Error{fmt::format("{} reads textures or surfaces, which are not recorded", record.entry)};
  return out;
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
