#include "core/sass/dwarf/entries.h"

#include <algorithm>
#include <map>

#include "core/sass/dwarf/cursor.h"

namespace warpwalk::sass {
namespace {

constexpr std::uint64_t form_implicit_const = 0x21;
constexpr std::size_t most_entries = 4'000'000;

struct AttributeForm {
  std::uint64_t name = 0, form = 0;
  std::int64_t constant = 0;  ///< of form_implicit_const
};

/// What entries with the same code have: a tag and attributes.
struct Abbreviation {
  std::uint64_t tag = 0;
  bool has_children = false;
  std::vector<AttributeForm> attributes;
};

std::map<std::uint64_t, Abbreviation> read_abbreviations(std::string_view section, std::uint64_t offset) {
  std::map<std::uint64_t, Abbreviation> all;
  DwarfCursor in(section, offset);
  while (const std::uint64_t code = in.at_end() ? 0 : in.leb()) {
    Abbreviation& abbreviation = all[code];
    abbreviation.tag = in.leb();
    abbreviation.has_children = in.number(1) != 0;
    abbreviation.attributes.clear();
    while (in.ok()) {
      AttributeForm attribute{in.leb(), in.leb()};
      if (attribute.form == form_implicit_const) attribute.constant = in.signed_leb();
      if (attribute.name == 0 && attribute.form == 0) break;
      abbreviation.attributes.push_back(attribute);
    }
  }
  return all;
}

/// Reads one unit of .debug_info.
class UnitReader {
 public:
  UnitReader(const DebugSections& sections, DwarfCursor& in, DwarfEntries& made)
      : sections_(sections), in_(in), made_(made), begin_(in.at()) {
    const std::uint64_t length = in_.number(4);
    end_ = in_.at() + length;
    version_ = in_.number(2);
    if (version_ >= 5) in_.skip(1);  // type of the unit
    if (version_ >= 5) address_bytes_ = in_.number(1);
    const std::uint64_t offset = in_.number(4);
    if (version_ < 5) address_bytes_ = in_.number(1);
    if (in_.ok() && address_bytes_ <= 8) abbreviations_ = read_abbreviations(sections.abbreviations, offset);
  }

  /// Where the next unit begins.
  std::uint64_t end() const { return end_; }

  void read() {
    std::vector<std::int32_t> parents = {-1};
    std::uint64_t base = 0;
    while (in_.ok() && in_.at() < end_ && made_.entries.size() < most_entries) {
      DwarfEntry entry;
      entry.offset = in_.at();
      const std::uint64_t code = in_.leb();
      if (code == 0) {
        if (parents.size() > 1) parents.pop_back();
        continue;
      }
      const auto abbreviation = abbreviations_.find(code);
      if (abbreviation == abbreviations_.end()) return;
      entry.tag = abbreviation->second.tag;
      entry.parent = parents.back();
      entry.first = static_cast<std::uint32_t>(made_.attributes.size());
      for (const AttributeForm& form : abbreviation->second.attributes)
        if (DwarfAttribute attribute; read_form(form, attribute)) made_.attributes.push_back(attribute);
      entry.count = static_cast<std::uint32_t>(made_.attributes.size()) - entry.first;
      if (!in_.ok()) {
        made_.attributes.resize(entry.first);
        return;
      }
      if (entry.parent < 0) base = made_.number(entry, dwarf::at_low_pc);
      entry.base = base;
      if (abbreviation->second.has_children) parents.push_back(static_cast<std::int32_t>(made_.entries.size()));
      made_.entries.push_back(entry);
    }
  }

