#include "app/verbs/simulate.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/verbs/common/compiled_file.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/find_device.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/common/value_files.h"
#include "app/verbs/common/watch.h"
#include "app/verbs/program_launches.h"
#include "app/verbs/simulate_measured.h"
#include "core/base/result.h"
#include "core/compiled/mlir/mlir.h"
#include "core/compiled/triton_launch.h"
#include "core/platform/available_memory.h"
#include "core/platform/blocked_signals.h"
#include "core/platform/read_file.h"
#include "core/platform/temporary_folder.h"
#include "core/ptx/module.h"
#include "core/run/kernel_lab/compiled_launch.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/run/launch/bind.h"
#include "core/run/launch/python_costs.h"
#include "core/run/launch/report.h"
#include "core/run/launch/run_launch.h"
#include "core/run/layouts/check_layouts.h"
#include "core/run/layouts/layout_report.h"
#include "core/run/measured/report_code.h"
#include "core/run/record/launch_trace.h"
#include "core/run/replay/compiled_modules.h"
#include "core/run/replay/load_recorded.h"
#include "core/run/replay/recorded_launch.h"
#include "core/run/replay/replay_plan.h"
#include "core/run/tiles/tile_problems.h"
#include "core/trace/chrome/writer.h"
#include "core/trace/ncu/report.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::verbs {
namespace {

/// Checks that --values can write every buffer.
base::Result<void> check_buffers(const SimulateOptions& options, const run::LoadedLaunch& loaded) {
  if (options.values.empty()) return {};
  if (options.launch)
    return base::Error{
        "--values: works for launch files only; the memory of a walk's launch (--launch) is not split into named "
        "buffers"};
  const std::filesystem::path folder = loaded.path.parent_path();
  std::vector<OtherFile> others = {
      {"the walk (-o)", options.trace}, {"the report (--json)", options.json}, {"the launch file", options.file}};
  for (const std::filesystem::path& module : {loaded.file.ptx, loaded.file.cuda, loaded.file.cubin})
    if (!module.empty()) others.push_back({"the module of the launch file", folder / module});
  const auto add_file = [&](const std::string& buffer, const run::Content& content) {
    if (const auto* const file = std::get_if<std::filesystem::path>(&content))
      others.push_back({fmt::format("the file of {} in the launch file", buffer), folder / *file});
  };
  std::vector<std::string> names;
  for (const run::BufferSpec& buffer : loaded.file.buffers) {
    if (auto done = check_value_name(buffer.name); !done) return done;
    names.push_back(buffer.name);
    add_file(buffer.name, buffer.content);
  }
  for (const run::ExpectSpec& expect : loaded.file.expects)
    add_file(loaded.file.buffers[expect.buffer].name, expect.content);
  return check_values_folder(options.values, names, others);
}

base::Result<void> write_buffers(const std::filesystem::path& folder, const run::LoadedLaunch& loaded,
                                 run::LaunchResult& result) {
  for (std::size_t i = 0; i < loaded.file.buffers.size(); ++i) {
    auto file = write_value(folder, loaded.file.buffers[i].name, loaded.launch.buffers[i].bytes);
    if (!file) return base::Error{file.error()};
    result.values.push_back({i, std::move(*file)});
  }
  return {};
}

base::Result<void> write_results(const SimulateOptions& options, const gpu::Device& device,
                                 const run::LoadedLaunch& loaded, run::LaunchResult& result,
                                 std::vector<trace::InitialBuffer> initial, const run::CheckedLayouts* layouts,
                                 const run::PythonCosts* lines) {
  if (!options.values.empty())
    if (auto done = write_buffers(options.values, loaded, result); !done) return done;
  if (!options.trace.empty())
    if (auto done = trace::write_trace(run::trace_of(device, loaded, result, std::move(initial)), options.trace); !done)
      return done;
  if (options.json.empty()) return {};
  return write_file(options.json, run::report_json(device, loaded, result, layouts, lines));
}

/// Compares the layouts of a Triton kernel's tensors with a run of the launch.
base::Result<run::CheckedLayouts> layouts_of(const std::filesystem::path& entry, const gpu::Device& device,
                                             const run::LoadedLaunch& loaded) {
  const auto triton = compiled::is_triton_entry(entry)
                          ? compiled::read_triton_launch(entry)
                          : base::Result<compiled::TritonLaunch>(base::Error{"it is not an entry of Triton's cache"});
  if (!triton) return base::Error{fmt::format("--layouts: {}: {}", entry.string(), triton.error())};
  const auto file = triton->kernel.files.find("ttgir");
  if (file == triton->kernel.files.end())
    return base::Error{fmt::format("--layouts: {}: its TTGIR is not there", entry.string())};
  const auto text = platform::read_text_file(file->second);
  if (!text) return base::Error{text.error()};
  auto layouts =
      run::check_layouts(compiled::parse_mlir(text->text), triton->kernel.name, device, *loaded.program, loaded.launch);
  if (!layouts) return base::Error{fmt::format("--layouts: {}: {}", file->second, layouts.error())};
  return layouts;
}

/// Adds to findings about memory which element of which tensor of the Triton program they are of.
void name_tiles(const std::filesystem::path& entry, const std::filesystem::path& launch_file, const gpu::Device& device,
                const run::LoadOptions& how, std::vector<gpu::Finding>& findings) {
  if (std::ranges::none_of(findings, [](const gpu::Finding& finding) { return finding.address.has_value(); })) return;
  const auto kernel = run::KernelTiles::open(entry);
  const auto before = run::load_launch(launch_file, device, how);
  if (!kernel || !before) return;
  for (gpu::Finding& finding : findings)
    if (const std::string tile = run::tile_of_finding(**kernel, finding, *before->program, before->launch);
        !tile.empty())
      finding.message += "; " + tile;
}

/// What --ncu compares a launch with.
struct Measurements {
  std::optional<trace::ncu::Report> report;  ///< none: without --ncu
  bool report_code = false;                  ///< run the report's machine code in place of a program's PTX
  std::vector<std::string> kernels;          ///< of the launches up to the one that runs, which is the last
};

/// Reads the launch file, or the launch of a walk.
base::Result<run::LoadedLaunch> load(const SimulateOptions& options, const gpu::Device& device,
                                     const run::LoadOptions& how, std::optional<run::LoadedRecording>& recording,
                                     Measurements& measured) {
  if (!options.launch) {
    auto loaded = run::load_launch(how.cuda.empty() ? options.file : options.launch_file, device, how);
    if (loaded) measured.kernels = {gpu::entry_of(*loaded->program).name};
    return loaded;
  }
  if (!options.trace.empty()) return base::Error{"-o: the walk holds this launch already; leave out -o"};
  if (how.code == run::CodeChoice::ptx)
    return base::Error{"--code ptx: a recorded launch runs as machine code; leave out --code"};
  trace::ReadResult read = trace::read_trace(options.file);
  if (read.error) return base::Error{*read.error};
  run::add_inlined_calls(read.trace, options.file);
  if (measured.report && measured.report_code) run::use_report_code(read.trace, *measured.report, device);
  auto launch = run::load_recorded(read.trace, *options.launch, options.file);
  if (!launch) return base::Error{launch.error()};
  for (const trace::SliceId kernel : run::recorded_launches(read.trace)) {
    if (measured.kernels.size() == *options.launch) break;
    measured.kernels.push_back(run::record_of(read.trace, kernel)->entry);
  }
  recording = std::move(*launch);
  return std::move(recording->loaded);
}

/// The GPU of --gpu, else that of the launch file, else the H200, whose name becomes `options.gpu`.
base::Result<gpu::Device> wanted_gpu(SimulateOptions& options) {
  if (!options.gpu.empty()) return find_device(options.gpu);
  const std::filesystem::path& file = options.launch_file.empty() ? options.file : options.launch_file;
  const std::string named = gpu_of_launch_file(file);
  options.gpu = named.empty() ? "h200" : named;
  auto device = find_device(options.gpu);
  if (!device && !named.empty()) return base::Error{fmt::format("{}: gpu: {}", file.string(), device.error())};
  return device;
}

}  // namespace

