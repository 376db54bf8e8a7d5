// Launches: checks, the run on the simulated GPU, what it found.
#include "instrumentation/simulated/device/launch.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/blocks/occupancy.h"
#include "core/gpu/exec/finding.h"
#include "core/gpu/exec/program.h"
#include "core/run/launch/report.h"
#include "core/run/record/record_rows.h"
#include "instrumentation/simulated/device/code_place.h"
#include "instrumentation/simulated/engine/gpu.h"
#include "instrumentation/simulated/engine/least_time.h"

namespace warpwalk::simulated {
namespace {

constexpr std::array<std::uint64_t, 3> max_grid = {0x7fffffff, 65535, 65535}, max_block = {1024, 1024, 64};

std::uint64_t product(const std::array<std::uint32_t, 3>& extent) {
  return std::uint64_t{extent[0]} * extent[1] * extent[2];
}

gpu::BlockNeeds needs_of(const KernelLaunch& launch) {
  const KernelAttributes& attributes = launch.kernel->attributes;
  gpu::BlockNeeds needs;
  needs.threads = static_cast<std::int64_t>(product(launch.shape.block));
  needs.registers = attributes.registers;
  needs.static_shared = static_cast<std::int64_t>(attributes.static_shared_bytes);
  needs.dynamic_shared = static_cast<std::int64_t>(launch.shape.dynamic_shared_bytes);
  needs.shared_optin = true;
  return needs;
}

std::array<std::uint32_t, 3> cluster_of(const KernelLaunch& launch) {
  return launch.shape.cluster[0] != 0 ? launch.shape.cluster : launch.kernel->attributes.required_cluster;
}

/// The error that a GPU reports when a kernel ends this way (CUDA runtime API, cudaError).
Error error_of(gpu::FindingKind kind) {
  switch (kind) {
    case gpu::FindingKind::out_of_bounds:
    case gpu::FindingKind::read_only: return Error::illegal_address;
    case gpu::FindingKind::misaligned: return Error::misaligned_address;
    case gpu::FindingKind::failed_assert: return Error::assert_failed;
    case gpu::FindingKind::bad_call_target:
    case gpu::FindingKind::bad_branch_target: return Error::invalid_pc;
    case gpu::FindingKind::stack_overflow: return Error::hardware_stack_error;
    case gpu::FindingKind::deadlock:
    case gpu::FindingKind::runaway: return Error::launch_timeout;
    case gpu::FindingKind::unsupported: return Error::not_supported;
    default: return Error::launch_failure;
  }
}

/// Says how far a kernel is that takes long.
class Progress {
 public:
  explicit Progress(std::string kernel) : kernel_(std::move(kernel)) {}
  void tell(std::uint64_t done, std::uint64_t blocks) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_ || done == 0 || blocks == 0) return;
    next_ = now + std::chrono::seconds(5);
    const double part = static_cast<double>(done) / static_cast<double>(blocks);
    const double left = std::chrono::duration<double>(now - begin_).count() * (1 - part) / part;
    std::fprintf(stderr, "warpwalk: %s: %.0f %% of its blocks, about %.0f s left\n", kernel_.c_str(), 100 * part, left);
  }

 private:
  const std::string kernel_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_ = begin_ + std::chrono::seconds(5);
};

/// Prints the lines of failed assertions on stderr, as CUDA does. Returns the other text.
std::string print_failed_assertions(std::string_view printed) {
  std::string others;
  while (!printed.empty()) {
    const std::string_view line = printed.substr(0, printed.find('\n') + 1);
    if (line.empty()) break;
    printed.remove_prefix(line.size());
    const bool failed = line.ends_with("` failed.\n") && line.find("] Assertion `") != std::string_view::npos;
    if (failed)
      std::fwrite(line.data(), 1, line.size(), stderr);
    else
      others += line;
  }
  return others.append(printed);
}

/// A copy of a launch with the memory that it may change, for the timing model.
struct TimedCopy {
  TimedCopy(bool wanted, const gpu::Launch& from) {
    if (!wanted) return;
    launch = from;
    if (from.heap != nullptr) launch.heap = std::make_shared<gpu::DeviceHeap>(*from.heap);
    for (gpu::OuterMemory& outer : launch.outer) {
      constexpr std::size_t slack = 4;
      std::vector<std::uint8_t>& copy = contents_.emplace_back(outer.bytes + slack);
      std::copy_n(outer.data, outer.bytes, copy.begin());
      outer.data = copy.data();
      outer.written = nullptr;
    }
  }
  gpu::Launch launch;

