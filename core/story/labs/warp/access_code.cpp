#include "core/story/labs/warp/access_code.h"

#include <algorithm>

#include <fmt/format.h>

namespace warpwalk::story {
namespace {

constexpr std::string_view field_names[] = {"x", "y", "z", "m", "vx", "vy", "vz", "q"};

std::string_view type_of(int bytes) {
  switch (bytes) {
    case 1: return "char";
    case 2: return "half";
    case 8: return "double";
    case 16: return "float4";
    default: return "float";
  }
}

// The numbers of the elements, from those of the lanes.
std::string index_code(const GlobalAccess& access) {
  std::string lane = "lane";
  switch (access.order) {
    case LaneOrder::in_order: break;
    case LaneOrder::reversed: lane = "(31 - lane)"; break;
    case LaneOrder::swapped: lane = "(lane ^ 1)"; break;
    case LaneOrder::shuffled: lane = "(7 * lane % 32)"; break;
    case LaneOrder::scattered: return "hash(lane) % 65536";
    case LaneOrder::broadcast: return fmt::to_string(access.offset);
  }
  if (access.stride == 0) return fmt::to_string(access.offset);
  std::string code = access.stride == 1 ? lane : fmt::format("{} * {}", access.stride, lane);
  if (access.offset != 0) code += fmt::format(" + {}", access.offset);
  return code;
}

// "float x, y, z, m;", or with a pointer for each field.
std::string fields_code(const GlobalAccess& access, std::string_view sign) {
  std::string code;
  for (std::int64_t field = 0; field < access.fields; ++field)
    code += fmt::format("{}{}{}", field == 0 ? " " : ", ", sign, field_names[static_cast<std::size_t>(field)]);
  return fmt::format("{}{};", type_of(access.bytes), code);
}

std::string condition_code(const MaskProgram& program, std::string_view lane, std::string_view data,
                           std::string_view warp) {
  using Condition = MaskProgram::Condition;
  const bool branch = program.shape == MaskProgram::Shape::one_sided || program.shape == MaskProgram::Shape::two_sided;
  switch (program.condition) {
    case Condition::first_lanes:
      return branch ? fmt::format("{} < {}", lane, program.split) : fmt::format("{} * {} / 32", lane, program.split);
    case Condition::every_nth:
      return branch ? fmt::format("{} % {} == 0", lane, program.split) : fmt::format("{} % {}", lane, program.split);
    case Condition::by_hash: return branch ? fmt::format("{} < {}", data, program.split) : std::string(data);
    case Condition::by_warp: return branch ? fmt::format("{} == 0", warp) : std::string(warp);
  }
  return {};
}

// With many cases, the first, the lane's own and the last one.
void add_cases(const MaskProgram& program, int own, LabCode& code) {
  constexpr int few = 4;
  int before = -1;
  for (int i = 0; i < program.split; ++i) {
    if (program.split > few && i != 0 && i != own && i != program.split - 1) continue;
    if (i > before + 1) code.lines.emplace_back("  ...");
    before = i;
    if (i == own) code.lit.push_back(code.lines.size());
    code.lines.push_back(
        fmt::format("  case {}: f{}(); break;{}", i, i, i == 0 ? fmt::format("  // {} instr.", program.body) : ""));
  }
}

}  // namespace

LabCode access_code(const GlobalAccess& access) {
  LabCode code;
  const std::string_view type = type_of(access.bytes);
  std::string load = "a[i]";
  if (access.layout == DataLayout::structures) {
    code.lines.push_back(fmt::format("struct Point {{ {} }};  Point* p;", fields_code(access, "")));
    load = "p[i].x";
  } else if (access.layout == DataLayout::fields) {
    code.lines.push_back(fmt::format("struct {{ {} }} p;", fields_code(access, "*")));
    load = "p.x[i]";
  } else {
    code.lines.emplace_back("int lane = threadIdx.x % 32;");
  }
  code.lines.push_back(fmt::format("int i = {};", index_code(access)));
  code.lit = {code.lines.size()};
  code.lines.push_back(fmt::format("{} value = {};", type, load));
  return code;
}

std::string address_text(const GlobalAccess& access, std::int64_t i) {
  return fmt::format("{} * {} = {}", access.element_bytes(), i, access.element_bytes() * i);
}

LabCode tile_code(const TileLayout& layout, TileWalk walk, std::int64_t which) {
  std::string row = "lane", column = "lane";
  switch (walk) {
    case TileWalk::row: row = fmt::to_string(which); break;
    case TileWalk::column: column = fmt::to_string(which); break;
    case TileWalk::diagonal:
      if (which != 0) column = fmt::format("(lane + {}) % 32", which);
      break;
    case TileWalk::pairs:
      row = fmt::to_string(which);
      column = "lane / 2";
      break;
    case TileWalk::element:
      row = fmt::to_string(which / tile_side);
      column = fmt::to_string(which % tile_side);
      break;
  }
  if (layout.swizzled)
    column = fmt::format("{} ^ {}", column.find(' ') == column.npos ? column : "(" + column + ")", row);
  const std::string_view type = type_of(layout.bytes);
  return {{fmt::format("__shared__ {} tile[32][{}];", type, tile_side + layout.padding), "int lane = threadIdx.x % 32;",
           fmt::format("{} value = tile[{}][{}];", type, row, column)},
          {2}};
}

std::string address_text(const TileLayout& layout, std::int64_t row, std::int64_t column) {
  return fmt::format("({} * {} + {}) * {} = {}", row, tile_side + layout.padding,
                     layout.swizzled ? fmt::format("({} ^ {})", column, row) : fmt::to_string(column), layout.bytes,
                     tile_offset(layout, row, column));
}

LabCode mask_code(const MaskProgram& program, int lane) {
  using Shape = MaskProgram::Shape;
  const bool by_warp = program.condition == MaskProgram::Condition::by_warp;
  LabCode code;
  code.lines.emplace_back(by_warp ? "int warp = threadIdx.x / 32;" : "int lane = threadIdx.x % 32;");
  const std::string condition = condition_code(program, "lane", "data[lane]", "warp");
  const std::string body = fmt::format("  // {} instr.", program.body);
  const int way = way_of(program, lane);
  code.lit = {1};
  switch (program.shape) {
    case Shape::one_sided:
    case Shape::two_sided:
      code.lines.push_back(fmt::format("if ({})", condition));
      code.lines.push_back("  a();" + body);
      if (way == 0) code.lit.push_back(2);
      if (program.shape == Shape::one_sided) break;
      code.lines.emplace_back("else");
      code.lines.push_back("  b();" + body);
      if (way == 1) code.lit.push_back(4);
      break;
    case Shape::cases:
      code.lines.push_back(fmt::format("switch ({}) {{", condition));
      add_cases(program, way, code);
      code.lines.emplace_back("}");
      break;
    case Shape::loop:
      code.lines.push_back(fmt::format("int trips = {} + 1;", condition));
      code.lines.emplace_back("for (int i = 0; i < trips; ++i)");
      code.lit.push_back(code.lines.size());
      code.lines.push_back("  a();" + body);
      break;
  }
  code.lines.emplace_back("c();");
  return code;
}

std::string condition_text(const MaskProgram& program, int lane) {
  const bool branch = program.shape == MaskProgram::Shape::one_sided || program.shape == MaskProgram::Shape::two_sided;
  const int way = way_of(program, lane);
  const bool loop = program.shape == MaskProgram::Shape::loop;
  const int part = loop ? way - 1 : way;
  if (program.condition == MaskProgram::Condition::by_warp && !branch)
    return loop ? fmt::format("{} + 1 = {}", part, way) : fmt::format("warp = {}", part);
  std::string text = condition_code(program, fmt::to_string(lane), fmt::format("data[{}]", lane), "0");
  if (branch) return text;
  return loop ? fmt::format("{} + 1 = {}", text, way) : fmt::format("{} = {}", text, part);
}

Panel lab_code_panel(std::string name, const LabCode& code, std::vector<std::string> values, double share) {
  CodePicture picture;
  CodePicture::Column column = text_column(std::move(name), code.lines, 0);
  for (const std::size_t line : code.lit) column.window.lines[line].lit = true;
  column.window.all_lines = std::ssize(column.window.lines);
  if (!code.lit.empty()) {
    column.window.focus = code.lit.front();
    column.window.lines[code.lit.front()].values = std::move(values);
  }
  picture.columns = {std::move(column)};
  return {"", share, std::move(picture)};
}

}  // namespace warpwalk::story
