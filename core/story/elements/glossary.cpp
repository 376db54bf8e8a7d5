#include "core/story/elements/glossary.h"

#include <algorithm>

namespace warpwalk::story {
namespace {

bool is_letter(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u == '_' || u >= 0x80;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Terms in capitals must match in capitals: SM and L2 are not letters of other words, and PyTorch's op is not OP.
bool same(std::string_view term, std::string_view text) {
  const bool capitals = term.size() > 1 && std::all_of(term.begin(), term.begin() + 2, [](char c) {
                          return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
                        });
  return std::equal(term.begin(), term.end(), text.begin(), text.end(),
                    [&](char a, char b) { return capitals ? a == b : lower(a) == lower(b); });
}

std::string trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return std::string(s);
}

}  // namespace

Glossary::Glossary(const Narration& narration) {
  for (const std::string& key : narration.keys("glossary")) {
    GlossaryEntry entry;
    std::string_view rest = key;
    while (true) {
      const std::size_t bar = rest.find('|');
      entry.spellings.push_back(trimmed(rest.substr(0, bar)));
      if (bar == std::string_view::npos) break;
      rest.remove_prefix(bar + 1);
    }
    entry.term = entry.spellings.front();
    entry.meaning = narration.text("glossary", key);
    entries_.push_back(std::move(entry));
  }
}

std::vector<GlossaryPlace> Glossary::places_in(std::string_view text) const {
  std::vector<GlossaryPlace> found;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_letter(text[at]) || (at > 0 && is_letter(text[at - 1]))) {
      ++at;
      continue;
    }
    const GlossaryEntry* best = nullptr;
    std::size_t length = 0;
    for (const GlossaryEntry& entry : entries_)
      for (const std::string& term : entry.spellings) {
        if (term.size() <= length || at + term.size() > text.size()) continue;
        const bool whole = at + term.size() == text.size() || !is_letter(text[at + term.size()]);
        if (whole && same(term, text.substr(at, term.size()))) {
          best = &entry;
          length = term.size();
        }
      }
    if (best != nullptr && std::ranges::find(found, best, &GlossaryPlace::entry) == found.end())
      found.push_back({best, at, length});
    at += std::max<std::size_t>(length, 1);
  }
  return found;
}

std::vector<const GlossaryEntry*> Glossary::terms_in(std::string_view text) const {
  std::vector<const GlossaryEntry*> terms;
  for (const GlossaryPlace& place : places_in(text)) terms.push_back(place.entry);
  return terms;
}

std::string Glossary::explained(const GlossaryEntry& entry, std::size_t most) const {
  std::string text = entry.term + ": " + entry.meaning;
  for (const GlossaryEntry* const used : terms_in(entry.meaning)) {
    if (used == &entry || most == 0) continue;
    --most;
    text += "\n" + used->term + ": " + used->meaning;
  }
  return text;
}

}  // namespace warpwalk::story