 private:
  std::vector<std::vector<std::uint8_t>> contents_;
};

/// "argument 2", of the pointer among a kernel's arguments that is the largest one from `first` up to `end`; empty if
/// none is there. Structures of pointers count as one argument.
std::string argument_near(const KernelLaunch& launch, std::uint64_t first, std::uint64_t end) {
  std::size_t found = 0;
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i < launch.kernel->parameters.size(); ++i) {
    const KernelParameter& parameter = launch.kernel->parameters[i];
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= parameter.bytes; at += sizeof(std::uint64_t)) {
      std::uint64_t value = 0;
      std::memcpy(&value, launch.arguments.data() + parameter.offset + at, sizeof value);
      if (value < first || value >= end || (found != 0 && value <= largest)) continue;
      found = i + 1, largest = value;
    }
  }
  return found == 0 ? std::string() : fmt::format("argument {}", found);
}

}  // namespace

Error collect_arguments(const Kernel& kernel, void** pointers, void** extra, std::vector<std::uint8_t>& into) {
  std::size_t bytes = 0;
  for (const KernelParameter& parameter : kernel.parameters)
    bytes = std::max(bytes, parameter.offset + parameter.bytes);
  into.assign(bytes, 0);
  if (pointers != nullptr) {
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      if (pointers[i] == nullptr) return Error::invalid_value;
      std::memcpy(into.data() + kernel.parameters[i].offset, pointers[i], kernel.parameters[i].bytes);
    }
    return Error::success;
  }
  if (extra == nullptr) return kernel.parameters.empty() ? Error::success : Error::invalid_value;
  // cuLaunchKernel: pairs of CU_LAUNCH_PARAM_BUFFER_POINTER (1) or _SIZE (2) and a value, up to CU_LAUNCH_PARAM_END
  // (0).
  const void* buffer = nullptr;
  std::size_t size = 0;
  for (; *extra != nullptr; extra += 2) {
    const auto key = reinterpret_cast<std::uintptr_t>(*extra);
    if (key == 1) buffer = extra[1];
    if (key == 2) size = *static_cast<const std::size_t*>(extra[1]);
  }
  if (buffer == nullptr || size < bytes) return Error::invalid_value;
  std::memcpy(into.data(), buffer, bytes);
  return Error::success;
}

