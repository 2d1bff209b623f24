/* The interface between Weft and a backend: a plain C table of functions, so that a backend may come from a shared
 * module built by another compiler. `cpu` and `interp` are behind the same table.
 *
 * A module is a file libweft-backend-NAME.so beside libweft or in a folder of WEFT_BACKEND_PATH. It exports
 *
 *     const WeftBackend* weft_backend(void);
 *
 * and is loaded when a device of that name is first asked for. It links against nothing of Weft: what it needs of Weft
 * it gets through WeftHost.
 *
 * Ownership. Handles are the backend's; Weft destroys each one once. Weft never destroys a buffer, kernel or stream
 * that a submitted command still uses, which is what a command's `release` is for, and destroys a device last. Structs
 * and text handed to a function are valid during the call alone, unless said otherwise.
 *
 * Threads. Any function may be called from any thread, also several at once, except that a stream is never destroyed
 * while another of its functions runs.
 *
 * Errors. A function that can fail has a WeftErrors, reports what went wrong through it before it returns, and returns
 * null or a WeftResult other than WEFT_OK. No exception leaves a function in either direction. */
#ifndef WEFT_BACKEND_H
#define WEFT_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when the tables below change; Weft loads modules of its own version alone. */
#define WEFT_BACKEND_VERSION 4u

typedef struct WeftDevice WeftDevice; /* made by the backend, as are the next four */
typedef struct WeftBuffer WeftBuffer;
typedef struct WeftKernel WeftKernel;
typedef struct WeftStream WeftStream;
typedef struct WeftEvent WeftEvent;
typedef struct WeftModule WeftModule; /* a verified module with the kernel to compile, made by Weft */

typedef enum WeftResult {
  WEFT_OK = 0,
  WEFT_ERROR_USAGE = 1,    /* a handle or a value that does not fit */
  WEFT_ERROR_DEVICE = 2,   /* the device cannot do its work */
  WEFT_ERROR_COMPILE = 3,  /* a kernel or shader file is wrong or unsupported */
  WEFT_ERROR_MEMORY = 4,   /* no memory for a buffer */
  WEFT_ERROR_FAULT = 5,    /* a kernel misbehaved; told through WeftErrors::fault */
  WEFT_ERROR_CANCELLED = 6 /* a dispatch was cancelled */
} WeftResult;

typedef enum WeftFaultKind {
  WEFT_FAULT_ASSERTION = 0,
  WEFT_FAULT_UNREACHABLE = 1,
  WEFT_FAULT_OUT_OF_MEMORY = 2,
  WEFT_FAULT_OUT_OF_BOUNDS = 3,
  WEFT_FAULT_BROKEN_BARRIER = 4,     /* a lane missed a barrier that others reached */
  WEFT_FAULT_UNINITIALISED_READ = 5, /* of memory that was never written */
  WEFT_FAULT_ENDLESS_WAIT = 6        /* all blocks wait, and nothing can wake one */
} WeftFaultKind;

typedef struct WeftFault {
  uint32_t kind; /* WeftFaultKind */
  uint32_t line; /* 0 if unknown */
  uint32_t column;
  uint32_t has_lane; /* 0: the whole block is concerned */
  const char* text;  /* the whole message, for people */
  const char* kernel;
  const char* message; /* the assertion's condition or message; what memory was wanted */
  const char* file;    /* empty if unknown */
  uint32_t block[3];
  uint32_t lane[3]; /* within its block */
  uint64_t dispatch_lanes;
} WeftFault;

/* Where a function says what went wrong. The text is copied. */
typedef struct WeftErrors {
  void* user;
  void (*error)(void* user, WeftResult result, const char* text);
  void (*fault)(void* user, const WeftFault* fault);
} WeftErrors;

typedef enum WeftArgumentKind {
  WEFT_ARGUMENT_VALUE = 0,      /* a scalar, vector, matrix, array or struct, laid out as in memory */
  WEFT_ARGUMENT_BUFFER = 1,     /* elements of one type */
  WEFT_ARGUMENT_BYTE_BUFFER = 2 /* bytes */
} WeftArgumentKind;

/* What a kernel does with a buffer; both may be set. */
enum { WEFT_ACCESS_READ = 1, WEFT_ACCESS_WRITE = 2 };

