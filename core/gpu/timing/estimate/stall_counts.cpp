#include <algorithm>
#include <unordered_map>

#include "core/gpu/timing/estimate/estimate_code.h"
#include "core/gpu/timing/estimate/scheduling.h"

namespace warpwalk::gpu {

namespace {

/// Results with a fixed latency that may still be on their way.
struct Producer {
  const EstimatedInstruction* instruction;
  std::int64_t issued;
};

/// After these, ptxas always sets at least this stall count (sm_90 code of assets/cubin).
constexpr int after_branch = 5;

/// For each register: whether a block other than `b` reads it, or `b` itself before it writes it.
class LiveOut {
 public:
  explicit LiveOut(const std::vector<CodeBlock>& blocks) {
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
      std::unordered_map<std::int32_t, bool> written;
      for (const CodeBlock::Part& part : blocks[b].parts)
        for (const EstimatedInstruction& i : part.instructions) {
          for (const std::int32_t reg : i.reads)
            if (!written.contains(reg)) outside_[reg] = true;
          for (const std::int32_t reg : i.writes) written[reg] = true;
        }
    }
  }

  bool contains(std::int32_t reg) const { return outside_.contains(reg); }

 private:
  std::unordered_map<std::int32_t, bool> outside_;
};

class BlockStalls {
 public:
  explicit BlockStalls(const LiveOut& live) : live_(live) {}

  void run(CodeBlock& block) {
    for (CodeBlock::Part& part : block.parts)
      for (EstimatedInstruction& i : part.instructions) i.folded ? pass_on(i) : issue(i);
    if (last_ != nullptr) finish();
  }

 private:
  void pass_on(const EstimatedInstruction& i) {
    std::vector<Producer> all;
    for (const std::int32_t reg : i.reads)
      if (const auto found = producers_.find(reg); found != producers_.end())
        all.insert(all.end(), found->second.begin(), found->second.end());
    for (const std::int32_t reg : i.writes) producers_[reg] = all;
  }

  void issue(EstimatedInstruction& i) {
    std::int64_t at = last_ == nullptr ? 0 : now_ + 1;
    for (const std::int32_t reg : i.reads) {
      const auto found = producers_.find(reg);
      if (found == producers_.end()) continue;
      for (const Producer& p : found->second) at = std::max(at, p.issued + dependence_cycles(*p.instruction, i, reg));
    }
    // Results arrive in order.
    for (const std::int32_t reg : i.writes)
      if (const auto found = producers_.find(reg); found != producers_.end() && !i.counted)
        for (const Producer& p : found->second)
          at = std::max(at, p.issued + completion_cycles(*p.instruction) - completion_cycles(i));
    if (last_ != nullptr) {
      // A counter rises in the cycle after the issue.
      const auto raises = [&](std::uint8_t counter) {
        return counter != InstructionTiming::no_counter && (i.timing.wait_mask >> counter & 1) != 0;
      };
      if (raises(last_->timing.write_counter) || raises(last_->timing.read_counter)) at = std::max(at, now_ + 2);
      if (last_->timing.kind == InstructionKind::branch) at = std::max(at, now_ + after_branch);
      last_->timing.stall = static_cast<std::uint8_t>(std::clamp<std::int64_t>(at - now_, 1, 255));
    }
    now_ = at;
    last_ = &i;
    for (const std::int32_t reg : i.writes) {
      producers_[reg].clear();
      if (!i.counted) producers_[reg].push_back({&i, now_});
    }
  }

  /// The results that other blocks read have to be there when the next block begins.
  void finish() {
    std::int64_t end = now_ + 1;
    const InstructionKind kind = last_->timing.kind;
    if (kind == InstructionKind::branch || kind == InstructionKind::exit) end = now_ + after_branch;
    for (const auto& [reg, producers] : producers_)
      if (live_.contains(reg))
        for (const Producer& p : producers) end = std::max(end, p.issued + completion_cycles(*p.instruction));
    last_->timing.stall = static_cast<std::uint8_t>(std::clamp<std::int64_t>(end - now_, 1, 255));
  }

  const LiveOut& live_;
  std::unordered_map<std::int32_t, std::vector<Producer>> producers_;
  EstimatedInstruction* last_ = nullptr;
  std::int64_t now_ = 0;
};

}  // namespace

void set_stall_counts(std::vector<CodeBlock>& blocks) {
  const LiveOut live(blocks);
  for (CodeBlock& block : blocks) BlockStalls(live).run(block);
}

void set_control_codes(std::vector<CodeBlock>& blocks, bool is_entry) {
  assign_counters(blocks);
  set_wait_masks(blocks, is_entry);
  set_stall_counts(blocks);
}

}  // namespace warpwalk::gpu