int simulate(const SimulateOptions& given) {
  if (!given.accuracy.empty()) return show_accuracy(given.accuracy);
  SimulateOptions options = given;
  if (options.file.empty() && !options.compare)
    return refuse("FILE is required: a launch file or a walk; see warpwalk simulate --help");
  std::optional<platform::TemporaryFolder> folder;
  if (!options.compare && !options.launch && !run::is_launch_file(options.file) &&
      run::is_compiled_kernel(options.file)) {
    auto launch = write_compiled_launch(options.file, options.given, folder.emplace().path());
    if (!launch) return refuse(launch.error());
    options.file = std::move(*launch);
  } else if (!options.given.grid.empty() || !options.given.arguments.empty() || !options.given.block.empty() ||
             !options.given.kernel.empty()) {
    return refuse(
        "--grid, --block, --arg and --kernel: are for compiled kernels: a cubin, or an entry of Triton's cache");
  } else if (options.layouts) {
    return refuse("--layouts: is for an entry of Triton's cache");
  }
  const auto found = wanted_gpu(options);
  if (!found) return refuse(found.error());
  const auto& device = *found;
  const auto code = run::code_choice_of(options.code);
  if (!code) return refuse(fmt::format("--code {}: write auto, sass or ptx", options.code));
  run::CyclesOptions cycles;
  if (const auto done = read_cycles(options.cycles, cycles); !done) return refuse(done.error());
  if (!options.caches.empty() && !run::cache_start_of(options.caches))
    return refuse(fmt::format("--caches {}: write cold or warm", options.caches));
  if (options.compare) return simulate_versions(options, device, cycles);
  const bool cuda = is_cuda_source(options.file);
  if (!cuda && !options.launch_file.empty())
    return refuse("--launch-file: is for CUDA C++: simulate KERNEL.cu --launch-file FILE");
  if (!options.other.empty()) return refuse("two files are compared with --compare; else give one");
  if (options.lines && !compiled::is_triton_entry(given.file))
    return refuse("--lines: works with --compare, and for an entry of Triton's cache");
  if (options.ncu.empty() && options.ncu_launch) return refuse("--ncu-launch: works with --ncu");
  // All launches of a program, unless one is chosen.
  const bool program = cuda && options.launch_file.empty();
  if (program && !options.ncu.empty() && !options.launch && !options.ncu_launch)
    return simulate_measured(options, device, cycles);
  if (program) {
    const std::filesystem::path walk = folder.emplace().path() / "walk.json.gz";
    if (const auto done = record_program(options.file, options, walk); !done)
      return done.error().empty() ? 2 : refuse(done.error());
    options.file = walk;
    options.launch = options.launch.value_or(1);
  }
  run::LoadOptions how_to_load;
  how_to_load.host_bytes = platform::available_memory();
  how_to_load.ask_ptxas = options.ptxas;
  if (cuda && !options.launch_file.empty()) how_to_load.cuda = options.file;
  how_to_load.code = *code;
  Measurements measured;
  if (!options.ncu.empty()) {
    auto report = read_measurements(options.ncu);
    if (!report) return refuse(report.error());
    measured = {std::move(*report), program, {}};
  }
  std::optional<run::LoadedRecording> recording;
  auto read = load(options, device, how_to_load, recording, measured);
  if (!read) return refuse(read.error());
  auto& loaded = *read;
  if (folder && !loaded.file.cubin.empty()) run::add_python_source(given.file, loaded);
  if (const auto done = check_buffers(options, loaded); !done) return refuse(done.error());
  if (measured.report) loaded.file.caches = measured_cache_start(*measured.report);
  const auto caches = options.caches.empty() ? loaded.file.caches : run::cache_start_of(options.caches);
  if (caches) cycles.caches = *caches;
  if (recording && options.caches.empty() && !measured.report)
    if (auto state = run::recorded_caches(recording->record, device))
      cycles.state = std::make_shared<gpu::CacheState>(std::move(*state));
  if (!options.trace.empty() && !loaded.file.textures.empty())
    return refuse(fmt::format("{}: a trace cannot hold textures and surfaces; leave out -o", options.file.string()));
  std::vector<trace::InitialBuffer> initial;
  if (!options.trace.empty()) initial = run::initial_buffers(loaded);

  std::optional<run::CheckedLayouts> layouts;
  if (options.layouts) {
    auto checked = layouts_of(given.file, device, loaded);
    if (!checked) return refuse(checked.error());
    layouts = std::move(*checked);
  }

  platform::BlockedSignals signals;
  gpu::SimulateOptions how;
  how.threads = host_threads(options.threads);
  how.sanitize = options.sanitize;
  how.operation_limit = options.limit;
  how.by_instruction = measured.report.has_value() || options.lines;
  auto ran = [&] {
    Watch watch(signals);
    how.cancel = watch.cancel();
    how.block_operations = watch.block_operations();
    how.progress = [&](std::uint64_t done, std::uint64_t blocks) { watch.progress({}, done, blocks, options.limit); };
    cycles.threads = how.threads;
    cycles.cancel = how.cancel;
    cycles.progress = [&](std::uint64_t done, std::uint64_t blocks) { watch.progress("cycles", done, blocks); };
    return run::run_launch(device, loaded, how, cycles);
  }();
  if (!ran) return refuse(ran.error());
  auto& result = *ran;
  if (compiled::is_triton_entry(given.file))
    name_tiles(given.file, options.file, device, how_to_load, result.simulation.findings);
  if (recording) {
    result.recorded = run::recorded_outputs(recording->record, loaded.launch);
    result.recorded->measured_ns = recording->measured_ns;
    result.recorded->gpu = recording->gpu;
  }
  // The signal is raised again when `signals` is destroyed, and ends the program.
  if (signals.stop_requested()) return refuse("stopped before the end; nothing was written");
  if (measured.report) {
    const std::filesystem::path source_file = cuda ? given.file.filename() : std::filesystem::path();
    if (const auto done =
            add_measured(options, *measured.report, measured.kernels, device, loaded, source_file, result);
        !done)
      return refuse(done.error());
  }
  std::optional<run::PythonCosts> lines;
  if (options.lines) {
    auto costs = run::python_costs_of(given.file, loaded, result);
    if (!costs) return refuse(costs.error());
    lines = std::move(*costs);
  }
  if (const auto done = write_results(options, device, loaded, result, std::move(initial),
                                      layouts ? &*layouts : nullptr, lines ? &*lines : nullptr);
      !done)
    return refuse(done.error());
  if (options.json != "-") {
    print_text(result.simulation.printed);  // whole, as the kernel printed it
    print_report(run::report_text(device, loaded, result) + (layouts ? run::layouts_text(*layouts) : std::string()));
    if (lines) print_report(run::python_lines_text(*lines));
  }
  return result.good() ? 0 : 1;
}

