#include "core/nvvm/read_ir.h"

#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "core/nvvm/reader.h"

namespace warpwalk::nvvm {
namespace {

// A place in the source: !7 = !DILocation(line: 5, column: 3, scope: !4, inlinedAt: !9).
struct Place {
  std::uint32_t line = 0, inlined_at = 0;
};
using Places = std::map<std::uint32_t, Place>;

void read_metadata(Reader& reader, Places& places) {
  const auto number = static_cast<std::uint32_t>(std::strtoul(reader.next().text.c_str(), nullptr, 10));
  if (!reader.take('=')) return reader.skip_line();
  reader.take("distinct");
  if (reader.peek().kind == Token::Kind::metadata && reader.peek().text == "DILocation") {
    Place& place = places[number];
    while (reader.peek().kind != Token::Kind::line_end && !reader.at_end()) {
      const std::string word = reader.next().text;
      if (!reader.is_sign(':')) continue;
      reader.next();
      const auto value = static_cast<std::uint32_t>(std::strtoul(reader.peek().text.c_str(), nullptr, 10));
      if (word == "line") place.line = value;
      if (word == "inlinedAt") place.inlined_at = value;
    }
  }
  reader.skip_line();
}

// @name = internal addrspace(3) global [16 x float] undef, align 4
void read_global(Reader& reader, Module& module) {
  Global global;
  global.name = reader.next().text;
  reader.expect('=');
  while (!reader.failed() && !reader.is_word("global") && !reader.is_word("constant")) {
    if (reader.peek().kind == Token::Kind::line_end) return reader.skip_line();  // an alias or the like
    const Token word = reader.next();
    global.external |= word.text == "external";
    if (word.text == "addrspace") {
      reader.expect('(');
      global.space = static_cast<unsigned>(reader.whole());
      reader.expect(')');
    }
  }
  reader.next();
  global.type = reader.type();
  if (!global.external) global.value = reader.value(global.type);
  global.alignment = alignment_of(*global.type);
  while (reader.peek().kind != Token::Kind::line_end && !reader.at_end())
    if (reader.next().text == "align") global.alignment = reader.whole();
  reader.skip_line();
  if (!global.name.starts_with("llvm.")) module.globals.push_back(std::move(global));
}

void read_function(Reader& reader, Module& module) {
  Function function;
  while (!reader.failed() && !reader.at_end() && !reader.begins_type()) {
    function.kernel |= reader.is_word("ptx_kernel");
    reader.next();
    reader.skip_parentheses();
  }
  reader.type();
  reader.skip_attributes();
  function.name = reader.next().text;
  reader.expect('(');
  while (!reader.failed() && !reader.is_sign(')')) {
    const TypePtr type = reader.type();
    std::uint64_t by_value = 0;
    while (reader.peek().kind == Token::Kind::word) {  // attributes
      const std::string word = reader.next().text;
      if (word == "byval") {
        reader.expect('(');
        by_value = size_of(*reader.type());
        reader.expect(')');
      } else if (word == "align" && reader.peek().kind == Token::Kind::word) {
        reader.next();
      }
      reader.skip_parentheses();
    }
    Operand parameter = reader.value(type);
    function.parameters.push_back(std::move(parameter));
    function.by_value.push_back(by_value);
    if (!reader.take(',')) break;
  }
  reader.expect(')');
  reader.skip_line();
  while (!reader.failed() && !reader.at_end() && !reader.is_sign('}')) {
    reader.skip_line_ends();
    if (reader.is_sign('}')) break;
    if (reader.is_sign(':', 1)) {
      function.blocks.push_back({reader.next().text, {}});
      reader.next();
      continue;
    }
    if (reader.is_sign('#')) {  // a debug record
      reader.skip_line();
      continue;
    }
    if (function.blocks.empty()) function.blocks.push_back({"entry", {}});
    function.blocks.back().code.push_back(reader.instruction());
  }
  reader.skip_line();
  if (function.blocks.empty()) reader.fail("a function has no code");
  module.functions.push_back(std::move(function));
}

void place_lines(Module& module, const Places& places) {
  constexpr int deepest = 100;
  for (Function& function : module.functions)
    for (Block& block : function.blocks)
      for (Instruction& one : block.code) {
        auto place = places.find(one.debug);
        for (int depth = 0; depth < deepest && place != places.end() && place->second.inlined_at != 0; ++depth)
          place = places.find(place->second.inlined_at);
        if (place != places.end()) one.line = place->second.line;
      }
}

}  // namespace

base::Result<Module> read_ir(std::string_view text) {
  Reader reader(tokens_of(text));
  Module module;
  Places places;
  while (!reader.failed() && !reader.at_end()) {
    const Token& token = reader.peek();
    if (token.kind == Token::Kind::global) {
      read_global(reader, module);
    } else if (token.kind == Token::Kind::metadata) {
      read_metadata(reader, places);
    } else if (token.kind == Token::Kind::local && reader.is_sign('=', 1)) {
      const std::string name = reader.next().text;
      reader.next();
      if (reader.take("type") && !reader.is_word("opaque")) reader.name_type(name, reader.type());
      reader.skip_line();
    } else if (reader.take("define")) {
      read_function(reader, module);
    } else {
      reader.skip_line();
    }
  }
  if (reader.failed()) return base::Error{reader.problem()};
  place_lines(module, places);
  return module;
}

}  // namespace warpwalk::nvvm
