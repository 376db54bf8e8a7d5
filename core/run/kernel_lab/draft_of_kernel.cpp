#include <algorithm>
#include <bit>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/base/result.h"
#include "core/ops/tensor/dtype.h"
#include "core/run/kernel_lab/draft.h"
#include "core/run/kernel_lab/launch_text.h"
#include "core/run/kernel_lab/recorded_arguments.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/run/launch/launch_file.h"
#include "core/run/replay/replay_plan.h"

namespace warpwalk::run {
namespace {

using trace::InitialBuffer;

/// A name that a launch text can have: letters, digits and underscores; spaces become underscores.
std::string plain_name(std::string_view name, std::size_t number) {
  std::string plain;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      plain += c;
    else if (c == ' ')
      plain += '_';
  return plain.empty() || plain.size() > 32 ? fmt::format("buffer{}", number) : plain;
}

/// The contents of a buffer before the launch, as far as a launch text can express them. Results of earlier kernels and
/// recorded bytes become random elements: the kernel runs the same way for most inputs.
Content content_of(const InitialBuffer* row, ops::DType dtype) {
  if (row == nullptr) return Unwritten{};
  switch (row->kind) {
    case InitialBuffer::Kind::fill:
      if (is_float(dtype)) return Fill{FillValue{float_bits(dtype, row->value)}};
      return Fill{FillValue{static_cast<std::uint64_t>(static_cast<std::int64_t>(row->value))}};
    case InitialBuffer::Kind::iota: return Fill{FillIota{}};
    case InitialBuffer::Kind::random: return Fill{FillRandom{row->seed}};
    default: return Fill{FillRandom{1}};
  }
}

/// The element type that a shipped kernel has in its name, "mm_bf16".
ops::DType dtype_of_entry(std::string_view entry) {
  for (const ops::DType dtype : {ops::DType::bf16, ops::DType::f16, ops::DType::f64, ops::DType::i32, ops::DType::i64})
    if (entry.find(fmt::format("_{}", name_of(dtype))) != std::string_view::npos) return dtype;
  return ops::DType::f32;
}

/// CUDA C++ can be edited if it is one file. The source of a Triton kernel is Python.
bool is_whole_cuda(std::string_view source) {
  return source.find("__global__") != std::string::npos && source.find("#include \"") == std::string::npos &&
         source.size() <= max_draft_bytes;
}

ops::DType dtype_named(const std::string& name) {
  const auto dtype = ops::dtype_of(name);
  return dtype ? *dtype : ops::DType::u8;
}

constexpr std::string_view as_recorded =
    "# The shape, the sizes and the numbers are those of the recorded launch.\n"
    "# Buffers hold random elements in place of the recorded bytes; those of whole numbers hold 0.\n";

/// The launch of a record without its arguments.
LaunchFile shape_of(const trace::KernelRecord& record) {
  LaunchFile file;
  file.kernel = record.entry;
  file.grid = record.grid;
  file.block = record.block;
  file.dynamic_shared_bytes = static_cast<std::uint32_t>(record.dynamic_shared_bytes);
  if (record.registers_origin == "given") file.registers = static_cast<int>(record.registers);
  return file;
}

/// Whether the entry of this name has parameters, in PTX of any size without reading it as a whole.
bool takes_parameters(std::string_view ptx, std::string_view entry) {
  constexpr std::string_view word = ".entry";
  for (std::size_t at = ptx.find(word); at != std::string_view::npos; at = ptx.find(word, at)) {
    at = ptx.find_first_not_of(" \t\r\n", at + word.size());
    if (at == std::string_view::npos) return false;
    const std::size_t end = std::min(ptx.find_first_of(" \t\r\n(", at), ptx.size());
    if (ptx.substr(at, end - at) != entry) continue;
    const std::size_t body = std::min(ptx.find('{', end), ptx.size());
    return ptx.substr(end, body - end).find(".param") != std::string_view::npos;
  }
  return false;
}

}  // namespace

base::Result<KernelDraft> draft_of_kernel(const trace::Trace& trace, trace::SliceId kernel) {
  const trace::KernelRecord* const record = record_of(trace, kernel);
  if (record == nullptr) return base::Error{"the trace has no record of this launch with its code and inputs"};
  if (record->module >= trace.records.modules.size()) return base::Error{"the record of this launch has no code"};
  const trace::Module& module = trace.records.modules[record->module];
  if (module.ptx.empty()) return base::Error{"the record of this launch has no PTX"};

  KernelDraft draft;
  const bool has_source = module.source_file.ends_with(".cu") && is_whole_cuda(module.source);
  draft.language = has_source ? DraftLanguage::cuda : DraftLanguage::ptx;
  draft.source = has_source ? std::string(module.source.view()) : module.ptx;
  if (draft.source.size() > max_draft_bytes)
    return base::Error{fmt::format("its PTX has {}, and the lab takes at most {}",
                                   base::bytes_text(static_cast<double>(module.ptx.size())),
                                   base::bytes_text(static_cast<double>(max_draft_bytes)))};
  draft.name = std::filesystem::path(has_source ? module.source_file : module.name).stem().string();
  if (draft.name.empty()) draft.name = "kernel";
  draft.precompiled = {draft.source, module.ptx, std::string(module.cubin.begin(), module.cubin.end()), "from cubin"};

  if (record->state) {
    LaunchFile file = shape_of(*record);
    const auto names = add_recorded_arguments(*record, draft.precompiled.cubin,
                                              declared_parameters(draft.source, draft.language, record->entry), file);
    if (!names) return base::Error{names.error()};
    auto text = launch_text(file, "", *names);
    if (auto* const error = std::get_if<LaunchTextError>(&text)) return base::Error{std::move(error->line)};
    draft.launch = std::string(as_recorded) + std::get<0>(text);
    return draft;
  }
  if (record->arguments.empty() && takes_parameters(module.ptx, record->entry))
    return base::Error{"the trace does not hold the arguments of this launch"};

  const bool has_addresses =
      std::ranges::any_of(record->arguments, [](const auto& argument) { return !argument.addresses.empty(); }) ||
      std::ranges::any_of(record->buffers,
                          [](const auto& row) { return !row.addresses.empty() || !row.written.empty(); });
  const bool has_variables = std::ranges::any_of(record->digests, [&](const trace::BufferDigest& digest) {
    return digest.allocation < trace.records.allocations.size() &&
           !trace.records.allocations[digest.allocation].variable.empty();
  });
  if (has_addresses || has_variables)
    return base::Error{
        "it has addresses in structs, partly written buffers or contents of variables, which the Kernel "
        "lab does not have"};

  LaunchFile file = shape_of(*record);
  std::vector<std::size_t> allocations;
  for (const trace::KernelArgument& argument : record->arguments) {
    ArgumentSpec& spec = file.arguments.emplace_back();
    if (argument.kind == trace::KernelArgument::Kind::scalar) {
      spec.bytes = argument.bytes;
      if (const auto dtype = ops::dtype_of(argument.dtype); dtype && bytes_of(*dtype) == spec.bytes.size())
        spec.dtype = dtype;
      continue;
    }
    if (argument.allocation >= trace.records.allocations.size())
      return base::Error{"one of its arguments is a pointer to memory that is not recorded"};
    auto known = std::ranges::find(allocations, argument.allocation);
    if (known == allocations.end()) {
      const auto& allocation = trace.records.allocations[argument.allocation];
      const auto row = std::ranges::find(record->buffers, argument.allocation, &InitialBuffer::allocation);
      BufferSpec buffer;
      const bool described = row != record->buffers.end() && !row->dtype.empty();
      buffer.dtype = dtype_named(described ? row->dtype : argument.dtype);
      buffer.count = std::max<std::uint64_t>(1, described ? row->count : allocation.bytes / bytes_of(buffer.dtype));
      buffer.content = content_of(row == record->buffers.end() ? nullptr : &*row, buffer.dtype);
      buffer.name = plain_name(allocation.name, file.buffers.size());
      if (std::ranges::find(file.buffers, buffer.name, &BufferSpec::name) != file.buffers.end())
        buffer.name += fmt::format("_{}", file.buffers.size());
      file.buffers.push_back(std::move(buffer));
      allocations.push_back(argument.allocation);
      known = allocations.end() - 1;
      if (argument.offset != 0) return base::Error{"its first use of a buffer starts inside it"};
    }
    spec.buffer = static_cast<std::size_t>(known - allocations.begin());
    spec.offset = argument.offset;
  }
  auto text = launch_text(file, "");
  if (auto* const error = std::get_if<LaunchTextError>(&text)) return base::Error{std::move(error->line)};
  draft.launch = std::move(std::get<0>(text));
  return draft;
}

base::Result<KernelDraft> draft_of_history(const History& history) {
  KernelDraft draft;
  const bool has_source = is_whole_cuda(history.source);
  draft.language = has_source ? DraftLanguage::cuda : DraftLanguage::ptx;
  draft.source = has_source ? history.source : history.ptx;
  if (draft.source.empty() || draft.source.size() > max_draft_bytes)
    return base::Error{"its code is missing or longer than the lab takes"};
  draft.name = plain_name(history.entry, 0);
  draft.precompiled = {draft.source, history.ptx, history.cubin, "from cubin"};

  const auto has_addresses = [](const auto& row) { return !row.addresses.empty(); };
  if (std::ranges::any_of(history.before.arguments, has_addresses) ||
      std::ranges::any_of(history.before.buffers, [&](const gpu::Buffer& buffer) {
        return has_addresses(buffer) || !buffer.variable.empty() || !buffer.written.empty();
      }))
    return base::Error{
        "it has addresses in structs, partly written buffers or contents of variables, which the Kernel "
        "lab does not have"};

  LaunchFile file;
  file.kernel = history.entry;
  file.grid = history.before.grid;
  file.block = history.before.block;
  file.cluster = history.before.cluster;
  file.cooperative = history.before.cooperative;
  file.dynamic_shared_bytes = history.before.dynamic_shared_bytes;
  const ops::DType dtype = dtype_of_entry(history.entry);
  for (const gpu::Buffer& row : history.before.buffers) {
    BufferSpec buffer;
    buffer.name = plain_name(row.name, file.buffers.size());
    if (std::ranges::find(file.buffers, buffer.name, &BufferSpec::name) != file.buffers.end())
      buffer.name += fmt::format("_{}", file.buffers.size());
    buffer.dtype = row.bytes.size() % bytes_of(dtype) == 0 ? dtype : ops::DType::u8;
    buffer.count = std::max<std::uint64_t>(1, row.bytes.size() / bytes_of(buffer.dtype));
    if (row.initialized) buffer.content = Fill{FillRandom{1 + file.buffers.size()}};
    file.buffers.push_back(std::move(buffer));
  }
  std::vector<bool> passed(file.buffers.size());
  for (const gpu::Argument& argument : history.before.arguments) {
    ArgumentSpec& spec = file.arguments.emplace_back();
    if (argument.texture >= 0) return base::Error{"it uses textures"};
    if (argument.buffer < 0) {
      spec.bytes = argument.bytes;
      if (spec.bytes.size() == 4) spec.dtype = ops::DType::i32;
      if (spec.bytes.size() == 8) spec.dtype = ops::DType::i64;
      continue;
    }
    spec.buffer = static_cast<std::size_t>(argument.buffer);
    spec.offset = argument.offset;
    if (!passed[*spec.buffer] && spec.offset != 0) return base::Error{"its first use of a buffer starts inside it"};
    passed[*spec.buffer] = true;
  }
  auto text = launch_text(file, "");
  if (auto* const error = std::get_if<LaunchTextError>(&text)) return base::Error{std::move(error->line)};
  draft.launch = std::move(std::get<0>(text));
  return draft;
}

}  // namespace warpwalk::run
