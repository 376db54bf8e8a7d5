#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <unordered_map>

#include "instrumentation/decode_activity.h"
#include "instrumentation/row_codec.h"

namespace warpwalk::instrumentation {

/// The ID of the calling thread, as returned by gettid().
std::uint32_t thread_id();
/// The command line of this process, its arguments separated by spaces.
std::string command_line();

/// Writes the rows of one process to its file. Thread-safe. Until the file is opened, rows are buffered in memory, up
/// to one frame.
class RecordingFile final : public RowSink {
 public:
  /// Opens the file for the first process of `output`, or, if that exists, the file for process `pid`. Returns false if
  /// neither can be created.
  bool open(const std::filesystem::path& output, int pid);
  /// Creates the file of `output`, and no other. Returns one line that says why it cannot be, or an empty text.
  std::string create_for(const std::filesystem::path& output);
  std::uint32_t name(std::string_view text) override;
  void add(const Row& row) override;
  /// Writes the buffered rows.
  void flush();
  /// Writes the buffered rows, the loss row and the end row. Rows added afterwards are ignored.
  void close(const End& end);
  /// Closes the file, if it is open, and removes it.
  void discard();
  /// For a forked child of the recorded process: closes the file without writing, because its rows are the parent's.
  void abandon_in_child();
  /// Called around a fork, so that the child does not inherit a lock held by a thread that it does not have.
  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

 private:
  void put(const Row& row);
  void write_frame();

  std::mutex mutex_;
  std::filesystem::path path_;  // of the file, once it has been created
  FrameEncoder frame_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::uint32_t last_name_ = 0;
  int file_ = -1;
  bool closed_ = false;
  bool full_ = false;                // the disk or the memory buffer is full
  std::int64_t complete_bytes_ = 0;  // bytes of complete frames in the file
  std::uint64_t lost_rows_ = 0;      // rows that were lost
};

}  // namespace warpwalk::instrumentation
