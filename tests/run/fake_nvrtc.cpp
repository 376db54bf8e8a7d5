// A fake NVRTC for tests: it returns the source as PTX, and the file WARPWALK_FAKE_NVRTC_CUBIN as machine code.
// WARPWALK_FAKE_NVRTC selects its behavior.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace {

struct Program {
  std::string source, log;
};

bool asks_for(const char* what) {
  const char* const value = std::getenv("WARPWALK_FAKE_NVRTC");
  return value != nullptr && std::strcmp(value, what) == 0;
}

std::string cubin() {
  const char* const file = std::getenv("WARPWALK_FAKE_NVRTC_CUBIN");
  if (file == nullptr) return {};
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

void give(const std::string& text, char* out) { std::memcpy(out, text.c_str(), text.size() + 1); }

}  // namespace

extern "C" {
int nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  return 0;
}
const char* nvrtcGetErrorString(int) { return "stand-in fails"; }
int nvrtcCreateProgram(void** program, const char* source, const char* name, int, const char* const*,
                       const char* const*) {
  *program = new Program{source, name};
  return 0;
}
int nvrtcCompileProgram(void* program, int count, const char* const* options) {
  Program& p = *static_cast<Program*>(program);
  const std::string name = p.log;
  p.log.clear();
  if (asks_for("options"))
    for (int i = 0; i < count; ++i) p.log += std::string(i == 0 ? "error: options are " : " ") + options[i];
  if (!p.log.empty()) return 6;
  if (p.source.find("#error") == std::string::npos) return 0;
  if (!asks_for("silent"))
    p.log = name + "(2): warning: something\n" + name + "(3): error: identifier \"x\" is undefined\n\n1 error\n";
  return 6;
}
int nvrtcGetProgramLogSize(void* program, std::size_t* size) {
  *size = static_cast<Program*>(program)->log.size() + 1;
  return 0;
}
int nvrtcGetProgramLog(void* program, char* out) {
  give(static_cast<Program*>(program)->log, out);
  return 0;
}
int nvrtcGetPTXSize(void* program, std::size_t* size) {
  *size = static_cast<Program*>(program)->source.size() + 1;
  return 0;
}
int nvrtcGetPTX(void* program, char* out) {
  give(static_cast<Program*>(program)->source, out);
  return 0;
}
int nvrtcGetCUBINSize(void*, std::size_t* size) {
  *size = cubin().size();
  return 0;
}
int nvrtcGetCUBIN(void*, char* out) {
  const std::string bytes = cubin();
  std::memcpy(out, bytes.data(), bytes.size());
  return 0;
}
int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  *program = nullptr;
  return 0;
}
}
