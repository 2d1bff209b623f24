/* A backend of another origin: plain C, and nothing of Weft but its header. It has host memory and runs one kernel,
 * `scaled_ids`, which writes each lane's number times a factor; commands run when they are submitted. */
#include <weft/backend.h>

#include <stdlib.h>
#include <string.h>

#ifndef SAMPLE_VERSION
#define SAMPLE_VERSION WEFT_BACKEND_VERSION
#endif
#ifndef SAMPLE_ENTRY
#define SAMPLE_ENTRY weft_backend
#endif

struct WeftDevice {
  const WeftHost* host;
};

struct WeftBuffer {
  unsigned char* bytes;
};

struct WeftKernel {
  const WeftKernelInfo* info;
};

struct WeftStream {
  int is_cancelled;
};

struct WeftEvent {
  uint64_t value;
};

static void fail(const WeftErrors* errors, WeftResult result, const char* text) {
  errors->error(errors->user, result, text);
}

static WeftDevice* create_device(const WeftHost* host, const WeftDeviceOptions* options, const WeftErrors* errors) {
  (void)options;
  if (host->version != WEFT_BACKEND_VERSION) {
    fail(errors, WEFT_ERROR_DEVICE, "the sample is made for another Weft");
    return NULL;
  }
  WeftDevice* device = malloc(sizeof *device);
  device->host = host;
  return device;
}

static void destroy_device(WeftDevice* device) { free(device); }
static void trim(WeftDevice* device) { (void)device; }

static WeftBuffer* create_buffer(WeftDevice* device, uint64_t size_bytes, const WeftErrors* errors) {
  (void)device;
  WeftBuffer* buffer = malloc(sizeof *buffer);
  buffer->bytes = malloc(size_bytes == 0 ? 1 : size_bytes);
  if (buffer->bytes == NULL) {
    free(buffer);
    fail(errors, WEFT_ERROR_MEMORY, "the sample has no memory");
    return NULL;
  }
  return buffer;
}

static void destroy_buffer(WeftDevice* device, WeftBuffer* buffer) {
  (void)device;
  free(buffer->bytes);
  free(buffer);
}

static WeftKernel* compile(WeftDevice* device, const WeftModule* module, const WeftKernelOptions* options,
                           const WeftErrors* errors) {
  (void)options;
  const WeftKernelInfo* info = device->host->module_info(module);
  if (strcmp(info->name, "scaled_ids") != 0 || strstr(device->host->module_text(module), "dispatch_id.x") == NULL) {
    fail(errors, WEFT_ERROR_COMPILE, "the sample runs the kernel 'scaled_ids' alone");
    return NULL;
  }
  if (device->host->wants_log(device->host->user, 2)) device->host->log(device->host->user, 2, "the sample compiles");
  WeftKernel* kernel = malloc(sizeof *kernel);
  kernel->info = info;
  return kernel;
}

static const WeftKernelInfo* kernel_info(const WeftKernel* kernel) { return kernel->info; }

static void destroy_kernel(WeftDevice* device, WeftKernel* kernel) {
  (void)device;
  free(kernel);
}

static WeftStream* create_stream(WeftDevice* device, const WeftErrors* errors) {
  (void)device;
  (void)errors;
  return calloc(1, sizeof(WeftStream));
}

static void destroy_stream(WeftStream* stream) { free(stream); }

static unsigned char* bytes_of(const WeftRange* range) { return range->buffer->bytes + range->offset_bytes; }

static void run_dispatch(WeftStream* stream, const WeftDispatch* dispatch, void* user) {
  const uint64_t per_block = dispatch->in_blocks ? dispatch->kernel->info->block_size[0] : 1;
  const uint64_t lanes = dispatch->size[0] * per_block;
  uint32_t* out = (uint32_t*)(void*)bytes_of(&dispatch->arguments[0].range);
  const uint64_t count = dispatch->arguments[0].range.size_bytes / sizeof *out;
  uint32_t factor;
  memcpy(&factor, dispatch->arguments[1].value, sizeof factor);
  for (uint64_t i = 0; i < lanes && i < count; ++i) out[i] = (uint32_t)i * factor;
  if (dispatch->progress != NULL && !dispatch->progress(user, 1, 1)) stream->is_cancelled = 1;
}

