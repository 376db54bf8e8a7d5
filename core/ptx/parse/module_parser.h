#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ptx/parse/declaration.h"
#include "core/ptx/parse/state.h"

namespace warpwalk::ptx {

/// Parses a whole PTX text: the module's directives, variables and functions.
class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : state_(text), in_(state_.in) {}
  Module parse();

 private:
  struct Linkage {
    bool is_extern = false;
    bool replaceable = false;  ///< .weak or .common: another definition may exist
  };

  void header();
  void item();
  Linkage linkage();
  void variables(Space space, Linkage linkage);
  void function(bool is_entry);
  void body(Function& function, const std::vector<Token>& returns, const std::vector<Token>& parameters);
  void skip_body();
  void require_usable_kernel() const;
  void head_directives(Function& function);
  Function& declare_function(const Token& name, Function head);
  void alias();
  void resolve_aliases();

  State state_;
  Lexer& in_;
  std::unordered_map<std::int32_t, std::int32_t> aliases_;  ///< index of an alias to index of its target function
};

}  // namespace warpwalk::ptx
