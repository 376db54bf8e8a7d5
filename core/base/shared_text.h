#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace warpwalk::base {

/// A text that does not change, and that its copies share: for large texts that several rows of a table have.
class SharedText {
 public:
  SharedText() = default;
  // Implicit, so that it can take the place of a std::string in a row.
  SharedText(std::string text) : text_(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}
  SharedText(std::string_view text) : SharedText(std::string(text)) {}
  SharedText(const char* text) : SharedText(std::string(text)) {}

  std::string_view view() const { return text_ == nullptr ? std::string_view() : *text_; }
  operator std::string_view() const { return view(); }
  bool empty() const { return text_ == nullptr; }
  std::size_t size() const { return view().size(); }

  /// Compares the texts, whether they are shared or not.
  template <std::convertible_to<std::string_view> Text>
  friend bool operator==(const SharedText& a, const Text& b) {
    return a.view() == std::string_view(b);
  }

 private:
  std::shared_ptr<const std::string> text_;  ///< null: empty
};

}  // namespace warpwalk::base
