#include "core/sass/dwarf/debug_info.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/sass/dwarf/cursor.h"
#include "core/sass/dwarf/entries.h"

namespace warpwalk::sass {
namespace {

using TypeKind = DebugType::Kind;
using AttributeKind = DwarfAttribute::Kind;

constexpr int most_nested = 32;
constexpr std::size_t most_locations = 100'000;  ///< of all variables
constexpr std::uint64_t most_dimensions = 8;

class InfoReader {
 public:
  explicit InfoReader(DebugInfo& made) : made_(made), in_(read_dwarf_entries(made.sections)) {}

  void read() {
    scope_of_.assign(in_.entries.size(), -1);
    children_.assign(in_.entries.size() + 1, {});
    for (std::size_t i = 0; i < in_.entries.size(); ++i)
      if (in_.entries[i].parent >= 0) children_[static_cast<std::size_t>(in_.entries[i].parent)].push_back(i);
    for (std::size_t i = 0; i < in_.entries.size(); ++i) {
      read_scope(i);
      if (in_.entries[i].tag == dwarf::tag_function)
        made_.declared.emplace_back(number_of(i, dwarf::at_decl_file), number_of(i, dwarf::at_decl_line));
    }
    std::ranges::sort(made_.declared);
    // Types refer to types, also to themselves.
    for (std::size_t i = 0; i < to_read_.size(); ++i) read_type(to_read_[i].first, to_read_[i].second);
  }

 private:
  /// The entry that an attribute refers to; -1: none.
  std::int32_t referred(const DwarfEntry& entry, std::uint64_t name) const {
    const DwarfAttribute* const found = in_.attribute(entry, name);
    return found != nullptr && found->kind == AttributeKind::reference ? in_.at(found->number) : -1;
  }

  /// Calls `use` for the entry and those that it completes, until it returns true.
  template <class Use>
  void each_origin(std::size_t index, Use use) const {
    for (int i = 0; i < most_nested; ++i) {
      const DwarfEntry& entry = in_.entries[index];
      if (use(entry)) return;
      std::int32_t next = referred(entry, dwarf::at_abstract_origin);
      if (next < 0) next = referred(entry, dwarf::at_specification);
      if (next < 0) return;
      index = static_cast<std::size_t>(next);
    }
  }

  std::string text_of(std::size_t index, std::uint64_t name) const {
    std::string text;
    each_origin(index, [&](const DwarfEntry& entry) {
      text = in_.text(entry, name);
      return !text.empty();
    });
    return text;
  }

  std::uint32_t number_of(std::size_t index, std::uint64_t name) const {
    std::uint64_t number = 0;
    each_origin(index, [&](const DwarfEntry& entry) {
      number = in_.number(entry, name);
      return number != 0;
    });
    return static_cast<std::uint32_t>(number);
  }

  std::int32_t type_of(std::size_t index) {
    std::int32_t type = -1;
    each_origin(index, [&](const DwarfEntry& entry) {
      type = referred(entry, dwarf::at_type);
      return type >= 0;
    });
    return type < 0 ? -1 : type_number(static_cast<std::size_t>(type));
  }

  std::int32_t type_number(std::size_t entry) {
    const auto [known, fresh] = types_.try_emplace(entry, static_cast<std::int32_t>(made_.types.size()));
    if (fresh) {
      made_.types.emplace_back();
      to_read_.emplace_back(entry, known->second);
    }
    return known->second;
  }

  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_of(const DwarfEntry& entry) const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    const DwarfAttribute* const low = in_.attribute(entry, dwarf::at_low_pc);
    const DwarfAttribute* const high = in_.attribute(entry, dwarf::at_high_pc);
    if (low != nullptr && high != nullptr) {
      const std::uint64_t end = high->kind == AttributeKind::address ? high->number : low->number + high->number;
      ranges.emplace_back(low->number, end);
    }
    if (const DwarfAttribute* const list = in_.attribute(entry, dwarf::at_ranges)) {
      DwarfCursor in(made_.sections.ranges, list->number);
      for (std::uint64_t base = entry.base; in.ok() && ranges.size() < most_locations;) {
        const std::uint64_t from = in.number(8), to = in.number(8);
        if (from == 0 && to == 0) break;
        if (from == ~std::uint64_t{0})
          base = to;
        else
          ranges.emplace_back(base + from, base + to);
      }
    }
    return ranges;
  }

