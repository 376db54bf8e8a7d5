#include "core/story/facts/launch/input_values.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/run/launch/generate.h"
#include "core/run/replay/stand_in_ops.h"
#include "core/trace/link.h"

namespace warpwalk::story {
namespace {

// A matrix or a vector whose elements can be shown as numbers.
bool can_be_shown(const run::Operand& operand) {
  return ops::is_float(operand.dtype) && !operand.geometry.sizes.empty() && operand.geometry.dims() <= 2 &&
         operand.geometry.count() > 0;
}

// The contents of each input as the trace records it: the buffers that the kernel reads are its first pointers, in the
// order of the op's inputs. None if the trace has neither the seed nor the elements of one of them.
std::vector<InputValues> values_before(const Trace& trace, const trace::KernelRecord& record,
                                       const std::vector<run::Operand>& inputs) {
  using Kind = trace::InitialBuffer::Kind;
  std::vector<InputValues> values;
  std::size_t argument = 0;
  for (const run::Operand& input : inputs) {
    while (argument < record.arguments.size() &&
           record.arguments[argument].kind != trace::KernelArgument::Kind::pointer)
      ++argument;
    if (argument == record.arguments.size() || record.arguments[argument].offset != 0) return {};
    const std::size_t allocation = record.arguments[argument++].allocation;
    const auto buffer = std::ranges::find(record.buffers, allocation, &trace::InitialBuffer::allocation);
    if (allocation >= trace.records.allocations.size() || buffer == record.buffers.end() ||
        (buffer->kind != Kind::random && buffer->kind != Kind::bytes) || buffer->dtype != ops::name_of(input.dtype) ||
        static_cast<std::int64_t>(buffer->count) != input.geometry.count() || !input.geometry.contiguous())
      return {};
    InputValues& one = values.emplace_back(InputValues{input.dtype, input.geometry, buffer->seed, true});
    if (buffer->kind == Kind::random) continue;
    if (buffer->bytes.size() != buffer->count * bytes_of(input.dtype) || input.geometry.offset != 0) return {};
    one.bytes = buffer->bytes;
  }
  return values;
}

// The inputs of a launch that was recorded with its memory: what its first arguments point to, if these are pointers of
// their own to tensors of the inputs' sizes that the kernel reads. Only for kernels with a source, whose arguments are
// in the order of the op's inputs; cuBLAS's may be exchanged.
std::vector<InputValues> recorded_values(const Trace& trace, const trace::KernelRecord& record,
                                         const std::vector<run::Operand>& inputs) {
  if (record.module >= trace.records.modules.size() || trace.records.modules[record.module].source_file.empty())
    return {};
  std::vector<InputValues> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = fmt::format("argument {}", i);
    const auto& memory = record.state->memory;
    const auto range = std::ranges::find(memory, name, &trace::MemoryRange::name);
    const std::uint64_t bytes = static_cast<std::uint64_t>(inputs[i].geometry.count()) * bytes_of(inputs[i].dtype);
    if (range == memory.end() || range->content != trace::MemoryRange::Content::bytes || range->bytes != bytes ||
        !inputs[i].geometry.contiguous() || inputs[i].geometry.offset != 0)
      return {};
    values.push_back({inputs[i].dtype, inputs[i].geometry, 0, true, range->before});
  }
  return values;
}

}  // namespace

bool any_recorded_element(std::span<const InputValues> values) {
  return std::ranges::any_of(values, [](const InputValues& one) { return !one.bytes.empty(); });
}

std::int64_t InputValues::index_of(std::int64_t row, std::int64_t column) const {
  const std::size_t dims = geometry.dims();
  std::int64_t index = geometry.offset;
  if (dims > 0) index += column * geometry.strides[dims - 1];
  if (dims > 1) index += row * geometry.strides[dims - 2];
  return index;
}

double InputValues::at(std::int64_t row, std::int64_t column) const {
  const std::int64_t index = index_of(row, column);
  if (bytes.empty()) return run::random_element(dtype, seed, static_cast<std::uint64_t>(index));
  const std::size_t size = bytes_of(dtype);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + static_cast<std::size_t>(index) * size, size);
  return ops::float_value(dtype, bits);
}

std::vector<InputValues> input_values(const Trace& trace, const Walk& walk) {
  if (kernel_detail(trace, walk) == nullptr) return {};
  const SliceId op = trace::op_of(trace, walk.kernel);
  if (op == no_slice) return {};
  const auto inputs = run::recorded_inputs(trace, trace.ops[trace.slices.detail[op]]);
  if (!inputs) return {};
  const auto call = run::catalogue_call(trace.name(op), *inputs);
  if (!call) return {};
  const std::vector<run::Operand>& operands = call->inputs;
  if (operands.empty() || !std::ranges::all_of(operands, can_be_shown)) return {};
  const trace::KernelRecord* const record = kernel_record(trace, walk);
  if (record != nullptr && record->state) return recorded_values(trace, *record, operands);
  if (record != nullptr && !record->buffers.empty()) return values_before(trace, *record, operands);
  std::vector<InputValues> values;
  for (std::size_t i = 0; i < operands.size(); ++i)
    values.push_back({operands[i].dtype, operands[i].geometry, i + 1, false, {}});
  return values;
}

std::string short_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : base::with_marks(std::move(text));
}

std::string element_text(double value) {
  const std::string text = fmt::format("{:.2f}", value);
  return base::with_marks(text == "-0.00" ? "0.00" : text);
}

}  // namespace warpwalk::story
