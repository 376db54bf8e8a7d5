#include "instrumentation/armed/python_frames.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

namespace warpwalk::armed {
namespace {

constexpr int word = 8;
constexpr std::uintptr_t tag_bits = 7;  // Python 3.14 marks references to what it need not count

/// Reads memory of this process that may not be mapped.
std::optional<std::uintptr_t> careful_word(std::uintptr_t address) {
  std::uintptr_t value = 0;
  if (address % word != 0 || address < 4096) return {};
  const iovec to = {&value, sizeof value}, from = {reinterpret_cast<void*>(address), sizeof value};
  if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != sizeof value) return {};
  return value;
}

std::uintptr_t word_at(std::uintptr_t address, int offset) {
  std::uintptr_t value;
  std::memcpy(&value, reinterpret_cast<const void*>(address + static_cast<std::uintptr_t>(offset)), sizeof value);
  return value;
}

/// 0 for memory that is not mapped.
std::uintptr_t careful_word_at(std::uintptr_t address, int offset) {
  return careful_word(address + static_cast<std::uintptr_t>(offset)).value_or(0);
}

std::uintptr_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

bool PythonFrames::load() {
  const auto find = [](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(RTLD_DEFAULT, name));
    return function != nullptr;
  };
  return find(this_thread_state_, "PyGILState_GetThisThreadState") && find(get_frame_, "PyThreadState_GetFrame") &&
         find(get_code_, "PyFrame_GetCode") && find(get_back_, "PyFrame_GetBack") &&
         find(get_lasti_, "PyFrame_GetLasti") && find(line_of_, "PyCode_Addr2Line") &&
         find(get_attribute_, "PyObject_GetAttrString") && find(as_utf8_, "PyUnicode_AsUTF8") &&
         find(release_, "Py_DecRef") && find(clear_error_, "PyErr_Clear") && find(add_pending_, "Py_AddPendingCall") &&
         find(run_statements_, "PyRun_SimpleString") && find(code_type_, "PyCode_Type");
}

bool PythonFrames::call_soon(int (*function)(void*), void* argument) const {
  return add_pending_ != nullptr && add_pending_(function, argument) == 0;
}

std::vector<PythonFrames::True> PythonFrames::true_frames() const {
  std::vector<True> frames;
  Object* frame = get_frame_(this_thread_state_());
  while (frame != nullptr) {
    Object* const code = get_code_(frame);
    frames.push_back({code, get_lasti_(frame)});
    release_(code);  // the frame keeps it
    Object* const back = get_back_(frame);
    release_(frame);
    frame = back;
  }
  return frames;
}

bool PythonFrames::calibrate_from(std::uintptr_t state, const std::vector<True>& frames, int entry, int hop) {
  const auto innermost = [&]() -> std::optional<std::uintptr_t> {
    const auto first = careful_word(state + static_cast<std::uintptr_t>(entry));
    return !first || hop < 0 ? first : careful_word(*first + static_cast<std::uintptr_t>(hop));
  }();
  if (!innermost || *innermost == 0) return false;
  constexpr int frame_bytes = 16 * word;
  const auto is_code_of = [&](std::uintptr_t frame, int offset, const True& expected) {
    const auto found = careful_word(frame + static_cast<std::uintptr_t>(offset));
    return found && (*found & ~tag_bits) == number(expected.code);
  };
  for (int code = 0; code < frame_bytes; code += word) {
    if (!is_code_of(*innermost, code, frames[0])) continue;
    for (int previous = 0; previous < frame_bytes; previous += word) {
      if (previous == code) continue;
      // Follows the callers; between two of them, there may be a frame that belongs to the interpreter.
      std::vector<std::uintptr_t> chain = {*innermost};
      std::uintptr_t at = *innermost;
      while (chain.size() < frames.size()) {
        bool found = false;
        for (int step = 0; step < 3 && !found; ++step) {
          const auto next = careful_word(at + static_cast<std::uintptr_t>(previous));
          if (!next || *next == 0 || *next == at) break;
          at = *next;
          found = is_code_of(at, code, frames[chain.size()]);
        }
        if (!found) break;
        chain.push_back(at);
      }
      if (chain.size() != frames.size()) continue;
      for (int instruction = 0; instruction < frame_bytes; instruction += word) {
        if (instruction == code || instruction == previous) continue;
        std::optional<std::int64_t> begin;
        const bool same = std::ranges::all_of(chain, [&](const std::uintptr_t& frame) {
          const True& expected = frames[static_cast<std::size_t>(&frame - chain.data())];
          const auto pointer = careful_word(frame + static_cast<std::uintptr_t>(instruction));
          if (!pointer) return false;
          const auto here = static_cast<std::int64_t>(*pointer - number(expected.code)) - expected.offset;
          if (!begin) begin = here;
          return here == *begin && here > 0 && here < 1024;
        });
        if (!same) continue;
        entry_ = entry, hop_ = hop, previous_ = previous, instruction_ = instruction, code_begin_ = *begin;
        code_ = code;
        return true;
      }
    }
  }
  return false;
}

