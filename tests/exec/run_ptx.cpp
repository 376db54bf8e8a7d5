#include "tests/exec/run_ptx.h"

#include <fmt/format.h>

#include "core/gpu/device/device_file.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::testing {

std::vector<std::string> PtxOutcome::reports() const {
  std::vector<std::string> all;
  for (const gpu::Finding& finding : simulation.findings)
    all.push_back(fmt::format("{}:{}: {}", gpu::name_of(finding.kind), finding.source_line, finding.message));
  return all;
}

PtxOutcome run_ptx(const PtxLaunch& what) {
  PtxOutcome outcome;
  const std::string text = fmt::format(
      ".version 8.0\n.target sm_80\n.address_size 64\n{}\n.visible .entry k(.param .u64 k_y) {}\n{{\n"
      ".reg .b64 %y;\nld.param.u64 %y, [k_y];\ncvta.to.global.u64 %y, %y;\n{}\nret;\n}}\n.file 1 \"kernel.cu\"\n{}\n",
      what.variables, what.directives, what.body, what.files);
  auto parsed = ptx::parse(text);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) {
    outcome.error = error->text();
    return outcome;
  }
  auto program = gpu::prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), "k");
  if (!program) {
    outcome.error = program.error();
    return outcome;
  }
  const auto device = gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  if (!device) {
    outcome.error = device.error();
    return outcome;
  }
  gpu::Launch launch;
  launch.grid = what.grid;
  launch.block = what.block;
  launch.cluster = what.cluster;
  launch.nonportable_cluster = what.nonportable_cluster;
  launch.cooperative = what.cooperative;
  launch.buffers.push_back({"y", std::vector<std::uint8_t>(what.buffer_bytes), what.initialized});
  gpu::Argument argument;
  argument.buffer = 0;
  launch.arguments.push_back(argument);
  gpu::SimulateOptions options;
  options.threads = what.threads;
  options.sanitize = what.sanitize;
  options.global_race_bytes = what.global_race_bytes;
  options.operation_limit = what.operation_limit;
  auto simulated = simulate(*device, **program, launch, options);
  if (!simulated) {
    outcome.error = simulated.error();
    return outcome;
  }
  outcome.simulation = *std::move(simulated);
  outcome.y = std::move(launch.buffers[0].bytes);
  return outcome;
}

}  // namespace warpwalk::testing
