#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/column.h"
#include "core/trace/snapshot/values.h"

namespace warpwalk::trace::snapshot {

/// The contents of a memory snapshot's pickle. Dictionaries of a known form (frames, blocks, segments, entries of the
/// history) become rows as soon as they are complete, and equal call stacks are stored once, so that the memory stays
/// below the size of the file.
class Store final : public pickle::Builder {
 public:
  Store();

  Value new_list() override;
  Value new_dictionary() override;
  Value new_text(std::string_view text) override { return {Value::Kind::text, texts.intern(text)}; }
  /// Anything that does not belong there is counted as lost.
  void append(Value list, std::span<const Value> items) override;
  void set(Value dictionary, std::span<const Value> items, bool whole) override;
  std::size_t bytes() const;

  /// After reading: the segments, and the entries of each device's history as ranges of `events`.
  bool is_snapshot(Value top) const;
  /// Whether a dictionary that is no part of a snapshot has this key.
  bool has_key(Value top, std::string_view key) const;
  std::pair<std::uint32_t, std::uint32_t> segments_of(Value top) const;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> histories_of(Value top) const;
  /// The members of "allocator_settings" that are plain values.
  std::vector<std::pair<Value, Value>> settings_of(Value top) const;

  std::span<const StringId> stack(StringId id) const;
  FrameRow frame(StringId id) const;

  StringPool texts;
  StringPool frames;  ///< of FrameRow
  StringPool stacks;  ///< of ids of frames, innermost first
  Column<EventRow> events;
  Column<BlockRow> blocks;
  Column<SegmentRow> segments;
  std::uint64_t lost = 0;  ///< values in places where they mean nothing

 private:
  enum class Form : std::uint8_t { empty, stack, rows, frame, block, segment, event, top, plain };
  struct Container {
    Form form = Form::empty;
    Form of = Form::empty;    ///< of rows: what they are
    std::uint32_t first = 0;  ///< the row, the stack, the first of the rows, or the number in `plain_`
    std::uint32_t count = 0;
  };

  struct Keys {
    StringId action, addr, size, stream, time_us, frames, device_free, state, requested_size, address, device,
        total_size, segment_type, is_expandable, blocks, filename, line, name, segments, device_traces,
        allocator_settings;
  };
  struct Plain {
    std::vector<Value> values;  ///< of a list, or key, value, key, value
  };

  Form form_of(std::span<const Value> items) const;
  void set_frame(Container& container, std::span<const Value> items);
  void set_block(BlockRow& row, std::span<const Value> items) const;
  void set_segment(SegmentRow& row, std::span<const Value> items);
  void set_event(EventRow& row, std::span<const Value> items) const;
  const Container* list(Value value) const { return value.is(Value::Kind::list) ? &containers_[value.bits] : nullptr; }
  StringId stack_of(Value list) const;
  const Value* member(Value top, StringId key) const;

  Keys keys_;
  std::vector<StringId> actions_;
  Column<Container> containers_;
  std::vector<Plain> plain_;
  std::size_t plain_values_ = 0;
  std::vector<StringId> scratch_;
};

}  // namespace warpwalk::trace::snapshot
