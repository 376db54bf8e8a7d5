// Simulates warpwalk's own kernel in place of one whose code is unknown.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/platform/available_memory.h"
#include "core/platform/read_file.h"
#include "core/ptx/parse/parser.h"
#include "core/run/catalogue/catalogue.h"
#include "core/run/launch/bind.h"
#include "core/run/launch/generate.h"
#include "core/run/replay/make_history.h"
#include "core/run/replay/stand_in_inputs.h"
#include "core/run/replay/stand_in_ops.h"
#include "core/trace/link.h"

namespace warpwalk::run {
namespace {

using trace::SliceId;
template <class T>
using Or = base::Result<T>;  // the result, or a one-line error

// Approximate warp instructions per 32 elements of work for the kernels of assets/ptx: one multiply-add of a matrix
// product, and one element that is read, computed and written with strides.
constexpr std::uint64_t instructions_a_product = 4;
constexpr std::uint64_t instructions_an_element = 64;

/// Bytes of tensors, from the first to the last element of each, that a stand-in is built from. A few elements with
/// large strides can span any number of bytes.
constexpr std::uint64_t max_stand_in_bytes = std::uint64_t{1} << 30;

std::uint64_t elements(const Operand& operand) {
  std::uint64_t count = 1;
  for (const std::int64_t size : operand.geometry.sizes) count *= static_cast<std::uint64_t>(size);
  return count;
}

/// Bytes from the first to the last element.
std::uint64_t extent(const Operand& operand) {
  if (elements(operand) == 0) return 0;
  std::uint64_t last = static_cast<std::uint64_t>(operand.geometry.offset);
  for (std::size_t i = 0; i < operand.geometry.dims(); ++i)
    last += static_cast<std::uint64_t>((operand.geometry.sizes[i] - 1) * operand.geometry.strides[i]);
  return (last + 1) * bytes_of(operand.dtype);
}

/// The estimated number of warp instructions of the plan.
double work_of(const CatalogueCall& call, const Plan& plan) {
  const Operand& result = plan.operands[plan.result];
  const bool product =
      call.op == "aten::mm" || call.op == "aten::bmm" || call.op == "aten::mv" || call.op == "aten::dot";
  if (product)
    return static_cast<double>(elements(result)) * static_cast<double>(call.inputs[0].geometry.sizes.back()) / 32 *
           instructions_a_product;
  std::uint64_t maximum = elements(result);
  for (const Operand& input : call.inputs) maximum = std::max(maximum, elements(input));
  return static_cast<double>(maximum) / 32 * instructions_an_element;
}

std::string with_thousands(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

struct Module {
  std::string ptx, source;
  std::shared_ptr<const gpu::Program> program;
};

Or<Module> load(const PlannedLaunch& launch, const HistoryOptions& options) {
  const std::filesystem::path file = options.ptx_folder / (launch.module + ".ptx");
  auto text = platform::read_text_file(file);
  if (!text) return base::Error{text.error()};
  Module module;
  module.ptx = std::move(text->text);
  auto parsed = ptx::parse(module.ptx);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed))
    return base::Error{fmt::format("{}:{}", file.string(), error->text())};
  auto program =
      gpu::prepare(std::make_shared<const ptx::Module>(std::move(std::get<ptx::Module>(parsed))), launch.entry);
  if (!program) return base::Error{fmt::format("{}: {}", file.string(), program.error())};
  module.program = std::move(*program);
  auto source = platform::read_text_file(options.source_folder / (launch.module + ".cu"));
  if (source) module.source = std::move(source->text);
  return module;
}

/// The operands of a plan as buffers: random inputs; all others not yet written.
std::vector<gpu::Buffer> buffers_of(const Plan& plan, std::size_t inputs) {
  std::vector<gpu::Buffer> buffers;
  for (std::size_t i = 0; i < plan.operands.size(); ++i) {
    gpu::Buffer& buffer = buffers.emplace_back();
    buffer.name = i < inputs ? fmt::format("input {}", i) : i == plan.result ? "result" : fmt::format("scratch {}", i);
    buffer.bytes.resize(extent(plan.operands[i]));
    buffer.initialized = i < inputs;
    if (buffer.initialized) generate(plan.operands[i].dtype, FillRandom{i + 1}, buffer.bytes);
  }
  return buffers;
}

gpu::Launch launch_of(const PlannedLaunch& planned, const Plan& plan, std::vector<gpu::Buffer> buffers) {
  gpu::Launch launch;
  launch.grid = planned.grid;
  launch.block = planned.block;
  launch.dynamic_shared_bytes = planned.dynamic_shared_bytes;
  launch.buffers = std::move(buffers);
  for (const PlannedArgument& from : planned.arguments) {
    gpu::Argument& argument = launch.arguments.emplace_back();
    argument.bytes = from.bytes;
    argument.buffer = from.operand;
    if (from.operand < 0) continue;
    const Operand& operand = plan.operands[static_cast<std::size_t>(from.operand)];
    argument.offset = static_cast<std::uint64_t>(operand.geometry.offset) * bytes_of(operand.dtype);
  }
  return launch;
}

std::uint64_t threads_of(const PlannedLaunch& launch) { return blocks_of(launch.grid) * blocks_of(launch.block); }

Or<std::shared_ptr<const History>> simulated(const Plan& plan, const CatalogueCall& call, std::string_view op,
                                             const HistoryOptions& options, std::string because) {
  const auto shown = std::ranges::max_element(plan.launches, {}, threads_of);
  std::uint64_t blocks = 0;
  for (auto launch = plan.launches.begin(); launch <= shown; ++launch) blocks += blocks_of(launch->grid);
  HistoryProgress progress(options, blocks);
  auto history = std::make_shared<History>();
  history->stand_in = true;
  history->stands_in_because = std::move(because);
  history->device = options.device;
  std::vector<gpu::Buffer> buffers = buffers_of(plan, call.inputs.size());
  for (auto planned = plan.launches.begin(); planned <= shown; ++planned) {
    if (progress.cancelled()) return base::Error{std::string(cancelled_reason)};
    auto loaded = load(*planned, options);
    if (!loaded) return base::Error{loaded.error()};
    auto& module = *loaded;
    gpu::Launch launch = launch_of(*planned, plan, std::move(buffers));
    if (planned == shown) history->before = launch;
    auto ran = gpu::simulate(options.device, *module.program, launch, progress.next(blocks_of(planned->grid)));
    if (!ran) return base::Error{fmt::format("{} on the {}: {}", planned->entry, options.device.name, ran.error())};
    history->simulation = std::move(*ran);
    if (history->simulation.cancelled) return base::Error{std::string(cancelled_reason)};
    for (const gpu::Argument& argument : launch.arguments)  // the next launch treats them as written
      if (argument.buffer >= 0) launch.buffers[static_cast<std::size_t>(argument.buffer)].initialized = true;
    buffers = std::move(launch.buffers);
    history->program = std::move(module.program);
    history->ptx = std::move(module.ptx);
    history->source = std::move(module.source);
    history->entry = planned->entry;
    history->cubin = shipped_cubin(options.cubin_folder, *options.device.compute_capability, planned->module);
  }
  ReplacedOp& replaced = history->replaced;
  replaced.op = op;
  for (const Operand& input : call.inputs)
    replaced.inputs.emplace_back(input.geometry.sizes.begin(), input.geometry.sizes.end());
  replaced.difference = call.difference;
  replaced.launch = static_cast<std::size_t>(shown - plan.launches.begin()) + 1;
  replaced.launches = plan.launches.size();
  return std::shared_ptr<const History>(std::move(history));
}

}  // namespace

