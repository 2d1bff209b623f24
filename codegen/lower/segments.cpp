#include "codegen/lower/segments.h"

#include "codegen/lower/context.h"
#include "codegen/lower/emitter.h"
#include "codegen/lower/local.h"

namespace weft::lower {

using ir::OpId;
using ir::ValueId;
using passes::BlockStep;
using passes::KeptLocal;
using passes::Segment;

namespace {

class SegmentLowering {
 public:
  SegmentLowering(llvm::Module& out, ir::Module& module, const ir::Function& kernel, const passes::Shapes& shapes,
                  KernelPlan& plan, bool masked)
      : e_(out, module, kernel, shapes, plan), program_(plan.fission->program), masked_(masked && plan.width > 1) {
    result_.functions.resize(program_.segments.size());
    result_.block_out.resize(program_.segments.size());
  }

  SegmentFunctions run() {
    if (e_.plan.remarks != nullptr) {
      e_.plan.remarks->begin_version(e_.shapes);
      note_cuts();
    }
    lay_out();
    lower(program_.steps);
    return std::move(result_);
  }

 private:
  // --- what is kept
  void lay_out() {
    for (const ValueId value : program_.kept) {
      const auto kinds = e_.leaf_kinds(e_.f.type(value));
      const auto slots = e_.leaf_slots(e_.f.type(value));
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        add_field(value, kinds[i], e_.shapes.of(value)[slots[i]], e_.plan.fission->block.of(value)[slots[i]]);
      }
    }
    for (const ValueId local : program_.kept_locals) {
      const auto kinds = e_.leaf_kinds(e_.in.types[e_.f.type(local)].element);  // no arrays: one leaf a slot
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        add_field(local, kinds[i], e_.shapes.local(local)[i], e_.plan.fission->block.local(local)[i]);
      }
    }
    llvm::LLVMContext& context = e_.out.getContext();
    result_.state.frame = llvm::StructType::get(context, frame_fields_);
    result_.state.block = llvm::StructType::get(context, block_fields_);
  }

  void note_cuts() {
    for (std::size_t i = 0; i < e_.f.op_count(); ++i) {
      if (e_.f.op(OpId(i)).code == ir::OpCode::barrier) {
        e_.note_at(OpId(i), RemarkKind::cut);
      }
    }
  }

  void add_field(ValueId value, ir::TypeKind kind, Shape shape, Shape block_shape) {
    const bool scalar = e_.is_scalar(shape);
    const bool of_block = scalar && block_shape.is_uniform();
    llvm::Type* type = scalar ? e_.scalar_type(kind) : e_.pack_type(e_.scalar_type(kind));
    e_.note_at(OpId(e_.f.value(value).index), of_block ? RemarkKind::keep_block : RemarkKind::keep_pack,
               e_.out.getDataLayout().getTypeAllocSize(type), value);
    std::vector<llvm::Type*>& record = of_block ? block_fields_ : frame_fields_;
    result_.state.fields[value].push_back({of_block, static_cast<unsigned>(record.size()), type});
    record.push_back(type);
  }

  llvm::Value* address(const KeptField& field, bool out) {
    llvm::Value* block = e_.function->getArg(out ? kBlockOut : kBlockIn);
    return field.of_block ? e_.b.CreateStructGEP(result_.state.block, block, field.index)
                          : e_.b.CreateStructGEP(result_.state.frame, e_.function->getArg(kFrame), field.index);
  }
  llvm::Value* load(const KeptField& field) { return e_.b.CreateLoad(field.type, address(field, false)); }
  void store(std::uint32_t segment, const KeptField& field, llvm::Value* value) {
    e_.b.CreateStore(value, address(field, true));
    if (field.of_block) {
      result_.block_out[segment].push_back(field);
    }
  }

  // --- segments, in the order of the text, under the conditions that hold there
  void lower(const std::vector<BlockStep>& steps) {
    for (const BlockStep& step : steps) {
      switch (step.kind) {
        case BlockStep::Kind::segment: lower_segment(step.segment); break;
        case BlockStep::Kind::if_: lower_if(step); break;
        case BlockStep::Kind::switch_:
          e_.note_at(step.op, RemarkKind::block_branch);
          for (const auto& region : step.regions) {
            lower(region);
          }
          break;
        case BlockStep::Kind::loop: lower_loop(step); break;
        case BlockStep::Kind::break_:
        case BlockStep::Kind::continue_:
        case BlockStep::Kind::return_: break;
      }
    }
  }

  void lower_if(const BlockStep& step) {
    e_.note_at(step.op, RemarkKind::block_branch);
    for (const bool way : {true, false}) {
      const Ranges::Scope scope(e_.ranges);
      e_.ranges.assume(e_.f.operand(e_.f.op(step.op), 0), way);
      lower(step.regions[way ? 0 : 1]);
    }
  }

