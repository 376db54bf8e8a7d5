#include "core/trace/snapshot/store.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpwalk::trace::snapshot {
namespace {

constexpr std::size_t max_frames = 1024;  // of a stack; deeper ones are cut off
constexpr std::string_view action_names[] = {"alloc",        "free_requested", "free_completed", "segment_alloc",
                                             "segment_free", "segment_map",    "segment_unmap",  "oom",
                                             "snapshot"};

}  // namespace

Store::Store() {
  for (const std::string_view name : action_names) actions_.push_back(texts.intern(name));
  const auto id = [&](std::string_view text) { return texts.intern(text); };
  keys_ = {id("action"),       id("addr"),          id("size"),
           id("stream"),       id("time_us"),       id("frames"),
           id("device_free"),  id("state"),         id("requested_size"),
           id("address"),      id("device"),        id("total_size"),
           id("segment_type"), id("is_expandable"), id("blocks"),
           id("filename"),     id("line"),          id("name"),
           id("segments"),     id("device_traces"), id("allocator_settings")};
}

Value Store::new_list() {
  containers_.push_back({});
  return {Value::Kind::list, containers_.size() - 1};
}

Value Store::new_dictionary() {
  containers_.push_back({});
  return {Value::Kind::dictionary, containers_.size() - 1};
}

std::size_t Store::bytes() const {
  return texts.bytes() + frames.bytes() + stacks.bytes() + events.bytes() + blocks.bytes() + segments.bytes() +
         containers_.bytes() + plain_.capacity() * sizeof(Plain) + plain_values_ * 2 * sizeof(Value);
}

std::span<const StringId> Store::stack(StringId id) const {
  const std::string_view bytes = stacks[id];
  return {reinterpret_cast<const StringId*>(bytes.data()), bytes.size() / sizeof(StringId)};
}

FrameRow Store::frame(StringId id) const {
  FrameRow row;
  if (const std::string_view bytes = frames[id]; bytes.size() == sizeof row)
    std::memcpy(static_cast<void*>(&row), bytes.data(), sizeof row);
  return row;
}

void Store::append(Value to, std::span<const Value> items) {
  if (items.empty()) return;
  Container& container = containers_[to.bits];
  const Container* const first = items[0].is(Value::Kind::dictionary) ? &containers_[items[0].bits] : nullptr;
  if (container.form == Form::empty) {
    const Form form = first == nullptr ? Form::plain : first->form;
    if (form == Form::frame) {
      container.form = Form::stack;
    } else if (form == Form::block || form == Form::segment || form == Form::event) {
      container = {Form::rows, form, first->first, 0};
    } else {
      container = {Form::plain, Form::empty, static_cast<std::uint32_t>(plain_.size()), 0};
      plain_.emplace_back();
    }
  }
  if (container.form == Form::plain) {
    std::vector<Value>& values = plain_[container.first].values;
    values.insert(values.end(), items.begin(), items.end());
    plain_values_ += items.size();
    return;
  }
  if (container.form == Form::stack) {
    // A copy: appending to a stack makes another one.
    const std::span<const StringId> before = stack(container.first);
    scratch_.assign(before.begin(), before.end());
  }
  for (const Value item : items) {
    const Container* const one = item.is(Value::Kind::dictionary) ? &containers_[item.bits] : nullptr;
    if (container.form == Form::stack) {
      if (one == nullptr || one->form != Form::frame)
        ++lost;
      else if (scratch_.size() < max_frames)
        scratch_.push_back(one->first);
    } else if (one != nullptr && one->form == container.of && one->first == container.first + container.count) {
      ++container.count;
    } else {
      ++lost;
    }
  }
  if (container.form == Form::stack)
    container.first =
        stacks.intern({reinterpret_cast<const char*>(scratch_.data()), scratch_.size() * sizeof(StringId)});
}

Store::Form Store::form_of(std::span<const Value> items) const {
  bool state = false, size = false;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (!items[i].is(Value::Kind::text)) continue;
    const auto key = static_cast<StringId>(items[i].bits);
    if (key == keys_.action) return Form::event;
    if (key == keys_.filename) return Form::frame;
    if (key == keys_.total_size) return Form::segment;
    if (key == keys_.segments || key == keys_.device_traces) return Form::top;
    state = state || key == keys_.state;
    size = size || key == keys_.size;
  }
  return state && size ? Form::block : Form::plain;
}

void Store::set(Value to, std::span<const Value> items, bool whole) {
  Container& container = containers_[to.bits];
  if (container.form == Form::empty) {
    const Form form = form_of(items);
    if (!whole && (form == Form::event || form == Form::frame || form == Form::block)) return;
    container.form = form;
    switch (form) {
      case Form::event:
        container.first = static_cast<std::uint32_t>(events.size());
        events.push_back({});
        break;
      case Form::block:
        container.first = static_cast<std::uint32_t>(blocks.size());
        blocks.push_back({});
        break;
      case Form::segment:
        container.first = static_cast<std::uint32_t>(segments.size());
        segments.push_back({});
        break;
      case Form::frame: container.first = 0; break;
      default: container.first = static_cast<std::uint32_t>(plain_.size()); plain_.emplace_back();
    }
  }
  switch (container.form) {
    case Form::event: set_event(events[container.first], items); break;
    case Form::block: set_block(blocks[container.first], items); break;
    case Form::segment: set_segment(segments[container.first], items); break;
    case Form::frame: set_frame(container, items); break;
    default: {
      std::vector<Value>& values = plain_[container.first].values;
      values.insert(values.end(), items.begin(), items.end());
      plain_values_ += items.size();
    }
  }
}

