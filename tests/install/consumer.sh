#!/usr/bin/env bash
# usage: consumer.sh BUILD_FOLDER COMPILER
# Installs Weft into a temporary prefix, then builds and runs an application against it, through find_package and through
# pkg-config.
set -euo pipefail
build=$1 compiler=$2
source=$(cd "$(dirname "$0")" && pwd)/consumer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }

echo "through find_package"
cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/prefix"
cmake --build "$work/build"
"$work/build/consumer"

echo "through pkg-config"
export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
read -ra flags < <(pkg-config --cflags --libs weft)
"$compiler" -std=c++20 -Wall -Wextra -Werror "$source/main.cpp" "${flags[@]}" -o "$work/consumer"
LD_LIBRARY_PATH="$work/prefix/lib" "$work/consumer"
