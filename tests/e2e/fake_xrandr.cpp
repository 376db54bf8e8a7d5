// libXrandr for a display with two monitors side by side, as GLFW calls it: Xvfb itself has one. The left half of the
// screen is the primary monitor. The structures are those of <X11/extensions/Xrandr.h>.
#include <array>
#include <cstddef>

#include <X11/Xlib.h>

namespace {

struct ModeInfo {
  XID id;
  unsigned int width, height;
  unsigned long dot_clock;
  unsigned int h_sync_start, h_sync_end, h_total, h_skew, v_sync_start, v_sync_end, v_total;
  char* name;
  unsigned int name_length;
  unsigned long flags;
};
struct Resources {
  Time timestamp, config_timestamp;
  int crtc_count;
  XID* crtcs;
  int output_count;
  XID* outputs;
  int mode_count;
  ModeInfo* modes;
};
struct OutputInfo {
  Time timestamp;
  XID crtc;
  char* name;
  int name_length;
  unsigned long mm_width, mm_height;
  unsigned short connection, subpixel_order;  // 0: connected
  int crtc_count;
  XID* crtcs;
  int clone_count;
  XID* clones;
  int mode_count, preferred_count;
  XID* modes;
};
struct CrtcInfo {
  Time timestamp;
  int x, y;
  unsigned int width, height;
  XID mode;
  unsigned short rotation;
  int output_count;
  XID* outputs;
  unsigned short rotations;
  int possible_count;
  XID* possible;
};

constexpr XID left_crtc = 11, right_crtc = 12, left_output = 21, right_output = 22, only_mode = 31;
constexpr unsigned int refresh_hertz = 60;
constexpr int no_event = 200;  // the number of the first event, which never comes
constexpr unsigned short upright = 1;

std::array<XID, 2> crtcs = {left_crtc, right_crtc}, outputs = {left_output, right_output};
std::array<XID, 1> modes = {only_mode};
std::array<char, 5> left_name = {"LEFT"};
std::array<char, 6> right_name = {"RIGHT"};
ModeInfo mode = {};
Resources resources = {};
OutputInfo output = {};
CrtcInfo crtc = {};

unsigned int half_width(Display* display) { return static_cast<unsigned int>(DisplayWidth(display, 0)) / 2; }
unsigned int height(Display* display) { return static_cast<unsigned int>(DisplayHeight(display, 0)); }

}  // namespace

extern "C" {

int XRRQueryExtension(Display*, int* event, int* error) {
  *event = *error = no_event;
  return 1;
}

int XRRQueryVersion(Display*, int* major, int* minor) {
  *major = 1;
  *minor = 5;
  return 1;
}

void XRRSelectInput(Display*, Window, int) {}
int XRRUpdateConfiguration(XEvent*) { return 1; }

Resources* XRRGetScreenResourcesCurrent(Display* display, Window) {
  mode = {};
  mode.id = only_mode;
  mode.width = half_width(display);
  mode.height = height(display);
  mode.h_total = mode.width;
  mode.v_total = mode.height;
  mode.dot_clock = static_cast<unsigned long>(refresh_hertz) * mode.width * mode.height;
  resources = {0, 0, 2, crtcs.data(), 2, outputs.data(), 1, &mode};
  return &resources;
}

XID XRRGetOutputPrimary(Display*, Window) { return left_output; }

OutputInfo* XRRGetOutputInfo(Display*, Resources*, XID id) {
  const bool left = id == left_output;
  output = {};
  output.crtc = left ? left_crtc : right_crtc;
  output.name = left ? left_name.data() : right_name.data();
  output.name_length = left ? 4 : 5;
  output.mm_width = 300;
  output.mm_height = 200;
  output.mode_count = 1;
  output.modes = modes.data();
  return &output;
}

CrtcInfo* XRRGetCrtcInfo(Display* display, Resources*, XID id) {
  crtc = {};
  crtc.x = id == left_crtc ? 0 : static_cast<int>(half_width(display));
  crtc.width = half_width(display);
  crtc.height = height(display);
  crtc.mode = only_mode;
  crtc.rotation = upright;
  return &crtc;
}

int XRRSetCrtcConfig(Display*, Resources*, XID, Time, int, int, XID, unsigned short, XID*, int) { return 0; }
int XRRGetCrtcGammaSize(Display*, XID) { return 0; }
void* XRRGetCrtcGamma(Display*, XID) { return nullptr; }
void XRRSetCrtcGamma(Display*, XID, void*) {}
void* XRRAllocGamma(int) { return nullptr; }
void XRRFreeGamma(void*) {}
void XRRFreeScreenResources(Resources*) {}
void XRRFreeOutputInfo(OutputInfo*) {}
void XRRFreeCrtcInfo(CrtcInfo*) {}
}