  std::vector<DebugLocation> locations_of(const DwarfEntry& entry) {
    const DwarfAttribute* const found = in_.attribute(entry, dwarf::at_location);
    if (found == nullptr) return {};
    if (found->kind == AttributeKind::block) return {{0, ~std::uint64_t{0}, std::string(found->bytes)}};
    std::vector<DebugLocation> list;
    DwarfCursor in(made_.sections.locations, found->number);
    for (std::uint64_t base = entry.base; in.ok() && locations_ < most_locations;) {
      const std::uint64_t low = in.number(8), high = in.number(8);
      if (!in.ok() || (low == 0 && high == 0)) break;
      if (low == ~std::uint64_t{0}) {
        base = high;
        continue;
      }
      const std::string_view expression = in.part(in.number(2));
      if (!in.ok()) break;
      ++locations_;
      list.push_back({base + low, base + high, std::string(expression)});
    }
    return list;
  }

  DebugVariable variable_of(std::size_t index) {
    const DwarfEntry& entry = in_.entries[index];
    DebugVariable made;
    made.name = text_of(index, dwarf::at_name);
    made.type = type_of(index);
    made.line = number_of(index, dwarf::at_decl_line);
    made.is_parameter = entry.tag == dwarf::tag_parameter;
    made.memory = static_cast<std::uint8_t>(in_.number(entry, dwarf::at_address_class));
    made.locations = locations_of(entry);
    each_origin(index, [&](const DwarfEntry& of) {
      const DwarfAttribute* const value = in_.attribute(of, dwarf::at_const_value);
      if (value == nullptr || value->kind == AttributeKind::text) return false;
      std::uint64_t number = value->number;
      if (value->kind == AttributeKind::block)
        number = value->bytes.size() > 8
                     ? 0
                     : Bytes(value->bytes).number(0, static_cast<unsigned>(value->bytes.size())).value_or(0);
      made.constant = static_cast<std::int64_t>(number);
      return true;
    });
    return made;
  }

  void read_scope(std::size_t index) {
    const DwarfEntry& entry = in_.entries[index];
    const std::int32_t parent = entry.parent < 0 ? -1 : scope_of_[static_cast<std::size_t>(entry.parent)];
    DebugScope scope;
    if (entry.tag == dwarf::tag_function)
      scope.kind = DebugScope::Kind::function;
    else if (entry.tag == dwarf::tag_inlined && parent >= 0)
      scope.kind = DebugScope::Kind::inlined;
    else if (entry.tag == dwarf::tag_block && parent >= 0)
      scope.kind = DebugScope::Kind::block;
    else
      return;
    scope.ranges = ranges_of(entry);
    // An inlined function's own description has no code.
    if (scope.kind == DebugScope::Kind::function && scope.ranges.empty()) return;
    scope.parent = scope.kind == DebugScope::Kind::function ? -1 : parent;
    if (scope.kind != DebugScope::Kind::block) {
      scope.name = text_of(index, dwarf::at_name);
      scope.linkage_name = text_of(index, dwarf::at_linkage_name);
      if (scope.linkage_name.empty()) scope.linkage_name = text_of(index, dwarf::at_mips_linkage_name);
      if (scope.linkage_name.empty()) scope.linkage_name = scope.name;
    }
    if (scope.kind != DebugScope::Kind::block) {
      scope.file = number_of(index, dwarf::at_decl_file);
      scope.line = number_of(index, dwarf::at_decl_line);
    }
    scope.call_file = static_cast<std::uint32_t>(in_.number(entry, dwarf::at_call_file));
    scope.call_line = static_cast<std::uint32_t>(in_.number(entry, dwarf::at_call_line));
    std::unordered_set<std::int32_t> origins;
    for (const std::size_t child : children_[index]) {
      const std::uint64_t tag = in_.entries[child].tag;
      if (tag != dwarf::tag_parameter && tag != dwarf::tag_variable) continue;
      if (in_.number(in_.entries[child], dwarf::at_declaration) != 0) continue;
      origins.insert(referred(in_.entries[child], dwarf::at_abstract_origin));
      scope.variables.push_back(variable_of(child));
    }
    // Variables that the code does not have are listed in the description alone.
    if (const std::int32_t origin = referred(entry, dwarf::at_abstract_origin); origin >= 0)
      for (const std::size_t child : children_[static_cast<std::size_t>(origin)]) {
        const std::uint64_t tag = in_.entries[child].tag;
        if ((tag == dwarf::tag_parameter || tag == dwarf::tag_variable) &&
            !origins.contains(static_cast<std::int32_t>(child)) && scope.variables.size() < most_locations)
          scope.variables.push_back(variable_of(child));
      }
    scope_of_[index] = static_cast<std::int32_t>(made_.scopes.size());
    made_.scopes.push_back(std::move(scope));
  }

