#include "app/verbs/run.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/find_device.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/common/print_run.h"
#include "app/verbs/common/terminal.h"
#include "app/verbs/common/value_files.h"
#include "app/verbs/common/watch.h"
#include "app/verbs/counted_run.h"
#include "core/ops/library/library.h"
#include "core/platform/blocked_signals.h"
#include "core/trace/chrome/writer.h"
#include "instrumentation/cuda/cuda_backend.h"

namespace warpwalk::verbs {
namespace {

constexpr const char* stopped_line = "stopped before the end; nothing was written";

std::optional<ops::DType> tensor_dtype(std::string_view name) {
  const auto dtype = ops::dtype_of(name);
  return dtype && ops::is_tensor_dtype(*dtype) ? dtype : std::nullopt;
}

/// Reads --shape a=256x128, once per name.
base::Result<void> read_shapes(const RunOptions& options, run::RunRequest& request) {
  for (const std::string& text : options.shapes) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
      return base::Error{fmt::format("--shape {}: write NAME=SHAPE, for example --shape a=256x128", text)};
    const auto sizes = ops::parse_shape(std::string_view(text).substr(equals + 1));
    if (!sizes)
      return base::Error{
          fmt::format("--shape {}: {} is not a shape; write sizes with x between them (256x128), or scalar", text,
                      text.substr(equals + 1))};
    request.inputs.push_back({text.substr(0, equals), ops::DType::f32, *sizes});
  }
  return {};
}

/// Reads --dtype f32 (all names) and --dtype a=f16 (one name); the last one counts.
base::Result<void> read_dtypes(const RunOptions& options, run::RunRequest& request) {
  std::vector<std::pair<std::string, ops::DType>> of_one;
  for (const std::string& text : options.dtypes) {
    const std::size_t equals = text.find('=');
    const auto dtype = tensor_dtype(equals == std::string::npos ? text : text.substr(equals + 1));
    if (!dtype)
      return base::Error{fmt::format("--dtype {}: not a tensor dtype; use f16, bf16, f32, f64, i32 or i64", text)};
    if (equals != std::string::npos) {
      of_one.emplace_back(text.substr(0, equals), *dtype);
      continue;
    }
    for (ops::Variable& input : request.inputs) input.dtype = *dtype;
  }
  for (const auto& [name, dtype] : of_one) {
    const auto input = std::ranges::find(request.inputs, name, &ops::Variable::name);
    if (input == request.inputs.end())
      return base::Error{fmt::format("--dtype {}={}: {} has no --shape", name, name_of(dtype), name)};
    input->dtype = dtype;
  }
  return {};
}

base::Result<void> read_seed(const RunOptions& options, run::RunRequest& request) {
  const char* const end = options.seed.data() + options.seed.size();
  const auto [stopped, error] = std::from_chars(options.seed.data(), end, request.seed);
  if (error == std::errc() && stopped == end) return {};
  return base::Error{fmt::format("--seed {}: write a whole number from 0 to 2^64 - 1", options.seed)};
}

base::Result<void> read_place(const RunOptions& options, run::RunRequest& request) {
  const std::map<std::string, run::Target> targets = {
      {"sim", run::Target::sim}, {"cpu", run::Target::cpu}, {"cuda", run::Target::cuda}};
  const auto target = targets.find(options.on);
  if (target == targets.end()) return base::Error{fmt::format("--on {}: write sim, cpu or cuda", options.on)};
  request.on = target->second;
  auto device = find_device(options.gpu);
  if (!device) return base::Error{device.error()};
  request.device = std::move(*device);
  request.threads = host_threads(options.threads);
  const auto code = run::code_choice_of(options.code);
  if (!code) return base::Error{fmt::format("--code {}: write auto, sass or ptx", options.code)};
  if (*code != run::CodeChoice::automatic && request.on != run::Target::sim)
    return base::Error{fmt::format("--code {}: only the simulated GPU (--on sim) offers a choice", options.code)};
  request.code = *code;
  if (auto done = read_cycles(options.cycles, request.cycles); !done) return done;
  if (options.cycles.given() && request.on != run::Target::sim)
    return base::Error{"--cycles and --policy: only the simulated GPU (--on sim) simulates cycles"};
  const auto assets = find_assets();
  if (!assets && request.on != run::Target::cpu)
    return base::Error{"the folder with the kernels' PTX is missing; set WARPWALK_ASSETS"};
  if (assets) request.assets = *assets;
  return {};
}

base::Result<void> read_request(const RunOptions& options, run::RunRequest& request, ValueFiles& files) {
  request.expression = options.expression;
  if (auto done = read_seed(options, request); !done) return done;
  request.gradients = options.gradients;
  request.placement = options.placement;
  for (const auto& [wanted, name] : {std::pair{options.placement, "--placement"}, {options.counters, "--counters"}}) {
    if (wanted && options.on != "cuda") return base::Error{fmt::format("{}: needs a real GPU; add --on cuda", name)};
    if (wanted && options.trace.empty())
      return base::Error{fmt::format("{}: the result is stored in the walk; add -o walk.json.gz", name)};
  }
  if (!options.autocast.empty()) {
    const auto dtype = ops::dtype_of(options.autocast);
    if (dtype != ops::DType::f16 && dtype != ops::DType::bf16)
      return base::Error{fmt::format("--autocast {}: write f16 or bf16", options.autocast)};
    request.autocast = dtype;
  }
  if (auto done = read_shapes(options, request); !done) return done;
  if (auto done = read_dtypes(options, request); !done) return done;
  if (auto done = read_inputs(options, request, files); !done) return done;
  request.now_ns = [] {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  return read_place(options, request);
}

int refuse_run(const RunOptions& options, const run::RunError& error) {
  return refuse(error.place ? error.place->line(options.expression) : error.line);
}

/// Checks the output files before the work starts.
base::Result<void> check_outputs(const RunOptions& options, const run::RunRequest& request, const ValueFiles& files) {
  if (options.trace == "-")
    return base::Error{"-o -: a walk cannot be written to stdout; give a file, for example -o walk.json.gz"};
  for (const std::filesystem::path& file : {options.trace, options.json})
    if (!file.empty())
      if (auto done = check_writable(file); !done) return done;
  std::error_code ignored;
  const auto place_of = [&](const std::filesystem::path& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, ignored), ignored);
  };
  const bool both = !options.trace.empty() && !options.json.empty();
  if (both && !std::filesystem::is_character_file(options.trace, ignored) &&
      place_of(options.json) == place_of(options.trace))
    return base::Error{
        fmt::format("--json {}: the walk is written to this file (-o); give another", options.json.string())};
  if (options.values.empty()) return {};
  std::vector<OtherFile> others = {{"the walk (-o)", options.trace}, {"the report (--json)", options.json}};
  for (const auto& [name, file] : files.inputs) others.push_back({fmt::format("the file of --input {}", name), file});
  return check_values_folder(options.values, value_names(request), others);
}

