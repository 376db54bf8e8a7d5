# All dependencies are system packages; scripts/setup lists and installs them.
find_package(PkgConfig REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

function(warpwalk_pkg name module)
  pkg_check_modules(WARPWALK_${name} REQUIRED IMPORTED_TARGET ${module})
  add_library(warpwalk::${name} ALIAS PkgConfig::WARPWALK_${name})
endfunction()

warpwalk_pkg(imgui imgui)
warpwalk_pkg(freetype freetype2)
# Opened at run time (app/window/display_libraries.cpp): only their headers are used.
pkg_check_modules(WARPWALK_DISPLAY REQUIRED glfw3 gl)
add_library(warpwalk_display INTERFACE)
target_include_directories(warpwalk_display SYSTEM INTERFACE ${WARPWALK_DISPLAY_INCLUDE_DIRS})
warpwalk_pkg(stb stb)
warpwalk_pkg(rapidjson RapidJSON)
warpwalk_pkg(cli11 CLI11)
warpwalk_pkg(xxhash libxxhash)
warpwalk_pkg(sqlite sqlite3)
warpwalk_pkg(crypto libcrypto)
