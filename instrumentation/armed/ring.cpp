#include "instrumentation/armed/ring.h"

#include <algorithm>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace warpwalk::armed {
namespace {

// 4096 calls, since a failure is often noticed hundreds of launches later.
constexpr std::uint32_t entries = 4096, allocations = 32768, frames = 65536;
constexpr std::uint64_t text_bytes = std::uint64_t{8} << 20;
constexpr std::size_t file_bytes = sizeof(crash::RingHeader) + entries * sizeof(crash::RingEntry) +
                                   allocations * sizeof(crash::RingAllocation) + frames * sizeof(crash::RingFrame) +
                                   text_bytes;

}  // namespace

std::unique_ptr<Ring> Ring::create(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) return nullptr;
  void* memory = MAP_FAILED;
  if (posix_fallocate(descriptor, 0, static_cast<off_t>(file_bytes)) == 0)
    memory = mmap(nullptr, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (memory == MAP_FAILED) return nullptr;
  // A forked child must not write into the file of its parent.
  madvise(memory, file_bytes, MADV_DONTFORK);
  auto* at = static_cast<char*>(memory);
  std::unique_ptr<Ring> ring(new Ring);
  const auto place = [&](auto*& part, std::size_t bytes) {
    part = reinterpret_cast<std::remove_reference_t<decltype(part)>>(at);
    at += bytes;
  };
  place(ring->header_, sizeof(crash::RingHeader));
  place(ring->entries_, entries * sizeof(crash::RingEntry));
  place(ring->allocations_, allocations * sizeof(crash::RingAllocation));
  place(ring->frames_, frames * sizeof(crash::RingFrame));
  place(ring->texts_, text_bytes);
  crash::RingHeader& header = *ring->header_;
  header.entry_bytes = sizeof(crash::RingEntry);
  header.entries = entries, header.allocations = allocations, header.frames = frames;
  header.text_bytes = text_bytes;
  header.began = static_cast<std::uint64_t>(std::time(nullptr)) * 1'000'000'000;
  header.process = static_cast<std::uint32_t>(getpid());
  header.signature = crash::ring_signature;
  return ring;
}

std::uint32_t Ring::text(std::string_view text) {
  if (text.empty()) return 0;
  const std::lock_guard lock(mutex_);
  if (const auto found = text_at_.find(text); found != text_at_.end()) return found->second;
  if (text.size() + 1 > text_bytes - texts_used_) {
    ++header_->lost;
    return 0;
  }
  const auto at = static_cast<std::uint32_t>(texts_used_);
  std::memcpy(texts_ + at, text.data(), text.size());
  texts_used_ += text.size() + 1;
  text_at_.emplace(std::string_view(texts_ + at, text.size()), at);
  return at;
}

std::uint32_t Ring::reserve(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > text_bytes - texts_used_) {
    ++header_->lost;
    return 0;
  }
  const auto at = static_cast<std::uint32_t>(texts_used_);
  texts_used_ += bytes;
  return at;
}

void Ring::fill(std::uint32_t at, std::string_view text, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  std::memcpy(texts_ + at, text.data(), std::min(text.size(), bytes - 1));
}

std::uint32_t Ring::frame(std::uint32_t caller, std::uint32_t text) {
  const std::lock_guard lock(mutex_);
  if (frames_used_ == frames) {
    ++header_->lost;
    return 0;
  }
  frames_[frames_used_] = {caller, text};
  return frames_used_++;
}

std::uint64_t Ring::add(crash::RingEntry entry) {
  const std::lock_guard lock(mutex_);
  entry.number = ++header_->calls;
  entries_[entry.number % entries] = entry;
  return entry.number;
}

void Ring::set_result(std::uint64_t number, std::int32_t result) {
  const std::lock_guard lock(mutex_);
  if (crash::RingEntry& entry = entries_[number % entries]; entry.number == number) entry.result = result;
}

void Ring::allocated(std::uint64_t address, std::uint64_t bytes, std::uint64_t number, std::uint32_t name,
                     std::uint32_t stack) {
  if (bytes == 0) return;
  const std::lock_guard lock(mutex_);
  std::uint32_t place = allocations_used_;
  if (place < allocations) {
    ++allocations_used_;
  } else if (!released_at_.empty()) {
    place = released_at_.begin()->second;
    released_at_.erase(released_at_.begin());
  } else {
    ++header_->lost;
    return;
  }
  allocations_[place] = {address, bytes, number, 0, name, stack, 0, 0};
  allocation_at_[address] = place;
}

void Ring::released(std::uint64_t address, std::uint64_t number, std::uint32_t stack) {
  const std::lock_guard lock(mutex_);
  const auto found = allocation_at_.find(address);
  if (found == allocation_at_.end()) return;
  crash::RingAllocation& allocation = allocations_[found->second];
  allocation.released = number;
  allocation.released_at = stack;
  released_at_.emplace(number, found->second);
  allocation_at_.erase(found);
}

}  // namespace warpwalk::armed
