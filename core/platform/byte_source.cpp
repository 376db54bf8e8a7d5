#include "core/platform/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <zlib.h>

namespace warpwalk::platform {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

class FileSource : public ByteSource {
 public:
  /// `head`: the bytes already read to detect the format, since a pipe cannot be rewound.
  FileSource(std::unique_ptr<std::FILE, CloseFile> file, std::uint64_t total, std::string head)
      : file_(std::move(file)), total_(total), head_(std::move(head)) {}
  std::size_t read(char* to, std::size_t room) override {
    std::size_t n = std::min(room, head_.size());
    std::memcpy(to, head_.data(), n);
    head_.erase(0, n);
    n += std::fread(to + n, 1, room - n, file_.get());
    if (n == 0) end_ = std::ferror(file_.get()) != 0 ? End::read_error : End::complete;
    consumed_ += n;
    return n;
  }
  End end() const override { return end_; }
  std::uint64_t consumed() const override { return consumed_; }
  std::uint64_t total() const override { return total_; }
  bool is_gzip() const override { return false; }

 private:
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::uint64_t total_;
  std::string head_;
  std::uint64_t consumed_ = 0;
  End end_ = End::none;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(char* to, std::size_t room) override {
    const std::size_t n = std::min(room, bytes_.size() - consumed_);
    if (n == 0) return 0;
    std::memcpy(to, bytes_.data() + consumed_, n);
    consumed_ += n;
    return n;
  }
  End end() const override { return consumed_ == bytes_.size() ? End::complete : End::none; }
  std::uint64_t consumed() const override { return consumed_; }
  std::uint64_t total() const override { return bytes_.size(); }
  bool is_gzip() const override { return false; }

 private:
  std::string_view bytes_;
  std::size_t consumed_ = 0;
};

/// Decompresses another source. Like gunzip, it concatenates consecutive gzip members.
class GzipSource : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> compressed) : compressed_(std::move(compressed)), input_(1 << 16) {
    constexpr int gzip_window = 15 + 16;  // zlib's encoding of: gzip header, largest window
    if (inflateInit2(&stream_, gzip_window) != Z_OK) end_ = End::gzip_corrupt;
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(char* to, std::size_t room) override {
    if (end_ != End::none || room == 0) return 0;
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(room, 1u << 30));
    const uInt wanted = stream_.avail_out;
    while (stream_.avail_out == wanted && end_ == End::none) step();
    return wanted - stream_.avail_out;
  }
  End end() const override { return end_; }
  std::uint64_t consumed() const override { return compressed_->consumed() - stream_.avail_in; }
  std::uint64_t total() const override { return compressed_->total(); }
  bool is_gzip() const override { return true; }

 private:
  void step() {
    if (stream_.avail_in == 0 && !refill()) {
      end_ = compressed_->end() == End::read_error ? End::read_error
             : between_members_                    ? End::complete
                                                   : End::gzip_truncated;
      return;
    }
    if (between_members_) {
      if (*stream_.next_in != 0x1f) {
        skip_padding();
        return;
      }
      inflateReset(&stream_);
      between_members_ = false;
    }
    switch (inflate(&stream_, Z_NO_FLUSH)) {
      case Z_OK:
      case Z_BUF_ERROR: break;
      case Z_STREAM_END: between_members_ = true; break;
      default: end_ = End::gzip_corrupt;
    }
  }
  // Zero padding after the last member, as tar and some disks leave it, is ignored. Anything else is trailing data.
  void skip_padding() {
    while (stream_.avail_in != 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
    if (stream_.avail_in != 0) end_ = End::gzip_trailing;
  }
  bool refill() {
    const std::size_t n = compressed_->read(input_.data(), input_.size());
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(n);
    return n != 0;
  }

  std::unique_ptr<ByteSource> compressed_;
  std::vector<char> input_;
  z_stream stream_{};
  bool between_members_ = false;
  End end_ = End::none;
};

