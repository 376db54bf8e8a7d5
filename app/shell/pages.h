#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/pages/page.h"

namespace warpwalk::shell {

/// A row of the table of pages.
struct PageKind {
  std::string_view name;  ///< in the state of the window
  /// What is done by the page (Page::open). The keys of these actions also close the page, unless it takes them.
  std::vector<pages::Action> actions;
  std::unique_ptr<pages::Page> (*make)(const pages::Context&);
  std::string_view scene = {};  ///< the lab that is this page: who goes there gets it
};

/// All pages.
const std::vector<PageKind>& page_kinds();

/// The pages over the frame, of which at most one is shown.
class Pages {
 public:
  /// Makes all pages. What `context` refers to must outlive them.
  explicit Pages(const pages::Context& context);
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  const std::vector<std::unique_ptr<pages::Page>>& all() const { return pages_; }
  /// The page that is shown, or null.
  pages::Page* shown() const { return shown_ ? pages_[*shown_].get() : nullptr; }
  /// Its name; empty: none.
  std::string_view shown_name() const { return shown_ ? page_kinds()[*shown_].name : std::string_view(); }
  /// Opens the page of an action, or closes it. Returns false if no page has the action.
  bool act(pages::Action action);
  /// Opens the page that a lab is, if it is one.
  void open_for(std::string_view scene);
  /// Shows the page that opens a file which is not a trace; false if there is none.
  bool take_file(const std::filesystem::path& file);
  /// The same, by the page that is shown: go_back() leads to it.
  bool take_file_from_page(const std::filesystem::path& file);
  /// Closes the page that is shown.
  void close() { show({}); }
  /// Closes it, and shows the page that led to it, if one did.
  void go_back() { show(back_); }
  /// Whether the page that is shown takes a key. There must be one.
  bool takes(const draw::KeyPress& press) const;
  /// Goes back to the page that led to the open document. Returns false if none did.
  bool take_back();
  void document_changed();
  /// Whether background work is under way that the window shows, and what the frame says of it.
  bool busy() const;
  std::string work() const;
  /// The page of this type.
  template <class Type>
  const Type& get() const {
    for (const std::unique_ptr<pages::Page>& page : pages_)
      if (const auto* const found = dynamic_cast<const Type*>(page.get())) return *found;
    throw std::logic_error("there is no such page");
  }

 private:
  void show(std::optional<std::size_t> page);

  pages::Context context_;
  std::vector<std::unique_ptr<pages::Page>> pages_;  // in the order of page_kinds()
  std::optional<std::size_t> shown_;
  std::optional<std::size_t> back_;  // the page that led to it
};

}  // namespace warpwalk::shell
