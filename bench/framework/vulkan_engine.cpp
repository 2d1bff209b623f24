// lavapipe through Vulkan: all launches of a problem are recorded once, with a barrier between two, and submitted for
// each run. Its shaders are GLSL, compiled to SPIR-V when this program is built.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "bench/framework/engine.h"
#include "bench/framework/vulkan_device.h"

namespace weft::bench {

namespace {

std::string spirv_file(const std::string& name) { return fmt::format("{}/{}.spv", WEFT_BENCH_SPIRV, name); }

std::vector<std::uint32_t> read_spirv(const std::string& name) {
  const std::string file = spirv_file(name);
  std::vector<std::uint32_t> words(std::filesystem::file_size(file) / sizeof(std::uint32_t));
  std::ifstream(file, std::ios::binary)
      .read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(words.size() * sizeof words[0]));
  return words;
}

class VulkanRun final : public Run {
 public:
  VulkanRun(const VulkanDevice& gpu, const Problem& problem) : gpu_(gpu), problem_(problem) {
    for (const Data& data : problem.buffers) {
      buffers_.push_back(gpu.allocate(data.size_bytes()));
    }
    make_layouts();
    make_descriptors();
    for (const Launch& launch : problem.launches) {
      VkPipeline& pipeline = pipelines_[launch.kernel];
      if (pipeline == nullptr) {
        pipeline = gpu.make_pipeline(read_spirv(launch.kernel), layout_, launch.block);
      }
    }
    record();
  }
  VulkanRun(const VulkanRun&) = delete;
  VulkanRun& operator=(const VulkanRun&) = delete;
  ~VulkanRun() override {
    vkFreeCommandBuffers(gpu_.device, gpu_.pool, 1, &commands_);
    for (const auto& [name, pipeline] : pipelines_) {
      vkDestroyPipeline(gpu_.device, pipeline, nullptr);
    }
    vkDestroyDescriptorPool(gpu_.device, descriptors_, nullptr);
    vkDestroyPipelineLayout(gpu_.device, layout_, nullptr);
    vkDestroyDescriptorSetLayout(gpu_.device, set_layout_, nullptr);
    for (const VulkanDevice::Memory& buffer : buffers_) {
      gpu_.release(buffer);
    }
  }

  void restore() override {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Data& data = problem_.buffers[i];
      std::memcpy(buffers_[i].mapped, data.as<std::byte>().data(), data.size_bytes());
    }
  }
  void run() override { gpu_.submit_and_wait(commands_); }
  void download(std::size_t buffer, Data& to) override {
    std::memcpy(to.as<std::byte>().data(), buffers_[buffer].mapped, to.size_bytes());
  }

 private:
  void make_layouts() {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (std::uint32_t i = 0; i < buffers_.size(); ++i) {
      bindings.push_back({i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    }
    const VkDescriptorSetLayoutCreateInfo set_info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                   .bindingCount = static_cast<std::uint32_t>(bindings.size()),
                                                   .pBindings = bindings.data()};
    check(vkCreateDescriptorSetLayout(gpu_.device, &set_info, nullptr, &set_layout_), "vkCreateDescriptorSetLayout");
    const VkPushConstantRange constants{VK_SHADER_STAGE_COMPUTE_BIT, 0, 128};
    const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .setLayoutCount = 1,
                                          .pSetLayouts = &set_layout_,
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &constants};
    check(vkCreatePipelineLayout(gpu_.device, &info, nullptr, &layout_), "vkCreatePipelineLayout");
  }

  void make_descriptors() {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, static_cast<std::uint32_t>(buffers_.size()) + 1};
    const VkDescriptorPoolCreateInfo pool{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
    check(vkCreateDescriptorPool(gpu_.device, &pool, nullptr, &descriptors_), "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                           .descriptorPool = descriptors_,
                                           .descriptorSetCount = 1,
                                           .pSetLayouts = &set_layout_};
    check(vkAllocateDescriptorSets(gpu_.device, &info, &set_), "vkAllocateDescriptorSets");
    for (std::uint32_t i = 0; i < buffers_.size(); ++i) {
      const VkDescriptorBufferInfo buffer{buffers_[i].buffer, 0, VK_WHOLE_SIZE};
      const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = set_,
                                       .dstBinding = i,
                                       .descriptorCount = 1,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       .pBufferInfo = &buffer};
      vkUpdateDescriptorSets(gpu_.device, 1, &write, 0, nullptr);
    }
  }

  void record() {
    const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .commandPool = gpu_.pool,
                                           .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                           .commandBufferCount = 1};
    check(vkAllocateCommandBuffers(gpu_.device, &info, &commands_), "vkAllocateCommandBuffers");
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");
    vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
    for (const Launch& launch : problem_.launches) {
      record(launch);
    }
    check(vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
  }

  void record(const Launch& launch) {
    vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines_.at(launch.kernel));
    if (!launch.scalars.empty()) {
      vkCmdPushConstants(commands_, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                         static_cast<std::uint32_t>(launch.scalars.size() * sizeof(Scalar)), launch.scalars.data());
    }
    vkCmdDispatch(commands_, launch.lanes[0] / launch.block[0], launch.lanes[1] / launch.block[1],
                  launch.lanes[2] / launch.block[2]);
    const VkMemoryBarrier barrier{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1,
                         &barrier, 0, nullptr, 0, nullptr);
  }

  const VulkanDevice& gpu_;
  const Problem& problem_;
  std::vector<VulkanDevice::Memory> buffers_;
  VkDescriptorSetLayout set_layout_ = nullptr;
  VkPipelineLayout layout_ = nullptr;
  VkDescriptorPool descriptors_ = nullptr;
  VkDescriptorSet set_ = nullptr;
  std::map<std::string, VkPipeline> pipelines_;
  VkCommandBuffer commands_ = nullptr;
};

class Vulkan final : public Engine {
 public:
  Vulkan(std::unique_ptr<VulkanDevice> device, unsigned threads)
      : Engine(Kind::peer, "lavapipe", threads), device_(std::move(device)) {}

  std::unique_ptr<Run> prepare(const Problem& problem) override {
    if (problem.source.empty()) {
      return nullptr;
    }
    for (const Launch& launch : problem.launches) {
      if (!std::filesystem::exists(spirv_file(launch.kernel))) {
        return nullptr;
      }
    }
    return std::make_unique<VulkanRun>(*device_, problem);
  }

 private:
  std::unique_ptr<VulkanDevice> device_;
};

}  // namespace

Peers make_vulkan(unsigned threads) {
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);  // a first run compiles
  Peers peers;
  for (const unsigned count : {1U, threads}) {
    std::unique_ptr<VulkanDevice> device = VulkanDevice::open(count);
    if (device == nullptr) {
      return {{}, "lavapipe: no device (install mesa-vulkan-drivers)"};
    }
    peers.engines.push_back(std::make_unique<Vulkan>(std::move(device), count));
  }
  return peers;
}

}  // namespace weft::bench