Error Gpu::check(const KernelLaunch& launch) {
  const StoppedClock stopped(clock);  // the first launch of a kernel prepares it
  const LaunchShape& shape = launch.shape;
  const KernelAttributes& attributes = launch.kernel->attributes;
  const auto refuse = [&](Error error, const std::string& why) {
    tell(fmt::format("{}: not launched: {}", plain_name(launch.kernel->name), why));
    return error;
  };
  // The errors are those of an H100 with CUDA 13 (tests/simulated_cuda/expected/launches.txt).
  for (std::size_t i = 0; i < 3; ++i) {
    const char axis = "xyz"[i];
    if (shape.grid[i] == 0 || shape.grid[i] > max_grid[i])
      return refuse(Error::invalid_value, fmt::format("the grid has {} blocks in {}; 1 to {} are possible",
                                                      shape.grid[i], axis, max_grid[i]));
    if (shape.block[i] == 0 || shape.block[i] > max_block[i])
      return refuse(Error::invalid_value, fmt::format("a block has {} threads in {}; 1 to {} are possible",
                                                      shape.block[i], axis, max_block[i]));
  }
  const std::uint64_t threads = product(shape.block);
  if (threads > static_cast<std::uint64_t>(*device.threads_per_block))
    return refuse(Error::invalid_value,
                  fmt::format("a block has {} threads; the GPU's limit is {}", threads, *device.threads_per_block));
  if (threads > static_cast<std::uint64_t>(attributes.max_threads_per_block))
    return refuse(Error::invalid_value, fmt::format("a block has {} threads; the kernel's limit (__launch_bounds__, or "
                                                    "its registers) is {}",
                                                    threads, attributes.max_threads_per_block));
  const auto program = launch.kernel->program();
  if (!program) {
    tell(fmt::format("{}: {}", plain_name(launch.kernel->name), program.error()));
    return Error::not_supported;
  }
  if ((*program)->uses_heap) need_heap();
  if (shape.dynamic_shared_bytes > static_cast<std::size_t>(attributes.max_dynamic_shared_bytes))
    return refuse(Error::invalid_value,
                  fmt::format("{} bytes of dynamic shared memory; the kernel's limit is {} "
                              "(cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize raises it)",
                              shape.dynamic_shared_bytes, attributes.max_dynamic_shared_bytes));
  const auto cluster = cluster_of(launch);
  if (cluster[0] != 0) {
    const std::uint64_t blocks = product(cluster);
    const std::string clusters = fmt::format("clusters of {}x{}x{} blocks", cluster[0], cluster[1], cluster[2]);
    if (attributes.required_cluster[0] != 0 && cluster != attributes.required_cluster)
      return refuse(Error::invalid_cluster_size, fmt::format("{}; the kernel requires others", clusters));
    for (std::size_t i = 0; i < 3; ++i)
      if (cluster[i] == 0 || shape.grid[i] % cluster[i] != 0)
        return refuse(Error::invalid_cluster_size, fmt::format("{}; the grid's {} blocks in {} are no multiple of that",
                                                               clusters, shape.grid[i], "xyz"[i]));
    const std::uint64_t most_blocks = attributes.nonportable_cluster ? 16 : 8;
    if (blocks > most_blocks)
      return refuse(Error::invalid_cluster_size, fmt::format("{}; the limit is {} blocks", clusters, most_blocks));
  }
  const gpu::Occupancy occupancy = gpu::occupancy_of(device, needs_of(launch));
  if (occupancy.blocks_per_sm == 0) return refuse(Error::launch_out_of_resources, occupancy.failure);
  const auto resident = static_cast<std::uint64_t>(occupancy.blocks_per_sm * *device.sm_count);
  if (shape.cooperative && product(shape.grid) > resident)
    return refuse(Error::cooperative_launch_too_large,
                  fmt::format("a cooperative grid of {} blocks; {} fit on the GPU at once ({} on each of {} SMs)",
                              product(shape.grid), resident, occupancy.blocks_per_sm, *device.sm_count));
  return Error::success;
}

gpu::Launch Gpu::simulated_launch(const KernelLaunch& asked, const DeviceMemory::View& view) {
  gpu::Launch launch;
  launch.grid = asked.shape.grid;
  launch.block = asked.shape.block;
  if (asked.shape.cluster[0] != 0) launch.cluster = asked.shape.cluster;
  launch.nonportable_cluster = asked.kernel->attributes.nonportable_cluster;
  launch.cooperative = asked.shape.cooperative;
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(asked.shape.dynamic_shared_bytes);
  for (const KernelParameter& parameter : asked.kernel->parameters) {
    const auto first = asked.arguments.begin() + static_cast<std::ptrdiff_t>(parameter.offset);
    launch.arguments.emplace_back().bytes.assign(first, first + static_cast<std::ptrdiff_t>(parameter.bytes));
  }
  launch.outer = view.outer;
  launch.heap = heap();
  asked.kernel->module.add_constants(launch);
  textures.add_to(launch);
  return launch;
}

