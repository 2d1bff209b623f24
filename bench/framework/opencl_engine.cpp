// PoCL through OpenCL, once for each of its ways to make a loop of a work-group that the version has. A sub-device of
// one compute unit is one thread. PoCL reads the method from the environment whenever it compiles a kernel, which it
// does when the kernel is first enqueued: so the first run is part of preparing.
#include <CL/cl.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "bench/framework/engine.h"

namespace weft::bench {

namespace {

void check(cl_int status, const char* what) {
  if (status != CL_SUCCESS) {
    throw std::runtime_error(fmt::format("{}: OpenCL error {}", what, status));
  }
}

std::string read_source(const std::string& name) {
  const std::ifstream file(fmt::format("{}/{}.cl", WEFT_BENCH_KERNELS, name));
  if (!file) {
    return {};
  }
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A device with one queue, for the whole run of the program.
struct OpenclDevice {
  cl_device_id id = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  explicit OpenclDevice(cl_device_id id) : id(id) {
    cl_int status = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, id, 0, &status);
    check(status, "clCreateCommandQueue");
  }
};

class OpenclRun final : public Run {
 public:
  OpenclRun(const OpenclDevice& device, const Problem& problem, const std::string& source)
      : device_(device), problem_(problem) {
    build(source);
    for (const Data& data : problem.buffers) {
      cl_int status = CL_SUCCESS;
      buffers_.push_back(clCreateBuffer(device.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, data.size_bytes(),
                                        nullptr, &status));
      check(status, "clCreateBuffer");
    }
    restore();
    run();
  }
  OpenclRun(const OpenclRun&) = delete;
  OpenclRun& operator=(const OpenclRun&) = delete;
  ~OpenclRun() override {
    for (const auto& [name, kernel] : kernels_) {
      clReleaseKernel(kernel);
    }
    for (cl_mem buffer : buffers_) {
      clReleaseMemObject(buffer);
    }
    clReleaseProgram(program_);
  }

  void restore() override {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Data& data = problem_.buffers[i];
      check(clEnqueueWriteBuffer(device_.queue, buffers_[i], CL_TRUE, 0, data.size_bytes(), data.as<std::byte>().data(),
                                 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
    }
  }

  void run() override {
    for (const Launch& launch : problem_.launches) {
      enqueue(launch);
    }
    check(clFinish(device_.queue), "clFinish");
  }

  void download(std::size_t buffer, Data& to) override {
    check(clEnqueueReadBuffer(device_.queue, buffers_[buffer], CL_TRUE, 0, to.size_bytes(), to.as<std::byte>().data(),
                              0, nullptr, nullptr),
          "clEnqueueReadBuffer");
  }

 private:
  void build(const std::string& source) {
    const char* text = source.c_str();
    cl_int status = CL_SUCCESS;
    program_ = clCreateProgramWithSource(device_.context, 1, &text, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    const char* options = problem_.fast_math ? "-cl-fast-relaxed-math" : "-cl-mad-enable";
    check(clBuildProgram(program_, 1, &device_.id, options, nullptr, nullptr), "clBuildProgram");
    for (const Launch& launch : problem_.launches) {
      if (!kernels_.contains(launch.kernel)) {
        kernels_[launch.kernel] = clCreateKernel(program_, launch.kernel.c_str(), &status);
        check(status, "clCreateKernel");
      }
    }
  }

  void enqueue(const Launch& launch) {
    cl_kernel kernel = kernels_.at(launch.kernel);
    cl_uint position = 0;
    for (const cl_mem& buffer : buffers_) {
      check(clSetKernelArg(kernel, position++, sizeof(cl_mem), static_cast<const void*>(&buffer)), "clSetKernelArg");
    }
    for (const Scalar& scalar : launch.scalars) {
      check(clSetKernelArg(kernel, position++, sizeof scalar.bits, &scalar.bits), "clSetKernelArg");
    }
    std::array<std::size_t, 3> global{};
    std::array<std::size_t, 3> local{};
    std::ranges::copy(launch.lanes, global.begin());
    std::ranges::copy(launch.block, local.begin());
    check(clEnqueueNDRangeKernel(device_.queue, kernel, 3, nullptr, global.data(), local.data(), 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }

  const OpenclDevice& device_;
  const Problem& problem_;
  cl_program program_ = nullptr;
  std::map<std::string, cl_kernel> kernels_;
  std::vector<cl_mem> buffers_;
};

class Opencl final : public Engine {
 public:
  Opencl(std::shared_ptr<const OpenclDevice> device, const char* method, unsigned threads)
      : Engine(Kind::peer, fmt::format("pocl {}", method), threads), device_(std::move(device)), method_(method) {}

  std::unique_ptr<Run> prepare(const Problem& problem) override {
    const std::string source = problem.source.empty() ? "" : read_source(problem.source);
    if (source.empty()) {
      return nullptr;
    }
    setenv("POCL_WORK_GROUP_METHOD", method_, 1);
    return std::make_unique<OpenclRun>(*device_, problem, source);
  }

 private:
  std::shared_ptr<const OpenclDevice> device_;
  const char* method_;
};

// The first CPU device of PoCL, null if there is none.
cl_device_id find_device() {
  cl_uint count = 0;
  std::array<cl_platform_id, 16> platforms{};
  if (clGetPlatformIDs(platforms.size(), platforms.data(), &count) != CL_SUCCESS) {
    return nullptr;
  }
  for (cl_uint i = 0; i < std::min<cl_uint>(count, platforms.size()); ++i) {
    std::array<char, 256> name{};
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, name.size(), name.data(), nullptr);
    cl_device_id device = nullptr;
    if (std::string(name.data()).starts_with("Portable Computing Language") &&
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS) {
      return device;
    }
  }
  return nullptr;
}

cl_device_id one_compute_unit(cl_device_id device) {
  const cl_device_partition_property parts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id sub_device = nullptr;
  check(clCreateSubDevices(device, parts, 1, &sub_device, nullptr), "clCreateSubDevices");
  return sub_device;
}

}  // namespace

Peers make_opencl(unsigned threads) {
  setenv("POCL_KERNEL_CACHE", "0", 1);  // a first run compiles
  const cl_device_id all = find_device();
  if (all == nullptr) {
    return {{}, "PoCL: no device (install pocl-opencl-icd)"};
  }
  Peers peers;
  const auto one_thread = std::make_shared<const OpenclDevice>(one_compute_unit(all));
  const auto all_threads = std::make_shared<const OpenclDevice>(all);
  for (const char* method : {"loopvec", "workitemloops"}) {
    peers.engines.push_back(std::make_unique<Opencl>(one_thread, method, 1));
    peers.engines.push_back(std::make_unique<Opencl>(all_threads, method, threads));
  }
  return peers;
}

}  // namespace weft::bench
