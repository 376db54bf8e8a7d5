#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/pages/kernel_lab/kernel_lab.h"
#include "app/pages/page.h"
#include "app/runs/lab_job.h"
#include "core/base/result.h"

namespace warpwalk::pages {

/// The Kernel lab: its page, the check and the run in the background, and the walk of a run.
class KernelLabPage final : public Page {
 public:
  explicit KernelLabPage(const Context& context) : Page(context) {}

  const KernelLabState& state() const { return state_; }

  bool open(Action by) override;
  bool close() override;
  bool takes(const draw::KeyPress&, bool) const override { return true; }
  void watch() override;
  bool busy() const override { return job_.busy() || (shown() && checked_ != revision_); }
  std::string work() const override;
  void paint(draw::Ui& ui) override;
  draw::UiMemory* memory() override { return &state_.memory; }
  void document_changed() override { back_.reset(); }
  bool take_back() override;
  void report(Report& report) const override;

 private:
  base::Result<run::KernelDraft> followed_draft() const;
  void open_draft(const run::KernelDraft& draft);
  void open_example(std::size_t number);
  std::vector<LabEntry> entries() const;
  void choose_entry(std::size_t entry);
  std::optional<gpu::Device> device() const;
  void start(bool check);
  void run_drafts();
  void walk_run();
  void save();
  bool running() const { return job_.busy() && !job_.checking(); }

  KernelLabState state_;
  runs::LabJob job_;
  bool wants_run_ = false;      // once the check under way has ended
  std::uint64_t revision_ = 0;  // of the texts of the active version
  std::uint64_t checked_ = 0;   // the revision that was checked last
  std::chrono::steady_clock::time_point changed_;
  /// The document and view that were open before the walk of a run; Esc restores them.
  struct Back {
    std::shared_ptr<const document::Document> document;
    document::View view;
  };
  std::optional<Back> back_;
};

}  // namespace warpwalk::pages
