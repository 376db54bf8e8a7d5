#include "core/sass/dwarf/debug_sections.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "core/sass/elf/bytes.h"
#include "core/sass/elf/elf.h"

namespace warpwalk::sass {
namespace {

constexpr std::uint64_t symbol_mark = std::uint64_t{1} << 63;
constexpr int symbol_shift = 36;
constexpr std::uint64_t offset_mask = (std::uint64_t{1} << symbol_shift) - 1;

void put_number(std::string& bytes, std::size_t at, std::uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count && at + i < bytes.size(); ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.';
}

/// Reads the .section directives of a PTX text.
class PtxSections {
 public:
  explicit PtxSections(std::string_view text) : text_(text) {}

  DebugSections read() {
    if (text_.find(".debug_info") == std::string_view::npos) return {};
    std::uint64_t number = 0;
    while (!text_.empty()) {
      std::string_view line = text_.substr(0, text_.find('\n'));
      text_.remove_prefix(std::min(line.size() + 1, text_.size()));
      ++number;
      line = without_blanks(line.substr(0, line.find("//")));
      if (line.starts_with(".section")) {
        line = without_blanks(line.substr(8));
        const std::size_t end = std::min(line.find_first_of(" \t{"), line.size());
        section_ = section_named(line.substr(0, end));
        in_section_ = true;
        line = without_blanks(line.substr(end));
      }
      if (!in_section_) {
        if (const std::string_view label = label_of(line); !label.empty()) labels_.try_emplace(label, number);
        continue;
      }
      read_data(line);
    }
    for (const Fixup& fixup : fixups_) put_number(*fixup.section, fixup.at, value_of(fixup.text), fixup.bytes);
    return std::move(made_);
  }

 private:
  struct Fixup {
    std::string* section;
    std::size_t at;
    unsigned bytes;
    std::string_view text;
  };

  std::string* section_named(std::string_view name) {
    if (name == ".debug_info") return &made_.info;
    if (name == ".debug_abbrev") return &made_.abbreviations;
    if (name == ".debug_loc") return &made_.locations;
    if (name == ".debug_ranges") return &made_.ranges;
    if (name == ".debug_str") return &made_.texts;
    return nullptr;
  }

  static std::string_view label_of(std::string_view line) {
    std::size_t end = 0;
    while (end < line.size() && is_of_name(line[end])) ++end;
    return end > 0 && end < line.size() && line[end] == ':' ? line.substr(0, end) : std::string_view();
  }

  void read_data(std::string_view line) {
    while (!line.empty()) {
      if (line.front() == '{') {
        line = without_blanks(line.substr(1));
        continue;
      }
      if (line.front() == '}') {
        in_section_ = false;
        return;
      }
      if (const std::string_view label = label_of(line); !label.empty()) {
        if (section_ != nullptr) labels_.try_emplace(label, section_->size());
        line = without_blanks(line.substr(label.size() + 1));
        continue;
      }
      const bool closes = line.ends_with('}');
      std::string_view data = closes ? line.substr(0, line.size() - 1) : line;
      const unsigned bytes = data.starts_with(".b8 ")    ? 1
                             : data.starts_with(".b16 ") ? 2
                             : data.starts_with(".b32 ") ? 4
                             : data.starts_with(".b64 ") ? 8
                                                         : 0;
      data = data.substr(std::min(data.size(), data.find(' ')));
      while (bytes != 0 && section_ != nullptr && !data.empty()) {
        const std::string_view item = without_blanks(data.substr(0, data.find(',')));
        data.remove_prefix(
            std::min(data.size(), data.find(',') == std::string_view::npos ? data.size() : data.find(',') + 1));
        fixups_.push_back({section_, section_->size(), bytes, item});
        section_->append(bytes, '\0');
        std::uint64_t value = 0;
        if (plain_number(item, value)) {
          put_number(*section_, section_->size() - bytes, value, bytes);
          fixups_.pop_back();
        }
      }
      if (closes) in_section_ = false;
      return;
    }
  }

  static bool plain_number(std::string_view text, std::uint64_t& value) {
    const bool minus = text.starts_with('-');
    if (minus) text.remove_prefix(1);
    const int base = text.starts_with("0x") ? 16 : 10;
    if (base == 16) text.remove_prefix(2);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return false;
    if (minus) value = 0 - value;
    return true;
  }