base::Result<void> write_results(const RunOptions& options, const run::RunRequest& request,
                                 const run::RunResult& result, ValueFiles& files) {
  if (!options.values.empty())
    if (auto done = write_values(options, result, files); !done) return done;
  if (!options.trace.empty())
    if (auto done = trace::write_trace(result.trace, options.trace); !done) return done;
  if (options.json.empty()) return {};
  return write_file(options.json, run_json(request, result, files));
}

}  // namespace

int run(const RunOptions& options) {
  run::RunRequest request;
  ValueFiles files;
  if (const auto done = read_request(options, request, files); !done) return refuse(done.error());
  if (const auto done = check_outputs(options, request, files); !done) return refuse(done.error());
  std::unique_ptr<run::GpuBackend> gpu;
  if (request.on == run::Target::cuda) {
    const auto libraries = find_libraries();
    if (!libraries)
      return refuse("--on cuda: warpwalk's libraries were not found beside the program; build or install it again");
    cuda::CudaBackend::Options how;
    how.libraries = *libraries;
    how.ptx_folder = request.assets / "ptx";
    how.record = !options.trace.empty();
    auto opened = cuda::CudaBackend::open(how);
    if (!opened) return refuse("--on cuda: " + opened.error());
    gpu = std::move(*opened);
  }
  platform::BlockedSignals signals;
  auto ran = [&] {
    Watch watch(signals, options.progress ? Watch::Shown::lines : Watch::Shown::on_terminal);
    request.cancel = watch.cancel();
    request.progress = [&](const std::string& what, std::uint64_t done, std::uint64_t blocks) {
      watch.progress(what, done, blocks);
    };
    return run::run_expression(request, gpu.get());
  }();
  // The signal is raised again when `signals` is destroyed, and ends the program.
  if (signals.stop_requested()) return refuse(stopped_line);
  if (const auto* const error = std::get_if<run::RunError>(&ran)) return refuse_run(options, *error);
  auto& result = std::get<run::RunResult>(ran);
  if (options.counters) {
    const auto counted = count_run(options, result.trace.records, signals);
    if (signals.stop_requested()) return refuse(stopped_line);
    if (!counted) return refuse(counted.error());
  }
  if (const auto done = write_results(options, request, result, files); !done) return refuse(done.error());
  if (options.json != "-") print_report(run_text(request, result, files));
  return result.good() ? 0 : 1;
}