  void lower_loop(const BlockStep& step) {
    e_.note_at(step.op, RemarkKind::block_loop);
    const auto regions = e_.f.regions(e_.f.op(step.op));
    lower(step.regions[0]);
    const Ranges::Scope known(e_.ranges);
    e_.ranges.assume_loop(step.op);
    e_.ranges.assume(e_.f.operand(e_.f.op(e_.f.region(regions[0]).ops.back()), 0), true);
    lower(step.regions[1]);
    lower(step.regions[2]);
  }

  void lower_segment(std::uint32_t index) {
    const Segment& segment = program_.segments[index];
    e_.begin_function(llvm::Function::Create(function_type(segment), llvm::GlobalValue::InternalLinkage,
                                             masked_ ? "weft_segment_partial" : "weft_segment", e_.out),
                      "segment");
    result_.functions[index] = e_.function;
    e_.set_mask(masked_ ? context_value(e_.b, ContextValue::entry_mask, e_.mask_type()) : nullptr);
    define_inputs(segment);
    for (const OpId op : segment.ops) {
      e_.lower_op(op);
    }
    store_outputs(index, segment);
    if (segment.decides.valid()) {
      e_.b.CreateRet(e_.leaf(segment.decides).value);
    } else {
      e_.b.CreateRetVoid();
    }
    bind_pack_function(*e_.function);
  }

  llvm::FunctionType* function_type(const Segment& segment) {
    llvm::SmallVector<llvm::Type*> parameters(pack_function_type(e_.out.getContext(), e_.width)->params());
    parameters.append({e_.b.getPtrTy(), e_.b.getPtrTy()});
    llvm::Type* result =
        segment.decides.valid() ? e_.scalar_type(e_.scalar_kind(e_.f.type(segment.decides))) : e_.b.getVoidTy();
    return llvm::FunctionType::get(result, parameters, false);
  }

  void define_inputs(const Segment& segment) {
    for (const ValueId parameter : segment.parameters) {
      define_parameter(e_, parameter);
    }
    for (const KeptLocal& local : segment.locals) {
      if (local.declared_here) {
        continue;
      }
      const ValueId root = e_.f.op(local.declaration).result;
      make_local(e_, local.declaration);
      const auto& fields = result_.state.fields.at(root);
      for (std::size_t i = 0; i < fields.size(); ++i) {
        e_.b.CreateStore(load(fields[i]), e_.local_slots(root)[i].address);
      }
    }
    for (const ValueId value : segment.loaded) {
      std::vector<llvm::Value*> leaves;
      for (const KeptField& field : result_.state.fields.at(value)) {
        leaves.push_back(load(field));
      }
      e_.define(value, std::move(leaves));
    }
    for (const OpId op : segment.repeated) {
      e_.lower_op(op);
    }
  }

  void store_outputs(std::uint32_t index, const Segment& segment) {
    for (const KeptLocal& local : segment.locals) {
      if (!local.declared_here && !local.written) {
        continue;
      }
      const ValueId root = e_.f.op(local.declaration).result;
      const auto& fields = result_.state.fields.at(root);
      for (std::size_t i = 0; i < fields.size(); ++i) {
        store(index, fields[i], e_.b.CreateLoad(fields[i].type, e_.local_slots(root)[i].address));
      }
    }
    for (const ValueId value : segment.kept) {
      const auto& fields = result_.state.fields.at(value);
      for (std::size_t i = 0; i < fields.size(); ++i) {
        store(index, fields[i], e_.leaf(value, i).value);
      }
    }
  }

  Emitter e_;
  const passes::BlockProgram& program_;
  const bool masked_;
  std::vector<llvm::Type*> frame_fields_;
  std::vector<llvm::Type*> block_fields_;
  SegmentFunctions result_;
};

}  // namespace

std::uint64_t kept_bytes(const ir::Module& module, const ir::Function& kernel, const passes::BlockProgram& program) {
  std::uint64_t bytes = 0;
  for (const ValueId value : program.kept) {
    bytes += module.types[kernel.type(value)].size_bytes;
  }
  for (const ValueId local : program.kept_locals) {
    bytes += module.types[module.types[kernel.type(local)].element].size_bytes;
  }
  return bytes * kernel.attributes.lane_count();
}

SegmentVersions lower_segments(llvm::Module& out, ir::Module& module, const ir::Function& kernel, KernelPlan& plan) {
  const passes::Shapes shapes = passes::analyse_shapes(module, kernel, {.width = plan.width});
  SegmentVersions versions;
  versions.partial = SegmentLowering(out, module, kernel, shapes, plan, true).run();
  if (has_full_version(kernel, plan)) {
    const std::uint64_t scratch_bytes = std::exchange(plan.scratch_bytes, 0);
    versions.full = SegmentLowering(out, module, kernel, shapes, plan, false).run();
    plan.scratch_bytes = std::max(plan.scratch_bytes, scratch_bytes);
  }
  return versions;
}

}  // namespace weft::lower