base::Result<std::shared_ptr<const History>> stand_in_history(const trace::Trace& trace, SliceId kernel,
                                                              const HistoryOptions& options, std::string because) {
  const SliceId slice = trace::op_of(trace, kernel);
  if (slice == trace::no_slice) return base::Error{"no op is recorded around its launch"};
  const std::string op(trace.name(slice));
  const auto inputs = recorded_inputs(trace, trace.ops[trace.slices.detail[slice]]);
  if (!inputs) return base::Error{fmt::format("for {}, {}", op, inputs.error())};
  const auto called = catalogue_call(op, *inputs);
  if (!called) return base::Error{called.error()};
  const auto& call = *called;
  const auto planned = plan(call.op, call.inputs, call.numbers);
  if (!planned) return base::Error{planned.error()};
  const auto& made = *planned;
  if (made.launches.empty()) return base::Error{fmt::format("the result of {} has no elements here", op)};
  if (const double work = work_of(call, made); work > static_cast<double>(options.max_warp_instructions))
    return base::Error{
        fmt::format("{} on these shapes would take about {} warp instructions, but at most {} are simulated", op,
                    with_thousands(work), with_thousands(static_cast<double>(options.max_warp_instructions)))};
  std::uint64_t bytes = 0;
  for (const Operand& operand : made.operands) bytes += extent(operand);
  if (bytes > max_stand_in_bytes)
    return base::Error{fmt::format(
        "its tensors span {} from their first to their last elements, but a stand-in is built from at "
        "most {}",
        base::bytes_text(static_cast<double>(bytes)), base::bytes_text(static_cast<double>(max_stand_in_bytes)))};
  if (const std::uint64_t room = platform::available_memory() / 2; bytes > room)  // half: the state before is also kept
    return base::Error{fmt::format("its tensors need {}, but only {} of memory are free here for them",
                                   base::bytes_text(static_cast<double>(bytes)),
                                   base::bytes_text(static_cast<double>(room)))};
  return simulated(made, call, op, options, std::move(because));
}

}  // namespace warpwalk::run