 private:
  /// Returns false for a value that nobody needs.
  bool read_form(const AttributeForm& of, DwarfAttribute& value) {
    using Kind = DwarfAttribute::Kind;
    value.name = of.name;
    const auto number = [&](unsigned bytes) {
      value.number = in_.number(bytes);
      return true;
    };
    const auto reference = [&](std::uint64_t offset) {
      value.kind = Kind::reference;
      value.number = begin_ + offset;
      return true;
    };
    const auto block = [&](std::uint64_t bytes) {
      value.kind = Kind::block;
      value.bytes = in_.part(bytes);
      return true;
    };
    const auto text = [&](std::string_view found) {
      value.kind = Kind::text;
      value.bytes = found;
      return true;
    };
    switch (of.form) {
      case 0x01: value.kind = Kind::address; return number(static_cast<unsigned>(address_bytes_));
      case 0x03: return block(in_.number(2));
      case 0x04: return block(in_.number(4));
      case 0x05: return number(2);
      case 0x06:  // data4, which is an offset in versions 2 and 3 where an attribute can be one
        if (version_ < 4) value.kind = Kind::section_offset;
        return number(4);
      case 0x07: return number(8);
      case 0x08: return text(in_.text());
      case 0x09:
      case 0x18: return block(in_.leb());
      case 0x0a: return block(in_.number(1));
      case 0x0b:
      case 0x0c: return number(1);
      case 0x0d: value.number = static_cast<std::uint64_t>(in_.signed_leb()); return true;
      case 0x0f: value.number = in_.leb(); return true;
      case 0x0e: return text(Bytes(sections_.texts).text(in_.number(4)));
      case 0x10: value.kind = Kind::reference; return number(version_ < 3 ? static_cast<unsigned>(address_bytes_) : 4);
      case 0x11: return reference(in_.number(1));
      case 0x12: return reference(in_.number(2));
      case 0x13: return reference(in_.number(4));
      case 0x14: return reference(in_.number(8));
      case 0x15: return reference(in_.leb());
      case 0x17: value.kind = Kind::section_offset; return number(4);
      case 0x19: value.number = 1; return true;
      case form_implicit_const: value.number = static_cast<std::uint64_t>(of.constant); return true;
      case 0x1e: in_.skip(16); return false;               // data16
      case 0x1f: in_.skip(4); return false;                // line_strp
      case 0x20: in_.skip(8); return false;                // ref_sig8
      default: in_.skip(~std::uint64_t{0}); return false;  // an unknown size: the unit cannot be read on
    }
  }

  const DebugSections& sections_;
  DwarfCursor& in_;
  DwarfEntries& made_;
  const std::uint64_t begin_;
  std::uint64_t end_ = 0, version_ = 0, address_bytes_ = 0;
  std::map<std::uint64_t, Abbreviation> abbreviations_;
};

}  // namespace

const DwarfAttribute* DwarfEntries::attribute(const DwarfEntry& entry, std::uint64_t name) const {
  for (std::uint32_t i = 0; i < entry.count; ++i)
    if (attributes[entry.first + i].name == name) return &attributes[entry.first + i];
  return nullptr;
}

std::uint64_t DwarfEntries::number(const DwarfEntry& entry, std::uint64_t name, std::uint64_t otherwise) const {
  const DwarfAttribute* const found = attribute(entry, name);
  return found != nullptr && found->bytes.empty() ? found->number : otherwise;
}

std::string_view DwarfEntries::text(const DwarfEntry& entry, std::uint64_t name) const {
  const DwarfAttribute* const found = attribute(entry, name);
  return found != nullptr && found->kind == DwarfAttribute::Kind::text ? found->bytes : std::string_view();
}

std::int32_t DwarfEntries::at(std::uint64_t offset) const {
  const auto found = std::ranges::lower_bound(entries, offset, {}, &DwarfEntry::offset);
  return found == entries.end() || found->offset != offset ? -1 : static_cast<std::int32_t>(found - entries.begin());
}

DwarfEntries read_dwarf_entries(const DebugSections& sections) {
  DwarfEntries made;
  std::uint64_t at = 0;
  while (at < sections.info.size()) {
    DwarfCursor in(sections.info, at);
    UnitReader unit(sections, in, made);
    if (!in.ok() || unit.end() <= at) break;
    unit.read();
    at = unit.end();
  }
  return made;
}

}  // namespace warpwalk::sass
