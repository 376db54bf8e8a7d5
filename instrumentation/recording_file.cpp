#include "instrumentation/recording_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "instrumentation/recording_names.h"

namespace warpwalk::instrumentation {
namespace {

// Rows are written once this many bytes are buffered, or on flush().
constexpr std::size_t frame_bytes = std::size_t{256} << 10;
// Upper bound for the size of a row and the name row before it.
constexpr std::size_t row_bytes = 2 * max_text_bytes + 1024;

// The file stays locked while it is written, so that an incomplete recording is not turned into a walk (see
// is_being_written).
int create(const std::filesystem::path& file) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (opened >= 0) flock(opened, LOCK_EX | LOCK_NB);
  return opened;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

std::uint32_t thread_id() {
#ifdef SYS_gettid
  return static_cast<std::uint32_t>(syscall(SYS_gettid));
#else
  return 1;  // WebAssembly has no numbers of threads
#endif
}

bool RecordingFile::open(const std::filesystem::path& output, int pid) {
  const std::lock_guard lock(mutex_);
  if (file_ >= 0 || closed_) return file_ >= 0;
  file_ = create(partial_path(output));
  if (file_ < 0 && errno == EEXIST) file_ = create(partial_path(process_output_path(output, pid)));
  if (file_ < 0) return false;
  // Name rows may have been lost while the buffer was full; names are written again on their next use.
  if (full_) names_.clear();
  full_ = false;
  return true;
}

std::string RecordingFile::create_for(const std::filesystem::path& output) {
  const std::lock_guard lock(mutex_);
  const std::filesystem::path partial = partial_path(output);
  file_ = create(partial);
  if (file_ >= 0) {
    path_ = partial;
    return {};
  }
  const int error = errno;
  if (error != EEXIST) return partial.string() + ": cannot be created: " + std::strerror(error);
  return partial.string() + (is_being_written(partial)
                                 ? ": another process records into it"
                                 : ": left over from a recording that was not finished; finish it with "
                                   "warpwalk record -o, or remove it");
}

std::uint32_t RecordingFile::name(std::string_view text) {
  if (text.empty()) return 0;
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = names_.try_emplace(std::string(text), last_name_ + 1);
  if (!is_new) return found->second;
  ++last_name_;
  if (!closed_) put(Name{found->second, text});
  return found->second;
}

void RecordingFile::add(const Row& row) {
  const std::lock_guard lock(mutex_);
  if (!closed_) put(row);
}

void RecordingFile::put(const Row& row) {
  if (full_) {
    ++lost_rows_;
    return;
  }
  frame_.add(row);
  if (file_ < 0)
    full_ = frame_.bytes() + row_bytes > max_frame_bytes;
  else if (frame_.bytes() >= frame_bytes)
    write_frame();
}

// A frame that does not fit on the disk is removed again, which leaves room for the loss row at the end.
void RecordingFile::write_frame() {
  if (frame_.empty() || file_ < 0) return;
  const std::string_view bytes = frame_.frame();
  if (write_all(file_, bytes)) {
    complete_bytes_ += static_cast<std::int64_t>(bytes.size());
  } else {
    full_ = true;
    lost_rows_ += frame_.rows();
    if (ftruncate(file_, complete_bytes_) == 0) lseek(file_, complete_bytes_, SEEK_SET);
  }
  frame_.clear();
}

void RecordingFile::flush() {
  const std::lock_guard lock(mutex_);
  write_frame();
}

void RecordingFile::close(const End& end) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  closed_ = true;
  write_frame();
  if (lost_rows_ > 0) frame_.add(LossRow{0, lost_rows_, 0});
  frame_.add(end);
  write_frame();
  // A process that was started a moment ago may have the file open still, and with it the lock.
  if (file_ >= 0) flock(file_, LOCK_UN), ::close(file_);
  file_ = -1;
}

void RecordingFile::discard() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  if (!path_.empty()) unlink(path_.c_str());
}

void RecordingFile::abandon_in_child() {
  // No lock is taken: another thread of the parent may hold it, and the child has only this thread.
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  closed_ = true;
}

}  // namespace warpwalk::instrumentation