static void run_transfer(uint32_t kind, const WeftTransfer* transfer) {
  if (kind == WEFT_COMMAND_UPLOAD)
    memcpy(bytes_of(&transfer->target), transfer->host_data, transfer->target.size_bytes);
  if (kind == WEFT_COMMAND_DOWNLOAD)
    memcpy(transfer->host_target, bytes_of(&transfer->source), transfer->source.size_bytes);
  if (kind == WEFT_COMMAND_COPY)
    memmove(bytes_of(&transfer->target), bytes_of(&transfer->source), transfer->target.size_bytes);
  if (kind == WEFT_COMMAND_FILL) {
    for (uint64_t i = 0; i < transfer->target.size_bytes; i += transfer->pattern_bytes) {
      memcpy(bytes_of(&transfer->target) + i, transfer->pattern, transfer->pattern_bytes);
    }
  }
}

static WeftEvent* create_event(WeftDevice* device, const WeftErrors* errors) {
  (void)device;
  (void)errors;
  return calloc(1, sizeof(WeftEvent));
}

static void close_event(WeftEvent* event) { (void)event; }

static void destroy_event(WeftDevice* device, WeftEvent* event) {
  (void)device;
  free(event);
}

static uint64_t event_value(WeftEvent* event) { return event->value; }

static void signal_event(WeftEvent* event, uint64_t value) {
  if (value > event->value) event->value = value;
}

static WeftResult wait_event(WeftEvent* event, uint64_t value, uint64_t timeout_ns, int* reached,
                             const WeftErrors* errors) {
  (void)timeout_ns;
  (void)errors;
  *reached = event->value >= value;
  return WEFT_OK;
}

static void keep(void* user) { (void)user; }

static WeftResult submit(WeftStream* stream, const WeftCommand* command, const WeftErrors* errors) {
  const WeftProfile profile = {0, 1, 3, 1, 0};
  if (command->kind == WEFT_COMMAND_SIGNAL) {
    signal_event(command->point.event, command->point.value);
  } else if (command->kind == WEFT_COMMAND_WAIT) {
    if (command->point.event->value < command->point.value) {
      fail(errors, WEFT_ERROR_USAGE, "the sample cannot wait");
      command->release(command->user);
      return WEFT_ERROR_USAGE;
    }
  } else if (command->kind == WEFT_COMMAND_DISPATCH) {
    run_dispatch(stream, &command->dispatch, command->user);
  } else if (command->kind == WEFT_COMMAND_HOST) {
    command->host(command->user);
  } else {
    run_transfer(command->kind, &command->transfer);
  }
  if (command->profile != NULL) command->profile(command->user, &profile);
  command->release(command->user);
  return WEFT_OK;
}

/* Nodes come after their predecessors, so that they may run one after the other. */
static WeftResult submit_graph(WeftStream* stream, const WeftGraphLaunch* launch, const WeftErrors* errors) {
  for (uint32_t i = 0; i < launch->node_count; ++i) {
    WeftCommand command = launch->nodes[i].command;
    command.release = keep;
    if (launch->begin != NULL) launch->begin(command.user);
    if (command.kind != WEFT_COMMAND_NOTHING) submit(stream, &command, errors);
    if (launch->end != NULL) launch->end(command.user);
  }
  launch->release(launch->user);
  return WEFT_OK;
}

static void flush(WeftStream* stream) { (void)stream; }

static WeftResult synchronise(WeftStream* stream, const WeftErrors* errors) {
  if (!stream->is_cancelled) return WEFT_OK;
  stream->is_cancelled = 0;
  fail(errors, WEFT_ERROR_CANCELLED, "the sample was cancelled");
  return WEFT_ERROR_CANCELLED;
}

static void cancel(WeftStream* stream) { stream->is_cancelled = 1; }

static const WeftBackend table = {SAMPLE_VERSION, "sample",       "a sample",     create_device,  destroy_device,
                                  trim,           create_buffer,  destroy_buffer, compile,        NULL,
                                  kernel_info,    destroy_kernel, create_stream,  destroy_stream, submit,
                                  submit_graph,   flush,          synchronise,    cancel,         create_event,
                                  close_event,    destroy_event,  event_value,    signal_event,   wait_event};

__attribute__((visibility("default"))) const WeftBackend* SAMPLE_ENTRY(void);
const WeftBackend* SAMPLE_ENTRY(void) { return &table; }
