#!/usr/bin/env python3
"""Checks what kernels rely on in the device library's bitcode: usage check_bitcode.py LLVM_DIS BITCODE

Every weft_ function takes and returns plain scalars and vectors of at most 512 bits and is free of side effects, so
that LLVM can inline it and drop it where it is unused; nothing is called but those intrinsics of LLVM that become
instructions (llvm.sin would become a call of sinf); no CPU is named.
"""
import re
import subprocess
import sys

FORBIDDEN = ("target-cpu", "target-features", "tune-cpu", "min-legal-vector-width", "probe-stack", "stack-protector\"",
             "sanitize_")
REQUIRED = ("memory(none)", "nounwind", "willreturn", "nosync")
INTRINSIC = re.compile(r"@llvm\.(abs|copysign|ctlz|experimental\.noalias\.scope\.decl|fabs|fma|fshl|fshr|is\.fpclass|"
                       r"smax|smin|sqrt|trunc|umax|umin|vector\.reduce\.or)\b")
VALUE = re.compile(r"(float|double|i32|i64|<(\d+) x (float|double|i32|i64)>)$")
BITS = {"float": 32, "double": 64, "i32": 32, "i64": 64}


def is_plain_value(text):
    kind = re.sub(r"\b(noundef|signext|zeroext|range\([^)]*\))\s*|\s*%\S*$", "", text).strip()
    match = VALUE.match(kind)
    return bool(match) and (match[2] is None or int(match[2]) * BITS[match[3]] <= 512)


def main():
    text = subprocess.run([sys.argv[1], sys.argv[2], "-o", "-"], check=True, capture_output=True, text=True).stdout
    groups = dict(re.findall(r"^attributes (#\d+) = \{(.*)\}$", text, re.M))
    errors = [f"{word} in the bitcode" for word in FORBIDDEN if word in text]
    declarations = re.findall(r"^(?:declare|@.* external) .*$", text, re.M)
    errors += [f"external symbol: {line}" for line in declarations if not INTRINSIC.search(line)]

    count = 0
    for line in re.findall(r"^define .*$", text, re.M):
        result, name, operands, group = re.match(r"define (.*?)@(\w+)\((.*)\)[^()]*?(#\d+)", line).groups()
        if not name.startswith("weft_"):
            continue
        count += 1
        result = re.sub(r"\b(hidden|dso_local|local_unnamed_addr|internal)\b", "", result).strip()
        for part in [result, *re.findall(r"(?:[^,<(]|<[^>]*>|\([^)]*\))+", operands)]:
            if not is_plain_value(part.strip()):
                errors.append(f"{name}: `{part.strip()}` is no plain value")
        errors += [f"{name}: not {word}" for word in REQUIRED if word not in groups[group]]
    if count == 0:
        errors.append("no weft_ function in the bitcode")
    print("\n".join(errors) or f"{count} functions are fine")
    return bool(errors)


sys.exit(main())
