// A device of lavapipe through Vulkan, with the little of Vulkan that compute needs.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <memory>
#include <span>

namespace weft::bench {

// Throws std::runtime_error that names the call if it failed.
void check(VkResult result, const char* what);

// Handles live until the program ends, as does the device.
class VulkanDevice {
 public:
  // Null if there is no lavapipe. It reads the number of its threads from the environment as it is opened.
  static std::unique_ptr<VulkanDevice> open(unsigned threads);

  struct Memory {
    VkBuffer buffer;
    VkDeviceMemory memory;
    std::byte* mapped;
  };
  [[nodiscard]] Memory allocate(std::size_t size_bytes) const;
  void release(const Memory& memory) const;

  // A compute pipeline whose specialisation constants 0, 1 and 2 are the block's size.
  [[nodiscard]] VkPipeline make_pipeline(std::span<const std::uint32_t> spirv, VkPipelineLayout layout,
                                         std::span<const std::uint32_t, 3> block) const;

  void submit_and_wait(VkCommandBuffer commands) const;

  VkDevice device = nullptr;
  VkCommandPool pool = nullptr;

 private:
  void create(VkPhysicalDevice physical);

  VkQueue queue_ = nullptr;
  VkFence fence_ = nullptr;
  std::uint32_t memory_type_ = 0;
};

}  // namespace weft::bench
