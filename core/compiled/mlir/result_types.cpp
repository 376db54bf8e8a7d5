#include <algorithm>
#include <string>

#include "core/compiled/mlir/mlir.h"
#include "core/compiled/mlir/parts.h"
#include "core/compiled/mlir/scan.h"

namespace warpwalk::compiled {
namespace {

constexpr std::string_view token = "!ttg.async.token", pointer = "!tt.ptr<";

/// A type with another element: tensor<64xi32, #b> of i1 is tensor<64xi1, #b>.
std::string_view with_element(MlirModule& module, std::string_view type, std::string_view element) {
  const auto shaped = mlir_shaped(type);
  if (!shaped) return element;
  const auto begin = static_cast<std::size_t>(shaped->element.data() - type.data());
  std::string text(type.substr(0, begin));
  text += element;
  text += type.substr(begin + shaped->element.size());
  return module.made.emplace_back(std::move(text));
}

/// The pointee type of a pointer, or of a tensor of pointers.
std::string_view pointed_to(MlirModule& module, std::string_view type) {
  const auto shaped = mlir_shaped(type);
  std::string_view element = shaped ? shaped->element : type;
  if (!element.starts_with(pointer) || !element.ends_with('>')) return {};
  element.remove_prefix(pointer.size());
  element.remove_suffix(1);
  const auto parts = mlir_list(element);  // with the address space behind it
  return parts.empty() ? std::string_view() : shaped ? with_element(module, type, parts.front()) : parts.front();
}

std::vector<std::string_view> listed(std::string_view text) {
  text = mlir_trimmed(text);
  if (text.ends_with('{')) text = mlir_trimmed(text.substr(0, text.size() - 1));
  if (text.starts_with('(') && mlir_bracket_end(text, 0) == text.size()) text = text.substr(1, text.size() - 2);
  return mlir_list(text);
}

bool is_one_of(std::string_view op, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, op) != names.end();
}

}  // namespace

std::vector<std::string_view> mlir_result_types(MlirModule& module, std::string_view op, std::string_view header,
                                                std::size_t colon, std::size_t arrow) {
  if (is_one_of(op, {"ttg.async_commit_group", "ttg.async_wait", "ttg.async_copy_global_to_local",
                     "ttg.buffer_load_to_local"}))
    return {token};
  if (arrow != mlir_nowhere && colon != mlir_nowhere && arrow < colon)  // scf.for ... -> (f32, i32)  : i32 {
    return listed(header.substr(arrow + 2, colon - arrow - 2));
  if (arrow != mlir_nowhere) return listed(header.substr(arrow + 2));
  if (colon == mlir_nowhere) {
    const bool truth =
        op == "arith.constant" && (header.find(" true") != mlir_nowhere || header.find(" false") != mlir_nowhere);
    return truth ? std::vector<std::string_view>{"i1"} : std::vector<std::string_view>{};
  }
  std::string_view types = header.substr(colon + 1);
  if (const std::size_t to = types.find(" to "); to != mlir_nowhere) return listed(types.substr(to + 4));
  std::vector<std::string_view> all = listed(types);
  if (all.empty()) return all;
  if (is_one_of(op, {"arith.cmpi", "arith.cmpf"})) return {with_element(module, all.front(), "i1")};
  if (op == "tt.load") return {pointed_to(module, all.front())};
  if (op == "tt.addptr") return {all.front()};
  if (op == "arith.select") return {all.back()};
  return all;
}

}  // namespace warpwalk::compiled
