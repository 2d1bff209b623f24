# libweft: all layers and a private LLVM in one shared library. Layers are built with hidden visibility, WEFT_API marks
# what is exported; the version script keeps LLVM's symbols, which have default visibility, from showing, so that a host
# may load another LLVM beside it.
get_property(weft_layers GLOBAL PROPERTY WEFT_LAYERS)
add_library(weft SHARED)
foreach(layer IN LISTS weft_layers)
  get_target_property(type ${layer} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    target_sources(weft PRIVATE $<TARGET_OBJECTS:${layer}>)
  endif()
endforeach()
target_link_libraries(weft PRIVATE ${weft_layers})
target_include_directories(weft INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_compile_features(weft INTERFACE cxx_std_20)
target_link_options(weft PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/libweft.map -Wl,--gc-sections)
set_target_properties(weft PROPERTIES
  LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/libweft.map)
add_library(Weft::weft ALIAS weft)
