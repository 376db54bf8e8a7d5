#include "app/draw/text/text_editor.h"

#include <algorithm>

#include "app/draw/text/utf8.h"
#include "core/base/text.h"

namespace warpwalk::draw {
namespace {

constexpr std::size_t max_undo = 64;

/// Without carriage returns and control characters; at most `room` bytes, ending with a whole character.
std::string plain(std::string_view text, std::size_t room) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < ' ' && c != '\n' && c != '\t') || byte == 0x7f) continue;
    if (out.size() == room) {
      while (!out.empty() && inside_character(out.back())) out.pop_back();
      if (!out.empty() && (out.back() & 0x80) != 0) out.pop_back();
      break;
    }
    out.push_back(c);
  }
  return out;
}

/// Calls visit(place, column, width) for each character of the line, as long as it returns true.
template <class Visit>
void for_each_character(std::string_view line, const Visit& visit) {
  std::size_t column = 0;
  for (std::size_t at = 0; at < line.size(); at = character_after(line, at)) {
    const std::size_t width =
        line[at] == '\t' ? TextEditor::tab_columns - column % TextEditor::tab_columns : std::size_t{1};
    if (!visit(at, column, width)) return;
    column += width;
  }
}

}  // namespace

void TextEditor::index() {
  ++revision_;
  starts_.assign(1, 0);
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
    starts_.push_back(at + 1);
}

void TextEditor::set_text(std::string_view text) {
  remember(Edit::other);
  text_ = plain(text, max_bytes);
  index();
  caret_ = anchor_ = top = left = 0;
}

void TextEditor::forget_undo() {
  undo_.clear();
  redo_.clear();
  last_ = Edit::none;
}

std::pair<std::size_t, std::size_t> TextEditor::selected() const { return std::minmax(caret_, anchor_); }

void TextEditor::go(std::size_t place, bool keep) {
  caret_ = std::min(place, text_.size());
  if (!keep) anchor_ = caret_;
  last_ = Edit::none;
}

std::string_view TextEditor::line(std::size_t number) const {
  const std::size_t end = number + 1 < starts_.size() ? starts_[number + 1] - 1 : text_.size();
  return std::string_view(text_).substr(starts_[number], end - starts_[number]);
}

std::size_t TextEditor::line_of(std::size_t place) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(starts_, place) - starts_.begin()) - 1;
}

std::size_t TextEditor::column_of(std::size_t place) const {
  const std::size_t number = line_of(place);
  std::size_t found = 0;
  for_each_character(line(number), [&](std::size_t at, std::size_t column, std::size_t width) {
    if (starts_[number] + at >= place) return false;
    found = column + width;
    return true;
  });
  return found;
}

std::size_t TextEditor::place_at(std::size_t number, std::size_t wanted) const {
  const std::string_view text = line(number);
  std::size_t found = text.size();
  for_each_character(text, [&](std::size_t at, std::size_t column, std::size_t width) {
    if (column + (width + 1) / 2 <= wanted) return true;
    found = at;
    return false;
  });
  return starts_[number] + found;
}

// A run of typed characters is undone at once.
void TextEditor::remember(Edit kind) {
  redo_.clear();
  if (kind == last_ && kind != Edit::other) return;
  last_ = kind;
  if (undo_.size() == max_undo) undo_.erase(undo_.begin());
  undo_.push_back({text_, caret_});
}

void TextEditor::restore(std::vector<State>& from, std::vector<State>& to) {
  last_ = Edit::none;
  if (from.empty()) return;
  to.push_back({text_, caret_});
  text_ = std::move(from.back().text);
  caret_ = anchor_ = from.back().caret;
  from.pop_back();
  index();
}

void TextEditor::erase(std::size_t from, std::size_t to, Edit kind) {
  if (from >= to) return;
  remember(kind);
  text_.erase(from, to - from);
  caret_ = anchor_ = from;
  index();
}

void TextEditor::put(std::string_view what, Edit kind) {
  const auto [from, to] = selected();
  const std::string text = plain(what, max_bytes - (text_.size() - (to - from)));
  if (text.empty() && from == to) return;
  remember(from == to ? kind : Edit::other);
  text_.replace(from, to - from, text);
  caret_ = anchor_ = from + text.size();
  index();
}

