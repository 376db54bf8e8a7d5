#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpwalk::armed {

/// A frame of Python: a code object, and the offset in it.
struct PythonFrame {
  const void* code = nullptr;
  std::int64_t offset = 0;  ///< of the instruction, bytes: f_lasti
  bool operator==(const PythonFrame&) const = default;
};

/// The Python frames of the calling thread, read without Python's lock: PyTorch gives it up before it launches a
/// kernel. Where the interpreter keeps them is found out once, by comparison with what its public functions return, and
/// differs between versions. From Python 3.11 on.
class PythonFrames {
 public:
  /// True if the process has Python's public functions.
  bool load();
  /// Has Python call `function` soon on its main thread, with the lock. May be called without it. False: too many wait.
  bool call_soon(int (*function)(void*), void* argument) const;
  /// Finds out where the frames are. With the lock. False: not found, so that current() has none.
  bool calibrate();
  bool is_calibrated() const { return code_ >= 0; }
  /// Replaces `to` by the frames of the calling thread, the innermost first, at most `most`; none if it runs no Python.
  void current(std::vector<PythonFrame>& to, std::size_t most) const;
  /// Likewise of the thread that called calibrate(), which may run meanwhile: then they can be wrong. Slower.
  void of_main_thread(std::vector<PythonFrame>& to, std::size_t most) const;
  /// The innermost frame of that thread, and its place in it: while they stay the same, so do its frames, in practice.
  std::pair<std::uintptr_t, std::uintptr_t> top_of_main_thread() const;
  /// "train.py:12 Model.forward". With the lock, while the code runs.
  std::string text(const PythonFrame& frame) const;
  /// Runs statements. With the lock.
  void run(const char* statements) const { run_statements_(statements); }

 private:
  using Object = void;
  struct True {
    const void* code;
    std::int64_t offset;
  };
  std::vector<True> true_frames() const;
  template <class Read>
  void walk(std::uintptr_t state, std::vector<PythonFrame>& to, std::size_t most, Read read) const;
  bool calibrate_from(std::uintptr_t state, const std::vector<True>& frames, int entry, int hop);
  const char* utf8_of(Object* object, const char* attribute, Object*& held) const;

  Object* (*this_thread_state_)() = nullptr;       // PyGILState_GetThisThreadState
  Object* (*get_frame_)(Object* state) = nullptr;  // PyThreadState_GetFrame
  Object* (*get_code_)(Object* frame) = nullptr;   // PyFrame_GetCode
  Object* (*get_back_)(Object* frame) = nullptr;   // PyFrame_GetBack
  int (*get_lasti_)(Object* frame) = nullptr;      // PyFrame_GetLasti
  int (*line_of_)(Object* code, int) = nullptr;    // PyCode_Addr2Line
  Object* (*get_attribute_)(Object*, const char*) = nullptr;
  const char* (*as_utf8_)(Object*) = nullptr;
  void (*release_)(Object*) = nullptr;  // Py_DecRef
  void (*clear_error_)() = nullptr;
  int (*add_pending_)(int (*)(void*), void*) = nullptr;
  int (*run_statements_)(const char*) = nullptr;  // PyRun_SimpleString
  const void* code_type_ = nullptr;               // PyCode_Type

  std::uintptr_t main_state_ = 0;  ///< of the main thread

  // Offsets in bytes; -1: not known.
  int entry_ = -1, hop_ = -1;  ///< from the thread's state to the innermost frame, with a second step or without (-1)
  int code_ = -1, previous_ = -1, instruction_ = -1;  ///< in a frame
  int type_ = 8;                                      ///< in an object: its type
  std::int64_t code_begin_ = 0;                       ///< from a code object to its instructions
};

}  // namespace warpwalk::armed
