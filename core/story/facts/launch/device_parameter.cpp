#include "core/story/facts/launch/device_parameter.h"

#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "core/analysis/device_match.h"
#include "core/gpu/device/parameters.h"
#include "core/records/hardware.h"

namespace warpwalk::story {
namespace {

std::string value_text(std::int64_t value, std::string_view unit) {
  return unit == "B" ? shared_bytes_text(value) : with_thousands(value);
}
std::string value_text(double value, std::string_view) { return with_marks(fmt::format("{:g}", value)); }
std::string value_text(const std::string& value, std::string_view) { return value; }

}  // namespace

Origin origin_of(gpu::Status status) {
  switch (status) {
    case gpu::Status::measured: return Origin::measured;
    case gpu::Status::fitted: return Origin::derived;
    case gpu::Status::spec:
    case gpu::Status::assumed: break;
  }
  return Origin::explained;
}

Figure figure_of(const gpu::IntParameter& parameter) {
  return Figure::constant(static_cast<double>(*parameter), Unit::count, origin_of(parameter.status), parameter.source);
}

std::string parameter_text(const Narration& narration, const gpu::Device& device, std::string_view name) {
  const gpu::ParameterInfo* const info = gpu::find_parameter(name);
  if (info == nullptr) return {};
  const auto text_of = [&](auto member) -> std::string {
    const auto& parameter = device.*member;
    if (!parameter) return {};
    std::string value;
    if constexpr (requires { value_text(*parameter, info->unit); }) value = value_text(*parameter, info->unit);
    const std::string meaning =
        narration.text("device", value.empty() ? "parameter.list" : "parameter",
                       {{"value", value},
                        {"meaning", narration.text("parameter", name)},
                        {"status", narration.text("parameter.status", gpu::name_of(parameter.status))}});
    const std::string source =
        parameter.source == analysis::recorded_source ? narration.text("parameter.source", "trace") : parameter.source;
    return source.empty() ? meaning : meaning + "\n" + source;
  };
  return std::visit(text_of, info->field);
}

}  // namespace warpwalk::story
