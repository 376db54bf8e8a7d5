#pragma once

#include <filesystem>

#include "app/document/folder_reader.h"
#include "app/pages/files/files.h"
#include "app/pages/page.h"

namespace warpwalk::pages {

/// Opening a file, or a second trace to compare the open one with.
class FilesPage final : public Page {
 public:
  explicit FilesPage(const Context& context) : Page(context) {}

  bool open(Action by) override;
  void leave() override { reader_.cancel(); }
  bool takes(const draw::KeyPress&, bool) const override { return true; }
  void watch() override;
  bool busy() const override { return reader_.busy(); }
  void paint(draw::Ui& ui) override;
  void report(Report& report) const override;

 private:
  void choose(const std::filesystem::path& file);

  FileLists lists_;
  FilesState state_;
  document::FolderReader reader_;
};

}  // namespace warpwalk::pages
