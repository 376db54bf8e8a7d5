# libcuda.so.1 and libcudart.so.12 and .13 of the simulated GPU, which `warpwalk record --on sim` puts before NVIDIA's. They
# bring their C++ library along, since the program that loads them may have another.
set(simulated ${PROJECT_SOURCE_DIR}/instrumentation/simulated)
set(simulated_folder ${PROJECT_BINARY_DIR}/simulated_cuda)

function(warpwalk_simulated_library target name map)
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name} SUFFIX "" NO_SONAME ON
                                             CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN ON
                                             LIBRARY_OUTPUT_DIRECTORY ${simulated_folder} LINK_DEPENDS ${map})
  target_link_options(${target} PRIVATE -Wl,-soname,${name} -Wl,--version-script=${map} -Wl,-Bsymbolic)
  if(NOT WARPWALK_SANITIZE)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  warpwalk_group(${target})
endfunction()

file(GLOB_RECURSE driver_sources CONFIGURE_DEPENDS ${simulated}/device/*.cpp ${simulated}/engine/*.cpp ${simulated}/driver/*.cpp)
add_library(warpwalk_simulated_cuda SHARED ${driver_sources} ${PROJECT_SOURCE_DIR}/instrumentation/inside_pattern.cpp)
target_link_libraries(warpwalk_simulated_cuda PRIVATE warpwalk_core_run warpwalk_options Threads::Threads ${CMAKE_DL_LIBS})
warpwalk_simulated_library(warpwalk_simulated_cuda libcuda.so.1 ${simulated}/driver/exports.map)

file(GLOB_RECURSE runtime_sources CONFIGURE_DEPENDS ${simulated}/runtime/*.cpp)
list(FILTER runtime_sources EXCLUDE REGEX "version_1[0-9]\\.cpp$")
# Those that include version.h are compiled for each version, the others once for both libraries.
set(by_version device.cpp entry_point.cpp memory.cpp arrays/texture.cpp graphs/graph.cpp)
list(TRANSFORM by_version PREPEND ${simulated}/runtime/)
list(REMOVE_ITEM runtime_sources ${by_version})
add_library(warpwalk_simulated_runtime OBJECT ${runtime_sources})
target_link_libraries(warpwalk_simulated_runtime PRIVATE warpwalk_core_gpu fmt::fmt warpwalk_options)
set_target_properties(warpwalk_simulated_runtime PROPERTIES POSITION_INDEPENDENT_CODE ON VISIBILITY_INLINES_HIDDEN ON)
warpwalk_group(warpwalk_simulated_runtime)
foreach(major 12 13)
  file(GLOB_RECURSE own_sources CONFIGURE_DEPENDS ${simulated}/runtime/*version_${major}.cpp)
  add_library(warpwalk_simulated_cudart_${major} SHARED ${by_version} ${own_sources}
                                                        $<TARGET_OBJECTS:warpwalk_simulated_runtime>)
  target_compile_definitions(warpwalk_simulated_cudart_${major} PRIVATE WARPWALK_CUDART_MAJOR=${major})
  target_link_libraries(warpwalk_simulated_cudart_${major} PRIVATE warpwalk_simulated_cuda warpwalk_core_gpu fmt::fmt
                                                                    warpwalk_options ${CMAKE_DL_LIBS})
  set_target_properties(warpwalk_simulated_cudart_${major} PROPERTIES BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")
  warpwalk_simulated_library(warpwalk_simulated_cudart_${major} libcudart.so.${major}
                             ${simulated}/runtime/exports_${major}.map)
endforeach()
