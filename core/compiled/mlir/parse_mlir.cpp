#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/compiled/mlir/mlir.h"
#include "core/compiled/mlir/parts.h"
#include "core/compiled/mlir/scan.h"

namespace warpwalk::compiled {
namespace {

constexpr int max_pack = 4096;  // results of one name: %x:7

std::string_view unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

/// The parts of a line after its results and the operation's name, outside of brackets.
struct Header {
  std::size_t colon = mlir_nowhere, arrow = mlir_nowhere;
  std::size_t end = 0;  ///< of what comes before the location
  std::int32_t location = -1;
};

class MlirReader {
 public:
  explicit MlirReader(MlirModule& module) : module_(module) {}

  void read() {
    int number = 0;
    for (const std::string_view whole : base::lines_of(*module_.text)) {
      line_ = ++number;
      const std::string_view line = mlir_trimmed(whole);
      if (line.empty() || line.starts_with("//")) continue;
      if ((line.front() == '#' || line.front() == '!') && alias(line)) continue;
      if (line.front() == '^') {
        label(line);
      } else if (line.front() == '}') {
        close(line);
      } else if (line.starts_with("default") || line.starts_with("partition")) {
        partition(line);
      } else {
        operation(line);
      }
    }
    resolve_mlir_locations(module_, definitions_);
  }

 private:
  MlirOp& op(std::int32_t index) { return module_.ops[static_cast<std::size_t>(index)]; }
  MlirBlock& block(std::int32_t index) { return module_.blocks[static_cast<std::size_t>(index)]; }
  std::int32_t innermost() const { return open_.empty() ? -1 : open_.back(); }

  /// #blocked = ..., !type = ..., #loc3 = loc(...)
  bool alias(std::string_view line) {
    const std::size_t end = mlir_name_end(line, 1);
    std::size_t at = end + 3;
    if (end == 1 || line.substr(end, 3) != " = ") return false;
    if (line.substr(at).starts_with("loc(")) {
      const std::int32_t of = read_mlir_location(module_, line, at);
      MlirLocation definition;
      definition.kind = MlirLocation::Kind::alias;
      definition.text = line.substr(0, end);
      definition.of = of;
      module_.locations.push_back(std::move(definition));
      definitions_.push_back(static_cast<std::int32_t>(module_.locations.size() - 1));
    } else {
      module_.aliases[line.substr(0, end)] = line.substr(at);
    }
    return true;
  }

  std::int32_t add_block(std::int32_t parent, int region) {
    const auto index = static_cast<std::int32_t>(module_.blocks.size());
    MlirBlock added;
    added.parent = parent;
    added.region = region;
    module_.blocks.push_back(std::move(added));
    if (parent >= 0) op(parent).blocks.push_back(index);
    return index;
  }

  void open_region(std::int32_t of) {
    const std::vector<std::int32_t>& blocks = op(of).blocks;
    open_.push_back(add_block(of, blocks.empty() ? 0 : block(blocks.back()).region + 1));
  }

  /// The innermost open block. Operations outside of any region get a block of their own.
  std::int32_t current() {
    if (open_.empty()) open_.push_back(add_block(-1, 0));
    return open_.back();
  }

  /// "%a: type {...} loc(...)"
  MlirValue argument(std::string_view text) {
    MlirValue value;
    const std::size_t end = text.starts_with('%') ? mlir_name_end(text, 1) : 0;
    value.name = text.substr(0, end);
    const std::size_t colon = text.find(':', end);
    if (end == 0 || colon == mlir_nowhere) return value;
    MlirScan scan(text, colon + 1);
    std::size_t type_end = text.size();
    for (; !scan.at_end(); scan.next()) {
      if (scan.depth() > 0) continue;
      const std::string_view rest = text.substr(scan.at());
      if (!rest.starts_with(" {") && !rest.starts_with(" loc(")) continue;
      type_end = std::min(type_end, scan.at());
      std::size_t at = scan.at();
      if (rest.starts_with(" loc(")) {
        value.location = read_mlir_location(module_, text, at);
        break;
      }
    }
    value.type = mlir_trimmed(text.substr(colon + 1, type_end - colon - 1));
    return value;
  }

  void arguments(std::string_view list, MlirBlock& to) {
    for (const std::string_view one : mlir_list(list))
      if (one.starts_with('%')) to.arguments.push_back(argument(one));
  }

