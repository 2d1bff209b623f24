#include "codegen/jit/explain.h"

#include <algorithm>

#include "codegen/jit/compilation.h"
#include "codegen/jit/remarks.h"
#include "codegen/passes/root.h"
#include "codegen/passes/why_varying.h"

namespace weft::jit {

using ir::Op;
using ir::OpCode;
using ir::OpId;
using ir::ValueId;
using lower::RemarkGroup;
using lower::RemarkKind;

namespace {

// A variable of this size, in bytes a pack, is worth a word when a barrier keeps it.
constexpr std::uint64_t kManyKeptBytes = 1024;

// What is only the other way is rare, unless it hangs on how lanes lie in memory.
bool is_slow(const Note& note, bool neighbours_tested) {
  const bool rare = note.otherwise && !neighbours_tested;
  const bool small = note.kind == RemarkKind::keep && note.number < kManyKeptBytes;
  return !lower::info(note.kind).way_out.empty() && !rare && !small;
}

bool is_reference_op(OpCode code) {
  return code == OpCode::buffer_element || code == OpCode::byte_element || code == OpCode::element ||
         code == OpCode::member;
}

class Explainer {
 public:
  Explainer(const Compilation& compilation, const Remarks& remarks)
      : c_(compilation), module_(compilation.module()), f_(compilation.kernel()), remarks_(remarks) {}

  Explanation run() {
    describe_kernel();
    for (std::size_t i = 0; i < f_.op_count(); ++i) {
      visit(OpId(i));
    }
    total_kept();
    return std::move(out_);
  }

 private:
  void describe_kernel() {
    const lower::KernelPlan& plan = c_.plan();
    out_.kernel = f_.name;
    out_.file = module_.string(f_.location.file);
    out_.block_size = f_.attributes.block_size;
    out_.dimensions = f_.attributes.dimensions;
    out_.width = plan.width;
    out_.packs = plan.pack_count(f_);
    out_.width_reason = c_.width_reason();
    out_.form = c_.stats.form.empty() ? "plain" : c_.stats.form;
    out_.form_reason = plan.form_reason.text;
    out_.form_place = place(plan.form_reason.location);
    out_.effort = c_.stats.effort;
    out_.cpu = c_.target().cpu;
    out_.vector_bits = c_.target().vector_bits;
    out_.suspend_points = plan.suspends ? plan.suspend_points : 0;
    out_.segments = plan.fission ? static_cast<std::uint32_t>(plan.fission->program.segments.size()) : 0;
    out_.uniform_barriers = plan.uniform_barriers;
    out_.shared_bytes = plan.shared_bytes;
    out_.scratch_bytes = plan.scratch_bytes;
    out_.kept.frame_bytes = plan.frame_bytes;
  }

  void visit(OpId id) {
    const Op& op = f_.op(id);
    const bool is_reference = module_.types[op.type].kind == ir::TypeKind::reference;
    if (op.result.valid() && (!is_reference || op.code == OpCode::local)) {
      add_value(op);
    }
    if (is_reference_op(op.code)) {
      return;  // told with what uses it
    }
    Decision decision{.place = place(op.location), .op = op_text(op)};
    add_notes(id, decision);
    const bool accesses = op.operand_count > 0 && is_memory(op.code) && in_memory(f_.operand(op, 0));
    if (accesses) {
      explain_access(op, decision);
    }
    const bool tested =
        std::ranges::find(decision.notes, RemarkKind::neighbours_tested, &Note::kind) != decision.notes.end();
    for (Note& note : decision.notes) {
      note.slow = is_slow(note, tested);
    }
    if (!decision.notes.empty()) {
      out_.decisions.push_back(std::move(decision));
    }
  }

  static bool is_memory(OpCode code) {
    return code == OpCode::load || code == OpCode::store || ir::info(code).family == ir::OpFamily::atomic;
  }
  [[nodiscard]] bool in_memory(ValueId reference) const {
    return passes::root_of(f_, reference).kind != passes::RootKind::local;
  }

  void add_value(const Op& op) {
    const bool variable = op.code == OpCode::local;
    const auto shapes = variable ? remarks_.shapes().local(op.result) : remarks_.shapes().of(op.result);
    const ir::TypeId type = variable ? module_.types[op.type].element : op.type;
    out_.values.push_back(
        {place(op.location), name(op.result), module_.types.text(type), passes::text(shapes), variable});
  }

  void add_notes(OpId id, Decision& decision) {
    for (const Remarks::Entry& entry : remarks_.of(id)) {
      const lower::Remark& r = entry.remark;
      if (r.otherwise && says(decision, r)) {
        continue;
      }
      decision.notes.push_back(
          {r.kind, r.number, entry.count, r.otherwise, false, r.value.valid() ? name(r.value) : ""});
      out_.cuts += r.kind == RemarkKind::cut ? 1 : 0;
    }
  }