typedef struct WeftArgumentInfo {
  const char* name;
  const char* type;       /* in text form, such as vec<f32, 3> */
  uint32_t kind;          /* WeftArgumentKind */
  uint32_t is_restrict;   /* a buffer declared to overlap no other argument */
  uint32_t access;        /* WEFT_ACCESS_READ, WEFT_ACCESS_WRITE; 0 for a value */
  uint64_t size_bytes;    /* of a value; 0 for a buffer */
  uint64_t element_bytes; /* distance of a buffer's elements, 1 for a byte buffer; 0 for a value */
} WeftArgumentInfo;

typedef struct WeftKernelInfo {
  const char* name;
  uint32_t block_size[3];
  uint32_t pack_width; /* lanes run at a time; 0 before compilation, or where it means nothing */
  uint32_t warp_size;
  uint32_t is_cooperative; /* not 0: it waits for other blocks, and must be dispatched so */
  uint32_t argument_count;
  const WeftArgumentInfo* arguments;
} WeftKernelInfo;

typedef enum WeftEffort {
  WEFT_EFFORT_AUTOMATIC = 0,
  WEFT_EFFORT_MINIMAL = 1,
  WEFT_EFFORT_REDUCED = 2,
  WEFT_EFFORT_FULL = 3
} WeftEffort;
typedef enum WeftForm { WEFT_FORM_AUTOMATIC = 0, WEFT_FORM_COROUTINES = 1, WEFT_FORM_FISSION = 2 } WeftForm;
typedef enum WeftMath {
  WEFT_MATH_AS_WRITTEN = 0,
  WEFT_MATH_STRICT = 1,
  WEFT_MATH_PRECISE = 2,
  WEFT_MATH_FAST = 3
} WeftMath;
typedef enum WeftChecks { WEFT_CHECKS_AS_WRITTEN = 0, WEFT_CHECKS_ON = 1, WEFT_CHECKS_OFF = 2 } WeftChecks;

typedef enum WeftCache { WEFT_CACHE_AUTOMATIC = 0, WEFT_CACHE_OFF = 1, WEFT_CACHE_ON = 2 } WeftCache;

/* A value for a specialisation constant, as bits, zero-extended. */
typedef struct WeftSpecValue {
  uint32_t id;
  uint64_t bits;
} WeftSpecValue;

typedef struct WeftKernelOptions {
  uint32_t pack_width;    /* 1, 4, 8, 16 or 32; 0 lets the device choose */
  uint32_t effort;        /* WeftEffort; automatic is what the device was told */
  uint32_t form;          /* WeftForm; automatic is what the device was told */
  uint32_t math;          /* WeftMath */
  uint32_t checks;        /* WeftChecks: of accesses out of range */
  uint32_t interruptible; /* not 0: long loops, too, end soon when the dispatch is cancelled */
  uint32_t spec_count;
  const WeftSpecValue* specs;
} WeftKernelOptions;

typedef struct WeftDeviceOptions {
  uint32_t threads;           /* 0: as many as the machine allows */
  uint32_t pack_width;        /* for kernels that ask for none; 0: chosen per kernel */
  uint32_t effort;            /* WeftEffort */
  uint32_t form;              /* WeftForm */
  const char* cpu;            /* processor to compile for; empty: the machine's own */
  uint32_t cache;             /* WeftCache */
  const char* cache_folder;   /* empty: the user's own */
  uint64_t cache_limit_bytes; /* 0: what the environment says */
} WeftDeviceOptions;

/* What a backend may ask of Weft; valid until the device is destroyed. Any thread. */
typedef struct WeftHost {
  uint32_t version; /* WEFT_BACKEND_VERSION */
  void* user;       /* to be handed to `log` and `wants_log` */
  /* level: 0 trace, 1 debug, 2 info, 3 warn, 4 error */
  void (*log)(void* user, uint32_t level, const char* text);
  int (*wants_log)(void* user, uint32_t level);
  /* The module in text form, and what is known of its kernel. The text is valid as long as the module, the info as long
   * as the kernel that is compiled from it. */
  const char* (*module_text)(const WeftModule* module);
  const WeftKernelInfo* (*module_info)(const WeftModule* module);
} WeftHost;

typedef enum WeftCommandKind {
  WEFT_COMMAND_DISPATCH = 0,
  WEFT_COMMAND_UPLOAD = 1,
  WEFT_COMMAND_DOWNLOAD = 2,
  WEFT_COMMAND_COPY = 3,
  WEFT_COMMAND_FILL = 4,
  WEFT_COMMAND_HOST = 5,
  WEFT_COMMAND_SIGNAL = 6, /* raises an event's value */
  WEFT_COMMAND_WAIT = 7,   /* waits until an event's value is reached */
  WEFT_COMMAND_NOTHING = 8 /* where edges of a graph meet */
} WeftCommandKind;