  /// ^bb0(%a: f32 loc(...), %b: f32):
  void label(std::string_view line) {
    if (open_.empty()) return;
    const std::size_t end = mlir_name_end(line, 1);
    std::int32_t into = open_.back();
    if (!block(into).label.empty() || !block(into).ops.empty()) {
      into = add_block(block(into).parent, block(into).region);
      open_.back() = into;
    }
    block(into).label = line.substr(0, end);
    if (end < line.size() && line[end] == '(') {
      const std::size_t close = mlir_bracket_end(line, end);
      arguments(line.substr(end + 1, close - end - 2), block(into));
    }
  }

  /// "}", with what follows it: another region, or the types and the location of the operation.
  void close(std::string_view line) {
    if (open_.empty()) return;
    const std::int32_t parent = block(open_.back()).parent;
    if (parent < 0) return;
    open_.pop_back();
    op(parent).last_line = line_;
    if (line.size() > 1 && line.ends_with('{')) {
      open_region(parent);
      return;
    }
    finish(parent, line, header(line, 1));
  }

  /// Another region of ttg.warp_specialize: "default {", "partition0(%a: i32) num_warps(4) {"
  void partition(std::string_view line) {
    if (innermost() < 0 || block(innermost()).ops.empty() || !line.ends_with('{')) return;
    const std::int32_t of = block(innermost()).ops.back();
    open_region(of);
    if (const std::size_t open = line.find('('); open != mlir_nowhere && line.starts_with("partition")) {
      const std::size_t close = mlir_bracket_end(line, open);
      arguments(line.substr(open + 1, close - open - 2), block(open_.back()));
    }
  }

  Header header(std::string_view line, std::size_t from) {
    Header found;
    found.end = line.size();
    for (MlirScan scan(line, from); !scan.at_end(); scan.next()) {
      if (scan.depth() > 0) continue;
      const std::string_view rest = line.substr(scan.at());
      if (rest.starts_with(": ") && scan.at() > 0 && (line[scan.at() - 1] == ' ' || line[scan.at() - 1] == ')'))
        found.colon = scan.at();
      if (rest.starts_with("->")) found.arrow = scan.at();
      if (rest.starts_with("loc(") && scan.at() > 0 && line[scan.at() - 1] == ' ') {
        std::size_t at = scan.at();
        found.end = at;
        found.location = read_mlir_location(module_, line, at);
        break;
      }
    }
    return found;
  }

  /// Takes result types and location from an operation's last line.
  void finish(std::int32_t index, std::string_view line, const Header& said) {
    MlirOp& of = op(index);
    if (said.location >= 0) of.location = said.location;
    const auto types =
        mlir_result_types(module_, of.name, mlir_trimmed(line.substr(0, said.end)), said.colon, said.arrow);
    if (types.empty()) return;
    for (std::size_t i = 0; i < of.results.size(); ++i) of.results[i].type = types[std::min(i, types.size() - 1)];
  }

  /// "%a, %b:2 = " in front of an operation. Returns the index after it.
  std::size_t results(std::string_view line, std::vector<MlirValue>& to) {
    std::size_t at = 0;
    while (at < line.size() && line[at] == '%') {
      MlirValue value;
      const std::size_t end = mlir_name_end(line, at + 1);
      value.name = line.substr(at, end - at);
      at = end;
      int count = 1;
      if (at < line.size() && line[at] == ':') {
        const auto read = std::from_chars(line.data() + at + 1, line.data() + line.size(), count);
        at = static_cast<std::size_t>(read.ptr - line.data());
        count = std::clamp(count, 1, max_pack);
        value.pack_index = 0;
      }
      // Damaged texts do not get more results than they have characters.
      for (int i = 0; i < count && to.size() < line.size(); ++i) {
        to.push_back(value);
        if (value.pack_index >= 0) ++value.pack_index;
      }
      while (at < line.size() && (line[at] == ' ' || line[at] == ',')) ++at;
    }
    if (to.empty() || at >= line.size() || line[at] != '=') {
      to.clear();
      return 0;
    }
    return std::min(at + 2, line.size());
  }

