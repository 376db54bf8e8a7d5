// GLFW and OpenGL, opened when the first window is: a machine without a display has no need of them, and may not have
// them. These are the functions of <GLFW/glfw3.h> and <GL/gl.h> that warpwalk calls. Without the library, glfwInit()
// fails and glfwGetError() says why; the others are called after glfwInit() alone. The archive for machines without
// GLFW brings it along (scripts/package); the machine's own is the first choice.
#include <filesystem>
#include <string>

#include <GLFW/glfw3.h>
#include <dlfcn.h>

#include "core/platform/executable_path.h"

namespace {

struct Library {
  void* handle = dlopen("libglfw.so.3", RTLD_NOW | RTLD_LOCAL);
  std::string error;

  Library() {
    if (handle != nullptr) return;
    error = dlerror();
    const auto shipped =
        warpwalk::platform::executable_path().parent_path().parent_path() / "lib/warpwalk/libglfw.so.3";
    if (std::error_code ignored; !std::filesystem::exists(shipped, ignored)) return;
    handle = dlopen(shipped.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) error = dlerror();
  }
};

const Library& library() {
  static const Library opened;
  return opened;
}

template <class Function>
Function* glfw(const char* name) {
  return reinterpret_cast<Function*>(dlsym(library().handle, name));
}

template <class Function>
Function* gl(const char* name) {
  return reinterpret_cast<Function*>(glfwGetProcAddress(name));
}

}  // namespace