/// Reads another source ahead by a few blocks on its own thread, so that decompression and parsing overlap.
class AheadSource : public ByteSource {
 public:
  explicit AheadSource(std::unique_ptr<ByteSource> inner)
      : inner_(std::move(inner)), total_(inner_->total()), thread_([this] { fill(); }) {}
  AheadSource(const AheadSource&) = delete;
  AheadSource& operator=(const AheadSource&) = delete;
  ~AheadSource() override {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  std::size_t read(char* to, std::size_t room) override {
    if (taken_ == current_.bytes.size()) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !ready_.empty(); });
      current_ = std::move(ready_.front());
      if (!current_.bytes.empty()) ready_.pop_front();  // the last, empty block stays, so later reads also see the end
      taken_ = 0;
      consumed_ = current_.consumed;
      end_ = current_.end;
      lock.unlock();
      changed_.notify_all();
    }
    const std::size_t n = std::min(room, current_.bytes.size() - taken_);
    if (n != 0) std::memcpy(to, current_.bytes.data() + taken_, n);
    taken_ += n;
    return n;
  }
  End end() const override { return end_; }
  std::uint64_t consumed() const override { return consumed_; }
  std::uint64_t total() const override { return total_; }
  bool is_gzip() const override { return true; }

 private:
  struct Block {
    std::vector<char> bytes;
    std::uint64_t consumed = 0;
    End end = End::none;
  };

  void fill() {
    constexpr std::size_t blocks_ahead = 4;
    bool last = false;
    while (!last) {
      Block block;
      block.bytes.resize(std::size_t{1} << 18);
      block.bytes.resize(inner_->read(block.bytes.data(), block.bytes.size()));
      block.consumed = inner_->consumed();
      last = block.bytes.empty();
      block.end = last ? inner_->end() : End::none;
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stop_ || ready_.size() < blocks_ahead; });
      if (stop_) return;
      ready_.push_back(std::move(block));
      lock.unlock();
      changed_.notify_all();
    }
  }

  std::unique_ptr<ByteSource> inner_;
  const std::uint64_t total_;
  Block current_;
  std::size_t taken_ = 0;
  std::uint64_t consumed_ = 0;
  End end_ = End::none;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> ready_;
  bool stop_ = false;
  std::thread thread_;  // declared last: it uses all members above
};

bool starts_gzip(std::string_view head) { return head.size() >= 2 && head[0] == '\x1f' && head[1] == '\x8b'; }

}  // namespace

base::Result<std::unique_ptr<ByteSource>> open_source(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    return base::Error{file.string() + ": is a folder; give a trace file (.json or .json.gz)"};
  if (std::filesystem::is_character_file(file, error) || std::filesystem::is_block_file(file, error))
    return base::Error{file.string() + ": is a device, not a file; give a trace file (.json or .json.gz)"};
  std::unique_ptr<std::FILE, CloseFile> handle(std::fopen(file.c_str(), "rb"));
  if (!handle) return base::Error{file.string() + ": cannot be opened: " + std::strerror(errno)};
  std::setvbuf(handle.get(), nullptr, _IONBF, 0);  // the reader already reads in large blocks
  std::string head(2, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), handle.get()));
  const bool gzip = starts_gzip(head);
  const auto size = std::filesystem::file_size(file, error);  // on error (e.g. a pipe) the size is unknown
  auto plain = std::make_unique<FileSource>(std::move(handle), error ? 0 : size, std::move(head));
  if (!gzip) return plain;
  return std::make_unique<AheadSource>(std::make_unique<GzipSource>(std::move(plain)));
}

std::unique_ptr<ByteSource> memory_source(std::string_view bytes) {
  auto plain = std::make_unique<MemorySource>(bytes);
  if (!starts_gzip(bytes)) return plain;
  return std::make_unique<GzipSource>(std::move(plain));
}

}  // namespace warpwalk::platform
