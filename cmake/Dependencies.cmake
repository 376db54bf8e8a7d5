# Everything comes from the system's packages; scripts/setup names them.
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
warpwalk_pkg(glfw glfw3)
warpwalk_pkg(gl gl)
warpwalk_pkg(stb stb)
warpwalk_pkg(rapidjson RapidJSON)
warpwalk_pkg(cli11 CLI11)
warpwalk_pkg(xxhash libxxhash)