  void operation(std::string_view line) {
    MlirOp added;
    added.text = line;
    added.line = added.last_line = line_;
    std::size_t at = results(line, added.results);
    if (at < line.size() && line[at] == '"') {
      const std::size_t end = mlir_quote_end(line, at);
      added.name = unquoted(line.substr(at, end - at));
      at = end;
    } else {
      const std::size_t end = mlir_name_end(line, at);
      added.name = line.substr(at, end - at);
      at = end;
    }
    if (added.name.empty() || (added.name.find('.') == mlir_nowhere && added.name != "module")) return;
    const std::int32_t into = current();
    added.block = into;
    const auto index = static_cast<std::int32_t>(module_.ops.size());
    const Header said = header(line, at);
    const std::string_view body = line.substr(0, said.end);
    std::vector<std::pair<std::size_t, std::size_t>> bound;  // brackets and names of the region's arguments
    read_body(mlir_trimmed(body), at, added, bound);
    const bool opens = line.ends_with('{');
    block(into).ops.push_back(index);
    module_.ops.push_back(std::move(added));
    if (!line.ends_with("({")) finish(index, line, said);  // otherwise its types follow the region
    if (!opens) return;
    open_region(index);
    MlirBlock& entry = block(open_.back());
    for (const auto& [begin, end] : bound) {
      const std::string_view text = body.substr(begin, end - begin);
      if (op(index).name == "tt.func") {
        arguments(text, entry);
      } else {
        MlirValue value;
        value.name = text;
        entry.arguments.push_back(value);
      }
    }
    type_loop_arguments(op(index), said, entry);
  }

  /// Reads operands, attributes and the symbol of an operation. `bound` gets the ranges of its region's arguments.
  void read_body(std::string_view body, std::size_t from, MlirOp& to,
                 std::vector<std::pair<std::size_t, std::size_t>>& bound) {
    const bool function = to.name == "tt.func";
    int attribute_depth = -1;
    std::size_t attribute_begin = 0;
    for (MlirScan scan(body, from); !scan.at_end();) {
      const std::size_t at = scan.at();
      const char c = scan.character();
      const int depth = scan.depth();
      if (c == '@' && to.symbol.empty()) {
        const std::size_t end =
            at + 1 < body.size() && body[at + 1] == '"' ? mlir_quote_end(body, at + 1) : mlir_name_end(body, at + 1);
        to.symbol = unquoted(body.substr(at + 1, end - at - 1));
      }
      if (function && c == '(' && depth == 0 && !to.symbol.empty() && bound.empty())
        bound.emplace_back(at + 1, mlir_bracket_end(body, at) - 1);
      if (c == '{' && attribute_depth < 0 && (depth == 0 || (depth == 1 && at > 0 && body[at - 1] == '<')) &&
          at + 1 < body.size()) {
        attribute_depth = depth;
        attribute_begin = at + 1;
      }
      if (c == '%' && attribute_depth < 0 && !function) {
        std::size_t end = mlir_name_end(body, at + 1);
        const std::string_view after = body.substr(end);
        if (after.starts_with(" = ")) {
          bound.emplace_back(at, end);
        } else {
          if (after.starts_with('#')) end = mlir_name_end(body, end + 1);
          to.operands.push_back(body.substr(at, end - at));
        }
      }
      scan.next();
      if (attribute_depth >= 0 && scan.depth() == attribute_depth) {
        to.attributes.push_back(body.substr(attribute_begin, scan.at() - attribute_begin - 1));
        attribute_depth = -1;
      }
    }
  }

  /// scf.for %i = %a to %b step %c iter_args(%x = %y) -> (f32)  : i32 {
  /// scf.while (%x = %y) : (f32) -> i1 {
  static void type_loop_arguments(const MlirOp& of, const Header& said, MlirBlock& entry) {
    if (of.name == "scf.for") {
      const bool typed = said.colon != mlir_nowhere && (said.arrow == mlir_nowhere || said.arrow < said.colon);
      const std::string_view counter =
          typed ? mlir_trimmed(of.text.substr(said.colon + 1, of.text.size() - said.colon - 2)) : "index";
      for (std::size_t i = 0; i < entry.arguments.size() && i <= of.results.size(); ++i)
        entry.arguments[i].type = i == 0 ? counter : of.results[i - 1].type;
    } else if (of.name == "scf.while" && said.colon != mlir_nowhere && said.arrow != mlir_nowhere &&
               said.colon < said.arrow) {
      std::string_view types = mlir_trimmed(of.text.substr(said.colon + 1, said.arrow - said.colon - 1));
      if (types.starts_with('(') && types.ends_with(')')) types = types.substr(1, types.size() - 2);
      const std::vector<std::string_view> all = mlir_list(types);
      for (std::size_t i = 0; i < entry.arguments.size() && i < all.size(); ++i) entry.arguments[i].type = all[i];
    }
  }