/* Bytes of a buffer. Weft has checked that they lie inside. */
typedef struct WeftRange {
  WeftBuffer* buffer;
  uint64_t offset_bytes;
  uint64_t size_bytes;
} WeftRange;

/* One for each of the kernel's arguments, of the kind that its info says. */
typedef struct WeftArgument {
  const void* value; /* copied at submission */
  WeftRange range;
} WeftArgument;

/* Called now and then from any thread, one call at a time; returning 0 cancels the dispatch. */
typedef int (*WeftProgress)(void* user, uint64_t blocks_done, uint64_t block_count);

typedef struct WeftDispatch {
  WeftKernel* kernel;
  const WeftArgument* arguments;
  uint32_t size[3];   /* in lanes, or in blocks; none is 0 */
  uint32_t in_blocks; /* not 0: size counts blocks */
  /* Not 0: all blocks of the grid are live at once, so that they may wait for each other. A kernel that does so and is
   * dispatched otherwise is WEFT_ERROR_USAGE. */
  uint32_t is_cooperative;
  uint32_t
      host_wakes; /* not 0: a cooperative dispatch all of whose blocks wait is no fault, as the host may wake one */
  /* Most memory that the live blocks may take; 0: what the device allows. More is WEFT_ERROR_MEMORY. */
  uint64_t memory_limit_bytes;
  /* With a buffer: `size` is the limit, and the size is read from these 12 bytes (three uint32_t, aligned to 4) when
   * the command begins. A size beyond the limit in any dimension is WEFT_ERROR_USAGE when the stream is synchronised;
   * of a size of 0 nothing runs. */
  WeftRange size_source;
  WeftProgress progress; /* may be null */
} WeftDispatch;

typedef struct WeftTransfer {
  WeftRange target;       /* upload, copy, fill */
  WeftRange source;       /* download, copy: of the same size as the target; may overlap it */
  const void* host_data;  /* upload: read until the command is released */
  void* host_target;      /* download: written until the command is released */
  const void* pattern;    /* fill: copied at submission and repeated over the range */
  uint64_t pattern_bytes; /* the range's size is a multiple of it */
} WeftTransfer;

typedef struct WeftEventPoint {
  WeftEvent* event;
  uint64_t value;
} WeftEventPoint;

/* How a command went. Times are nanoseconds of the steady clock (CLOCK_MONOTONIC on Linux). */
typedef struct WeftProfile {
  uint64_t submitted_ns;
  uint64_t started_ns;
  uint64_t ended_ns;
  uint32_t threads; /* that took part */
  uint32_t skipped; /* not 0: it depended on a command that failed, and was not started */
} WeftProfile;

typedef struct WeftCommand {
  uint32_t kind;     /* WeftCommandKind */
  void* user;        /* handed to `release`, `host`, `profile` and the dispatch's progress */
  const char* label; /* for people: "dispatch of kernel 'kinetic'"; valid until the command is released */
  /* Called exactly once, when the command is finished or given up, from any thread: what it uses may go then. If submit
   * fails, it is called before submit returns. */
  void (*release)(void* user);
  void (*host)(void* user); /* WEFT_COMMAND_HOST */
  /* May be null; else called once, when the command is finished and before it is released, from any thread. */
  void (*profile)(void* user, const WeftProfile* profile);
  WeftDispatch dispatch; /* WEFT_COMMAND_DISPATCH */
  WeftTransfer transfer; /* WEFT_COMMAND_UPLOAD, _DOWNLOAD, _COPY, _FILL */
  WeftEventPoint point;  /* WEFT_COMMAND_SIGNAL, _WAIT */
} WeftCommand;

/* An edge from a node that comes earlier in the list. */
typedef struct WeftGraphEdge {
  uint32_t from;            /* the place of the node in the list */
  uint32_t carries_failure; /* not 0: if that node fails or does not run, this one does not run */
} WeftGraphEdge;

/* A command that starts when all that it names has ended, whatever its place in the list: no other order holds between
 * the nodes of a graph. */
typedef struct WeftGraphNode {
  WeftCommand command; /* no signal and no wait; its `release` is not called */
  const WeftGraphEdge* predecessors;
  uint32_t predecessor_count;
} WeftGraphNode;

/* Bytes that some node reads or writes, but for those that nobody else uses. */
typedef struct WeftGraphUse {
  WeftRange range;
  uint32_t access; /* WEFT_ACCESS_READ, WEFT_ACCESS_WRITE */
} WeftGraphUse;

