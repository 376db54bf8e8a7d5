#include "instrumentation/inside_launches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/sass/elf/cubin.h"
#include "core/sass/elf/single_function.h"
#include "core/trace/sass_lines.h"
#include "instrumentation/cubin.h"

namespace warpwalk::instrumentation {
namespace {

/// The kernel event of a launch: by its correlation, and, since a graph's kernels share one, by its function.
std::optional<trace::SliceId> kernel_of(const trace::Trace& trace, const LoadedCode& code,
                                        const run::LaunchRecording& launch) {
  std::vector<trace::SliceId> found;
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s) {
    const std::uint32_t detail = trace.slices.detail[s];
    if (trace.slices.kind[s] == trace::SliceKind::kernel && detail < code.launched.size() &&
        trace.kernels[detail].correlation == launch.correlation &&
        trace.text(code.launched[detail].name) == launch.entry)
      found.push_back(s);
  }
  std::ranges::stable_sort(found, {}, [&](trace::SliceId s) { return trace.slices.start[s]; });
  const std::size_t which = launch.graph_kernel == 0 ? 0 : launch.graph_kernel - 1;
  return which < found.size() ? std::optional(found[which]) : std::nullopt;
}

/// By kernel: its machine code alone, from each module that has other code for it.
std::map<std::string, std::vector<std::string>> codes_of_launches(const LoadedCode& code) {
  std::map<std::string, std::vector<std::string>> codes;
  std::map<std::string, std::vector<std::string_view>> known;
  for (const run::LaunchRecording& launch : code.inside) codes[launch.entry];
  for (const std::string& bytes : code.cubins)
    for (const CubinFunction& function : parse_cubin(bytes).functions) {
      const auto wanted = codes.find(std::string(function.name));
      if (wanted == codes.end()) continue;
      std::vector<std::string_view>& others = known[wanted->first];
      if (std::ranges::find(others, function.code) != others.end()) continue;
      others.push_back(function.code);
      wanted->second.push_back(sass::single_function(bytes, function.name));
    }
  return codes;
}

std::vector<std::uint8_t> bytes_of_code(const std::string& code) { return {code.begin(), code.end()}; }

/// The row of the module with this machine code alone.
std::size_t module_of(trace::Records& records, const std::string& cubin, std::string_view name) {
  const std::vector<std::uint8_t> bytes = bytes_of_code(cubin);
  const auto same = std::ranges::find(records.modules, bytes, &trace::Module::cubin);
  const auto row = static_cast<std::size_t>(same - records.modules.begin());
  if (same == records.modules.end()) {
    trace::Module& module = records.modules.emplace_back();
    module.name = name;
    module.cubin = bytes;
  }
  return row;
}

/// A record of its own for a launch, with what other launches of the kernel share. A kernel of the simulated GPU has
/// one already.
trace::KernelRecord& record_for(trace::Trace& trace, std::size_t kernel, const run::LaunchRecording& launch,
                                const std::string& code, trace::StringId name) {
  trace::KernelDetail& detail = trace.kernels[kernel];
  trace::Records& records = trace.records;
  if (launch.touched && detail.record >= 0) {
    trace::KernelRecord& own = records.kernels[static_cast<std::size_t>(detail.record)];
    if (own.code != "ptx" &&
        (own.module == trace::no_record || records.modules[own.module].cubin != bytes_of_code(code)))
      own.module = module_of(records, code, trace.text(name));
    return own;
  }
  trace::KernelRecord record;
  if (detail.record >= 0) record = records.kernels[static_cast<std::size_t>(detail.record)];
  record.state.reset();
  if (record.module == trace::no_record || records.modules[record.module].cubin != bytes_of_code(code))
    record.module = module_of(records, code, trace.text(name));
  record.entry = launch.entry;
  record.grid = launch.grid;
  record.block = launch.block;
  record.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  record.registers = static_cast<std::uint32_t>(std::max<std::int64_t>(detail.registers, 0));
  if (launch.failed && record.registers == 0) {  // no profiler has reported it
    const auto cubin = sass::parse_cubin(code);
    const sass::CubinFunction* function = nullptr;
    for (std::size_t i = 0; cubin && i < cubin->functions.size(); ++i)
      if (cubin->functions[i].name == launch.entry) function = &cubin->functions[i];
    if (function != nullptr) {
      record.registers = function->registers;
      detail.registers = record.registers;
      detail.shared_bytes = static_cast<std::int64_t>(function->shared_bytes) + launch.dynamic_shared_bytes;
    }
  }
  record.registers_origin = "cubin";
  if (record.measured_by.empty() && !records.sources.empty()) record.measured_by = records.sources.front().by;
  detail.record = static_cast<std::int64_t>(records.kernels.size());
  return records.kernels.emplace_back(std::move(record));
}

/// The PTX that the simulated GPU ran for a kernel; empty if it was machine code, or a real GPU.
std::string simulated_ptx(const trace::Trace& trace, trace::SliceId kernel) {
  const std::int64_t row = trace.kernels[trace.slices.detail[kernel]].record;
  if (row < 0) return {};
  const trace::KernelRecord& record = trace.records.kernels[static_cast<std::size_t>(row)];
  return record.code == "ptx" && record.module < trace.records.modules.size() ? trace.records.modules[record.module].ptx
                                                                              : std::string();
}

}  // namespace