Verb add_simulate(CLI::App& app) {
  const auto options = std::make_shared<SimulateOptions>();
  CLI::App* const verb = app.add_subcommand("simulate", "Run a launch file's kernel on the simulated GPU");
  verb->add_option(
      "FILE", options->file,
      "a launch file (JSON): kernel, PTX or machine code, grid, block, arguments; a CUDA program (.cu) "
      "with main(), whose first launch runs; or a compiled kernel: a cubin, or an entry of Triton's cache");
  add_given_launch(*verb, options->given);
  verb->add_flag("--layouts", options->layouts,
                 "of an entry of Triton's cache: the layout of each tensor in its TTGIR, compared with the run");
  verb->add_option("FILE2", options->other, "with --compare, the second version");
  verb->add_flag("--compare", options->compare,
                 "compare the launches of two versions of a CUDA program, in every figure");
  verb->add_flag(
      "--lines", options->lines,
      "with --compare, what each line of both costs; of an entry of Triton's cache, what each line of Python costs");
  verb->add_option("--launch-file", options->launch_file,
                   "the launch, for CUDA C++ without main(): its kernel is taken from FILE");
  verb->add_option(
          "--launch", options->launch,
          "FILE is a walk: run its Nth launch that was recorded with its memory (record --inside), from 1; of a "
          "CUDA program, its Nth launch (default: 1)")
      ->check(whole_number(1, std::uint64_t{1} << 32));
  verb->add_option(
      "--ncu", options->ncu,
      "a report of Nsight Compute (.ncu-rep, or what ncu prints with --csv): compares what it measured with "
      "the launch; of a CUDA program without --launch, all its launches (up to 64)");
  verb->add_option("--ncu-launch", options->ncu_launch,
                   "which launch of the report, from 1 (default: the one of the same kernel with the same place)")
      ->check(whole_number(1, std::uint64_t{1} << 32));
  verb->add_option("--gpu", options->gpu,
                   "the GPU to simulate: a name in assets/devices or a description file (default: as the launch file "
                   "says, else h200)");
  verb->add_option("--threads", options->threads,
                   "host threads; the results do not depend on their number (default: all)")
      ->check(whole_number(1, 4096));
  verb->add_option(
          "--limit", options->limit,
          fmt::format(
              "operations per block after which it is reported as a runaway, if no infinite loop was proved "
              "before (default: {}: a few seconds, at most half a minute with the sanitizer or on tensor cores)",
              gpu::runaway_limit))
      ->check(whole_number(1));
  verb->add_flag("--sanitize", options->sanitize, "also look for uninitialised reads, races and misused barriers");
  verb->add_option("--code", options->code,
                   "what to run: auto (machine code if the launch has some that can be executed, else PTX), sass "
                   "(machine code) or ptx; default: auto");
  verb->add_flag("--ptxas", options->ptxas, "compile the launch file's PTX to machine code with this machine's ptxas");
  add_cycles_options(*verb, options->cycles);
  verb->add_option(
      "--caches", options->caches,
      "when the launch starts, for its cycles: cold (L2 is empty) or warm (L2 holds what the buffers hold, as "
      "after other launches of a program); default: as the launch file says, else cold; of a walk: as recorded, else "
      "warm");
  verb->add_option("--values", options->values,
                   "write each buffer after the launch to this folder: NAME.bin, raw and little-endian");
  verb->add_option("--json", options->json, "write the report as JSON to this file (- for stdout)");
  verb->add_option("-o,--output", options->trace, "write the launch as a trace (walk.json.gz)");
  CLI::Option* const accuracy =
      verb->add_option("--accuracy", options->accuracy,
                       "without FILE: how far the cycles are from an H200's: launches, recorded (launches of PyTorch, "
                       "recorded with their memory) or parameters (the effect of each on the error)")
          ->check(CLI::IsMember(accuracy_topics()));
  return {verb, [options, verb, accuracy] {
            const auto given = [&](const CLI::Option* option) { return option != accuracy && option->count() > 0; };
            if (accuracy->count() > 0 && std::ranges::any_of(verb->get_options(), given))
              return refuse("--accuracy prints shipped figures; leave out FILE and all other options");
            return simulate(*options);
          }};
}

}  // namespace warpwalk::verbs
