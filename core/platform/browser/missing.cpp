// Functions of Linux that emscripten's C library lacks. They fail as on a system that does not have them, and their
// callers report that.
#include <cstddef>
#include <cstdint>

#include <dlfcn.h>
#include <errno.h>

extern "C" {

int memfd_create(const char*, unsigned) {
  errno = ENOSYS;
  return -1;
}
int prctl(int, ...) {
  errno = ENOSYS;
  return -1;
}

// emscripten's own dlopen() ends the program.
void __dl_seterr(const char* format, ...);  // sets what dlerror() returns
void* dlopen(const char*, int) {
  __dl_seterr("a browser cannot load libraries");
  return nullptr;
}
void* dlsym(void*, const char*) { return nullptr; }
int dlclose(void*) { return 0; }
int dlinfo(void*, int, void*) { return -1; }

// musl's fma() loses the sign of a product that underflows to zero before zero is added. Linked with --wrap=fma.
double __real_fma(double x, double y, double z);
double __wrap_fma(double x, double y, double z) { return z == 0 && x != 0 && y != 0 ? x * y : __real_fma(x, y, z); }

// Support for setjmp (FreeType), which clang turns into exceptions. Its memory: the call of setjmp, its number in the
// function, and what longjmp hands over.
struct WasmJump {
  void* call;
  std::uint32_t label;
  struct {
    void* environment;
    int value;
  } argument;
};
void __wasm_setjmp(WasmJump* jump, std::uint32_t label, void* call) {
  jump->call = call;
  jump->label = label;
}
std::uint32_t __wasm_setjmp_test(WasmJump* jump, void* call) { return jump->call == call ? jump->label : 0; }
void __wasm_longjmp(WasmJump* jump, int value) {
  jump->argument = {jump, value == 0 ? 1 : value};
  __builtin_wasm_throw(1, &jump->argument);
}
}