InsideSummary add_inside(trace::Trace& trace, const LoadedCode& code, const run::KeepOptions& options,
                         const SourceOptions& source_options) {
  InsideSummary summary;
  KernelSources sources(source_options);
  const auto all_codes = codes_of_launches(code);
  for (run::LaunchRecording launch : code.inside) {
    const std::optional<trace::SliceId> slice = kernel_of(trace, code, launch);
    if (!slice) {
      summary.lines.push_back(fmt::format("{}: its kernel is not in the recording", launch.entry));
      continue;
    }
    // A launch may have its cluster from the function's attributes, or choose among several; CUPTI says what it was.
    const auto& cluster = code.launched[trace.slices.detail[*slice]].cluster;
    if (cluster[0] * cluster[1] * cluster[2] > 1) launch.cluster = cluster;
    const std::string name(trace.name(*slice));
    std::vector<std::string> codes = all_codes.at(launch.entry);
    if (const std::string ptx = simulated_ptx(trace, *slice); !ptx.empty()) codes = {ptx};
    run::KeptLaunch kept = run::keep_launch(launch, codes, options);
    if (codes.empty()) {
      summary.lines.push_back(fmt::format(
          "{}: its machine code was {}", name,
          code.late
              ? "loaded before the recording began; begin it before the first launch of the kernel, or record the "
                "whole program with warpwalk record --inside -- PROGRAM"
              : "not recorded"));
      continue;
    }
    if (launch.failed) {
      ++summary.failed;
      summary.lines.push_back(fmt::format("{}: it failed, or had not ended; what it ran on is recorded", name));
    } else if (launch.touched)
      ++summary.simulated;
    else if (kept.same_bits)
      ++summary.same_bits;
    else if (!kept.record.missing.empty())
      summary.lines.push_back(fmt::format("{}: not recorded: {}", name, kept.record.missing.back()));
    else
      summary.lines.push_back(fmt::format("{}: the simulated GPU leaves other bits", name));
    trace::KernelRecord& record =
        record_for(trace, trace.slices.detail[*slice], launch, codes[kept.cubin], trace.slices.name[*slice]);
    record.state = std::move(kept.record);
    if (trace::Module& module = trace.records.modules[record.module];
        (launch.touched || launch.failed) && source_options.keep && module.source_file.empty()) {
      KernelSource source = sources.find(codes[kept.cubin], launch.entry);
      module.source_file = trace::file_name(source.path);
      module.source = std::move(source.text);
    }
    ++summary.launches;
  }
  return summary;
}

}  // namespace warpwalk::instrumentation
