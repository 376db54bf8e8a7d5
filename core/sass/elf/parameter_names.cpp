#include "core/sass/elf/parameter_names.h"

#include <cstdint>
#include <map>

#include "core/sass/elf/bytes.h"
#include "core/sass/elf/elf.h"

namespace warpwalk::sass {
namespace {

// Values of the DWARF standard, versions 2 to 5.
constexpr std::uint64_t tag_formal_parameter = 0x05, tag_subprogram = 0x2e;
constexpr std::uint64_t attribute_name = 0x03, attribute_linkage_name = 0x6e, attribute_mips_linkage_name = 0x2007;
constexpr std::uint64_t form_implicit_const = 0x21;

/// Reads numbers one after another. After a read outside of the bytes, ok() is false and everything reads as 0.
class DwarfCursor {
 public:
  explicit DwarfCursor(std::string_view bytes, std::uint64_t at = 0) : bytes_(bytes), at_(at) {}

  bool ok() const { return ok_; }
  bool at_end() const { return !ok_ || at_ >= bytes_.size(); }
  std::uint64_t at() const { return at_; }

  std::uint64_t number(unsigned count) {
    const auto value = bytes_.number(at_, count);
    if (!value) return fail();
    at_ += count;
    return *value;
  }
  std::uint64_t leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && ok_; shift += 7) {
      const std::uint64_t byte = number(1);
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    return fail();
  }
  std::string_view text() {
    const std::string_view found = bytes_.text(at_);
    skip(found.size() + 1);
    return found;
  }
  void skip(std::uint64_t count) {
    if (!bytes_.part(at_, count))
      fail();
    else
      at_ += count;
  }

 private:
  std::uint64_t fail() {
    ok_ = false;
    return 0;
  }

  Bytes bytes_;
  std::uint64_t at_ = 0;
  bool ok_ = true;
};

struct DwarfAttribute {
  std::uint64_t name = 0, form = 0;
};

/// What entries with the same code have: a tag and attributes.
struct DwarfAbbreviation {
  std::uint64_t tag = 0;
  bool has_children = false;
  std::vector<DwarfAttribute> attributes;
};

std::map<std::uint64_t, DwarfAbbreviation> read_abbreviations(std::string_view section, std::uint64_t offset) {
  std::map<std::uint64_t, DwarfAbbreviation> all;
  DwarfCursor in(section, offset);
  while (const std::uint64_t code = in.at_end() ? 0 : in.leb()) {
    DwarfAbbreviation& abbreviation = all[code];
    abbreviation.tag = in.leb();
    abbreviation.has_children = in.number(1) != 0;
    while (in.ok()) {
      const DwarfAttribute attribute{in.leb(), in.leb()};
      if (attribute.form == form_implicit_const) in.leb();
      if (attribute.name == 0 && attribute.form == 0) break;
      abbreviation.attributes.push_back(attribute);
    }
  }
  return all;
}

/// One compilation unit of .debug_info.
class DwarfUnit {
 public:
  DwarfUnit(const ElfFile& file, DwarfCursor& in) : in_(in) {
    if (const ElfSection* section = file.section(".debug_str")) texts_ = section->content;
    const std::uint64_t length = in_.number(4);
    end_ = in_.at() + length;
    version_ = in_.number(2);
    if (version_ >= 5) in_.skip(1);  // type of the unit
    if (version_ >= 5) address_bytes_ = in_.number(1);
    const std::uint64_t offset = in_.number(4);
    if (version_ < 5) address_bytes_ = in_.number(1);
    if (const ElfSection* section = file.section(".debug_abbrev"))
      abbreviations_ = read_abbreviations(section->content, offset);
  }

  /// Where the next unit begins.
  std::uint64_t end() const { return end_; }

