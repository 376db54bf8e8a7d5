#include "core/run/expression/describe_run.h"

#include <filesystem>
#include <future>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/ops/tensor/error.h"
#include "core/platform/read_file.h"
#include "core/run/catalogue/catalogue.h"
#include "core/run/record/disassembly.h"
#include "core/run/record/launch_trace.h"
#include "core/run/record/record_rows.h"
#include "core/sass/elf/single_function.h"
#include "core/trace/json/json_text.h"

namespace warpwalk::run {
namespace {

std::string_view target_name(Target target) {
  switch (target) {
    case Target::cpu: return "cpu";
    case Target::sim: return "sim";
    case Target::cuda: break;
  }
  return "cuda";
}

/// The source of the times of a walk on the simulated GPU.
std::string times_text(const std::string& by, const trace::Trace& trace) {
  std::size_t kernels = 0, untimed = 0, estimated = 0;
  for (std::size_t s = 0; s < trace.slices.size(); ++s) {
    if (trace.slices.kind[s] != trace::SliceKind::kernel) continue;
    ++kernels;
    untimed += trace.slices.duration[s] == 0;
  }
  std::string text = by + ": host times from its description";
  if (untimed < kernels) text += ", kernel times from simulated cycles";
  for (const trace::KernelRecord& record : trace.records.kernels)
    estimated += record.cycles >= 0 && record.code == "ptx" ? 1 : 0;
  if (estimated > 0) text += fmt::format("; {} of {} kernels with a schedule estimated from PTX", estimated, kernels);
  if (untimed > 0) text += fmt::format("; {} of {} kernels have no simulated time", untimed, kernels);
  return text;
}

}  // namespace

WalkPlace place_of(const RunRequest& request) {
  WalkPlace place;
  place.process = fmt::format("warpwalk run --on {}", target_name(request.on));
  place.memory = request.on == Target::cpu ? ops::DeviceKind::cpu : ops::DeviceKind::cuda;
  if (request.on == Target::sim) place.gpu_process = "simulated GPU 0";
  if (request.on == Target::cuda) place.gpu_process = "GPU 0";
  place.sms = request.device.sm_count.value.value_or(1);
  place.warp_size = request.device.threads_per_warp.value.value_or(32);
  place.origin = request.on == Target::sim ? trace::Origin::simulated : trace::Origin::measured;
  return place;
}

WalkClock clock_of(const RunRequest& request) {
  if (request.on != Target::sim) return WalkClock(request.now_ns);
  return WalkClock(*host_model(request.device));
}

void describe(const RunRequest& request, const ops::Variable& result, trace::Trace& trace) {
  trace.records.expression = request.expression;
  const std::string program = fmt::format("warpwalk {}", simulator_version);
  if (request.on == Target::sim) {
    trace.devices.push_back(device_row(request.device, trace.strings));
    const std::string by = fmt::format("{} simulated {}", program, request.device.id);
    trace.records.sources = {{"times", times_text(by, trace), trace::Origin::simulated},
                             {"dispatch", by, trace::Origin::simulated},
                             {"memory", by, trace::Origin::simulated},
                             {"counters", by, trace::Origin::simulated}};
  } else {
    const std::string by = fmt::format("{} run --on {}", program, target_name(request.on));
    trace.records.sources = {{"times", by + ": the host's clock", trace::Origin::measured},
                             {"dispatch", by, trace::Origin::measured},
                             {"memory", by, trace::Origin::measured}};
  }
  std::string inputs, given, run;
  const auto add = [](std::string& members, std::string_view key, std::string_view text) {
    if (!members.empty()) members += ", ";
    trace::append_quoted(members, key);
    members += ": ";
    trace::append_quoted(members, text);
  };
  const auto tensor = [](const ops::Variable& variable) {
    return fmt::format("{} {}", ops::shape_text(variable.sizes), ops::name_of(variable.dtype));
  };
  for (const ops::Variable& input : request.inputs) add(inputs, input.name, tensor(input));
  for (const ops::Variable& input : request.inputs) {
    if (!request.given.contains(input.name)) continue;
    if (!given.empty()) given += ", ";
    trace::append_quoted(given, input.name);
  }
  add(run, "on", target_name(request.on));
  if (request.on == Target::sim) add(run, "gpu", request.device.id);
  if (request.autocast) add(run, "autocast", ops::name_of(*request.autocast));
  add(run, "result", tensor(result));
  // The elements of these inputs are not those of the seed.
  if (!given.empty()) run += fmt::format(", \"given\": [{}]", given);
  run = fmt::format("{{{}, \"inputs\": {{{}}}, \"seed\": {}, \"gradients\": {}}}", run, inputs, request.seed,
                    request.gradients);
  const auto entry = [&](std::string_view key, std::string_view json) {
    trace.metadata.emplace_back(trace.strings.intern(key), trace.strings.intern(json));
  };
  entry("record_shapes", "1");
  entry("profile_memory", "1");
  entry("warpwalk_run", run);
}

namespace {

// Returns an empty string if the file cannot be read.
std::string text_of(const std::filesystem::path& file) {
  auto read = platform::read_text_file(file);
  return read ? std::move(read->text) : std::string();
}

}  // namespace

void complete_modules(const RunRequest& request, const std::string& compute_capability, trace::Records& records) {
  // The disassembler starts slowly, so all modules are processed in parallel.
  std::vector<std::future<std::vector<Disassembly>>> codes;
  bool shipped = false;
  for (std::size_t m = 0; m < records.modules.size(); ++m) {
    trace::Module& module = records.modules[m];
    const std::string name = std::filesystem::path(module.name).stem();
    module.ptx = text_of(request.assets / "ptx" / (name + ".ptx"));
    module.source = text_of(kernel_sources(request.assets) / (name + ".cu"));
    if (!module.source.empty()) module.source_file = "kernels/" + name + ".cu";
    std::set<std::string> entries;
    for (const trace::KernelRecord& kernel : records.kernels)
      if (kernel.module == m) entries.insert(kernel.entry);
    std::string cubin = shipped_cubin(request.assets / "cubin", compute_capability, name);
    if (entries.size() == 1) cubin = sass::single_function(cubin, *entries.begin());
    module.cubin.assign(cubin.begin(), cubin.end());
    shipped = shipped || !module.cubin.empty();
    codes.push_back(
        std::async(std::launch::async, [&module, &request, &compute_capability, entries = std::move(entries)] {
          auto code = disassemble(module.ptx, entries, compute_capability, module.source_file, request.cancel);
          return code ? std::move(*code) : std::vector<Disassembly>();
        }));
  }
  bool disassembled = false;
  for (std::size_t m = 0; m < records.modules.size(); ++m) {
    std::vector<Disassembly> entries = codes[m].get();
    for (const Disassembly& entry : entries) records.modules[m].sass += entry.sass + "\n";
    // The map's offsets are relative to one entry's start. With several entries, the comments in the text give the
    // lines.
    if (entries.size() == 1) records.modules[m].line_map = std::move(entries.front().line_map);
    disassembled = disassembled || !entries.empty();
  }
  if (request.cancel != nullptr && *request.cancel) throw ops::OpError("stopped");
  if (disassembled || shipped)
    records.sources.push_back(
        {"sass",
         disassembled ? fmt::format("ptxas for sm {} and nvdisasm, from the same PTX", compute_capability)
                      : fmt::format("ptxas for sm {}, from the same PTX, shipped with warpwalk", compute_capability),
         trace::Origin::derived});
}

}  // namespace warpwalk::run