extern "C" {

int glfwInit() {
  static const auto call = library().handle == nullptr ? nullptr : glfw<decltype(glfwInit)>("glfwInit");
  return call == nullptr ? GLFW_FALSE : call();
}

int glfwGetError(const char** description) {
  static const auto call = library().handle == nullptr ? nullptr : glfw<decltype(glfwGetError)>("glfwGetError");
  if (call != nullptr) return call(description);
  *description = library().error.c_str();
  return GLFW_API_UNAVAILABLE;
}

GLFWwindow* glfwCreateWindow(int width, int height, const char* title, GLFWmonitor* monitor, GLFWwindow* share) {
  static const auto call = glfw<decltype(glfwCreateWindow)>("glfwCreateWindow");
  return call(width, height, title, monitor, share);
}

void glfwDestroyWindow(GLFWwindow* window) {
  static const auto call = glfw<decltype(glfwDestroyWindow)>("glfwDestroyWindow");
  call(window);
}

const char* glfwGetClipboardString(GLFWwindow* window) {
  static const auto call = glfw<decltype(glfwGetClipboardString)>("glfwGetClipboardString");
  return call(window);
}

void glfwGetCursorPos(GLFWwindow* window, double* xpos, double* ypos) {
  static const auto call = glfw<decltype(glfwGetCursorPos)>("glfwGetCursorPos");
  call(window, xpos, ypos);
}

void glfwGetFramebufferSize(GLFWwindow* window, int* width, int* height) {
  static const auto call = glfw<decltype(glfwGetFramebufferSize)>("glfwGetFramebufferSize");
  call(window, width, height);
}

const char* glfwGetKeyName(int key, int scancode) {
  static const auto call = glfw<decltype(glfwGetKeyName)>("glfwGetKeyName");
  return call(key, scancode);
}

void glfwGetMonitorPos(GLFWmonitor* monitor, int* xpos, int* ypos) {
  static const auto call = glfw<decltype(glfwGetMonitorPos)>("glfwGetMonitorPos");
  call(monitor, xpos, ypos);
}

void glfwGetMonitorWorkarea(GLFWmonitor* monitor, int* xpos, int* ypos, int* width, int* height) {
  static const auto call = glfw<decltype(glfwGetMonitorWorkarea)>("glfwGetMonitorWorkarea");
  call(monitor, xpos, ypos, width, height);
}

GLFWmonitor** glfwGetMonitors(int* count) {
  static const auto call = glfw<decltype(glfwGetMonitors)>("glfwGetMonitors");
  return call(count);
}

int glfwGetMouseButton(GLFWwindow* window, int button) {
  static const auto call = glfw<decltype(glfwGetMouseButton)>("glfwGetMouseButton");
  return call(window, button);
}

GLFWmonitor* glfwGetPrimaryMonitor() {
  static const auto call = glfw<decltype(glfwGetPrimaryMonitor)>("glfwGetPrimaryMonitor");
  return call();
}

GLFWglproc glfwGetProcAddress(const char* procname) {
  static const auto call = glfw<decltype(glfwGetProcAddress)>("glfwGetProcAddress");
  return call(procname);
}

double glfwGetTime() {
  static const auto call = glfw<decltype(glfwGetTime)>("glfwGetTime");
  return call();
}

const GLFWvidmode* glfwGetVideoMode(GLFWmonitor* monitor) {
  static const auto call = glfw<decltype(glfwGetVideoMode)>("glfwGetVideoMode");
  return call(monitor);
}

int glfwGetWindowAttrib(GLFWwindow* window, int attrib) {
  static const auto call = glfw<decltype(glfwGetWindowAttrib)>("glfwGetWindowAttrib");
  return call(window, attrib);
}

void glfwGetWindowContentScale(GLFWwindow* window, float* xscale, float* yscale) {
  static const auto call = glfw<decltype(glfwGetWindowContentScale)>("glfwGetWindowContentScale");
  call(window, xscale, yscale);
}

void glfwGetWindowPos(GLFWwindow* window, int* xpos, int* ypos) {
  static const auto call = glfw<decltype(glfwGetWindowPos)>("glfwGetWindowPos");
  call(window, xpos, ypos);
}

void glfwGetWindowSize(GLFWwindow* window, int* width, int* height) {
  static const auto call = glfw<decltype(glfwGetWindowSize)>("glfwGetWindowSize");
  call(window, width, height);
}

void* glfwGetWindowUserPointer(GLFWwindow* window) {
  static const auto call = glfw<decltype(glfwGetWindowUserPointer)>("glfwGetWindowUserPointer");
  return call(window);
}

void glfwIconifyWindow(GLFWwindow* window) {
  static const auto call = glfw<decltype(glfwIconifyWindow)>("glfwIconifyWindow");
  call(window);
}

void glfwMakeContextCurrent(GLFWwindow* window) {
  static const auto call = glfw<decltype(glfwMakeContextCurrent)>("glfwMakeContextCurrent");
  call(window);
}

void glfwPollEvents() {
  static const auto call = glfw<decltype(glfwPollEvents)>("glfwPollEvents");
  call();
}

GLFWcharfun glfwSetCharCallback(GLFWwindow* window, GLFWcharfun callback) {
  static const auto call = glfw<decltype(glfwSetCharCallback)>("glfwSetCharCallback");
  return call(window, callback);
}

void glfwSetClipboardString(GLFWwindow* window, const char* string) {
  static const auto call = glfw<decltype(glfwSetClipboardString)>("glfwSetClipboardString");
  call(window, string);
}

GLFWcursorposfun glfwSetCursorPosCallback(GLFWwindow* window, GLFWcursorposfun callback) {
  static const auto call = glfw<decltype(glfwSetCursorPosCallback)>("glfwSetCursorPosCallback");
  return call(window, callback);
}

GLFWdropfun glfwSetDropCallback(GLFWwindow* window, GLFWdropfun callback) {
  static const auto call = glfw<decltype(glfwSetDropCallback)>("glfwSetDropCallback");
  return call(window, callback);
}

GLFWframebuffersizefun glfwSetFramebufferSizeCallback(GLFWwindow* window, GLFWframebuffersizefun callback) {
  static const auto call = glfw<decltype(glfwSetFramebufferSizeCallback)>("glfwSetFramebufferSizeCallback");
  return call(window, callback);
}

GLFWkeyfun glfwSetKeyCallback(GLFWwindow* window, GLFWkeyfun callback) {
  static const auto call = glfw<decltype(glfwSetKeyCallback)>("glfwSetKeyCallback");
  return call(window, callback);
}

GLFWmousebuttonfun glfwSetMouseButtonCallback(GLFWwindow* window, GLFWmousebuttonfun callback) {
  static const auto call = glfw<decltype(glfwSetMouseButtonCallback)>("glfwSetMouseButtonCallback");
  return call(window, callback);
}

GLFWscrollfun glfwSetScrollCallback(GLFWwindow* window, GLFWscrollfun callback) {
  static const auto call = glfw<decltype(glfwSetScrollCallback)>("glfwSetScrollCallback");
  return call(window, callback);
}

GLFWwindowfocusfun glfwSetWindowFocusCallback(GLFWwindow* window, GLFWwindowfocusfun callback) {
  static const auto call = glfw<decltype(glfwSetWindowFocusCallback)>("glfwSetWindowFocusCallback");
  return call(window, callback);
}

void glfwSetWindowMonitor(GLFWwindow* window, GLFWmonitor* monitor, int xpos, int ypos, int width, int height,
                          int refreshRate) {
  static const auto call = glfw<decltype(glfwSetWindowMonitor)>("glfwSetWindowMonitor");
  call(window, monitor, xpos, ypos, width, height, refreshRate);
}

void glfwSetWindowPos(GLFWwindow* window, int xpos, int ypos) {
  static const auto call = glfw<decltype(glfwSetWindowPos)>("glfwSetWindowPos");
  call(window, xpos, ypos);
}

GLFWwindowrefreshfun glfwSetWindowRefreshCallback(GLFWwindow* window, GLFWwindowrefreshfun callback) {
  static const auto call = glfw<decltype(glfwSetWindowRefreshCallback)>("glfwSetWindowRefreshCallback");
  return call(window, callback);
}

void glfwSetWindowSize(GLFWwindow* window, int width, int height) {
  static const auto call = glfw<decltype(glfwSetWindowSize)>("glfwSetWindowSize");
  call(window, width, height);
}

void glfwSetWindowSizeLimits(GLFWwindow* window, int minwidth, int minheight, int maxwidth, int maxheight) {
  static const auto call = glfw<decltype(glfwSetWindowSizeLimits)>("glfwSetWindowSizeLimits");
  call(window, minwidth, minheight, maxwidth, maxheight);
}

void glfwSetWindowTitle(GLFWwindow* window, const char* title) {
  static const auto call = glfw<decltype(glfwSetWindowTitle)>("glfwSetWindowTitle");
  call(window, title);
}

void glfwSetWindowUserPointer(GLFWwindow* window, void* pointer) {
  static const auto call = glfw<decltype(glfwSetWindowUserPointer)>("glfwSetWindowUserPointer");
  call(window, pointer);
}

void glfwShowWindow(GLFWwindow* window) {
  static const auto call = glfw<decltype(glfwShowWindow)>("glfwShowWindow");
  call(window);
}

void glfwSwapBuffers(GLFWwindow* window) {
  static const auto call = glfw<decltype(glfwSwapBuffers)>("glfwSwapBuffers");
  call(window);
}

void glfwSwapInterval(int interval) {
  static const auto call = glfw<decltype(glfwSwapInterval)>("glfwSwapInterval");
  call(interval);
}

void glfwTerminate() {
  static const auto call = glfw<decltype(glfwTerminate)>("glfwTerminate");
  call();
}

void glfwWaitEvents() {
  static const auto call = glfw<decltype(glfwWaitEvents)>("glfwWaitEvents");
  call();
}

void glfwWaitEventsTimeout(double timeout) {
  static const auto call = glfw<decltype(glfwWaitEventsTimeout)>("glfwWaitEventsTimeout");
  call(timeout);
}

void glfwWindowHint(int hint, int value) {
  static const auto call = glfw<decltype(glfwWindowHint)>("glfwWindowHint");
  call(hint, value);
}

void glfwWindowHintString(int hint, const char* value) {
  static const auto call = glfw<decltype(glfwWindowHintString)>("glfwWindowHintString");
  call(hint, value);
}

int glfwWindowShouldClose(GLFWwindow* window) {
  static const auto call = glfw<decltype(glfwWindowShouldClose)>("glfwWindowShouldClose");
  return call(window);
}

void glBindTexture(GLenum target, GLuint texture) {
  static const auto call = gl<decltype(glBindTexture)>("glBindTexture");
  call(target, texture);
}

void glClear(GLbitfield mask) {
  static const auto call = gl<decltype(glClear)>("glClear");
  call(mask);
}

void glClearColor(GLclampf red, GLclampf green, GLclampf blue, GLclampf alpha) {
  static const auto call = gl<decltype(glClearColor)>("glClearColor");
  call(red, green, blue, alpha);
}

void glDeleteTextures(GLsizei count, const GLuint* textures) {
  static const auto call = gl<decltype(glDeleteTextures)>("glDeleteTextures");
  call(count, textures);
}

void glGenTextures(GLsizei count, GLuint* textures) {
  static const auto call = gl<decltype(glGenTextures)>("glGenTextures");
  call(count, textures);
}

void glGetIntegerv(GLenum name, GLint* values) {
  static const auto call = gl<decltype(glGetIntegerv)>("glGetIntegerv");
  call(name, values);
}

const GLubyte* glGetString(GLenum name) {
  static const auto call = gl<decltype(glGetString)>("glGetString");
  return call(name);
}

void glTexImage2D(GLenum target, GLint level, GLint format, GLsizei width, GLsizei height, GLint border, GLenum pixels,
                  GLenum type, const void* data) {
  static const auto call = gl<decltype(glTexImage2D)>("glTexImage2D");
  call(target, level, format, width, height, border, pixels, type, data);
}

void glTexParameteri(GLenum target, GLenum name, GLint value) {
  static const auto call = gl<decltype(glTexParameteri)>("glTexParameteri");
  call(target, name, value);
}

void glViewport(GLint x, GLint y, GLsizei width, GLsizei height) {
  static const auto call = gl<decltype(glViewport)>("glViewport");
  call(x, y, width, height);
}

}  // extern "C"
