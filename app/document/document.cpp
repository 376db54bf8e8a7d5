#include "app/document/document.h"

#include <future>
#include <utility>

#include "app/document/compiled_parts.h"
#include "core/platform/give_way.h"
#include "core/platform/read_file.h"
#include "core/run/replay/compiled_modules.h"
#include "core/run/replay/load_recorded.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::document {
namespace {

void read_dump(Document& document) {
  auto opened = words::open_dump(document.file);
  if (opened)
    document.dump = *std::move(opened);
  else
    document.read.error = opened.error();
}

}  // namespace

void Loader::open(Reading what) {
  cancel();
  file_ = what.ranks.empty() ? what.file : what.ranks.front();
  cancelled_ = false;
  ready_ = false;
  {
    const std::lock_guard lock(mutex_);
    progress_ = {};
    ranks_progress_.reset();
  }
  document_ = std::make_shared<Document>();
  document_->file = file_;
  thread_ = std::thread([this, what = std::move(what), document = document_] {
    if (!what.ranks.empty()) read_ranks(what, *document);
    if (!document->read.error && words::is_core_dump_file(document->file)) read_dump(*document);
    if (!document->read.error) read_trace(*document);
    ready_ = true;
  });
}

// Finds the file to read.
void Loader::read_ranks(const Reading& what, Document& document) {
  analysis::RanksOptions options;
  options.cancel_fetch = &cancelled_;
  options.on_progress = [this](const analysis::RanksProgress& progress) {
    const std::lock_guard lock(mutex_);
    ranks_progress_ = progress;
    return !cancelled_;
  };
  auto source = what.report ? analysis::source_of(what.report, what.rank, &cancelled_)
                            : analysis::read_rank_source(what.ranks, what.rank, options);
  {
    const std::lock_guard lock(mutex_);
    ranks_progress_.reset();
  }
  if (!source) {
    document.read.error = source.error();
    return;
  }
  document.file = source->file;
  document.ranks = std::move(source->report);
  document.rank = source->rank;
  document.stand_in = source->stand_in;
  document.folder = std::move(source->folder);
}

void Loader::read_trace(Document& document) {
  trace::ReadOptions options;
  options.on_progress = [this](const trace::ReadProgress& progress) {
    const std::lock_guard lock(mutex_);
    progress_ = progress;
    return !cancelled_;
  };
  // Opening a pipe would wait for a writer, and could not be cancelled.
  if (document.dump != nullptr)
    document.read.bytes = document.dump->bytes.size();
  else if (const auto regular = platform::check_regular_file(document.file); !regular)
    document.read.error = regular.error();
  else
    document.read = trace::read_trace(document.file, options);
  if (cancelled_) return;
  document.compiled = compiled_beside(document.file, [this](std::size_t, std::size_t) { return !cancelled_; });
  // The overview takes as long as the rest together.
  std::future<analysis::Overview> overview = std::async(std::launch::async, [&document] {
    return analysis::overview_of(document.trace(), document.file.filename().string(),
                                 parts_of_compiled(document.compiled));
  });
  document.outline = analysis::outline_of(document.trace());
  platform::give_way();
  document.tracks = analysis::track_activities(document.trace());
  platform::give_way();
  document.work = analysis::work_profile(document.trace(), document.file.filename().string());
  platform::give_way();
  document.recorded = run::recorded_launches(document.trace());
  if (document.ranks == nullptr) document.ranks = analysis::merged_report(document.trace(), document.file);
  document.overview = overview.get();
  run::add_inlined_calls(document.read.trace, document.compiled);
}

void Loader::cancel() {
  if (!thread_.joinable()) return;
  cancelled_ = true;
  thread_.join();
  document_.reset();
}

trace::ReadProgress Loader::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

std::optional<analysis::RanksProgress> Loader::ranks_progress() const {
  const std::lock_guard lock(mutex_);
  return ranks_progress_;
}

std::shared_ptr<const Document> Loader::poll() {
  if (!thread_.joinable() || !ready_) return nullptr;
  thread_.join();
  return std::move(document_);
}

}  // namespace warpwalk::document