Outcome Gpu::run_kernel(const KernelLaunch& asked, KernelRun& run) {
  const auto program = *asked.kernel->program();
  const auto view = memory.view();
  gpu::Launch launch = simulated_launch(asked, *view);
  const Recorder::Use recorded(recorder, run.recording);
  const bool inside = recorded && wants_inside(asked, run.ops);
  run.ends_program = recorded && recording_.inside.ends && had_all_named();
  if (const auto computed = run_on_host(asked, launch, *view, inside, run)) return *computed;

  gpu::SimulateOptions how;
  how.sanitize = options.sanitize;
  // Host threads keep copies of the memory that they write. That does not pay for small grids.
  const std::uint64_t threads = product(launch.grid) * product(launch.block);
  constexpr std::uint64_t worthwhile = 1 << 14;
  how.threads = threads < worthwhile ? 1 : options.threads;
  std::vector<gpu::TouchedRange> touched;
  std::vector<std::uint8_t> variables;
  if (inside || checks != nullptr) how.touched = &touched;
  if (inside) {
    how.keep_before = true;
    variables = contents_of_variables(asked.kernel->module);
  }
  Progress progress(plain_name(asked.kernel->name));
  how.progress = [&](std::uint64_t done, std::uint64_t blocks) { progress.tell(done, blocks); };
  TimedCopy timed(options.cycles, launch);
  const auto simulated = gpu::simulate(device, *program, launch, how);
  if (!simulated) {
    tell(fmt::format("{}: {}", plain_name(asked.kernel->name), simulated.error()));
    return {0, 1, Error::launch_failure};
  }
  const bool asserts = std::ranges::find(simulated->findings, gpu::FindingKind::failed_assert, &gpu::Finding::kind) !=
                       simulated->findings.end();
  {
    const std::lock_guard lock(printed_mutex_);
    printed_ += asserts ? print_failed_assertions(simulated->printed) : simulated->printed;
  }
  Outcome outcome;
  outcome.error = report(asked, *simulated, run.correlation);
  const auto blocks = static_cast<double>(product(launch.grid));
  outcome.duration = least_ns(device, simulated->counters, blocks);
  outcome.share = share_of_sms(device, blocks, simulated->occupancy.blocks_per_sm);
  run.counters = simulated->counters;
  run.registers = simulated->registers;
  if (checks != nullptr) checks->ran(asked, touched);
  if (inside) record_inside(asked, touched, variables, run.correlation);
  if (caches_ && outcome.error == Error::success)
    time_kernel(*program, timed.launch, *view, inside, run, outcome, how.progress);
  return outcome;
}

bool Gpu::is_new(const KernelLaunch& launch, const gpu::Finding& finding) {
  const bool has_source = finding.source_line != 0;
  if (!has_source && finding.ptx_line == 0) return true;  // tell() compares the messages
  const std::lock_guard lock(told_mutex_);
  return found_[{launch.kernel->name, finding.kind, finding.source_file,
                 has_source ? finding.source_line : finding.ptx_line, finding.other_line}]++ == 0;
}

void Gpu::tell_repeated_findings() {
  std::map<FindingKey, int> found;
  {
    const std::lock_guard lock(told_mutex_);
    found.swap(found_);
  }
  for (const auto& [key, launches] : found) {
    if (launches == 1) continue;
    const auto& [kernel, kind, file, line, other] = key;
    tell(fmt::format("{}{}: the finding above ({}) is in {} launches",
                     file.empty() ? "" : fmt::format("{}:{}: ", file, line), plain_name(kernel), gpu::name_of(kind),
                     launches));
  }
}

Error Gpu::report(const KernelLaunch& launch, const gpu::Simulation& simulation, std::uint32_t correlation) {
  Error error = Error::success;
  for (const gpu::Finding& finding : simulation.findings) {
    std::string place;
    if (finding.source_line != 0) place = fmt::format("{}:{}: ", finding.source_file, finding.source_line);
    if (is_new(launch, finding))
      find(fmt::format("{}{}: {}{}", place, plain_name(launch.kernel->name), finding.message,
                       place_in_memory(launch, finding)),
           correlation);
    if (error == Error::success && gpu::ends_launch(finding.kind)) error = error_of(finding.kind);
  }
  return error;
}

std::string Gpu::place_in_memory(const KernelLaunch& launch, const gpu::Finding& finding) const {
  if (finding.kind != gpu::FindingKind::out_of_bounds || !finding.address) return {};
  const std::uint64_t address = *finding.address;
  if (const auto freed = memory.find_freed(address); freed != nullptr)
    return fmt::format("; the {} bytes there, of {}, have been freed{}", freed->bytes, freed->call,
                       freed->freed_at == 0 ? "" : " by " + call_sites::describe(freed->freed_at));
  constexpr std::uint64_t null_range = 1 << 16;
  if (address < null_range) {
    const std::string argument = argument_near(launch, 0, null_range);
    return argument.empty() ? std::string() : fmt::format("; {} is 0", argument);
  }
  const std::string host = host_memory(address);
  if (host.empty()) return {};
  const std::string argument = argument_near(launch, mapping_of(address), address + 1);
  return fmt::format("; {} {}: allocate it with cudaMalloc or cudaMallocManaged, or copy it",
                     argument.empty() ? "that is" : argument + " points to", host);
}

