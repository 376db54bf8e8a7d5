#include "core/ptx/parse/symbols.h"

namespace warpwalk::ptx {

bool Names::add(std::string_view name, Symbol symbol) { return symbols_.emplace(name, symbol).second; }

bool Names::add_range(std::string_view prefix, std::int32_t first, std::uint32_t count, std::uint8_t elements) {
  return ranges_.emplace(prefix, Range{first, count, elements}).second;
}

std::optional<Symbol> Names::find(std::string_view name) const {
  if (const auto found = symbols_.find(name); found != symbols_.end()) return found->second;
  return ranges_.empty() ? std::nullopt : find_in_ranges(name);
}

/// "%rd12" is register 12 of %rd<..> or register 2 of %rd1<..>. Register numbers do not have leading zeros.
std::optional<Symbol> Names::find_in_ranges(std::string_view name) const {
  constexpr std::size_t max_digits = 9;
  std::uint32_t number = 0, scale = 1;
  for (std::size_t digits = 1; digits <= max_digits && digits < name.size(); ++digits, scale *= 10) {
    const char digit = name[name.size() - digits];
    if (digit < '0' || digit > '9') break;
    number += static_cast<std::uint32_t>(digit - '0') * scale;
    if (digit == '0' && digits > 1) continue;
    const auto found = ranges_.find(name.substr(0, name.size() - digits));
    if (found == ranges_.end() || number >= found->second.count) continue;
    const Range& range = found->second;
    return Symbol{OperandKind::reg, range.first + static_cast<std::int32_t>(number * range.elements), false,
                  range.elements};
  }
  return std::nullopt;
}

std::optional<Symbol> Scopes::find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(name)) return found;
  return std::nullopt;
}

}  // namespace warpwalk::ptx
