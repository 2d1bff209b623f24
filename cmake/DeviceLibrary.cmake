# The device library as LLVM bitcode.
#
# Sources are compiled as for AVX-512, so that Clang passes packs of up to 512 bits by value, and what says so is
# stripped from every function afterwards: the CPU of the kernel that they are linked into applies. Nothing is
# contracted or vectorised here, loops need not be finite, no aliasing is assumed, and math sets no errno.
find_program(LLVM_LINK llvm-link-22 HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)

set(weft_device_ir_flags
  -std=c++23 -Wall -Wextra -Werror -Wno-psabi -O2 -march=x86-64-v4 -ffp-contract=off -fno-math-errno -fno-exceptions
  -fno-rtti -fno-vectorize -fno-slp-vectorize -fno-strict-aliasing -fno-asynchronous-unwind-tables -fvisibility=hidden)

# weft_device_ir(TEXT SOURCE): the rule that compiles the file SOURCE to the LLVM assembly file TEXT.
function(weft_device_ir text source)
  get_filename_component(name ${source} NAME)
  add_custom_command(
    OUTPUT ${text}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER} ${weft_device_ir_flags}
            -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include
            -emit-llvm -S -MD -MF ${text}.d -MT ${text} -o ${text} ${source}
    COMMAND sed -i -E "s/\"(target-cpu|target-features|tune-cpu|min-legal-vector-width)\"=\"[^\"]*\"//g" ${text}
    DEPENDS ${source} DEPFILE ${text}.d
    COMMENT "Compiling ${name} to LLVM IR" VERBATIM)
endfunction()

# weft_device_bitcode(TARGET SOURCES files...)
# Compiles the sources to one bitcode file, the target's property WEFT_BITCODE, and embeds it in the library TARGET as
#   extern "C" const unsigned char weft_device_bitcode_begin[], weft_device_bitcode_end[];
function(weft_device_bitcode target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
  set(texts "")
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(stem ${source} NAME_WE)
    set(text ${CMAKE_CURRENT_BINARY_DIR}/${stem}.ll)
    weft_device_ir(${text} ${CMAKE_CURRENT_SOURCE_DIR}/${source})
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
