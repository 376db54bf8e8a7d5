#include "core/ptx/parse/parser.h"

#include "core/ptx/parse/lexer.h"
#include "core/ptx/parse/module_parser.h"

namespace warpwalk::ptx {

std::variant<Module, Error> parse(std::string_view text) {
  try {
    return ModuleParser(text).parse();
  } catch (const Failure& failure) {
    return failure.error;
  }
}

}  // namespace warpwalk::ptx