/* Commands with edges between them. To the stream's other commands they are one, which comes after all those before it
 * and before all those after it, uses `uses`, and fails if any node fails. */
typedef struct WeftGraphLaunch {
  const WeftGraphNode* nodes;
  const WeftGraphUse* uses;
  uint32_t node_count;
  uint32_t use_count;
  void* user;
  /* Called exactly once, when all nodes are finished or given up, from any thread; if submit_graph fails, before it
   * returns. */
  void (*release)(void* user);
  /* Both are null, or both are called, with the user of the node's command, from any thread: `begin` before the node
   * does anything, `end` when it has ended and before any other node begins that waits for it. A node that does not run
   * ends without having begun. */
  void (*begin)(void* command_user);
  void (*end)(void* command_user);
} WeftGraphLaunch;

typedef struct WeftBackend {
  uint32_t version; /* WEFT_BACKEND_VERSION */
  const char* name; /* as in Device{"name"} */
  const char* description;

  /* `host` is valid until destroy_device returns. */
  WeftDevice* (*create_device)(const WeftHost* host, const WeftDeviceOptions* options, const WeftErrors* errors);
  void (*destroy_device)(WeftDevice* device);
  /* Gives back memory that no object needs. */
  void (*trim)(WeftDevice* device);

  /* Contents are unspecified. A buffer of no bytes is valid. */
  WeftBuffer* (*create_buffer)(WeftDevice* device, uint64_t size_bytes, const WeftErrors* errors);
  void (*destroy_buffer)(WeftDevice* device, WeftBuffer* buffer);

  WeftKernel* (*compile)(WeftDevice* device, const WeftModule* module, const WeftKernelOptions* options,
                         const WeftErrors* errors);
  /* A kernel from a shader file's bytes; null if the backend has no such files. */
  WeftKernel* (*load)(WeftDevice* device, const void* bytes, size_t size_bytes, const char* name,
                      const WeftErrors* errors);
  /* Valid as long as the kernel. */
  const WeftKernelInfo* (*kernel_info)(const WeftKernel* kernel);
  void (*destroy_kernel)(WeftDevice* device, WeftKernel* kernel);

  /* Commands of a stream take effect one after the other: those that touch the same bytes of a buffer or of the host's
   * memory, and host functions, signals and waits with all others, run in the order of submission; the rest may
   * overlap. Streams run side by side. */
  WeftStream* (*create_stream)(WeftDevice* device, const WeftErrors* errors);
  /* Finishes what was submitted. */
  void (*destroy_stream)(WeftStream* stream);
  /* Takes a command, which may or may not begin before flush or synchronise. A dispatch that is too large fails here.
   */
  WeftResult (*submit)(WeftStream* stream, const WeftCommand* command, const WeftErrors* errors);
  /* The same for a graph. */
  WeftResult (*submit_graph)(WeftStream* stream, const WeftGraphLaunch* launch, const WeftErrors* errors);
  void (*flush)(WeftStream* stream);
  /* Waits for all that was submitted, and tells the first thing that went wrong since the last call. Commands that were
   * to use what a failed one should have written have not run; all others have. */
  WeftResult (*synchronise)(WeftStream* stream, const WeftErrors* errors);
  /* Ends what was submitted and is not finished: dispatches, transfers and waits. Host functions and signals still run.
   */
  void (*cancel)(WeftStream* stream);

  /* Events hold a value that starts at 0 and only rises. */
  WeftEvent* (*create_event)(WeftDevice* device, const WeftErrors* errors);
  /* No signal will come any more: waits for more than the value end, with WEFT_ERROR_USAGE. */
  void (*close_event)(WeftEvent* event);
  void (*destroy_event)(WeftDevice* device, WeftEvent* event);
  uint64_t (*event_value)(WeftEvent* event);
  /* Raises the value; a lower one changes nothing. */
  void (*signal_event)(WeftEvent* event, uint64_t value);
  /* Waits on the calling thread, at most that long; UINT64_MAX waits for ever. `reached` gets whether it is reached. */
  WeftResult (*wait_event)(WeftEvent* event, uint64_t value, uint64_t timeout_ns, int* reached,
                           const WeftErrors* errors);
} WeftBackend;

/* What a module exports, under the name weft_backend. */
typedef const WeftBackend* (*WeftBackendEntry)(void);
#define WEFT_BACKEND_ENTRY "weft_backend"

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WEFT_BACKEND_H */
