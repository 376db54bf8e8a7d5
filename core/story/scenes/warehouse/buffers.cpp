// A kernel's buffers if the trace has only their sizes and contents: no addresses, no allocator.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/analysis/memory/resources.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/warehouse/warehouse.h"

namespace warpwalk::story {
namespace {

using BufferKind = trace::InitialBuffer::Kind;

// Bytes per element of a dtype in a launch file's spelling, "f16" or "i64"; 0 for any other text.
std::uint64_t element_bytes(std::string_view dtype) {
  for (const std::uint64_t bytes : {8, 4, 2, 1})
    if (dtype.ends_with(std::to_string(8 * bytes))) return bytes;
  return 0;
}

std::string contents(const SceneInput& input, const trace::KernelRecord& record, std::size_t row) {
  const auto found = std::find_if(record.buffers.begin(), record.buffers.end(),
                                  [&](const trace::InitialBuffer& buffer) { return buffer.allocation == row; });
  const auto word = [&](std::string_view key, const Narration::Values& values = {}) {
    return input.narration.text("warehouse.before", key, values);
  };
  if (found == record.buffers.end()) return word("nothing");
  switch (found->kind) {
    case BufferKind::fill: return word("fill", {{"value", with_marks(fmt::format("{:g}", found->value))}});
    case BufferKind::iota: return word("iota");
    case BufferKind::random: return word("random", {{"seed", std::to_string(found->seed)}});
    case BufferKind::bytes: return word("bytes");
    case BufferKind::digest: return word("digest");
    case BufferKind::produced: return word("produced");
  }
  return {};
}

WarehouseBuffer buffer_of(const SceneInput& input, const trace::KernelRecord& record, std::size_t row) {
  const trace::Allocation& allocation = input.trace.records.allocations[row];
  WarehouseBuffer buffer{
      allocation.name,
      {},
      contents(input, record, row),
      allocation.bytes,
      Figure::recorded(static_cast<double>(allocation.bytes), Unit::bytes, input.trace.records.time_origin()),
      1};
  for (const trace::KernelArgument& argument : record.arguments) {
    const std::uint64_t element = argument.allocation == row ? element_bytes(argument.dtype) : 0;
    if (element == 0) continue;
    buffer.elements =
        fmt::format("{} × {}", with_thousands(static_cast<std::int64_t>(allocation.bytes / element)), argument.dtype);
    break;
  }
  return buffer;
}

}  // namespace

WarehouseBuffers warehouse_buffers(const Here& here) {
  return {here.input, analysis::plain_buffers(here.input.trace, here.input.walk)};
}

void buffers_values(const WarehouseBuffers& buffers, Narration::Values& values) {
  values["buffers"] = counted_words(buffers.input.narration, "buffers", buffers.rows.size());
  values["bytes"] = bytes_text(static_cast<double>(analysis::bytes_of(buffers.input.trace, buffers.rows)));
}

void buffers_facts(const WarehouseBuffers& buffers, FactWriter& facts) {
  facts.derived("buffers", counted_words(buffers.input.narration, "buffers", buffers.rows.size()));
  facts.derived("buffer_bytes", static_cast<double>(analysis::bytes_of(buffers.input.trace, buffers.rows)),
                Unit::bytes);
  facts.missing("buffers");
}

void buffers_picture(const WarehouseBuffers& buffers, Stage& stage) {
  const SceneInput& input = buffers.input;
  auto picture = std::make_shared<WarehousePicture>();
  picture->head_buffers = input.narration.text("warehouse.word", "head_buffers");
  picture->head_before = input.narration.text("warehouse.word", "head_before");
  const trace::KernelRecord& record = *kernel_record(input.trace, input.walk);
  for (std::size_t i = 0; i < buffers.rows.size(); ++i) {
    WarehouseBuffer buffer = buffer_of(input, record, buffers.rows[i]);
    const double begin = 0.7 * static_cast<double>(i) / static_cast<double>(buffers.rows.size());
    buffer.shown = eased(part(input.moment.phase, begin, begin + 0.3));
    picture->buffers.push_back(std::move(buffer));
  }
  stage.picture = std::shared_ptr<const WarehousePicture>(std::move(picture));
}

}  // namespace warpwalk::story
