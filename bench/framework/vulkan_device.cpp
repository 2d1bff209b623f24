#include "bench/framework/vulkan_device.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft::bench {

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) {
    throw std::runtime_error(fmt::format("{}: Vulkan error {}", what, static_cast<int>(result)));
  }
}

namespace {

VkPhysicalDevice find_lavapipe(VkInstance instance) {
  std::uint32_t count = 0;
  vkEnumeratePhysicalDevices(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  vkEnumeratePhysicalDevices(instance, &count, devices.data());
  for (VkPhysicalDevice device : devices) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device, &properties);
    if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU &&
        std::string(properties.deviceName).starts_with("llvmpipe")) {
      return device;
    }
  }
  return nullptr;
}

// Memory that the host writes to, cached.
std::uint32_t find_memory_type(VkPhysicalDevice physical) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(physical, &memory);
  constexpr VkMemoryPropertyFlags kWanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    if ((memory.memoryTypes[i].propertyFlags & kWanted) == kWanted) {
      return i;
    }
  }
  throw std::runtime_error("Vulkan: no memory that the host sees");
}

}  // namespace

std::unique_ptr<VulkanDevice> VulkanDevice::open(unsigned threads) {
  setenv("LP_NUM_THREADS", std::to_string(threads).c_str(), 1);
  const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
  const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  VkInstance instance = nullptr;
  if (vkCreateInstance(&info, nullptr, &instance) != VK_SUCCESS) {
    return nullptr;
  }
  VkPhysicalDevice physical = find_lavapipe(instance);
  if (physical == nullptr) {
    vkDestroyInstance(instance, nullptr);
    return nullptr;
  }
  auto result = std::make_unique<VulkanDevice>();
  result->create(physical);
  return result;
}

void VulkanDevice::create(VkPhysicalDevice physical) {
  memory_type_ = find_memory_type(physical);
  const float priority = 1;
  const VkDeviceQueueCreateInfo queues{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                       .queueFamilyIndex = 0,  // lavapipe's only one
                                       .queueCount = 1,
                                       .pQueuePriorities = &priority};
  const VkDeviceCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queues};
  check(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
  vkGetDeviceQueue(device, 0, 0, &queue_);
  const VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  check(vkCreateCommandPool(device, &pool_info, nullptr, &pool), "vkCreateCommandPool");
  const VkFenceCreateInfo fence_info{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  check(vkCreateFence(device, &fence_info, nullptr, &fence_), "vkCreateFence");
}

VulkanDevice::Memory VulkanDevice::allocate(std::size_t size_bytes) const {
  Memory result{};
  const VkBufferCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size_bytes, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
  check(vkCreateBuffer(device, &info, nullptr, &result.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, result.buffer, &needs);
  const VkMemoryAllocateInfo memory{
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = memory_type_};
  check(vkAllocateMemory(device, &memory, nullptr, &result.memory), "vkAllocateMemory");
  check(vkBindBufferMemory(device, result.buffer, result.memory, 0), "vkBindBufferMemory");
  void* mapped = nullptr;
  check(vkMapMemory(device, result.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  result.mapped = static_cast<std::byte*>(mapped);
  return result;
}

void VulkanDevice::release(const Memory& memory) const {
  vkDestroyBuffer(device, memory.buffer, nullptr);
  vkFreeMemory(device, memory.memory, nullptr);
}

VkPipeline VulkanDevice::make_pipeline(std::span<const std::uint32_t> spirv, VkPipelineLayout layout,
                                       std::span<const std::uint32_t, 3> block) const {
  const VkShaderModuleCreateInfo module_info{
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = spirv.size_bytes(), .pCode = spirv.data()};
  VkShaderModule module = nullptr;
  check(vkCreateShaderModule(device, &module_info, nullptr, &module), "vkCreateShaderModule");
  const std::array<VkSpecializationMapEntry, 3> entries{{{0, 0, 4}, {1, 4, 4}, {2, 8, 4}}};
  const VkSpecializationInfo constants{entries.size(), entries.data(), block.size_bytes(), block.data()};
  const VkComputePipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                         .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                   .module = module,
                                                   .pName = "main",
                                                   .pSpecializationInfo = &constants},
                                         .layout = layout};
  VkPipeline pipeline = nullptr;
  const VkResult result = vkCreateComputePipelines(device, nullptr, 1, &info, nullptr, &pipeline);
  vkDestroyShaderModule(device, module, nullptr);
  check(result, "vkCreateComputePipelines");
  return pipeline;
}

void VulkanDevice::submit_and_wait(VkCommandBuffer commands) const {
  const VkSubmitInfo info{
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  check(vkQueueSubmit(queue_, 1, &info, fence_), "vkQueueSubmit");
  check(vkWaitForFences(device, 1, &fence_, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  check(vkResetFences(device, 1, &fence_), "vkResetFences");
}

}  // namespace weft::bench