  /// The number of an operand such as DW_AT_data_member_location, which may be an expression of one operation.
  std::uint64_t offset_of(const DwarfEntry& entry, std::uint64_t name) const {
    const DwarfAttribute* const found = in_.attribute(entry, name);
    if (found == nullptr) return 0;
    if (found->kind != AttributeKind::block) return found->number;
    DwarfCursor in(found->bytes);
    constexpr std::uint64_t plus_constant = 0x23, unsigned_constant = 0x10;
    const std::uint64_t operation = in.number(1);
    return operation == plus_constant || operation == unsigned_constant ? in.leb() : 0;
  }

  void read_members(std::size_t index, DebugType& made) {
    for (const std::size_t child : children_[index]) {
      const DwarfEntry& entry = in_.entries[child];
      if (entry.tag != dwarf::tag_member && entry.tag != dwarf::tag_inheritance) continue;
      if (in_.attribute(entry, dwarf::at_declaration) != nullptr) continue;
      DebugMember member;
      member.name = text_of(child, dwarf::at_name);
      member.type = type_of(child);
      member.offset = offset_of(entry, dwarf::at_member_location);
      member.bits = static_cast<unsigned>(std::min<std::uint64_t>(in_.number(entry, dwarf::at_bit_size), 64));
      if (member.bits != 0) {
        std::uint64_t first = in_.number(entry, dwarf::at_data_bit_offset);
        if (const DwarfAttribute* const from_top = in_.attribute(entry, dwarf::at_bit_offset))
          first = 8 * member.offset + 8 * in_.number(entry, dwarf::at_byte_size, 4) - from_top->number - member.bits;
        else
          first += 8 * member.offset;
        member.offset = first / 8;
        member.first_bit = static_cast<unsigned>(first % 8);
      }
      made.members.push_back(std::move(member));
    }
  }

  void read_array(std::size_t index, DebugType& made) {
    std::vector<std::uint64_t> counts;
    for (const std::size_t child : children_[index]) {
      const DwarfEntry& entry = in_.entries[child];
      if (entry.tag != dwarf::tag_subrange || counts.size() >= most_dimensions) continue;
      const DwarfAttribute* const bound = in_.attribute(entry, dwarf::at_upper_bound);
      counts.push_back(in_.number(entry, dwarf::at_count, bound != nullptr ? bound->number + 1 : 0));
    }
    made.kind = TypeKind::array;
    made.target = type_of(index);
    made.count = counts.empty() ? 0 : counts.front();
    // Arrays of arrays.
    for (std::size_t i = counts.size(); i-- > 1;) {
      DebugType inner;
      inner.kind = TypeKind::array;
      inner.target = made.target;
      inner.count = counts[i];
      made.target = static_cast<std::int32_t>(made_.types.size());
      made_.types.push_back(std::move(inner));
    }
  }

  void read_type(std::size_t index, std::int32_t number) {
    const DwarfEntry& entry = in_.entries[index];
    DebugType made;
    made.name = text_of(index, dwarf::at_name);
    made.bytes = in_.number(entry, dwarf::at_byte_size);
    switch (entry.tag) {
      case dwarf::tag_base: {
        constexpr std::uint64_t boolean = 2, real = 4, signed_number = 5, signed_character = 6;
        const std::uint64_t encoding = in_.number(entry, dwarf::at_encoding);
        made.kind = encoding == boolean                                         ? TypeKind::boolean
                    : encoding == real                                          ? TypeKind::real
                    : encoding == signed_number || encoding == signed_character ? TypeKind::signed_number
                                                                                : TypeKind::unsigned_number;
        break;
      }
      case dwarf::tag_pointer:
      case dwarf::tag_reference:
      case dwarf::tag_rvalue_reference:
        made.kind = TypeKind::pointer;
        made.bytes = 8;
        made.target = type_of(index);
        break;
      case dwarf::tag_structure:
      case dwarf::tag_class:
      case dwarf::tag_union:
        made.kind = TypeKind::record;
        read_members(index, made);
        break;
      case dwarf::tag_array: read_array(index, made); break;
      case dwarf::tag_enumeration:
        made.kind = TypeKind::enumeration;
        for (const std::size_t child : children_[index])
          if (in_.entries[child].tag == dwarf::tag_enumerator)
            made.values.emplace_back(text_of(child, dwarf::at_name),
                                     static_cast<std::int64_t>(in_.number(in_.entries[child], dwarf::at_const_value)));
        break;
      case dwarf::tag_typedef:
      case dwarf::tag_const:
      case dwarf::tag_volatile:
      case dwarf::tag_restrict:
        made.kind = TypeKind::alias;
        made.target = type_of(index);
        break;
      case dwarf::tag_subroutine: made.kind = TypeKind::function; break;
      default: break;
    }
    if (entry.tag == dwarf::tag_const) made.name = "const";
    if (entry.tag == dwarf::tag_volatile) made.name = "volatile";
    if (entry.tag == dwarf::tag_restrict) made.name = "";
    made_.types[static_cast<std::size_t>(number)] = std::move(made);
  }

