// All of Weft: devices, buffers, streams, graphs, shaders, and the DSL that kernels are written in.
#pragma once

#include <weft/buffer.h>
#include <weft/device.h>
#include <weft/dsl.h>
#include <weft/error.h>
#include <weft/event.h>
#include <weft/graph.h>
#include <weft/log.h>
#include <weft/shader.h>
#include <weft/stream.h>
#include <weft/trace.h>
#include <weft/uniform.h>
#include <weft/version.h>