std::size_t TextEditor::vertical(std::size_t count, bool down) const {
  const std::size_t at = line_of(caret_);
  if (!down && at == 0) return 0;
  if (down && at + 1 == lines()) return text_.size();
  return place_at(down ? std::min(at + count, lines() - 1) : at - std::min(at, count), column_of(caret_));
}

bool TextEditor::type(const draw::KeyPress& press, std::size_t page, std::string* copied) {
  using draw::Key;
  const auto [from, to] = selected();
  const bool any = from != to;
  const bool leaves = any && !press.shift && !press.control;
  const auto move = [&](std::size_t place) {
    go(place, press.shift);
    return true;
  };
  const auto take = [&, from = from, to = to](std::size_t begin, std::size_t end) {
    erase(any ? from : begin, any ? to : end, any ? Edit::other : Edit::erasing);
    return true;
  };
  const auto start_of_line = [&] {
    const std::size_t begin = starts_[line_of(caret_)];
    const std::string_view text = line(line_of(caret_));
    const std::size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
    return caret_ == begin + indent ? begin : begin + indent;
  };
  switch (press.key) {
    case Key::character:
      if (!press.control) {
        std::string typed;
        base::append_utf8(typed, press.character);
        put(typed, Edit::typing);
        return true;
      }
      switch (press.character) {
        case U'a':
          anchor_ = 0;
          caret_ = text_.size();
          return true;
        case U'v': put(press.pasted, Edit::other); return true;
        case U'z': restore(undo_, redo_); return true;
        case U'y': restore(redo_, undo_); return true;
        case U'c':
        case U'x':
          if (copied == nullptr) return false;
          if (any) *copied = text_.substr(from, to - from);
          if (any && press.character == U'x') take(from, to);
          return true;
        default: return false;
      }
    case Key::space: put(" ", Edit::typing); return true;
    case Key::enter: {
      if (press.control) return false;
      const std::string_view text = line(line_of(from));
      const std::size_t indent = std::min({text.find_first_not_of(" \t"), text.size(), from - starts_[line_of(from)]});
      put("\n" + std::string(text.substr(0, indent)), Edit::other);
      return true;
    }
    case Key::backspace:
      return take(press.control ? word_before(text_, caret_) : character_before(text_, caret_), caret_);
    case Key::del: return take(caret_, press.control ? word_after(text_, caret_) : character_after(text_, caret_));
    case Key::left:
      return move(leaves ? from : press.control ? word_before(text_, caret_) : character_before(text_, caret_));
    case Key::right:
      return move(leaves ? to : press.control ? word_after(text_, caret_) : character_after(text_, caret_));
    case Key::up: return move(vertical(1, false));
    case Key::down: return move(vertical(1, true));
    case Key::page_up: return move(vertical(page, false));
    case Key::page_down: return move(vertical(page, true));
    case Key::home: return move(press.control ? 0 : start_of_line());
    case Key::end: {
      const std::size_t number = line_of(caret_);
      return move(press.control ? text_.size() : starts_[number] + line(number).size());
    }
    default: return false;
  }
}

void TextEditor::show_caret(std::size_t rows, std::size_t columns) {
  rows = std::max<std::size_t>(rows, 1);
  columns = std::max<std::size_t>(columns, 1);
  const std::size_t at = line_of(caret_), column = column_of(caret_);
  top = std::clamp(top, at + 1 > rows ? at + 1 - rows : 0, at);
  left = std::clamp(left, column + 1 > columns ? column + 1 - columns : 0, column);
}

std::string visible_part(std::string_view line, std::size_t from_column, std::size_t columns) {
  std::string out;
  for_each_character(line, [&](std::size_t at, std::size_t column, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
      if (column + i < from_column || column + i >= from_column + columns) continue;
      if (line[at] == '\t')
        out += ' ';
      else
        out += line.substr(at, character_after(line, at) - at);
    }
    return column < from_column + columns;
  });
  return out;
}

}  // namespace warpwalk::draw
