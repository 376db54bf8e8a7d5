#include "app/verbs/program_launches.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/verbs/common/find_device.h"
#include "app/verbs/common/watch.h"
#include "app/verbs/record/record.h"
#include "core/platform/temporary_folder.h"
#include "core/platform/toolchain/cuda_program.h"

namespace warpwalk::verbs {
bool is_cuda_source(const std::filesystem::path& file) { return file.extension() == ".cu"; }

base::Result<void> record_program(const std::filesystem::path& file, const SimulateOptions& options,
                                  const std::filesystem::path& walk, const ProgramRun& run) {
  const auto device = find_device(options.gpu);
  if (!device) return base::Error{device.error()};
  const platform::TemporaryFolder folder;
  if (folder.path().empty()) return base::Error{"no temporary folder can be made"};
  RecordOptions record_options;
  record_options.command = {file.string()};
  if (is_cuda_source(file)) {
    platform::CudaProgram program;
    program.files = {file};
    program.output = folder.path() / file.stem();
    program.compute_capability = *device->compute_capability.value;
    program.kept = run.kept;
    if (const auto done = platform::compile_program(program); !done) {
      // One line: clang's first message.
      const std::string& text = done.error();
      return base::Error{fmt::format("{} (with main(), a file is compiled as a whole program; else give --launch-file)",
                                     text.substr(0, text.find('\n')))};
    }
    record_options.command = {program.output.string()};
  }
  record_options.command.insert(record_options.command.end(), run.arguments.begin(), run.arguments.end());
  record_options.out = walk;
  record_options.simulated = record_options.for_verb = true;
  record_options.gpu = options.gpu;
  record_options.threads = options.threads;
  for (std::uint64_t i = 1; i <= run.launches; ++i)
    record_options.inside.push_back(fmt::format("{}:{}", run.kernel, i));
  record_options.inside_limit_mib = 4096;
  record_options.inside_only = run.ends;
  record_options.no_input = run.no_input;
  record_options.cancel = run.cancel;
  record_options.ended = run.ended;
  std::string trouble;
  if (run.ends) record_options.trouble = &trouble;
  record(record_options);
  std::error_code error;
  return std::filesystem::exists(walk, error) ? base::Result<void>() : base::Error{trouble};
}

base::Result<void> record_debugged(const DebugTarget& target, const std::filesystem::path& walk) {
  SimulateOptions options;
  options.gpu = target.gpu;
  options.threads = target.threads;
  ProgramRun run;
  run.arguments = target.arguments;
  if (!target.given.kernel.empty()) run.kernel = target.given.kernel;
  run.launches = target.kept_launches;
  run.ends = true;
  run.no_input = target.no_input;
  run.cancel = target.cancel;
  run.ended = target.ended;
  run.kept = target.device_debug ? platform::KeptSource::unoptimized : platform::KeptSource::variables;
  return record_program(target.file, options, walk, run);
}

LaunchRunner::LaunchRunner(const SimulateOptions& options, const gpu::Device& device, run::CyclesOptions cycles)
    : options_(options), device_(device), cycles_(std::move(cycles)) {}

base::Result<run::LaunchResult> LaunchRunner::run(run::LoadedLaunch& loaded, gpu::CacheStart caches) {
  gpu::SimulateOptions how;
  how.threads = host_threads(options_.threads);
  how.sanitize = options_.sanitize;
  how.operation_limit = options_.limit;
  how.by_instruction = true;
  run::CyclesOptions cycles = cycles_;
  cycles.caches = options_.caches.empty() ? caches : *run::cache_start_of(options_.caches);
  cycles.threads = how.threads;
  auto ran = [&] {
    Watch watch(signals_);
    how.cancel = cycles.cancel = watch.cancel();
    how.progress = [&](std::uint64_t done, std::uint64_t blocks) { watch.progress({}, done, blocks, options_.limit); };
    cycles.progress = [&](std::uint64_t done, std::uint64_t blocks) { watch.progress("cycles", done, blocks); };
    return run::run_launch(device_, loaded, how, cycles);
  }();
  if (ran && signals_.stop_requested()) return base::Error{"stopped before the end; nothing was written"};
  return ran;
}

}  // namespace warpwalk::verbs
