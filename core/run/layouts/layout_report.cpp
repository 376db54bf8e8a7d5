#include "core/run/layouts/layout_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "core/base/quantity_text.h"

namespace warpwalk::run {
namespace {

using compiled::LinearLayout;
using compiled::TensorLayout;
using LayoutWriter = rapidjson::Writer<rapidjson::StringBuffer>;

std::string thousands_text(std::uint64_t number) { return base::with_thousands(static_cast<std::int64_t>(number)); }

std::string_view role_name(TensorLayout::Role role) {
  switch (role) {
    case TensorLayout::Role::result: return "result";
    case TensorLayout::Role::addresses: return "addresses";
    case TensorLayout::Role::operand: return "operand";
    case TensorLayout::Role::memory: break;
  }
  return "memory";
}

std::string layout_check_text(const LayoutCheck& check) {
  std::string text;
  if (!check.checked())
    text = fmt::format("not checked: {}", check.not_checked);
  else
    text = fmt::format("{}: {} of {} places have the run's {}", check.holds() ? "checked" : "DIFFERS",
                       thousands_text(check.equal), thousands_text(check.compared), check.compared_what);
  if (check.masked > 0) text += fmt::format("; {} are masked", thousands_text(check.masked));
  if (check.copies > 0) text += fmt::format("; {} are copies", thousands_text(check.copies));
  const LayoutConflicts& conflicts = check.conflicts;
  if (conflicts.requests > 0)
    text += fmt::format("\n      banks: {} wavefronts for {} requests, {} of them conflicts; by the layout {}",
                        thousands_text(conflicts.wavefronts), thousands_text(conflicts.requests),
                        thousands_text(conflicts.conflicts), thousands_text(conflicts.predicted_wavefronts));
  return text;
}

void layout_key(LayoutWriter& json, std::string_view name) {
  json.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}
void layout_text(LayoutWriter& json, std::string_view name, std::string_view text) {
  layout_key(json, name);
  if (text.empty())
    json.Null();
  else
    json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}
void layout_number(LayoutWriter& json, std::string_view name, std::uint64_t number) {
  layout_key(json, name);
  json.Uint64(number);
}

void write_bases(LayoutWriter& json, const TensorLayout& tensor) {
  layout_key(json, "bases");
  if (!tensor.layout) {
    json.Null();
    return;
  }
  constexpr std::string_view names[] = {"register", "lane", "warp", "block"};
  json.StartObject();
  for (std::size_t input = 0; input < LinearLayout::input_count; ++input) {
    const bool of_shared = input == LinearLayout::registers || input == LinearLayout::blocks;
    if (tensor.layout->shared && !of_shared) continue;
    layout_key(json, tensor.layout->shared && input == LinearLayout::registers ? "offset" : names[input]);
    json.StartArray();
    for (const std::uint64_t basis : tensor.layout->bases[input]) {
      json.StartArray();
      for (const std::int64_t coordinate : tensor.layout->coordinates(basis)) json.Int64(coordinate);
      json.EndArray();
    }
    json.EndArray();
  }
  json.EndObject();
}

void write_layout(LayoutWriter& json, const TensorLayout& tensor, const LayoutCheck& check, std::uint32_t blocks) {
  json.StartObject();
  layout_text(json, "value", tensor.value);
  layout_text(json, "op", tensor.op_name);
  layout_text(json, "role", role_name(tensor.role));
  layout_text(json, "file", tensor.file);
  layout_number(json, "line", static_cast<std::uint64_t>(tensor.line));
  layout_number(json, "ttgir_line", static_cast<std::uint64_t>(tensor.ttgir_line));
  layout_key(json, "shape");
  json.StartArray();
  for (const std::int64_t size : tensor.shape) json.Int64(size);
  json.EndArray();
  layout_text(json, "element", tensor.element);
  layout_text(json, "type", tensor.type);
  layout_text(json, "encoding", tensor.encoding);
  write_bases(json, tensor);
  layout_text(json, "problem", tensor.problem);
  layout_number(json, "places", tensor.layout ? tensor.layout->places() : 0);
  layout_key(json, "checked");
  json.Bool(check.checked());
  layout_text(json, "not_checked", check.not_checked);
  layout_text(json, "compared", check.compared_what);
  layout_number(json, "places_compared", check.compared);
  layout_number(json, "places_equal", check.equal);
  layout_number(json, "places_masked", check.masked);
  layout_number(json, "places_copies", check.copies);
  layout_number(json, "executions", check.executions);
  layout_number(json, "blocks", blocks);
  layout_key(json, "bank_conflicts");
  if (check.conflicts.requests == 0) {
    json.Null();
  } else {
    json.StartObject();
    layout_number(json, "requests", check.conflicts.requests);
    layout_number(json, "wavefronts", check.conflicts.wavefronts);
    layout_number(json, "conflicts", check.conflicts.conflicts);
    layout_number(json, "predicted_wavefronts", check.conflicts.predicted_wavefronts);
    json.EndObject();
  }
  json.EndObject();
}

}  // namespace

std::string shape_text(const std::vector<std::int64_t>& shape) { return fmt::format("{}", fmt::join(shape, "x")); }

std::string layouts_text(const CheckedLayouts& layouts) {
  std::string text = "\nlayouts of the TTGIR";
  if (layouts.blocks > 0)
    text += fmt::format(", compared with {} {} of the run", layouts.blocks, layouts.blocks == 1 ? "block" : "blocks");
  text += '\n';
  for (std::size_t i = 0; i < layouts.tensors.size(); ++i) {
    const TensorLayout& tensor = layouts.tensors[i];
    const std::size_t slash = tensor.file.find_last_of('/');
    const std::string place =
        tensor.line == 0
            ? std::string("(no line)")
            : fmt::format("{}:{}", tensor.file.substr(slash == std::string::npos ? 0 : slash + 1), tensor.line);
    text += fmt::format("  {}  {}  {} {} of {}, {}\n    {}\n    {}\n", place, tensor.value, shape_text(tensor.shape),
                        tensor.element, tensor.op_name, role_name(tensor.role),
                        tensor.layout ? tensor.encoding : tensor.problem, layout_check_text(layouts.checks[i]));
  }
  if (layouts.tensors.empty()) text += "  none\n";
  return text;
}

std::string layouts_json(const CheckedLayouts& layouts) {
  rapidjson::StringBuffer buffer;
  LayoutWriter json(buffer);
  json.StartArray();
  for (std::size_t i = 0; i < layouts.tensors.size(); ++i)
    write_layout(json, layouts.tensors[i], layouts.checks[i], layouts.blocks);
  json.EndArray();
  return {buffer.GetString(), buffer.GetSize()};
}

CheckedLayouts unchecked_layouts(const compiled::MlirModule& module, std::string_view kernel) {
  CheckedLayouts layouts;
  if (const auto function = compiled::kernel_function(module, kernel))
    layouts.tensors = compiled::module_layouts(module, *function);
  layouts.checks.resize(layouts.tensors.size());
  for (LayoutCheck& check : layouts.checks) check.not_checked = "without a run; warpwalk simulate --layouts runs it";
  return layouts;
}

}  // namespace warpwalk::run
