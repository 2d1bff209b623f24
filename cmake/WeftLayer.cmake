# weft_layer: one static library per folder. weft_unit_test: one test program per layer.
# Sources are globbed, so a file dropped into a folder is built; a layer without sources yet is an interface library.

# weft_layer(NAME [NO_RTTI] [SUBFOLDERS folders...] [LINKS edges...] [PRIVATE_LINKS edges...] [PUBLIC_HEADERS patterns...])
# Makes weft_NAME from the *.cpp of the folder and its SUBFOLDERS. LINKS and PRIVATE_LINKS are the layer's edges: the
# `layers` test compares every #include with them. PRIVATE_LINKS are seen by the layer's own sources alone. PUBLIC_HEADERS
# are the headers of include/weft that declare what the layer defines, as patterns relative to that folder.
function(weft_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_RTTI" "" "SUBFOLDERS;LINKS;PRIVATE_LINKS;PUBLIC_HEADERS")
  set(target weft_${name})
  set(patterns ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(subfolder IN LISTS arg_SUBFOLDERS)
    list(APPEND patterns ${CMAKE_CURRENT_SOURCE_DIR}/${subfolder}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  if(sources)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(${target} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
    if(arg_NO_RTTI)
      target_compile_options(${target} PRIVATE -fno-rtti)
    endif()
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(${target} INTERFACE ${arg_LINKS} ${arg_PRIVATE_LINKS})
  endif()
  weft_declare_edges(${target} LINKS ${arg_LINKS} PRIVATE_LINKS ${arg_PRIVATE_LINKS} PUBLIC_HEADERS ${arg_PUBLIC_HEADERS})
  set_property(GLOBAL APPEND PROPERTY WEFT_LAYERS ${target})
endfunction()

# weft_declare_edges(TARGET [LINKS edges...] [PRIVATE_LINKS edges...] [PUBLIC_HEADERS patterns...])
# Adds the current folder, as TARGET, to the table that the `layers` test reads.
function(weft_declare_edges target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;PRIVATE_LINKS;PUBLIC_HEADERS")
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(row "\"target\": \"${target}\", \"folder\": \"${folder}\"")
  foreach(list LINKS PRIVATE_LINKS PUBLIC_HEADERS)
    list(TRANSFORM arg_${list} REPLACE "(.+)" "\"\\1\"")
    list(JOIN arg_${list} ", " items)
    string(TOLOWER ${list} key)
    string(APPEND row ", \"${key}\": [${items}]")
  endforeach()
  set_property(GLOBAL APPEND PROPERTY WEFT_EDGES "{${row}}")
endfunction()

# weft_write_layers(FILE): writes the table of layers and edges as JSON.
function(weft_write_layers file)
  get_property(rows GLOBAL PROPERTY WEFT_EDGES)
  list(JOIN rows ",\n  " rows)
  file(CONFIGURE OUTPUT ${file} CONTENT "[\n  ${rows}\n]\n" @ONLY)
endfunction()

# weft_unit_test(LAYER [LINKS targets...] [LABELS labels...])
# Makes the Catch2 program unit_LAYER from unit/LAYER/*.cpp and registers it with ctest as unit.LAYER. LINKS are either
# static layers, or `weft`, the shared library; never both in one program, as it would hold everything twice. Programs
# with the label `runtime` also run under the thread sanitizer.
function(weft_unit_test layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;LABELS")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/unit/${layer}/*.cpp)
  if(NOT sources)
    return()
  endif()
  set(target unit_${layer})
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE WEFT_TESTS="${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE ${arg_LINKS} weft_catch_main)
  add_test(NAME unit.${layer} COMMAND ${target})
  set_tests_properties(unit.${layer} PROPERTIES LABELS "unit;${arg_LABELS}" TIMEOUT 600)
  if("runtime" IN_LIST arg_LABELS)
    add_dependencies(runtime_tests ${target})
  endif()
endfunction()
