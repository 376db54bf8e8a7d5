#include "instrumentation/armed/python.h"

#include <string>

#include <dlfcn.h>
#include <unistd.h>

namespace warpwalk::armed {
namespace {

constexpr std::size_t most_frames = 48;
constexpr std::size_t frame_text_bytes = 192;

/// Names PyTorch's operators, and writes PyTorch's blocks of memory and the tensors that are still there into a file
/// when an exception ends the program. The statements run once in a module of their own; they know the library and the
/// file by these names.
constexpr std::string_view statements = R"(exec('''
import ctypes, sys
def start():
    ctypes.PyDLL(library).warpwalk_calibrate_python()
    try:
        names = sys.modules["torch"]._C._dispatch_get_all_op_names()
        ctypes.PyDLL(library).warpwalk_name_ops("\\n".join(names).encode())
    except Exception:
        pass
start()
usual_hook = sys.excepthook
def named_tensors(torch, traceback):
    names = {}
    while traceback is not None:
        for name, value in traceback.tb_frame.f_locals.items():
            if issubclass(type(value), torch.nn.Module):
                for path, tensor in [*value.named_parameters(), *value.named_buffers()]:
                    names.setdefault(id(tensor), name + "." + path)
                    if tensor.is_leaf and tensor.grad is not None:
                        names.setdefault(id(tensor.grad), name + "." + path + ".grad")
            elif issubclass(type(value), torch.Tensor):
                names[id(value)] = name
        traceback = traceback.tb_next
    return names
def tensors_of(torch, traceback):
    import gc
    names = named_tensors(torch, traceback)
    tensors = []
    for one in gc.get_objects():
        try:
            if issubclass(type(one), torch.Tensor) and one.is_cuda and one.numel() > 0:
                tensors.append({"address": one.data_ptr(), "dtype": str(one.dtype).removeprefix("torch."),
                                "shape": list(one.shape), "strides": list(one.stride()),
                                "bytes": one.element_size(), "name": names.get(id(one))})
        except Exception:
            pass
    return tensors
def hook(kind, value, traceback):
    try:
        torch = sys.modules.get("torch")
        if torch is not None:
            import json
            segments = [{"address": segment["address"], "bytes": segment["total_size"], "stream": segment["stream"],
                         "blocks": [{"bytes": block["size"], "wanted": block.get("requested_size", block["size"]),
                                     "state": block["state"]} for block in segment["blocks"]]}
                        for segment in torch.cuda.memory_snapshot()]
            with open(file, "w") as out:
                json.dump({"segments": segments, "tensors": tensors_of(torch, traceback)}, out)
    except Exception:
        pass
    usual_hook(kind, value, traceback)
sys.excepthook = hook
''', {"__name__": "warpwalk_armed", "library": )";

std::string python_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

Python*& the_python() {
  static Python* python = nullptr;
  return python;
}

}  // namespace

void Python::start(Ring& ring, const std::filesystem::path& folder) {
  if (!frames_.load()) return;
  ring_ = &ring;
  folder_ = folder;
  the_python() = this;
  frames_.call_soon(&prepare, this);
}

int Python::prepare(void* self) {
  auto& python = *static_cast<Python*>(self);
  Dl_info here = {};
  if (dladdr(reinterpret_cast<void*>(&prepare), &here) == 0 || here.dli_fname == nullptr) return 0;
  const std::filesystem::path file = python.folder_ / (std::to_string(getpid()) + ".blocks.json");
  python.frames_.run(
      (std::string(statements) + python_text(here.dli_fname) + ", \"file\": " + python_text(file.string()) + "})\n")
          .c_str());
  return 0;
}

void Python::calibrate() {
  if (calibrated_ || !frames_.calibrate()) return;
  ring_->has_python();
  calibrated_ = true;
}

int Python::name_frames(void* self) {
  auto& python = *static_cast<Python*>(self);
  std::vector<std::pair<PythonFrame, std::uint32_t>> unnamed;
  {
    const std::lock_guard lock(python.mutex_);
    unnamed.swap(python.unnamed_);
  }
  for (const auto& [frame, place] : unnamed) python.ring_->fill(place, python.frames_.text(frame), frame_text_bytes);
  return 0;
}

std::uint32_t Python::frame_of(std::uint32_t caller, const PythonFrame& frame) {
  const auto [place, is_new] = places_.try_emplace({caller, frame}, 0);
  if (!is_new) return place->second;
  const auto [text, is_new_text] = texts_.try_emplace({0, frame}, 0);
  if (is_new_text) {
    text->second = ring_->reserve(frame_text_bytes);
    if (text->second != 0) unnamed_.emplace_back(frame, text->second);
  }
  return place->second = ring_->frame(caller, text->second);
}

std::uint32_t Python::stack_of(const std::vector<PythonFrame>& frames) {
  std::uint32_t stack = 0;
  for (std::size_t i = frames.size(); i-- > 0;) stack = frame_of(stack, frames[i]);
  if (!unnamed_.empty()) frames_.call_soon(&name_frames, this);
  return stack;
}

Python::Stack Python::stack() {
  if (!calibrated_) return {};
  thread_local std::vector<PythonFrame> here;
  frames_.current(here, most_frames);
  const std::lock_guard lock(mutex_);
  if (!here.empty()) return {stack_of(here), false};
  if (const auto top = frames_.top_of_main_thread(); top != main_top_) {
    main_top_ = top;
    frames_.of_main_thread(here, most_frames);
    main_stack_ = stack_of(here);
  }
  return {main_stack_, main_stack_ != 0};
}

}  // namespace warpwalk::armed

extern "C" {

/// For the statements above: called by Python with its lock, from a function.
__attribute__((visibility("default"))) void warpwalk_calibrate_python() {
  using warpwalk::armed::the_python;
  if (the_python() != nullptr) the_python()->calibrate();
}

/// For the statements above. `names`: of PyTorch's operators, one in each line.
__attribute__((visibility("default"))) void warpwalk_name_ops(const char* names) {
  using warpwalk::armed::the_python;
  if (the_python() != nullptr) the_python()->ops().start(names);
}

}  // extern "C"