void Store::set_frame(Container& container, std::span<const Value> items) {
  FrameRow row = frame(container.first);
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (!items[i].is(Value::Kind::text)) continue;
    const auto key = static_cast<StringId>(items[i].bits);
    const Value& value = items[i + 1];
    if (key == keys_.filename && value.is(Value::Kind::text)) row.file = static_cast<StringId>(value.bits);
    if (key == keys_.name && value.is(Value::Kind::text)) row.name = static_cast<StringId>(value.bits);
    if (key == keys_.line) row.line = value.number();
  }
  container.first = frames.intern({reinterpret_cast<const char*>(&row), sizeof row});
}

void Store::set_block(BlockRow& row, std::span<const Value> items) const {
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (!items[i].is(Value::Kind::text)) continue;
    const auto key = static_cast<StringId>(items[i].bits);
    const Value& value = items[i + 1];
    if (key == keys_.address) row.address = static_cast<std::uint64_t>(value.number());
    if (key == keys_.size) row.size = value.number();
    if (key == keys_.requested_size) row.requested = value.number();
    if (key == keys_.state && value.is(Value::Kind::text)) row.state = static_cast<StringId>(value.bits);
    if (key == keys_.frames) row.stack = stack_of(value);
  }
}

void Store::set_segment(SegmentRow& row, std::span<const Value> items) {
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (!items[i].is(Value::Kind::text)) continue;
    const auto key = static_cast<StringId>(items[i].bits);
    const Value& value = items[i + 1];
    if (key == keys_.device) row.device = value.number();
    if (key == keys_.address) row.address = static_cast<std::uint64_t>(value.number());
    if (key == keys_.total_size) row.total = value.number();
    if (key == keys_.stream) row.stream = value.number();
    if (key == keys_.segment_type && value.is(Value::Kind::text)) row.type = static_cast<StringId>(value.bits);
    if (key == keys_.is_expandable) row.expandable = value.number() != 0;
    if (key == keys_.blocks) {
      const Container* const rows = list(value);
      if (rows != nullptr && rows->form == Form::rows && rows->of == Form::block) {
        row.first_block = rows->first;
        row.blocks = rows->count;
      } else if (rows == nullptr || rows->form != Form::empty) {
        ++lost;
      }
    }
  }
}

void Store::set_event(EventRow& row, std::span<const Value> items) const {
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (!items[i].is(Value::Kind::text)) continue;
    const auto key = static_cast<StringId>(items[i].bits);
    const Value& value = items[i + 1];
    if (key == keys_.action && value.is(Value::Kind::text)) {
      const auto found = std::ranges::find(actions_, static_cast<StringId>(value.bits));
      row.action = static_cast<Action>(found - actions_.begin());
    } else if (key == keys_.addr || key == keys_.device_free) {
      row.address = static_cast<std::uint64_t>(value.number());
    } else if (key == keys_.size) {
      row.size = value.number();
    } else if (key == keys_.stream) {
      row.stream = value.number();
    } else if (key == keys_.time_us) {
      row.time_us = value.number();
    } else if (key == keys_.frames) {
      row.stack = stack_of(value);
    }
  }
}

StringId Store::stack_of(Value value) const {
  const Container* const found = list(value);
  return found != nullptr && found->form == Form::stack ? found->first : 0;
}

const Value* Store::member(Value top, StringId key) const {
  if (!is_snapshot(top)) return nullptr;
  const std::vector<Value>& values = plain_[containers_[top.bits].first].values;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2)
    if (values[i].is(Value::Kind::text) && values[i].bits == key) return &values[i + 1];
  return nullptr;
}

bool Store::is_snapshot(Value top) const {
  return top.is(Value::Kind::dictionary) && containers_[top.bits].form == Form::top;
}

bool Store::has_key(Value top, std::string_view key) const {
  if (!top.is(Value::Kind::dictionary) || containers_[top.bits].form != Form::plain) return false;
  const StringId wanted = texts.find(key);
  const std::vector<Value>& values = plain_[containers_[top.bits].first].values;
  for (std::size_t i = 0; wanted != 0 && i + 1 < values.size(); i += 2)
    if (values[i].is(Value::Kind::text) && values[i].bits == wanted) return true;
  return false;
}

std::pair<std::uint32_t, std::uint32_t> Store::segments_of(Value top) const {
  const Value* const value = member(top, keys_.segments);
  const Container* const rows = value == nullptr ? nullptr : list(*value);
  if (rows == nullptr || rows->form != Form::rows || rows->of != Form::segment) return {0, 0};
  return {rows->first, rows->count};
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> Store::histories_of(Value top) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  const Value* const value = member(top, keys_.device_traces);
  const Container* const devices = value == nullptr ? nullptr : list(*value);
  if (devices == nullptr || devices->form != Form::plain) return out;
  for (const Value& one : plain_[devices->first].values) {
    const Container* const rows = list(one);
    if (rows != nullptr && rows->form == Form::rows && rows->of == Form::event)
      out.emplace_back(rows->first, rows->count);
    else
      out.emplace_back(0, 0);
  }
  return out;
}

std::vector<std::pair<Value, Value>> Store::settings_of(Value top) const {
  std::vector<std::pair<Value, Value>> out;
  const Value* const value = member(top, keys_.allocator_settings);
  if (value == nullptr || !value->is(Value::Kind::dictionary) || containers_[value->bits].form != Form::plain)
    return out;
  const std::vector<Value>& values = plain_[containers_[value->bits].first].values;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2)
    if (values[i].is(Value::Kind::text) && values[i + 1].kind <= Value::Kind::text)
      out.emplace_back(values[i], values[i + 1]);
  return out;
}

}  // namespace warpwalk::trace::snapshot
