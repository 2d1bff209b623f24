# weft_layer: one static library per folder. weft_unit_test: one test program per layer.
# Sources are globbed, so a file dropped into a folder is built; a layer without sources yet is an interface library.

# weft_layer(NAME [SOURCES files...] [NO_RTTI] [LINKS edges...] [PRIVATE_LINKS edges...])
# Makes weft_NAME from the folder's *.cpp (or SOURCES). LINKS and PRIVATE_LINKS are the layer's edges: the `layers` test
# compares every #include with them. PRIVATE_LINKS are seen by the layer's own sources alone.
function(weft_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_RTTI" "" "SOURCES;LINKS;PRIVATE_LINKS")
  set(target weft_${name})
  set(sources ${arg_SOURCES})
  if(NOT sources)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  endif()
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
  weft_declare_edges(${target} "${arg_LINKS};${arg_PRIVATE_LINKS}")
  set_property(GLOBAL APPEND PROPERTY WEFT_LAYERS ${target})
endfunction()

# weft_declare_edges(TARGET edges): adds a row to the table that the `layers` test reads.
function(weft_declare_edges target edges)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  list(TRANSFORM edges PREPEND "\"")
  list(TRANSFORM edges APPEND "\"")
  list(FILTER edges EXCLUDE REGEX "^\"\"$")
  list(JOIN edges ", " edges)
  set_property(GLOBAL APPEND PROPERTY WEFT_EDGES
               "{\"target\": \"${target}\", \"folder\": \"${folder}\", \"edges\": [${edges}]}")
endfunction()

# weft_write_layers(FILE): writes the table of layers and edges as JSON.
function(weft_write_layers file)
  get_property(rows GLOBAL PROPERTY WEFT_EDGES)
  list(JOIN rows ",\n  " rows)
  file(CONFIGURE OUTPUT ${file} CONTENT "[\n  ${rows}\n]\n" @ONLY)
endfunction()

# weft_unit_test(LAYER [LINKS targets...] [LABELS labels...])
# Makes the Catch2 program unit_LAYER from unit/LAYER/*.cpp and registers it with ctest as unit.LAYER. LINKS are either
# static layers, or `weft`, the shared library; never both in one program, as it would hold everything twice.
function(weft_unit_test layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;LABELS")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/unit/${layer}/*.cpp)
  if(NOT sources)
    return()
  endif()
  set(target unit_${layer})
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE ${arg_LINKS} weft_catch_main)
  add_test(NAME unit.${layer} COMMAND ${target})
  set_tests_properties(unit.${layer} PROPERTIES LABELS "unit;${arg_LABELS}" TIMEOUT 600)
endfunction()