  DebugInfo& made_;
  DwarfEntries in_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::int32_t> scope_of_;  ///< by entry
  std::unordered_map<std::size_t, std::int32_t> types_;
  std::vector<std::pair<std::size_t, std::int32_t>> to_read_;
  std::size_t locations_ = 0;
};

}  // namespace

std::vector<std::int32_t> DebugInfo::scopes_at(std::uint64_t address) const {
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    const DebugScope& scope = scopes[i];
    const bool in_parent = scope.parent < 0 || std::ranges::find(found, scope.parent) != found.end();
    const bool inside =
        scope.ranges.empty() ? scope.parent >= 0 : std::ranges::any_of(scope.ranges, [&](const auto& range) {
          return range.first <= address && address < range.second;
        });
    if (in_parent && inside) found.push_back(static_cast<std::int32_t>(i));
  }
  return found;
}

std::int32_t DebugInfo::real_index(std::int32_t type) const {
  for (int i = 0; i < most_nested && type >= 0; ++i) {
    if (types[static_cast<std::size_t>(type)].kind != TypeKind::alias) return type;
    type = types[static_cast<std::size_t>(type)].target;
  }
  return -1;
}

const DebugType* DebugInfo::real_type(std::int32_t type) const {
  const std::int32_t index = real_index(type);
  return index < 0 ? nullptr : &types[static_cast<std::size_t>(index)];
}

std::string DebugInfo::name_of_type(std::int32_t type) const {
  std::string before, behind;
  for (int i = 0; i < most_nested && type >= 0; ++i) {
    const DebugType& of = types[static_cast<std::size_t>(type)];
    if (of.kind == TypeKind::pointer) {
      behind.insert(0, "*");
    } else if (of.kind == TypeKind::array) {
      behind += "[" + std::to_string(of.count) + "]";
    } else if (of.kind == TypeKind::alias && (of.name == "const" || of.name == "volatile" || of.name.empty())) {
      if (!of.name.empty()) before += of.name + " ";
    } else {
      const char* const unnamed = of.kind == TypeKind::record        ? "struct"
                                  : of.kind == TypeKind::enumeration ? "enum"
                                  : of.kind == TypeKind::function    ? "function"
                                                                     : "?";
      return before + (of.name.empty() ? unnamed : of.name) + behind;
    }
    type = of.target;
  }
  return before + "void" + behind;
}

std::uint64_t DebugInfo::bytes_of_type(std::int32_t type) const {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  std::uint64_t count = 1;
  for (int i = 0; i < most_nested; ++i) {
    const DebugType* const real = real_type(type);
    if (real == nullptr) return 0;
    if (real->kind != TypeKind::array) return real->bytes > most / count ? 0 : real->bytes * count;
    if (real->count == 0 || real->count > most / count) return 0;
    count *= real->count;
    type = real->target;
  }
  return 0;
}

DebugInfo read_debug_info(DebugSections sections) {
  DebugInfo made;
  made.sections = std::move(sections);
  InfoReader(made).read();
  return made;
}

std::vector<std::string> parameter_names(std::string_view cubin, std::string_view function) {
  std::vector<std::string> names;
  if (function.empty()) return names;
  const DebugInfo info = read_debug_info(debug_sections_of_cubin(cubin));
  for (const DebugScope& scope : info.scopes) {
    if (scope.kind != DebugScope::Kind::function || scope.linkage_name != function || !names.empty()) continue;
    for (const DebugVariable& variable : scope.variables)
      if (variable.is_parameter) names.push_back(variable.name);
  }
  return names;
}

}  // namespace warpwalk::sass