  /// The value of "label+4" or "label1-label2".
  std::uint64_t value_of(std::string_view text) {
    std::uint64_t sum = 0;
    while (!text.empty()) {
      const bool minus = text.front() == '-';
      if (minus || text.front() == '+') text.remove_prefix(1);
      const std::string_view term = without_blanks(text.substr(0, text.find_first_of("+-")));
      text.remove_prefix(std::min(text.size(), text.find_first_of("+-")));
      std::uint64_t value = 0;
      if (!plain_number(term, value)) {
        if (const auto known = labels_.find(term); known != labels_.end())
          value = known->second;
        else if (!term.starts_with('.') && !term.empty())
          value = made_.add_symbol(term);
      }
      sum = minus ? sum - value : sum + value;
    }
    return sum;
  }

  std::string_view text_;
  DebugSections made_;
  std::string* section_ = nullptr;
  bool in_section_ = false;
  std::unordered_map<std::string_view, std::uint64_t> labels_;  ///< of code: the line; in sections: the offset
  std::vector<Fixup> fixups_;
};

constexpr std::string_view code_section_prefix = ".text.";

void read_register_homes(std::string_view section, DebugSections& made) {
  const Bytes bytes(section);
  std::uint64_t at = 0;
  while (at < section.size()) {
    const std::string_view function = bytes.text(at);
    at += function.size() + 1;
    const auto count = bytes.number(at, 4);
    if (!count || function.empty()) return;
    at += 4;
    const std::uint64_t base = made.add_symbol(function);
    for (std::uint64_t i = 0; i < *count; ++i) {
      const auto part = bytes.number(at, 4);
      const std::string_view name = bytes.text(at + 4);
      at += 4 + name.size() + 1;
      const auto physical = bytes.number(at, 4), low = bytes.number(at + 4, 4), high = bytes.number(at + 8, 4);
      if (!part || !physical || !low || !high) return;
      at += 12;
      made.registers.push_back({std::string(name), base + *low, base + *high, static_cast<std::uint32_t>(*part),
                                static_cast<std::uint32_t>(*physical >> 24),
                                static_cast<std::uint32_t>(*physical & 0xffffff)});
    }
  }
}

}  // namespace

std::uint64_t DebugSections::add_symbol(std::string_view name) {
  auto known = symbol_numbers.find(name);
  if (known == symbol_numbers.end()) {
    known = symbol_numbers.emplace(name, symbols.size()).first;
    symbols.emplace_back(name);
  }
  return symbol_mark | known->second << symbol_shift;
}

std::optional<std::uint64_t> DebugSections::address_of(std::string_view symbol, std::uint64_t offset) const {
  const auto known = symbol_numbers.find(symbol);
  if (known == symbol_numbers.end()) return {};
  return (symbol_mark | known->second << symbol_shift) + offset;
}

std::optional<DebugSections::Place> DebugSections::place_of(std::uint64_t address) const {
  const std::uint64_t index = (address & ~symbol_mark) >> symbol_shift;
  if ((address & symbol_mark) == 0 || index >= symbols.size()) return {};
  return Place{symbols[index], address & offset_mask};
}

DebugSections debug_sections_of_ptx(std::string_view text) { return PtxSections(text).read(); }

DebugSections debug_sections_of_cubin(std::string_view bytes) {
  DebugSections made;
  const auto file = parse_elf(bytes);
  if (!file) return made;
  const auto take = [&](std::string_view name, std::string& into) {
    const ElfSection* const section = file->section(name);
    if (section == nullptr) return;
    into = section->content;
    for (const ElfRelocation& place : file->relocations) {
      if (place.section >= file->sections.size() || &file->sections[place.section] != section ||
          place.symbol >= file->symbols.size())
        continue;
      const ElfSymbol& symbol = file->symbols[place.symbol];
      const std::string_view in =
          symbol.section < file->sections.size() ? file->sections[symbol.section].name : std::string_view();
      const auto stored = Bytes(into).number(place.offset, 8);
      std::uint64_t value = place.has_addend ? static_cast<std::uint64_t>(place.addend) : stored.value_or(0);
      if (in.starts_with(code_section_prefix))
        value += made.add_symbol(in.substr(code_section_prefix.size())) + symbol.value;
      else if (!symbol.name.empty() && !symbol.name.starts_with('.'))
        value += made.add_symbol(symbol.name);
      else if (symbol.name.empty() && symbol.section == 0)
        value += made.add_symbol({});  // of a function that is not here (single_function.h)
      else
        continue;  // an offset in another section of debug information, which is in the place already
      put_number(into, place.offset, value, 8);
    }
  };
  take(".debug_info", made.info);
  take(".debug_abbrev", made.abbreviations);
  take(".debug_loc", made.locations);
  take(".debug_ranges", made.ranges);
  take(".debug_str", made.texts);
  if (const ElfSection* const section = file->section(".nv_debug_info_reg_sass"))
    read_register_homes(section->content, made);
  return made;
}

}  // namespace warpwalk::sass
