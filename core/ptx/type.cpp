#include "core/ptx/type.h"

#include <algorithm>
#include <array>

#include "core/ptx/lookup.h"

namespace warpwalk::ptx {
namespace {

struct TypeRow {
  std::string_view name;
  int bytes;
};

/// Indexed by Type.
constexpr std::array<TypeRow, type_count> rows{{
    {"", 0},      {"pred", 0}, {"u8", 1},     {"u16", 2},        {"u32", 4},     {"u64", 8}, {"s8", 1},    {"s16", 2},
    {"s32", 4},   {"s64", 8},  {"b8", 1},     {"b16", 2},        {"b32", 4},     {"b64", 8}, {"b128", 16}, {"f16", 2},
    {"f16x2", 4}, {"bf16", 2}, {"bf16x2", 4}, {"tf32", 4},       {"f32", 4},     {"f64", 8}, {"f32x2", 8}, {"u16x2", 4},
    {"s16x2", 4}, {"e4m3", 1}, {"e5m2", 1},   {"e4m3x2", 2},     {"e5m2x2", 2},  {"u2", 0},  {"s2", 0},    {"u4", 0},
    {"s4", 0},    {"b1", 0},   {"texref", 8}, {"samplerref", 8}, {"surfref", 8},
}};

const TypeRow& row_of(Type type) { return rows[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view name_of(Type type) { return row_of(type).name; }

int bytes_of(Type type) { return row_of(type).bytes; }

bool is_signed(Type type) {
  return (type >= Type::s8 && type <= Type::s64) || type == Type::s16x2 || type == Type::s2 || type == Type::s4;
}

bool is_float(Type type) {
  return (type >= Type::f16 && type <= Type::f32x2) || (type >= Type::e4m3 && type <= Type::e5m2x2);
}

bool is_bits(Type type) { return type >= Type::b8 && type <= Type::b128; }

Type find_type(std::string_view name) {
  const auto found = std::find_if(rows.begin() + 1, rows.end(), [&](const TypeRow& row) { return row.name == name; });
  return found == rows.end() ? Type::none : static_cast<Type>(found - rows.begin());
}

std::string_view name_of(Space space) {
  switch (space) {
    case Space::generic: return "generic";
    case Space::param: return "param";
    case Space::constant: return "const";
    case Space::global: return "global";
    case Space::shared: return "shared";
    case Space::local: return "local";
  }
  return "";
}

}  // namespace warpwalk::ptx
