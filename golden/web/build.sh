#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the model to WebAssembly, and copies it to the file that is named. The Rust on PATH does it if it has the
# target; otherwise Debian's in .tools, which compiles the standard library as well.
set -eu
case $1 in /*) out=$1 ;; *) out=$PWD/$1 ;; esac
cd "$(dirname "$0")/../.."
target=wasm32-unknown-unknown
folder=${CARGO_TARGET_DIR:-target}
set --
if [ ! -d "$(rustc --print target-libdir --target $target)" ]; then
  web=$PWD/.tools/rust-web
  [ -x "$web/rustc" ] || { echo "build.sh: no Rust for WebAssembly: run \`make setup-site\`" >&2; exit 2; }
  export RUSTC="$web/rustc" RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$web/wasm-ld"
  # Apart from what the other compiler has built.
  folder=$folder/web
  set -- -Zbuild-std=std,panic_abort
fi
cargo build -q --profile web --locked --target $target --target-dir "$folder" -p tensorload-web "$@"
mkdir -p "$(dirname "$out")"
cp "$folder/$target/web/tensorload_web.wasm" "$out"
