#include "core/story/labs/writing_a_kernel/kernel_run.h"

#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "core/gpu/exec/launch.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::story {
namespace {

std::shared_ptr<const ptx::Module> module() {
  static const std::shared_ptr<const ptx::Module> parsed = [] {
    auto read = ptx::parse(lab_ptx());
    auto* const whole = std::get_if<ptx::Module>(&read);
    return whole == nullptr ? nullptr : std::make_shared<const ptx::Module>(std::move(*whole));
  }();
  return parsed;
}

std::string entry_of(const KernelSetting& setting) {
  const std::string_view stem = setting.checked ? (setting.stride == 1 ? "leaky_relu" : "strided")
                                                : (setting.stride == 1 ? "unchecked" : "unchecked_strided");
  return fmt::format("{}_{}", stem, ops::name_of(setting.dtype));
}

template <class T>
gpu::Argument scalar(T value) {
  gpu::Argument argument;
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}

void store(std::vector<std::uint8_t>& bytes, std::size_t element, ops::DType dtype, double value) {
  const std::size_t width = ops::bytes_of(dtype);
  const std::uint64_t bits = ops::float_bits(dtype, value);
  for (std::size_t b = 0; b < width; ++b) bytes[element * width + b] = static_cast<std::uint8_t>(bits >> (8 * b));
}

double load(const std::vector<std::uint8_t>& bytes, std::size_t element, ops::DType dtype) {
  return ops::float_value(dtype, ops::load_bits(dtype, bytes.data() + element * ops::bytes_of(dtype)));
}

/// A plain loop's element: computed as float unless the type is double, and rounded once.
double plain(double x, const KernelSetting& setting) {
  if (setting.dtype == ops::DType::f64) return x > 0 ? x : x * setting.slope;
  const auto value = static_cast<float>(x), slope = static_cast<float>(setting.slope);
  const float y = value > 0 ? value : value * slope;
  return ops::float_value(setting.dtype, ops::float_bits(setting.dtype, static_cast<double>(y)));
}

}  // namespace

double input_element(std::int64_t i) { return static_cast<double>((i * 7) % 23 - 11) / 4; }

KernelRun run_kernel(const gpu::Device& device, const KernelSetting& setting) {
  KernelRun run;
  run.entry = entry_of(setting);
  const std::size_t width = ops::bytes_of(setting.dtype);
  const auto n = static_cast<std::size_t>(setting.n);
  gpu::Launch launch;
  launch.grid[0] = static_cast<std::uint32_t>(setting.blocks());
  launch.block[0] = static_cast<std::uint32_t>(setting.block);
  std::vector<std::uint8_t> x((static_cast<std::size_t>((setting.n - 1) * setting.stride) + 1) * width);
  for (std::size_t i = 0; i < x.size() / width; ++i)
    store(x, i, setting.dtype, input_element(static_cast<std::int64_t>(i)));
  launch.buffers = {{"x", x}, {"y", std::vector<std::uint8_t>(n * width), false}};
  for (const std::int32_t buffer : {0, 1}) launch.arguments.push_back({{}, buffer, 0});
  if (setting.dtype == ops::DType::f64)
    launch.arguments.push_back(scalar(setting.slope));
  else
    launch.arguments.push_back(scalar(static_cast<float>(setting.slope)));
  launch.arguments.push_back(scalar(static_cast<std::int32_t>(setting.n)));
  if (setting.stride != 1) launch.arguments.push_back(scalar(static_cast<std::int32_t>(setting.stride)));
  for (std::size_t i = 0; i < n; ++i) {
    run.input.push_back(load(x, i * static_cast<std::size_t>(setting.stride), setting.dtype));
    run.expected.push_back(plain(run.input.back(), setting));
  }
  if (module() == nullptr) {
    run.error = "the kernel's PTX does not parse";
    return run;
  }
  auto program = gpu::prepare(module(), run.entry);
  if (!program) {
    run.error = program.error();
    return run;
  }
  gpu::SimulateOptions options;
  options.sanitize = true;
  auto simulated = gpu::simulate(device, **program, launch, options);
  if (!simulated) {
    run.error = simulated.error();
    return run;
  }
  for (const gpu::Finding& finding : simulated->findings) {
    if (run.finding.empty()) run.finding = finding.message;
    if (finding.kind == gpu::FindingKind::out_of_bounds) run.stray += finding.count;
  }
  for (std::size_t i = 0; i < n; ++i) {
    run.output.push_back(load(launch.buffers[1].bytes, i, setting.dtype));
    run.different += ops::float_bits(setting.dtype, run.output[i]) != ops::float_bits(setting.dtype, run.expected[i]);
  }
  return run;
}

}  // namespace warpwalk::story
