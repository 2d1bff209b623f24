// The storage of a function's values and locals, for all lanes of the block.
#include "codegen/interp/block.h"

namespace weft::interp {

using namespace ir;

Frame::Frame(const Function& function, const FunctionPlan& plan, std::uint32_t lane_count, std::uint32_t result_words)
    : function_(function),
      plan_(plan),
      storage_(plan.words * lane_count),
      constants_(plan.constants),
      result_storage_(std::size_t{result_words} * lane_count),
      returned_{result_storage_.data(), lane_count, 1},
      locals_(plan.local_bytes * lane_count),
      shadows_(plan.local_bytes * lane_count) {
  for (std::size_t i = 0; i < function.value_count(); ++i) {
    const bool is_constant = function.value(ValueId(i)).kind == ValueKind::constant;
    values_.push_back(is_constant ? Words{constants_.data() + plan.first_word[i], 1, 0}
                                  : Words{storage_.data() + plan.first_word[i] * lane_count, lane_count, 1});
  }
}

}  // namespace weft::interp