bool PythonFrames::calibrate() {
  const std::vector<True> frames = true_frames();
  if (frames.size() < 2) return false;  // one alone could be found by chance
  constexpr int object_bytes = 6 * word;
  type_ = -1;
  for (int offset = 0; offset < object_bytes && type_ < 0; offset += word)
    if (careful_word(number(frames[0].code) + static_cast<std::uintptr_t>(offset)) == number(code_type_))
      type_ = offset;
  if (type_ < 0) return false;
  const std::uintptr_t state = main_state_ = number(this_thread_state_());
  constexpr int state_bytes = 64 * word, hop_bytes = 6 * word;
  for (int entry = 0; entry < state_bytes; entry += word) {
    if (calibrate_from(state, frames, entry, -1)) return true;
    for (int hop = 0; hop < hop_bytes; hop += word)
      if (calibrate_from(state, frames, entry, hop)) return true;
  }
  return false;
}

template <class Read>
void PythonFrames::walk(std::uintptr_t state, std::vector<PythonFrame>& to, std::size_t most, Read read) const {
  to.clear();
  if (!is_calibrated() || state == 0) return;
  std::uintptr_t frame = read(state, entry_);
  if (hop_ >= 0 && frame != 0) frame = read(frame, hop_);
  constexpr int most_steps = 4096;
  for (int step = 0; step < most_steps && frame != 0 && to.size() < most; ++step) {
    const std::uintptr_t code = read(frame, code_) & ~tag_bits;
    // The interpreter's own frames have something else in the place of the code.
    if (code != 0 && read(code, type_) == number(code_type_))
      to.push_back({reinterpret_cast<const void*>(code),
                    static_cast<std::int64_t>(read(frame, instruction_) - code) - code_begin_});
    frame = read(frame, previous_);
  }
}

void PythonFrames::current(std::vector<PythonFrame>& to, std::size_t most) const {
  walk(number(this_thread_state_()), to, most, word_at);
}

void PythonFrames::of_main_thread(std::vector<PythonFrame>& to, std::size_t most) const {
  walk(main_state_, to, most, careful_word_at);
}

std::pair<std::uintptr_t, std::uintptr_t> PythonFrames::top_of_main_thread() const {
  if (!is_calibrated()) return {};
  std::uintptr_t frame = word_at(main_state_, entry_);  // Python keeps the main thread's state
  if (hop_ >= 0 && frame != 0) frame = careful_word_at(frame, hop_);
  return {frame, frame == 0 ? 0 : careful_word_at(frame, instruction_)};
}

const char* PythonFrames::utf8_of(Object* object, const char* attribute, Object*& held) const {
  held = get_attribute_(object, attribute);
  const char* const text = held == nullptr ? nullptr : as_utf8_(held);
  if (text == nullptr) clear_error_();
  return text == nullptr ? "?" : text;
}

std::string PythonFrames::text(const PythonFrame& frame) const {
  // The code of another thread may have ended since.
  if (careful_word_at(number(frame.code), type_) != number(code_type_)) return "?:0 ?";
  auto* const code = const_cast<Object*>(frame.code);
  Object *file = nullptr, *name = nullptr;
  std::string text = utf8_of(code, "co_filename", file);
  text += ':' + std::to_string(line_of_(code, static_cast<int>(frame.offset))) + ' ';
  text += utf8_of(code, "co_qualname", name);
  for (Object* const held : {file, name})
    if (held != nullptr) release_(held);
  return text;
}

}  // namespace warpwalk::armed
