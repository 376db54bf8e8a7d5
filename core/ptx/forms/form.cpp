#include "core/ptx/forms/form.h"

#include <array>
#include <cassert>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::ptx {
namespace {

using NamedList = std::pair<std::string_view, std::string_view>;

constexpr std::array suffix_lists{
    NamedList{"rnd", "r:rn|rz|rm|rp"},
    NamedList{"to_integral", "r:rni|rzi|rmi|rpi"},
    NamedList{"equality", "c:eq|ne"},
    NamedList{"signed_order", "c:eq|ne|lt|le|gt|ge"},
    NamedList{"unsigned_order", "c:eq|ne|lt|le|gt|ge|lo|ls|hi|hs"},
    NamedList{"float_order", "c:eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
    NamedList{"bool", "a:and|or|xor"},
    NamedList{"vec", "v:v2|v4"},
    NamedList{"scope", "m:cta|cluster|gpu|sys"},
    NamedList{"state", "s:param|param::func|param::entry|const|global|shared|shared::cta|shared::cluster|local"},
    NamedList{"atomic_state", "s:global|shared|shared::cta|shared::cluster"},
    NamedList{"st_state", "s:param|param::func|global|shared|shared::cta|shared::cluster|local"},
    NamedList{"atom_order", "m:relaxed|acquire|release|acq_rel"},
    NamedList{"red_order", "m:relaxed|release"},
    NamedList{"ld_cache", "m:ca|cg|cs|lu|cv"},
    NamedList{"st_cache", "m:wb|cg|cs|wt"},
    NamedList{"l1_hint", "m:L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"},
    NamedList{"l2_hint", "m:L2::evict_normal|L2::evict_unchanged|L2::evict_first|L2::evict_last"},
    NamedList{"cta_state", "s:shared|shared::cta"},
    NamedList{"wmma_state", "s:global|shared|shared::cta"},
    NamedList{"wmma_shape", "m:m16n16k16|m8n32k16|m32n8k16"},
    NamedList{"geometry", "m:1d|2d|3d|a1d|a2d|cube|acube"},
    NamedList{"surface_geometry", "m:1d|2d|3d|a1d|a2d"},
    NamedList{"outside", "m:trap|clamp|zero"},
    NamedList{"l2_prefetch", "m:L2::64B|L2::128B|L2::256B"},
    NamedList{"tensor", "m:1d|2d|3d|4d|5d"},
    NamedList{"counted", "m:mbarrier::complete_tx::bytes"},
};

constexpr std::array type_lists{
    NamedList{"int", "u16|u32|u64|s16|s32|s64"},
    NamedList{"int32", "u32|s32"},
    NamedList{"int32_64", "u32|u64|s32|s64"},
    NamedList{"signed", "s16|s32|s64"},
    NamedList{"unsigned", "u16|u32|u64"},
    NamedList{"bits", "b16|b32|b64"},
    NamedList{"half", "f16|f16x2"},
    NamedList{"bhalf", "bf16|bf16x2"},
    NamedList{"moved", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"},
    NamedList{"stored", "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"},
    NamedList{"integer", "u8|u16|u32|u64|s8|s16|s32|s64"},
};

template <std::size_t size>
std::string_view find_list(const std::array<NamedList, size>& lists, std::string_view name) {
  for (const NamedList& list : lists)
    if (list.first == name) return list.second;
  return name;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

Field parse_field(char letter) {
  switch (letter) {
    case 'a': return Field::action;
    case 'c': return Field::compare;
    case 'r': return Field::rounding;
    case 's': return Field::space;
    case 'v': return Field::vector;
    case 'N': return Field::columns;
    case 'A': return Field::a_layout;
    case 'B': return Field::b_layout;
    default: return Field::modifier;
  }
}

bool drop_question_mark(std::string_view& text) {
  if (!text.ends_with('?')) return false;
  text.remove_suffix(1);
  return true;
}

/// "k16": the shapes of wgmma.mma_async with this k. "k32i": those for integers, which lack some numbers of columns.
void add_group_shapes(std::string_view k, Form::Group& group) {
  const bool integers = k.ends_with('i');
  if (integers) k.remove_suffix(1);
  for (int n = 8; n <= 256; n += 8)
    if (!integers || n % 16 == 0 || n <= 24)
      group.choices.push_back(find_suffix(Field::columns, fmt::format("m64n{}{}", n, k)));
}

Form::Group parse_group(std::string_view text) {
  Form::Group group;
  group.optional = drop_question_mark(text);
  const std::string_view list = find_list(suffix_lists, text);
  const Field field = parse_field(list.front());
  if (field == Field::columns) {
    add_group_shapes(list.substr(2), group);
    return group;
  }
  for (const std::string_view suffix : split(list.substr(2), '|')) {
    group.choices.push_back(find_suffix(field, suffix));
    assert(group.choices.back() != nullptr);
  }
  return group;
}

std::uint64_t parse_types(std::string_view text) {
  std::uint64_t set = 0;
  for (const std::string_view part : split(text, '|'))
    for (const std::string_view name : split(find_list(type_lists, part), '|')) {
      const Type type = find_type(name);
      assert(type != Type::none);
      set |= std::uint64_t{1} << static_cast<unsigned>(type);
    }
  return set;
}

OperandRule parse_rule(std::string_view text) {
  OperandRule rule;
  rule.optional = drop_question_mark(text);
  rule.role = text[0];
  rule.type = text.size() > 1 ? text[1] : '\0';
  return rule;
}

Form parse_form(const Row& row) {
  Form form;
  form.opcode = row.opcode;
  for (const std::string_view text : split(row.suffixes, ' ')) form.groups.push_back(parse_group(text));
  for (const std::string_view text : split(row.types, ' ')) form.types.push_back(parse_types(text));
  for (const std::string_view text : split(row.operands, ' ')) form.operands.push_back(parse_rule(text));
  return form;
}

using FormTable = std::array<std::vector<Form>, 256>;

FormTable all_forms() {
  FormTable table;
  for (const std::span<const Row> rows : {arithmetic_rows(), float_rows(), convert_rows(), logic_rows(), memory_rows(),
                                          bulk_rows(), control_rows(), matrix_rows(), texture_rows(), video_rows()})
    for (const Row& row : rows) table[static_cast<std::size_t>(row.opcode)].push_back(parse_form(row));
  return table;
}

}  // namespace

std::span<const Form> forms_of(Opcode opcode) {
  static const FormTable table = all_forms();
  return table[static_cast<std::size_t>(opcode)];
}

}  // namespace warpwalk::ptx
