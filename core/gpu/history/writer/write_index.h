#pragma once

// This folder answers who wrote a register or bytes of memory in a launch, one step at a time. The whole way of a
// number is core/gpu/history/origin.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/gpu/exec/machine/launch_observer.h"
#include "core/gpu/exec/machine/machine.h"

namespace warpwalk::gpu {

/// Which groups of blocks (clusters, or single blocks) wrote each word of global memory: the first and the last one, by
/// the number of their first block. It is filled while the whole launch runs once, and takes two bytes for each byte of
/// the pages that the launch writes.
class WriteIndex final : public LaunchObserver {
 public:
  explicit WriteIndex(const std::atomic<bool>* cancel) : cancel_(cancel) {}

  /// The writers of the word of four bytes at an address.
  struct Word {
    std::uint64_t first = 0, last = 0;
    bool mixed = false;  ///< several groups wrote it, and the last one not as a whole
  };
  /// Nullopt if the launch did not write the word.
  std::optional<Word> word(std::uint64_t address) const;

  bool enters(const Machine& machine) override;
  void before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) override;
  void before(const Machine&, const Op&) override {}
  void after(const Machine&, const Op&) override {}
  void exchanged(std::uint32_t, const std::array<std::uint32_t, 32>&) override {}
  void copied(const CopiedPiece&) override {}

  /// For SimulateOptions::cancel.
  const std::atomic<bool>* cancel() const { return cancel_; }

 private:
  static constexpr std::uint64_t words_per_page = 1024;
  static constexpr std::uint32_t mixed_flag = 1U << 31;
  /// Of each word the writers' numbers plus one; 0: not written.
  struct Page {
    std::array<std::uint32_t, words_per_page> first{}, last{};
  };
  struct Place {
    std::uint64_t base = 0, bytes = 0;
    std::vector<std::unique_ptr<Page>> pages;
  };
  void note(Place& place, std::uint64_t word, bool whole);

  const std::atomic<bool>* const cancel_;
  std::uint32_t group_ = 0;    ///< of the turn, plus one
  std::vector<Place> places_;  ///< by region
};

}  // namespace warpwalk::gpu
