// The part of InsideRecorder that reads the GPU's memory.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "instrumentation/inside/inside_recorder.h"
#include "instrumentation/row_codec.h"

namespace warpwalk::instrumentation {
namespace {

/// Addresses below are never those of GPU memory: numbers in parameters are not looked up.
constexpr std::uint64_t lowest_address = std::uint64_t{1} << 32;
constexpr std::uint64_t highest_address = std::uint64_t{1} << 47;
/// An allocation of up to this size is recorded whole; of a larger one, what follows the addresses that point into it.
constexpr std::uint64_t whole_bytes = std::uint64_t{64} << 20;
/// Memory after the launch is compared with that before it in pieces of this size.
constexpr std::size_t piece_bytes = 256;
/// In larger variables no addresses are looked for: they are tables of numbers.
constexpr std::uint64_t most_bytes_of_addresses = std::uint64_t{1} << 16;

std::uint64_t word_at(const std::vector<std::uint8_t>& bytes, std::size_t offset) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

}  // namespace

int InsideRecorder::read_range(std::uint64_t address, std::vector<std::uint8_t>& to) const {
  std::uint32_t type = 0;
  if (driver_.pointer_attribute(&type, memory_type, address) != 0 || type != host_memory)
    return driver_.copy_to_host(to.data(), address, to.size());
  std::memcpy(to.data(), reinterpret_cast<const void*>(address), to.size());
  return 0;
}

void InsideRecorder::add_range(Chosen& chosen, std::uint64_t address, std::uint64_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (bytes > left_bytes_) {
      chosen.incomplete = true;
      note(chosen, std::to_string(bytes >> 10) + " KiB of memory at " + std::to_string(address) +
                       " do not fit; raise --inside-limit");
      return;
    }
    left_bytes_ -= bytes;
  }
  Chosen::Range range{address, std::vector<std::uint8_t>(bytes)};
  if (read_range(address, range.before) != 0) {
    chosen.incomplete = true;
    return note(chosen, std::to_string(bytes >> 10) + " KiB of memory at " + std::to_string(address) +
                            " cannot be copied to the host");
  }
  chosen.ranges.push_back(std::move(range));
}

/// Follows the addresses, and those in the memory that they lead to.
void InsideRecorder::read_memory(Chosen& chosen, const std::vector<std::uint8_t>& parameters,
                                 const std::vector<Variable>& variables) {
  struct Allocation {
    std::uint64_t begin = 0, end = 0;
    std::set<std::uint64_t> pointers;
  };
  std::map<std::uint64_t, Allocation> found;  // by begin
  std::set<std::uint64_t> unknown;            // pages of 64 KiB that belong to no allocation
  const auto look_up = [&](std::uint64_t word) {
    if (word < lowest_address || word >= highest_address || word % 4 != 0) return false;
    const auto after = found.upper_bound(word);
    if (after != found.begin() && word < std::prev(after)->second.end)
      return std::prev(after)->second.pointers.insert(word).second;
    if (unknown.contains(word >> 16)) return false;
    Allocation allocation;
    std::size_t bytes = 0;
    if (driver_.pointer_attribute(&allocation.begin, range_start, word) != 0 ||
        driver_.pointer_attribute(&bytes, range_bytes, word) != 0 || bytes == 0 || word - allocation.begin >= bytes) {
      unknown.insert(word >> 16);
      return false;
    }
    allocation.end = allocation.begin + bytes;
    allocation.pointers.insert(word);
    return found.emplace(allocation.begin, std::move(allocation)).second;
  };
  for (std::size_t offset = 0; offset + sizeof(std::uint64_t) <= parameters.size(); offset += 8) {
    const std::uint64_t word = word_at(parameters, offset);
    const bool address_like = word >= (std::uint64_t{1} << 40) && word < highest_address && word % 4 == 0;
    if (!look_up(word) && address_like && unknown.contains(word >> 16))
      note(chosen, "the parameters hold " + std::to_string(word) + " at byte " + std::to_string(offset) +
                       ", which may be an address, but not of memory that CUDA knows");
  }
  // `__device__` pointers, such as those to the tables of cuFFT.
  for (const Variable& variable : variables) {
    std::vector<std::uint8_t> contents(variable.bytes <= most_bytes_of_addresses ? variable.bytes : 0);
    if (contents.empty() || driver_.copy_to_host(contents.data(), variable.address, contents.size()) != 0) continue;
    for (std::size_t offset = 0; offset + 8 <= contents.size(); offset += 8) look_up(word_at(contents, offset));
  }
  std::set<std::uint64_t> taken;  // allocations
  while (taken.size() < found.size()) {
    const std::size_t first = chosen.ranges.size();
    for (auto& [begin, allocation] : found) {
      if (!taken.insert(begin).second) continue;
      if (allocation.end - begin <= whole_bytes) {
        add_range(chosen, begin, allocation.end - begin);
        continue;
      }
      for (auto at = allocation.pointers.begin(); at != allocation.pointers.end(); ++at) {
        const std::uint64_t end = std::next(at) == allocation.pointers.end() ? allocation.end : *std::next(at);
        add_range(chosen, *at, std::min(end - *at, whole_bytes));
      }
    }
    // Only addresses whose upper bits equal those of a known allocation are looked up.
    std::set<std::uint64_t> neighbourhoods;
    for (const auto& [begin, allocation] : found) neighbourhoods.insert(begin >> 38);
    for (std::size_t i = first; i < chosen.ranges.size(); ++i)
      for (std::size_t offset = 0; offset + 8 <= chosen.ranges[i].before.size(); offset += 8)
        if (const std::uint64_t word = word_at(chosen.ranges[i].before, offset);
            word >= lowest_address && word < highest_address && neighbourhoods.contains(word >> 38))
          look_up(word);
  }
}

void InsideRecorder::write_before(Chosen& chosen) {
  for (std::uint32_t i = 0; i < chosen.ranges.size(); ++i) {
    const Chosen::Range& range = chosen.ranges[i];
    to_.add(InsideRange{chosen.number, i, range.address, range.before.size()});
    add_parts(chosen, InsidePart::before, i, 0,
              {reinterpret_cast<const char*>(range.before.data()), range.before.size()});
  }
}

int InsideRecorder::write_after(const Chosen& chosen) {
  std::vector<std::uint8_t> after;
  for (std::uint32_t i = 0; i < chosen.ranges.size(); ++i) {
    const Chosen::Range& range = chosen.ranges[i];
    after.resize(range.before.size());
    if (const int result = read_range(range.address, after); result != 0) return result;
    for (std::size_t at = 0; at < after.size(); at += piece_bytes) {
      const std::size_t bytes = std::min(piece_bytes, after.size() - at);
      if (std::memcmp(after.data() + at, range.before.data() + at, bytes) != 0)
        add_parts(chosen, InsidePart::after, i, at, {reinterpret_cast<const char*>(after.data()) + at, bytes});
    }
  }
  return 0;
}

void InsideRecorder::add_parts(const Chosen& chosen, std::uint32_t kind, std::uint32_t index, std::uint64_t offset,
                               std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, max_text_bytes);
    to_.add(InsidePart{chosen.number, kind, index, offset, part});
    offset += part.size();
    bytes.remove_prefix(part.size());
  }
}

void InsideRecorder::note(const Chosen& chosen, std::string_view what) {
  to_.add(InsidePart{chosen.number, InsidePart::missing, 0, 0, what});
}

}  // namespace warpwalk::instrumentation
