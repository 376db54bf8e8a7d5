#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <unordered_map>

#include "instrumentation/decode_activity.h"
#include "instrumentation/row_codec.h"

namespace warpwalk::recording {

/// The rows of one process on their way to its file. For any number of threads. Until it is opened rows wait in memory,
/// as far as one frame holds them.
class RecordingFile final : public RowReceiver {
 public:
  /// Opens the file for the first process of `output`, or else, where that is taken, for the process `pid`. False where
  /// neither can be made.
  bool open(const std::filesystem::path& output, int pid);
  std::uint32_t name(std::string_view text) override;
  void add(const Row& row) override;
  /// Writes what waits.
  void flush();
  /// Writes what waits, then the losses and the end row. Rows that come afterwards are ignored.
  void close(const End& end);
  /// In a child that was forked from the process that records: forgets the file, whose rows are the parent's.
  void leave_to_parent();
  /// Around a fork, so that the child does not find the lock held by a thread that it does not have.
  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

 private:
  void put(const Row& row);
  void write_frame();

  std::mutex mutex_;
  FrameEncoder frame_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::uint32_t last_name_ = 0;
  int file_ = -1;
  bool closed_ = false;
  bool full_ = false;            // the disk, or what may wait in memory
  std::int64_t good_bytes_ = 0;  // of whole frames
  std::uint64_t unwritten_ = 0;  // rows
};

}  // namespace warpwalk::recording
