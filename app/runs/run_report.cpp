#include "app/runs/run_report.h"

#include <limits>
#include <string>
#include <utility>

#include <rapidjson/document.h>

#include "core/platform/read_file.h"

namespace warpwalk::runs {
namespace {

using rapidjson::Value;

// A member of an object, or null.
const Value* member(const Value& object, const char* name) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

std::string text_at(const Value& object, const char* name) {
  const Value* const found = member(object, name);
  return found != nullptr && found->IsString() ? std::string(found->GetString(), found->GetStringLength()) : "";
}

std::uint64_t count_at(const Value& object, const char* name) {
  const Value* const found = member(object, name);
  return found != nullptr && found->IsUint64() ? found->GetUint64() : 0;
}

// The report writes null for infinity.
double number_at(const Value& object, const char* name) {
  const Value* const found = member(object, name);
  return found != nullptr && found->IsNumber() ? found->GetDouble() : std::numeric_limits<double>::infinity();
}

std::optional<ops::Variable> tensor_of(const Value& object) {
  const auto dtype = ops::dtype_of(text_at(object, "dtype"));
  const Value* const shape = member(object, "shape");
  if (!dtype || shape == nullptr || !shape->IsArray()) return {};
  ops::Variable tensor{{}, *dtype, {}};
  for (const Value& size : shape->GetArray()) {
    if (!size.IsInt64()) return {};
    tensor.sizes.push_back(size.GetInt64());
  }
  return tensor;
}

run::OpCheck check_of(const Value& row) {
  run::OpCheck check;
  check.op = text_at(row, "op");
  check.kernel = text_at(row, "kernel");
  check.elements = count_at(row, "elements");
  check.mismatches = count_at(row, "mismatches");
  check.max_abs_error = number_at(row, "max_abs_error");
  check.max_error_share = number_at(row, "max_error_share");
  check.allowed = text_at(row, "allowed");
  check.reason = text_at(row, "reason");
  return check;
}

}  // namespace

std::optional<RunReport> read_run_report(const std::filesystem::path& file) {
  const auto read = platform::read_text_file(file);
  if (!read) return {};
  rapidjson::Document document;
  document.Parse(read->text.c_str());
  if (document.HasParseError()) return {};
  const Value* const tensor = member(document, "result");
  const Value* const checks = member(document, "checks");
  if (tensor == nullptr || checks == nullptr || !checks->IsArray()) return {};
  auto result = tensor_of(*tensor);
  if (!result) return {};
  RunReport report{std::move(*result), {}, {}};
  if (const Value* const first = member(*tensor, "first"); first != nullptr && first->IsArray())
    for (const Value& element : first->GetArray())
      if (element.IsString()) report.first.emplace_back(element.GetString(), element.GetStringLength());
  for (const Value& row : checks->GetArray()) report.checks.push_back(check_of(row));
  return report;
}

}  // namespace warpwalk::runs
