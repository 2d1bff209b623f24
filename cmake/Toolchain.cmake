# Compiler, linker and flags that hold for all of Weft. Floating-point contraction is off everywhere: what an expression
# of the host means must not depend on the CPU that the compiler was told of.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 22)
  message(FATAL_ERROR "Weft is built with Clang 22 (found ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}): "
                      "use a preset, for example `cmake --preset release`")
endif()

# Paths are relative to the repository in __FILE__, and in what ccache compares, so that clones share compiled objects.
file(RELATIVE_PATH weft_root_from_build ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/= -fmacro-prefix-map=${weft_root_from_build}=)
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

# A designated initialiser that leaves a field to its default is meant so.
foreach(option -Wall -Wextra -Werror -Wno-missing-designated-field-initializers -ffp-contract=off)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:${option}>)
endforeach()
# The build id is part of the shader cache's keys.
add_link_options(-fuse-ld=lld -Wl,--as-needed -Wl,--build-id=sha1)

set(WEFT_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize= takes them")
if(WEFT_SANITIZE)
  # vptr needs the run-time type information that LLVM is built without; function reads the bytes before a function,
  # which just-in-time compiled code does not have.
  foreach(option -fsanitize=${WEFT_SANITIZE} -fno-sanitize=vptr,function -fno-sanitize-recover=all
                 -fno-omit-frame-pointer)
    add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:${option}>")
  endforeach()
  add_link_options(-fsanitize=${WEFT_SANITIZE} -fno-sanitize=vptr,function)
endif()