  // Whether the main way has a note of the same kind; of ranges, of any kind.
  static bool says(const Decision& decision, const lower::Remark& r) {
    const RemarkGroup group = lower::info(r.kind).group;
    return std::ranges::any_of(decision.notes, [&](const Note& note) {
      const bool same_range = group == RemarkGroup::range && lower::info(note.kind).group == group;
      return !note.otherwise && (same_range || (note.kind == r.kind && note.number == r.number));
    });
  }

  // The address of an access, how it is known to be in range, and why its lanes are not neighbours.
  void explain_access(const Op& op, Decision& decision) {
    const ValueId reference = f_.operand(op, 0);
    const std::uint64_t unit =
        std::max<std::uint64_t>(module_.types[module_.types[f_.type(reference)].element].size_bytes, 1);
    decision.shape = passes::text(remarks_.shapes().of(reference), unit);
    const bool irregular = std::ranges::any_of(decision.notes, [](const Note& note) {
      return note.kind == RemarkKind::gather || note.kind == RemarkKind::scatter ||
             note.kind == RemarkKind::piece_access || note.kind == RemarkKind::atomic_each_lane;
    });
    std::string why;
    for (ValueId at = reference; f_.definition(at) != nullptr;) {
      const Op& part = *f_.definition(at);
      if (!is_reference_op(part.code)) {
        break;
      }
      add_notes(OpId(f_.value(at).index), decision);
      if (part.code != OpCode::member && why.empty()) {
        why = passes::why_varying(f_, module_, remarks_.shapes(), f_.operand(part, 1));
      }
      at = f_.operand(part, 0);
    }
    if (irregular) {
      decision.why = !why.empty() ? "of its index: " + why : stride_text(reference);
    }
    if (irregular && decision.why.empty() && ir::info(op.code).family == ir::OpFamily::atomic) {
      decision.why = is_used(op.result) ? "all lanes share its place, but its result is used"
                                        : "all lanes share its place, but what they do keeps its order";
    }
  }

  [[nodiscard]] bool is_used(ValueId value) const {
    for (std::size_t i = 0; i < f_.op_count(); ++i) {
      if (std::ranges::find(f_.operands(OpId(i)), value) != f_.operands(OpId(i)).end()) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::string stride_text(ValueId reference) const {
    const passes::Shape& shape = remarks_.shapes().of(reference)[0];
    return shape.kind == passes::ShapeKind::affine
               ? fmt::format("the address moves by {:+} bytes from lane to lane", shape.stride)
               : std::string();
  }

  // Of suspended packs the most that one suspend point keeps of variables, and all values; of a kernel that is cut all.
  void total_kept() {
    for (const Decision& decision : out_.decisions) {
      std::uint64_t here = 0;
      for (const Note& note : decision.notes) {
        here += note.kind == RemarkKind::keep ? note.number : 0;
        out_.kept.bytes_per_pack += note.kind == RemarkKind::keep_pack ? note.number : 0;
        out_.kept.bytes_per_block += note.kind == RemarkKind::keep_block ? note.number : 0;
      }
      out_.kept.bytes_per_pack = std::max(out_.kept.bytes_per_pack, here);
    }
    for (const Decision& decision : out_.decisions) {
      for (const Note& note : decision.notes) {
        out_.kept.bytes_per_pack += note.kind == RemarkKind::keep_value ? note.number : 0;
      }
    }
  }

  [[nodiscard]] std::string name(ValueId value) const {
    const std::string_view text = module_.string(f_.value(value).name);
    return text.empty() ? std::string() : fmt::format("%{}", text);
  }
  [[nodiscard]] SourcePlace place(const ir::Location& location) const {
    return {std::string(module_.string(location.file)), location.line, location.column};
  }
  [[nodiscard]] std::string op_text(const Op& op) const {
    std::string text(ir::info(op.code).text);
    const std::string subject = is_memory(op.code) && op.operand_count > 0
                                    ? name(passes::root_of(f_, f_.operand(op, 0)).value)
                                : op.code == OpCode::local ? name(op.result)
                                                           : std::string();
    return subject.empty() ? text : text + " " + subject;
  }

  const Compilation& c_;
  const ir::Module& module_;
  const ir::Function& f_;
  const Remarks& remarks_;
  Explanation out_;
};

}  // namespace

Result<Explanation> explain(const ir::Module& module, const CompileOptions& options) {
  Remarks remarks;
  auto compilation = Compilation::start(module, options, &remarks);
  if (!compilation) {
    return compilation.take_diagnostics();
  }
  (*compilation)->lower();
  (*compilation)->assemble();
  for (const auto& [value, bytes] : (*compilation)->spilled_values()) {
    const ir::OpId op((*compilation)->kernel().value(value).index);
    remarks.add({.kind = RemarkKind::keep_value, .op = op, .number = bytes, .value = value});
  }
  return Explainer(**compilation, remarks).run();
}

}  // namespace weft::jit
