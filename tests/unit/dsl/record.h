// Records a kernel of one lambda and gives its text.
#pragma once

#include <weft/dsl.h>

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

#include "codegen/ir/text/print.h"

namespace weft::test {

// The lines between the first line of kernel @k and its closing brace, without their indent.
inline std::string body_of(const ir::Module& module) {
  std::string body;
  bool inside = false;
  std::string_view text;
  const std::string whole = ir::print(module);
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t end = whole.find('\n', at);
    text = std::string_view(whole).substr(at, end - at);
    at = end + 1;
    if (inside && text == "}") {
      break;
    }
    if (inside) {
      const std::size_t indent = text.find_first_not_of(' ');
      body += body.empty() ? "" : "\n";
      body += text.substr(indent);
    }
    inside = inside || text.starts_with("kernel @k(");
  }
  return body;
}

// The kernel's body, from lambda and attributes.
template <class... A>
std::string body(const A&... attributes_and_lambda) {
  return body_of(*Kernel1D{"k", attributes_and_lambda...}.module());
}

// Lines of an expected body.
template <class... Line>
std::string lines(const Line&... line) {
  std::string all;
  ((all += all.empty() ? std::string(line) : "\n" + std::string(line)), ...);
  return all;
}

// Takes a value that a test only wants recorded.
template <class T>
void keep(const T&) {}

// The mistake that a lambda makes; fails the test if there is none.
template <class F>
DslError::Details mistake(F&& make) {
  try {
    make();
  } catch (const DslError& error) {
    CHECK(std::string_view(error.what()).find(": error: " + error.details().message) != std::string_view::npos);
    return error.details();
  }
  FAIL("no mistake was found");
  return {};
}

}  // namespace weft::test
