#include "core/run/launch/content_fields.h"

#include <fmt/format.h>

#include "core/run/launch/element.h"

namespace warpwalk::run {
namespace {

Error read_fill(const Json& value, std::string_view path, ops::DType dtype, Fill& out) {
  if (value.IsObject()) {
    if (Error error = only_known(value, path, {"random"})) return error;
    const Json* const seed = member(value, "random");
    if (seed == nullptr) return fmt::format("{}: is empty; expected {{\"random\": seed}}", path);
    FillRandom random;
    if (Error error = read_whole(*seed, member_path(path, "random"), 0, ~std::uint64_t{0}, random.seed)) return error;
    out = random;
    return {};
  }
  if (value.IsString() && view(value) == "iota") {
    out = FillIota{};
    return {};
  }
  if (!value.IsNumber() && !value.IsString())
    return fmt::format("{}: is {}; expected a value, \"iota\" or {{\"random\": seed}}", path, shown(value));
  FillValue filled;
  if (Error error = read_element(value, path, dtype, filled.bits)) return error;
  out = filled;
  return {};
}

}  // namespace

Error read_dtype(const Json& object, std::string_view path, ops::DType& out) {
  const std::string at = member_path(path, "dtype");
  const Json* const value = member(object, "dtype");
  if (value == nullptr) return fmt::format("{}: is missing; expected one of {}", at, ops::dtype_names);
  const std::optional<ops::DType> dtype = value->IsString() ? ops::dtype_of(view(*value)) : std::nullopt;
  if (!dtype) return fmt::format("{}: is {}; expected one of {}", at, shown(*value), ops::dtype_names);
  out = *dtype;
  return {};
}

Error read_content(const Json& object, std::string_view path, ops::DType dtype, Content& out) {
  const Json* const file = member(object, "file");
  const Json* const fill = member(object, "fill");
  if (file != nullptr && fill != nullptr) return fmt::format("{}: has both file and fill; leave one out", path);
  if (file != nullptr) {
    std::string name;
    if (Error error = read_text(*file, member_path(path, "file"), name)) return error;
    out = std::filesystem::path(name);
  } else if (fill != nullptr) {
    Fill generated;
    if (Error error = read_fill(*fill, member_path(path, "fill"), dtype, generated)) return error;
    out = generated;
  } else {
    out = Unwritten{};
  }
  return {};
}

}  // namespace warpwalk::run