  MlirModule& module_;
  std::vector<std::int32_t> open_;  // blocks, outermost first
  std::vector<std::int32_t> definitions_;
  int line_ = 0;
};

}  // namespace

MlirModule parse_mlir(std::string_view text) {
  MlirModule module;
  module.text = std::make_unique<const std::string>(text);
  MlirReader(module).read();
  return module;
}

std::string MlirModule::resolved(std::string_view of) const {
  constexpr std::size_t max_bytes = std::size_t{1} << 16;  // aliases within aliases can double a text each time
  constexpr int max_rounds = 16;
  std::string now(of);
  for (int round = 0; round < max_rounds && now.size() < max_bytes; ++round) {
    std::string next;
    bool changed = false;
    for (std::size_t at = 0; at < now.size() && next.size() < max_bytes;) {
      if (now[at] == '"') {
        const std::size_t end = mlir_quote_end(now, at);
        next.append(now, at, end - at);
        at = end;
        continue;
      }
      if (now[at] != '#' && now[at] != '!') {
        next += now[at++];
        continue;
      }
      const std::size_t end = mlir_name_end(now, at + 1);
      const std::string_view name = std::string_view(now).substr(at, end - at);
      const auto alias = aliases.find(name);
      if (alias != aliases.end()) changed = true;
      next += alias == aliases.end() ? name : alias->second;
      at = end;
    }
    now = std::move(next);
    if (!changed) break;
  }
  return now;
}

std::vector<std::int32_t> MlirModule::functions() const {
  std::vector<std::int32_t> all;
  for (std::size_t i = 0; i < ops.size(); ++i)
    if (ops[i].name == "tt.func") all.push_back(static_cast<std::int32_t>(i));
  return all;
}

std::optional<std::string_view> mlir_attribute(const MlirOp& op, std::string_view name) {
  for (const std::string_view group : op.attributes)
    for (const std::string_view one : mlir_list(group)) {
      const std::size_t equals = one.starts_with('"') ? one.find('=', mlir_quote_end(one, 0)) : one.find('=');
      if (unquoted(mlir_trimmed(one.substr(0, equals))) != name) continue;
      return equals == mlir_nowhere ? std::string_view() : mlir_trimmed(one.substr(equals + 1));
    }
  return std::nullopt;
}

std::optional<MlirShaped> mlir_shaped(std::string_view type) {
  MlirShaped shaped;
  type = mlir_trimmed(type);
  constexpr std::string_view tensor = "tensor<", memory = "!ttg.memdesc<";
  if (type.starts_with(memory)) {
    shaped.memory = true;
    type.remove_prefix(memory.size());
  } else if (type.starts_with(tensor)) {
    type.remove_prefix(tensor.size());
  } else {
    return std::nullopt;
  }
  if (!type.ends_with('>')) return std::nullopt;
  type.remove_suffix(1);
  const std::vector<std::string_view> parts = mlir_list(type);
  if (parts.empty()) return std::nullopt;
  std::string_view first = parts.front();
  for (;;) {  // 64x32xf16
    std::int64_t size = 0;
    const auto [after, error] = std::from_chars(first.data(), first.data() + first.size(), size);
    const auto digits = static_cast<std::size_t>(after - first.data());
    if (error != std::errc() || size < 0 || digits >= first.size() || first[digits] != 'x') break;
    shaped.shape.push_back(size);
    first.remove_prefix(digits + 1);
  }
  shaped.element = first;
  if (parts.size() > 1) shaped.encoding = parts[1];
  if (parts.size() > 2) shaped.rest.assign(parts.begin() + 2, parts.end());
  return shaped;
}

std::vector<std::string_view> mlir_list(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  MlirScan scan(text);
  for (; !scan.at_end(); scan.next())
    if (scan.depth() == 0 && scan.character() == ',') {
      parts.push_back(mlir_trimmed(text.substr(begin, scan.at() - begin)));
      begin = scan.at() + 1;
    }
  if (const std::string_view last = mlir_trimmed(text.substr(begin)); !last.empty() || !parts.empty())
    parts.push_back(last);
  return parts;
}

}  // namespace warpwalk::compiled
