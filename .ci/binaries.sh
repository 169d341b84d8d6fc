#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The programs for this machine (x86-64 Linux in a release), stripped, with the licences of the crates in them: an
# archive in target/dist.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
host=$(rustc -vV | sed -n 's/^host: //p')
name=tensorload-$version-$host
build=$PWD/target/binaries
registry=${CARGO_HOME:-$HOME/.cargo}

RUSTFLAGS="--remap-path-prefix=$PWD=tensorload --remap-path-prefix=$registry=cargo" CARGO_INCREMENTAL=0 \
  CARGO_PROFILE_RELEASE_STRIP=symbols \
  cargo build --release --locked --target-dir "$build" --target "$host" --bin golden --bin rtl-gen --bin cosim

out=target/dist/$name
rm -rf "$out"
mkdir -p "$out/licences"
cp LICENSE "$out"
for program in golden rtl-gen cosim; do
  cp "$build/$host/release/$program" "$out"
  "$out/$program" --version
done
# Whoever gets a program gets the licences of what it is linked from.
cargo tree --locked -e normal --target "$host" --prefix none -f '{p}|{l}' -p cosim -p rtl-gen -p tensorload-golden |
  grep -v -e "($PWD" -e "^$" | sed 's/ (proc-macro)//' | sort -u |
  while IFS='|' read -r package licence; do
    folder=$(echo "$package" | sed 's/ v/-/; s/ .*//')
    {
      printf '%s: %s\n' "$folder" "$licence"
      find "$registry"/registry/src/*/"$folder" -maxdepth 1 -type f -iregex '.*/\(licen[sc]e\|copying\|notice\).*' |
        sort | xargs -d '\n' -r cat
    } >"$out/licences/$folder"
  done
sh .ci/archive.sh "$name"
