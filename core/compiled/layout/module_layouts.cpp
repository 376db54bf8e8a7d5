#include "core/compiled/layout/module_layouts.h"

#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/compiled/layout/encoding.h"

namespace warpwalk::compiled {
namespace {

using Role = TensorLayout::Role;

/// Which values of an operation have a place in the list: an operand by its number, or the result (-1).
struct ListedValue {
  std::string_view op;
  int operand = -1;
  Role role = Role::result;
};

constexpr ListedValue listed_values[] = {
    {"tt.load", -1, Role::result},
    {"tt.store", 0, Role::addresses},
    {"tt.store", 1, Role::operand},
    {"tt.atomic_rmw", 0, Role::addresses},
    {"tt.atomic_cas", 0, Role::addresses},
    {"ttg.async_copy_global_to_local", 0, Role::addresses},
    {"ttg.async_copy_global_to_local", 1, Role::memory},
    {"ttng.async_tma_copy_global_to_local", -2, Role::memory},
    {"ttg.local_alloc", 0, Role::operand},
    {"ttg.local_alloc", -1, Role::memory},
    {"ttg.local_load", 0, Role::memory},
    {"ttg.local_load", -1, Role::result},
    {"ttg.local_store", 0, Role::operand},
    {"ttg.local_store", 1, Role::memory},
    {"ttg.convert_layout", 0, Role::operand},
    {"ttg.convert_layout", -1, Role::result},
    {"tt.dot", 0, Role::operand},
    {"tt.dot", 1, Role::operand},
    {"tt.dot", -1, Role::result},
    {"ttng.warp_group_dot", 0, Role::operand},
    {"ttng.warp_group_dot", 1, Role::operand},
    {"ttng.warp_group_dot", -1, Role::result},
};

class LayoutList {
 public:
  LayoutList(const MlirModule& module, std::int32_t function) : module_(module), ops_(ops_within(module, function)) {
    const auto note = [&](const MlirValue& value) {
      std::string name(value.name);
      if (value.pack_index >= 0) name += "#" + std::to_string(value.pack_index);
      types_.emplace(std::move(name), value.type);
    };
    const auto arguments_of = [&](const MlirOp& op) {
      for (const std::int32_t block : op.blocks)
        for (const MlirValue& argument : module.blocks[static_cast<std::size_t>(block)].arguments) note(argument);
    };
    arguments_of(module.ops[static_cast<std::size_t>(function)]);
    for (const std::int32_t index : ops_) {
      const MlirOp& op = module.ops[static_cast<std::size_t>(index)];
      for (const MlirValue& result : op.results) note(result);
      arguments_of(op);
    }
  }

  std::vector<TensorLayout> all() {
    for (const std::int32_t index : ops_) {
      const MlirOp& op = module_.ops[static_cast<std::size_t>(index)];
      for (const ListedValue& listed : listed_values) {
        if (op.name != listed.op) continue;
        if (listed.operand == -2) {  // shared memory that is not a barrier
          for (const std::string_view operand : op.operands)
            if (type_of(operand).find("xi64") == std::string_view::npos) add(index, listed.role, operand, true);
        } else if (listed.operand >= 0) {
          const auto at = static_cast<std::size_t>(listed.operand);
          if (at < op.operands.size()) add(index, listed.role, op.operands[at], false);
        } else if (!op.results.empty()) {
          add(index, listed.role, op.results[0].name, false);
        }
      }
    }
    return std::move(list_);
  }

 private:
  std::string_view type_of(std::string_view value) const {
    const auto at = types_.find(std::string(value));
    return at == types_.end() ? std::string_view() : at->second;
  }

  void add(std::int32_t op, Role role, std::string_view value, bool memory_only) {
    const std::string_view type = type_of(value);
    const auto shaped = mlir_shaped(type);
    if (!shaped || shaped->encoding.empty() || (memory_only && !shaped->memory)) return;
    TensorLayout entry;
    entry.op = op;
    const MlirOp& of = module_.ops[static_cast<std::size_t>(op)];
    entry.op_name = of.name;
    entry.ttgir_line = of.line;
    if (const auto frames = module_.frames(of.location); !frames.empty()) {
      entry.file = frames.back().file;
      entry.line = frames.back().line;
    }
    entry.role = shaped->memory ? Role::memory : role;
    entry.value = value;
    entry.type = module_.resolved(type);
    entry.shape = shaped->shape;
    entry.element = shaped->element;
    entry.encoding = module_.resolved(shaped->encoding);
    const auto encoding = parse_encoding(entry.encoding);
    if (!encoding) {
      entry.problem = encoding.error();
    } else if (auto layout = layout_of(*encoding, entry.shape)) {
      entry.layout = std::move(*layout);
    } else {
      entry.problem = layout.error();
    }
    list_.push_back(std::move(entry));
  }

  const MlirModule& module_;
  const std::vector<std::int32_t> ops_;
  std::unordered_map<std::string, std::string_view> types_;
  std::vector<TensorLayout> list_;
};

}  // namespace

std::vector<std::int32_t> ops_within(const MlirModule& module, std::int32_t op) {
  // A parent comes before what is in its regions, so they are a part of the list.
  std::vector<std::int32_t> within;
  std::vector<char> inside(module.ops.size(), 0);
  inside[static_cast<std::size_t>(op)] = 1;
  for (std::size_t i = static_cast<std::size_t>(op) + 1; i < module.ops.size(); ++i) {
    const std::int32_t block = module.ops[i].block;
    const std::int32_t parent = block < 0 ? -1 : module.blocks[static_cast<std::size_t>(block)].parent;
    if (parent < 0 || inside[static_cast<std::size_t>(parent)] == 0) continue;
    inside[i] = 1;
    within.push_back(static_cast<std::int32_t>(i));
  }
  return within;
}

std::optional<std::int32_t> kernel_function(const MlirModule& module, std::string_view kernel) {
  for (const std::int32_t function : module.functions())
    if (module.ops[static_cast<std::size_t>(function)].symbol == kernel) return function;
  return {};
}

std::vector<TensorLayout> module_layouts(const MlirModule& module, std::int32_t function) {
  return LayoutList(module, function).all();
}

}  // namespace warpwalk::compiled
