#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/pages/kernel_lab/kernel_lab.h"
#include "app/pages/page.h"
#include "app/runs/lab_job.h"

namespace warpwalk::pages {

/// The Kernel lab: its page, the check and the run in the background, and the walk of a run.
class KernelLabPage final : public Page {
 public:
  explicit KernelLabPage(const Context& context) : Page(context) {}

  const KernelLabState& state() const { return state_; }
  /// Opens a file of CUDA C++ (.cu) or PTX (.ptx) in both versions, in place of what is typed; with its launch file, if
  /// there is one beside it. Returns a one-line error, which the page shows too; empty if it was opened.
  std::string open_file(const std::filesystem::path& file);

  bool open(Action by) override;
  bool take_file(const std::filesystem::path& file) override;
  bool close() override;
  bool takes(const draw::KeyPress&, bool) const override { return true; }
  void watch() override;
  bool busy() const override { return job_.busy() || (shown() && !typed_.is_checked()); }
  std::string work() const override;
  void paint(draw::Ui& ui) override;
  draw::UiMemory* memory() override { return &state_.memory; }
  void document_changed() override { back_.reset(); }
  bool take_back() override;
  void report(Report& report) const override;

 private:
  void choose_entry(std::size_t entry);
  void start(bool check);
  void run_drafts();
  void walk_run();
  void save();
  bool running() const { return job_.busy() && !job_.checking(); }

  KernelLabState state_;
  runs::LabJob job_;
  bool wants_run_ = false;  // once the check under way has ended
  bool was_listing_ = false;
  std::vector<std::filesystem::path> files_;  // sources in the folder of drafts, when the list was opened
  /// The texts of the active version.
  struct Typed {
    std::uint64_t revision = 0;
    std::uint64_t checked = 0;  // the revision that was checked last
    std::chrono::steady_clock::time_point changed;
    bool is_checked() const { return checked == revision; }
  } typed_;
  /// The document and view that were open before the walk of a run; Esc restores them.
  struct Back {
    std::shared_ptr<const document::Document> document;
    document::View view;
  };
  std::optional<Back> back_;
};

}  // namespace warpwalk::pages
