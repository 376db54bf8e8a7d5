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
#include "app/runs/program_job.h"

namespace warpwalk::pages {

/// The Kernel lab: its page, the check and the run in the background, the launches of a program, and the walk of a run.
class KernelLabPage final : public Page {
 public:
  explicit KernelLabPage(const Context& context) : Page(context) {}

  const KernelLabState& state() const { return state_; }
  /// Opens a file of CUDA C++ (.cu) or PTX (.ptx) in both versions, in place of what is typed; with its launch file, if
  /// there is one beside it. A CUDA program (with main()) without one is compiled and run in the background, and its
  /// launches are listed. Returns a one-line error, which the page shows too; empty if it was opened.
  std::string open_file(const std::filesystem::path& file);

  bool open(Action by) override;
  bool take_file(const std::filesystem::path& file) override;
  bool close() override;
  bool takes(const draw::KeyPress&, bool) const override { return true; }
  void watch() override;
  bool busy() const override { return job_.busy() || program_job_.busy() || (shown() && !typed_.is_checked()); }
  std::string work() const override;
  void paint(draw::Ui& ui) override;
  draw::UiMemory* memory() override { return &state_.memory; }
  void document_changed() override { back_.reset(); }
  bool take_back() override;
  void report(Report& report) const override;

 private:
  /// The draft with the GPU and the caches of the command line.
  run::KernelDraft with_wishes(run::KernelDraft draft) const;
  /// Shows a draft in both versions.
  void open_draft(const run::KernelDraft& draft);
  void open_example(std::size_t number);
  void choose_entry(std::size_t entry);
  void choose_draft(std::size_t entry);
  void choose_gpu(std::size_t entry);
  void list_launches();
  void start_program(std::size_t launch);
  void take_program(runs::ProgramOutcome outcome);
  void take_launch(const run::KernelDraft& draft, std::size_t number);
  std::vector<LabEntry> entries() const;
  std::optional<gpu::Device> device() const;
  LabProgress progress() const;
  void start(bool check);
  void run_drafts();
  void walk_run();
  void save();
  bool running() const { return program_job_.busy() || (job_.busy() && !job_.checking()); }
  void cancel();

  KernelLabState state_;
  runs::LabJob job_;
  bool wants_run_ = false;  // once the check under way has ended
  LabList was_list_ = LabList::none;
  std::vector<std::filesystem::path> files_;  // sources in the folder of drafts, when the list was opened
  runs::ProgramJob program_job_;
  std::optional<std::size_t> wants_program_;  // once the program under way has ended: its launch, or 0
  std::filesystem::path folder_;              // of the file that is open, for the headers beside it; empty: none
  /// The launches of the program that was run last, and what was run.
  struct Listed {
    std::string source, gpu;
    std::vector<run::ProgramLaunch> launches;
  } listed_;
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
