#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "app/pages/page.h"
#include "core/compiled/compiled.h"

namespace warpwalk::pages {

/// The page of what torch.compile and Triton have written: the kernels, what was not fused, graph breaks and
/// recompilations in a list, and beside it what is known of the chosen one: lines of the program, nodes of the graph,
/// fused ops, source, stages of the compiler. Up, Down, Page Up, Page Down, Home and End choose a row; Enter opens the
/// kernel in the Kernel lab, from which Esc leads back.
class CompiledPage final : public Page {
 public:
  explicit CompiledPage(const Context& context) : Page(context) {}
  ~CompiledPage() override;

  bool open(Action) override { return false; }  // no key opens it, only a file
  bool take_file(const std::filesystem::path& file) override;
  bool close() override;
  void watch() override;
  bool busy() const override { return reader_.joinable(); }
  void paint(draw::Ui& ui) override;
  bool covers() const override { return true; }
  draw::UiMemory* memory() override { return &memory_; }
  void report(Report& report) const override;

  /// Why the last file could not be read; empty: it could, or it is being read.
  const std::string& error() const { return error_; }

 private:
  struct Row {
    enum class Kind : unsigned char { kernel, library_call, event } kind = Kind::kernel;
    std::size_t index = 0;  ///< in its list of `all_`
  };

  void stop_reading();
  void paint_rows(draw::Ui& ui, const draw::Box& box);
  void paint_chosen(draw::Ui& ui, const draw::Box& box) const;
  void open_chosen();

  std::filesystem::path path_;
  compiled::Compiled all_;
  std::vector<Row> rows_;
  std::size_t cursor_ = 0;
  std::string error_;
  draw::UiMemory memory_;

  std::thread reader_;
  std::atomic<bool> cancel_ = false, ended_ = false;
  std::atomic<std::size_t> files_done_ = 0, files_ = 0;
  compiled::Compiled read_;  // by the thread, until ended_
  std::string read_error_;
};

}  // namespace warpwalk::pages
