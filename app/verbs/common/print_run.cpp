#include "app/verbs/common/print_run.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "core/base/sha256.h"
#include "core/run/check/op_check.h"
#include "core/trace/json/json_text.h"

namespace warpwalk::verbs {
namespace {

constexpr std::size_t first_elements = 6;

/// The first elements as text.
std::vector<std::string> first_of(ops::DType dtype, std::span<const std::uint8_t> bytes) {
  std::vector<std::string> out;
  const std::size_t step = bytes_of(dtype);
  for (std::size_t at = 0; at + step <= bytes.size() && out.size() < first_elements; at += step)
    out.push_back(text_of(dtype, load_bits(dtype, bytes.data() + at)));
  return out;
}

/// Empty for a tensor without elements.
std::string elements_line(ops::DType dtype, std::span<const std::uint8_t> bytes) {
  const std::vector<std::string> first = first_of(dtype, bytes);
  if (first.empty()) return {};
  std::string out;
  for (const std::string& element : first) out += fmt::format("  {}", element);
  return fmt::format("{}{}\n", out, bytes.size() > first.size() * bytes_of(dtype) ? "  ..." : "");
}

std::string shape_of(const std::array<std::uint32_t, 3>& s) { return fmt::format("{} x {} x {}", s[0], s[1], s[2]); }

using Json = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

void member(Json& json, const char* name, std::string_view text) {
  json.Key(name);
  // User text may not be valid UTF-8, which rapidjson would write unchanged.
  std::string quoted;
  trace::append_quoted(quoted, text);
  json.RawValue(quoted.data(), quoted.size(), rapidjson::kStringType);
}

template <class Numbers>
void numbers(Json& json, const char* name, const Numbers& values) {
  json.Key(name);
  json.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  json.StartArray();
  for (const auto value : values) json.Int64(static_cast<std::int64_t>(value));
  json.EndArray();
  json.SetFormatOptions(rapidjson::kFormatDefault);
}

/// `file`: the file with its elements, or empty.
void tensor(Json& json, ops::DType dtype, const ops::Sizes& sizes, std::span<const std::uint8_t> bytes,
            const std::string& file) {
  member(json, "dtype", name_of(dtype));
  numbers(json, "shape", sizes);
  json.Key("first");
  json.StartArray();
  for (const std::string& element : first_of(dtype, bytes)) json.String(element.c_str());
  json.EndArray();
  member(json, "sha256", base::sha256(bytes));
  if (!file.empty()) member(json, "file", file);
}

void write_launches(Json& json, const std::vector<run::RunLaunch>& launches) {
  json.Key("launches");
  json.StartArray();
  for (const run::RunLaunch& launch : launches) {
    json.StartObject();
    member(json, "op", launch.op);
    member(json, "kernel", launch.kernel);
    numbers(json, "grid", launch.grid);
    numbers(json, "block", launch.block);
    member(json, "why", launch.why);
    if (!launch.code.empty()) member(json, "code", launch.code);
    if (!launch.note.empty()) member(json, "note", launch.note);
    if (launch.cycles) {
      json.Key("cycles");
      json.Int64(std::llround(*launch.cycles));
      json.Key("time_us");
      json.Double(launch.time_us);
      member(json, "schedule", launch.estimated ? "estimated" : "machine code");
    }
    if (!launch.cycles_note.empty()) member(json, "cycles_note", launch.cycles_note);
    json.EndObject();
  }
  json.EndArray();
}

void write_checks(Json& json, const std::vector<run::OpCheck>& checks) {
  json.Key("checks");
  json.StartArray();
  for (const run::OpCheck& check : checks) {
    json.StartObject();
    member(json, "op", check.op);
    member(json, "kernel", check.kernel);
    json.Key("elements");
    json.Uint64(check.elements);
    json.Key("mismatches");
    json.Uint64(check.mismatches);
    json.Key("max_abs_error");
    json.Double(check.max_abs_error);
    json.Key("max_error_share");
    if (std::isfinite(check.max_error_share))
      json.Double(check.max_error_share);
    else
      json.Null();
    member(json, "allowed", check.allowed);
    member(json, "reason", check.reason);
    json.EndObject();
  }
  json.EndArray();
}

const ops::Variable& input_of(const run::RunRequest& request, std::string_view name) {
  return *std::ranges::find(request.inputs, name, &ops::Variable::name);
}

}  // namespace

std::string run_text(const run::RunRequest& request, const run::RunResult& result, const ValueFiles& files) {
  std::string out = fmt::format("{}: {} {}\n{}", request.expression, ops::shape_text(result.result.sizes),
                                name_of(result.result.dtype), elements_line(result.result.dtype, result.bytes));
  for (const auto& [name, bytes] : result.gradients) {
    const ops::Variable& input = input_of(request, name);
    out += fmt::format("gradient of {}: {} {}\n{}", name, ops::shape_text(input.sizes), name_of(input.dtype),
                       elements_line(input.dtype, bytes));
  }
  if (!files.result.empty()) {
    std::vector<std::string> written = {files.result};
    written.insert(written.end(), files.gradients.begin(), files.gradients.end());
    out += fmt::format("values written to {}\n", fmt::join(written, ", "));
  }
  std::size_t ops = 0, kernels = 0;  // widths of the columns
  for (const run::RunLaunch& launch : result.launches) {
    ops = std::max(ops, launch.op.size());
    kernels = std::max(kernels, launch.kernel.size());
  }
  if (!result.launches.empty()) out += "\nlaunches\n";
  for (const run::RunLaunch& launch : result.launches) {
    out += fmt::format("  {:<{}}  {:<{}}  {} blocks of {} threads{}\n      {}\n", launch.op, ops, launch.kernel,
                       kernels, shape_of(launch.grid), shape_of(launch.block),
                       launch.code.empty() ? "" : fmt::format(", {}", launch.code), launch.why);
    if (launch.cycles)
      out += fmt::format("      simulated: {:.0f} cycles, {:.2f} us{}\n", *launch.cycles, launch.time_us,
                         launch.estimated ? ", with a schedule estimated from PTX" : "");
    if (!launch.cycles_note.empty()) out += fmt::format("      {}\n", launch.cycles_note);
    if (!launch.note.empty())
      out += fmt::format("      the PTX was run, because the machine code cannot be: {}\n", launch.note);
  }
  ops = 0;
  for (const run::OpCheck& check : result.checks) ops = std::max(ops, check.op.size());
  if (!result.checks.empty()) out += "\nchecks against the cpu, each op on the inputs that it had on the GPU\n";
  for (const run::OpCheck& check : result.checks)
    out += fmt::format("  {:<{}}  {}\n      {}\n", check.op, ops, run::check_text(check), check.reason);
  return out;
}

std::string run_json(const run::RunRequest& request, const run::RunResult& result, const ValueFiles& files) {
  rapidjson::StringBuffer text;
  Json json(text);
  json.SetIndent(' ', 2);
  json.StartObject();
  member(json, "expression", request.expression);
  member(json, "on", request.on == run::Target::sim ? "sim" : request.on == run::Target::cpu ? "cpu" : "cuda");
  if (request.on == run::Target::sim) member(json, "gpu", request.device.id);
  json.Key("seed");
  json.Uint64(request.seed);
  json.Key("inputs");
  json.StartArray();
  for (const ops::Variable& input : request.inputs) {
    json.StartObject();
    member(json, "name", input.name);
    member(json, "dtype", name_of(input.dtype));
    numbers(json, "shape", input.sizes);
    if (const auto file = files.inputs.find(input.name); file != files.inputs.end()) member(json, "file", file->second);
    json.EndObject();
  }
  json.EndArray();
  json.Key("result");
  json.StartObject();
  tensor(json, result.result.dtype, result.result.sizes, result.bytes, files.result);
  json.EndObject();
  json.Key("gradients");
  json.StartArray();
  for (std::size_t i = 0; i < result.gradients.size(); ++i) {
    const auto& [name, bytes] = result.gradients[i];
    const ops::Variable& input = input_of(request, name);
    json.StartObject();
    member(json, "of", name);
    tensor(json, input.dtype, input.sizes, bytes, i < files.gradients.size() ? files.gradients[i] : std::string());
    json.EndObject();
  }
  json.EndArray();
  write_launches(json, result.launches);
  write_checks(json, result.checks);
  json.Key("good");
  json.Bool(result.good());
  json.EndObject();
  return std::string(text.GetString(), text.GetSize()) + "\n";
}

}  // namespace warpwalk::verbs
