#include "app/document/document.h"

#include <future>
#include <utility>

#include "core/platform/read_file.h"
#include "core/run/replay/load_recorded.h"

namespace warpwalk::document {

void Loader::open(const std::filesystem::path& file) {
  cancel();
  file_ = file;
  cancelled_ = false;
  ready_ = false;
  {
    const std::lock_guard lock(mutex_);
    progress_ = {};
  }
  document_ = std::make_shared<Document>();
  document_->file = file;
  thread_ = std::thread([this, document = document_] {
    trace::ReadOptions options;
    options.on_progress = [this](const trace::ReadProgress& progress) {
      const std::lock_guard lock(mutex_);
      progress_ = progress;
      return !cancelled_;
    };
    // Opening a pipe would wait for a writer, and could not be cancelled.
    if (const auto regular = platform::check_regular_file(document->file); !regular)
      document->read.error = regular.error();
    else
      document->read = trace::read_trace(document->file, options);
    if (!cancelled_) {
      // The overview takes as long as the rest together.
      std::future<story::Overview> overview = std::async(std::launch::async, [&document] {
        return story::overview_of(document->trace(), document->file.filename().string());
      });
      document->outline = story::outline_of(document->trace());
      document->tracks = story::track_activities(document->trace());
      document->recorded = run::recorded_launches(document->trace());
      document->overview = overview.get();
    }
    ready_ = true;
  });
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

std::shared_ptr<const Document> Loader::poll() {
  if (!thread_.joinable() || !ready_) return nullptr;
  thread_.join();
  return std::move(document_);
}

}  // namespace warpwalk::document