WorkPtr Gpu::work_of(const KernelLaunch& launch, const Stream& stream, const GraphPlace& graph) {
  const auto work = std::make_shared<Work>();
  const auto run = std::make_shared<KernelRun>();
  work->unit = Unit::sms;
  work->submitted = clock.now();
  constexpr std::int64_t call_latency_ns = 2900;  // launch_time of an H200
  work->latency = device.launch_time ? std::llround(*device.launch_time * 1e9) : call_latency_ns;
  run->correlation = Recorder::correlation();
  run->recording = recorder.number();
  if (const Recorder::Use use(recorder, run->recording); use && !recording_.inside.named.empty())
    run->ops = recorder.open_ops();
  work->run = [this, launch, run] { return run_kernel(launch, *run); };
  if (run->recording != 0)
    work->recorded = [this, launch, run, id = stream.id, graph,
                      correlation = Recorder::correlation()](const Work& done) {
      const Recorder::Use use(recorder, run->recording);
      if (!use) return;
      instrumentation::KernelRow row;
      row.start = static_cast<std::uint64_t>(done.start), row.end = static_cast<std::uint64_t>(done.end);
      row.submitted = static_cast<std::uint64_t>(done.submitted);
      row.name = recorder.name(launch.kernel->name);
      row.context = 1, row.stream = id, row.correlation = correlation;
      row.graph = graph.graph, row.graph_node = graph.node;
      row.registers = static_cast<std::uint32_t>(run->registers);
      row.static_shared = static_cast<std::uint32_t>(launch.kernel->attributes.static_shared_bytes);
      row.dynamic_shared = static_cast<std::uint32_t>(launch.shape.dynamic_shared_bytes);
      row.local_bytes = static_cast<std::uint32_t>(launch.kernel->attributes.local_bytes);
      row.grid = launch.shape.grid, row.block = launch.shape.block;
      row.cluster = cluster_of(launch);
      recorder.add(row);
      record_simulated(launch, *run, correlation, graph);
      if (run->ends_program) end_program();
    };
  return work;
}

void Gpu::record_simulated(const KernelLaunch& launch, const KernelRun& run, std::uint32_t correlation,
                           const GraphPlace& graph) {
  instrumentation::SimulatedKernel row;
  row.correlation = correlation;
  row.graph_node = graph.node;
  const bool machine_code = (*launch.kernel->program())->machine_code.has_value();
  const std::uint32_t code = record_code(launch.kernel->module);
  if (!machine_code) row.ptx = code;
  row.code =
      recorder.name(machine_code ? fmt::format("sass sm_{} from fat binary", launch.kernel->attributes.binary_version)
                                 : std::string("ptx"));
  row.cycles = run.cycles;
  recorder.add(row);
  for (const run::ReportCounter& counter : run::report_counters(run.counters, machine_code))
    recorder.add(instrumentation::CounterRow{correlation, graph.node, recorder.name(counter.name),
                                             std::bit_cast<std::uint64_t>(static_cast<double>(counter.value))});
  for (const trace::NamedCounter& counter : run::counters_of(run.scaled))
    recorder.add(instrumentation::CounterRow{correlation, graph.node, recorder.name(counter.name),
                                             std::bit_cast<std::uint64_t>(counter.value)});
}

Error Gpu::launch(KernelLaunch launch, Stream& stream) {
  if (checks != nullptr) call_sites::current().kernel = &launch.kernel->name;
  if (const Error wrong = graphs.check_implicit(stream); wrong != Error::success) return wrong;
  if (const Error wrong = check(launch); wrong != Error::success) return wrong;
  if (stream.capture != nullptr) return add_captured(stream, std::move(launch));
  const WorkPtr work = work_of(launch, stream, {});
  streams.submit(stream, work);
  if (checks != nullptr) queue.settle(work);
  return Error::success;
}

}  // namespace warpwalk::simulated