  /// The names of the parameters of the function; empty if the unit does not have it.
  std::vector<std::string> names_of(std::string_view function) {
    std::vector<std::string> names;
    int depth = 0, function_depth = -1;
    while (in_.ok() && in_.at() < end_) {
      const std::uint64_t code = in_.leb();
      if (code == 0) {
        if (--depth == function_depth) break;
        continue;
      }
      const auto abbreviation = abbreviations_.find(code);
      if (abbreviation == abbreviations_.end()) break;
      const auto [name, linkage_name] = read_names(abbreviation->second);
      if (!in_.ok()) break;
      const std::uint64_t tag = abbreviation->second.tag;
      if (tag == tag_formal_parameter && function_depth >= 0 && depth == function_depth + 1) names.emplace_back(name);
      // A function without a mangled name is one of extern "C".
      const bool is_function = (linkage_name.empty() ? name : linkage_name) == function;
      if (tag == tag_subprogram && is_function && abbreviation->second.has_children) function_depth = depth;
      if (abbreviation->second.has_children) ++depth;
    }
    return names;
  }

 private:
  struct Names {
    std::string_view name, linkage_name;
  };

  Names read_names(const DwarfAbbreviation& abbreviation) {
    Names names;
    for (const DwarfAttribute& attribute : abbreviation.attributes) {
      const std::string_view text = read_form(attribute.form);
      if (attribute.name == attribute_name) names.name = text;
      if (attribute.name == attribute_linkage_name || attribute.name == attribute_mips_linkage_name)
        names.linkage_name = text;
    }
    return names;
  }

  /// Reads the value of an attribute; returns it if it is a text.
  std::string_view read_form(std::uint64_t form) {
    switch (form) {
      case 0x01: in_.skip(address_bytes_); break;  // addr
      case 0x03: in_.skip(in_.number(2)); break;   // block2
      case 0x04: in_.skip(in_.number(4)); break;   // block4
      case 0x05:
      case 0x12: in_.skip(2); break;  // data2, ref2
      case 0x06:
      case 0x13:
      case 0x17:
      case 0x1f: in_.skip(4); break;  // data4, ref4, sec_offset, line_strp
      case 0x07:
      case 0x14:
      case 0x20: in_.skip(8); break;  // data8, ref8, ref_sig8
      case 0x08: return in_.text();   // string
      case 0x09:
      case 0x18: in_.skip(in_.leb()); break;      // block, exprloc
      case 0x0a: in_.skip(in_.number(1)); break;  // block1
      case 0x0b:
      case 0x0c:
      case 0x11: in_.skip(1); break;  // data1, flag, ref1
      case 0x0d:
      case 0x0f:
      case 0x15: in_.leb(); break;                                    // sdata, udata, ref_udata
      case 0x0e: return Bytes(texts_).text(in_.number(4));            // strp
      case 0x10: in_.skip(version_ < 3 ? address_bytes_ : 4); break;  // ref_addr
      case 0x19:
      case form_implicit_const: break;       // flag_present
      case 0x1e: in_.skip(16); break;        // data16
      default: in_.skip(~std::uint64_t{0});  // an unknown size: the unit cannot be read on
    }
    return {};
  }

  DwarfCursor& in_;
  std::string_view texts_;
  std::uint64_t end_ = 0, version_ = 0, address_bytes_ = 0;
  std::map<std::uint64_t, DwarfAbbreviation> abbreviations_;
};

}  // namespace

std::vector<std::string> parameter_names(std::string_view cubin, std::string_view function) {
  const auto file = parse_elf(cubin);
  if (!file || function.empty()) return {};
  const ElfSection* const section = file->section(".debug_info");
  if (section == nullptr) return {};
  std::uint64_t at = 0;
  while (at < section->content.size()) {
    DwarfCursor in(section->content, at);
    DwarfUnit unit(*file, in);
    if (!in.ok() || unit.end() <= at) return {};
    if (std::vector<std::string> names = unit.names_of(function); !names.empty()) return names;
    at = unit.end();
  }
  return {};
}

}  // namespace warpwalk::sass