Verb add_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* const verb = app.add_subcommand("run", "Compute an expression, check it and record it as a walk");
  verb->add_option("EXPRESSION", options->expression,
                   "for example \"relu(a @ b)\": names, numbers, + - * / @ **, relu, softmax, linear ... "
                   "(docs/run.md), .T, slices")
      ->required();
  verb->add_option("--shape", options->shapes, "NAME=SIZExSIZE, once per name (a=256x128; a=scalar)")
      ->allow_extra_args(false);
  verb->add_option("--dtype", options->dtypes,
                   "f16, bf16, f32, f64, i32 or i64 for all inputs, or a=f16 for one (default: f32)")
      ->allow_extra_args(false);
  verb->add_option("--input", options->inputs,
                   "NAME=FILE, the elements of a name: raw, little-endian, in C order, of its shape and dtype; other "
                   "names have random elements")
      ->allow_extra_args(false);
  verb->add_option("--seed", options->seed,
                   "seed of the first input's random elements; each further input adds 1 (default: 1)");
  verb->add_option("--on", options->on, "sim (the simulated GPU), cpu or cuda (a real GPU); default: sim");
  verb->add_option("--gpu", options->gpu,
                   "the GPU to simulate: a name in assets/devices or a description file (default: h200)");
  verb->add_option("--threads", options->threads,
                   "host threads; the results do not depend on their number (default: all)")
      ->check(whole_number(1, 4096));
  verb->add_option("--code", options->code,
                   "what the simulated GPU runs: auto (machine code if it can be executed, else PTX), sass (machine "
                   "code) or ptx; default: auto");
  add_cycles_options(*verb, options->cycles);
  verb->add_flag("--gradients", options->gradients,
                 "also run backward from the sum of the result to every floating-point input");
  verb->add_flag(
      "--placement", options->placement,
      "with --on cuda: record where and when each block runs, in a separate run with a probe in the kernels");
  verb->add_flag("--counters", options->counters,
                 "with --on cuda: record hardware counters with Nsight Compute, in a separate run");
  verb->add_flag("--progress", options->progress, "report progress as lines on stderr");
  verb->add_option("--autocast", options->autocast, "f16 or bf16: matrix products cast their inputs to this type");
  verb->add_option("--values", options->values,
                   "write the elements of the result and of gradients to this folder: result.bin and grad_NAME.bin, "
                   "raw, little-endian, in C order");
  verb->add_option("--json", options->json, "write the report as JSON to this file (- for stdout)");
  verb->add_option("-o,--output", options->trace, "write the walk as a trace (walk.json.gz)");
  // An expression that begins with - is taken for an option, so none was parsed.
  return {verb, [options] { return run(*options); },
          [options] {
            return std::string(
                options->expression.empty() ? "put an expression that begins with - in brackets, \"(-a)\"; " : "");
          }};
}

}  // namespace warpwalk::verbs
