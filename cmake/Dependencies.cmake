# The libraries of others. LLVM is seen through one target, weft_llvm, which only the layers that touch LLVM link, and
# privately: no other target gets its include directory.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Catch2 2 REQUIRED)
find_package(LLVM REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm NO_CMAKE_SYSTEM_PATH)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "Weft needs LLVM 22, found ${LLVM_VERSION} in ${LLVM_DIR}: set LLVM_DIR")
endif()

llvm_map_components_to_libnames(weft_llvm_libraries
  x86codegen x86asmparser x86disassembler orcjit orcdebugging passes bitreader bitwriter linker irreader coroutines)
add_library(weft_llvm INTERFACE)
target_include_directories(weft_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(weft_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(weft_llvm INTERFACE ${weft_llvm_definitions})
target_link_libraries(weft_llvm INTERFACE ${weft_llvm_libraries})
