# weft_device_bitcode(TARGET SOURCES files... FLAGS flags...)
# Compiles the sources to one LLVM bitcode file and embeds it in the library TARGET as
#   extern "C" const unsigned char weft_device_bitcode_begin[], weft_device_bitcode_end[];
# What says which CPU the code was compiled for is stripped from every function: a kernel's own CPU applies.
# TARGET's property WEFT_BITCODE names the file.
find_program(LLVM_LINK llvm-link-22 HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)

function(weft_device_bitcode target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;FLAGS")
  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
  set(texts "")
  foreach(source IN LISTS sources)
    get_filename_component(stem ${source} NAME_WE)
    set(text ${CMAKE_CURRENT_BINARY_DIR}/${stem}.ll)
    add_custom_command(
      OUTPUT ${text}
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER} -std=c++23 -Wall -Wextra -Werror ${arg_FLAGS}
              -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include
              -fvisibility=hidden -emit-llvm -S -MD -MF ${text}.d -MT ${text} -o ${text} ${source}
      COMMAND sed -i -E "s/\"(target-cpu|target-features|tune-cpu|min-legal-vector-width)\"=\"[^\"]*\"//g" ${text}
      DEPENDS ${source} DEPFILE ${text}.d
      COMMENT "Compiling ${stem} to device bitcode" VERBATIM)
    list(APPEND texts ${text})
  endforeach()
  set(bitcode ${CMAKE_CURRENT_BINARY_DIR}/weft_device.bc)
  add_custom_command(
    OUTPUT ${bitcode}
    COMMAND ${LLVM_LINK} -o ${bitcode} ${texts}
    DEPENDS ${texts} COMMENT "Linking device bitcode" VERBATIM)
  set(embed ${CMAKE_CURRENT_BINARY_DIR}/embed.S)
  file(CONFIGURE OUTPUT ${embed} CONTENT "
  .section .rodata
  .globl weft_device_bitcode_begin, weft_device_bitcode_end
  .hidden weft_device_bitcode_begin, weft_device_bitcode_end
  .balign 16
weft_device_bitcode_begin:
  .incbin \"${bitcode}\"
weft_device_bitcode_end:
  .section .note.GNU-stack, \"\", @progbits
")
  set_source_files_properties(${embed} PROPERTIES OBJECT_DEPENDS ${bitcode})
  add_library(${target} STATIC ${embed} ${bitcode})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX WEFT_BITCODE ${bitcode})
endfunction()
