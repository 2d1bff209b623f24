#include "bench/compile/generate.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace weft::bench {
namespace {

class Writer {
 public:
  explicit Writer(const KernelShape& shape) : shape_(shape) {}

  std::string run() {
    text_ =
        "weft 1\nkernel @k(%in: buffer<f32>, %out: buffer<f32>) block(64) {\n"
        "  %tile = shared array<f32, 64>\n  %lane = thread_id.x\n  %place = dispatch_id.x\n"
        "  %sum = local f32\n  %count = local u32\n";
    for (std::size_t i = 0; i < values_.size(); ++i) {
      line("%place{} = add %place, {}", i, i);
      line("{} = read %in[%place{}]", make(), i);
    }
    for (std::size_t part = 0; part <= shape_.barriers; ++part) {
      const std::size_t end = shape_.ops * (part + 1) / (shape_.barriers + 1);
      while (ops_ < end) step();
      if (part < shape_.barriers) exchange(part);
    }
    line("write %out[%place], {}", value(0));
    return text_ + "}\n";
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += "  ";
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  // One of the last values, 0 being the last.
  const std::string& value(std::size_t age) const {
    return values_[(next_ + values_.size() - 1 - age) % values_.size()];
  }
  std::string make() {
    std::string name = fmt::format("%v{}", ++count_);
    values_[next_++ % values_.size()] = name;
    return name;
  }
  // Behaves like chance, and is the same everywhere.
  std::size_t choose(std::size_t choices) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33) % choices;
  }

  void step() {
    const Flavour flavour = shape_.flavour == Flavour::mixed ? kMix[choose(std::size(kMix))] : shape_.flavour;
    switch (flavour) {
      case Flavour::memory: return memory();
      case Flavour::branches: return branch();
      case Flavour::loops: return loop();
      case Flavour::arithmetic:
      case Flavour::mixed: return arithmetic();
    }
  }

  void arithmetic() {
    static constexpr std::string_view kOps[] = {"add", "sub", "mul", "min", "max"};
    const std::string a = value(0);
    const std::string b = value(1 + choose(6));
    line("{} = {} {}, {}", make(), kOps[choose(std::size(kOps))], a, b);
    ops_ += 1;
  }
  void memory() {
    const std::string a = value(0);
    const std::string stored = value(1);
    line("%i{} = cast u32 {}", count_, a);
    line("%j{} = and %i{}, 1023", count_, count_);
    line("write %out[%j{}], {}", count_, stored);
    const std::size_t index = count_;
    line("{} = read %in[%j{}]", make(), index);
    ops_ += 4;
  }
  void branch() {
    const std::string a = value(0);
    const std::string b = value(3);
    line("%c{} = lt {}, {}", count_, a, b);
    line("store %sum, {}", b);
    line("if %c{} {{\n    %t{} = mul {}, {}\n    store %sum, %t{}\n  }}", count_, count_, a, b, count_);
    line("{} = load %sum", make());
    ops_ += 6;
  }
  void loop() {
    const std::string a = value(0);
    line("store %count, 0\n  store %sum, {}", a);
    line("loop {{\n    %n{0} = load %count\n    %c{0} = lt %n{0}, %lane\n    yield %c{0}\n  }} body {{", count_);
    line("  %s{0} = load %sum\n    %t{0} = mul %s{0}, {1}\n    store %sum, %t{0}", count_, value(2));
    line("}} update {{\n    %m{0} = load %count\n    %o{0} = add %m{0}, 1\n    store %count, %o{0}\n  }}", count_);
    line("{} = load %sum", make());
    ops_ += 14;
  }
  void exchange(std::size_t part) {
    line("store %tile[%lane], {}\n  barrier", value(0));
    line("%other{} = xor %lane, {}", part, 1U << part % 6);
    line("{} = load %tile[%other{}]", make(), part);
    ops_ += 4;
  }

  static constexpr Flavour kMix[] = {Flavour::arithmetic, Flavour::arithmetic, Flavour::arithmetic, Flavour::arithmetic,
                                     Flavour::memory,     Flavour::branches,   Flavour::branches,   Flavour::loops};

  const KernelShape& shape_;
  std::string text_;
  std::array<std::string, 8> values_;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
  std::size_t ops_ = 0;
  std::uint64_t state_ = 1;
};

}  // namespace

std::string generate_kernel(const KernelShape& shape) { return Writer(shape).run(); }

}  // namespace weft::bench
