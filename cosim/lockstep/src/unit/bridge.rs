// SPDX-License-Identifier: Apache-2.0
//! The one bridge to C++: plain structs, the abstract model of the unit, the decoder.

/// Types and functions of both sides.
#[allow(clippy::missing_safety_doc)] // They are there; cxx does not hand them on.
#[cxx::bridge(namespace = "cosim")]
pub mod ffi {
    /// Input ports during one clock cycle.
    #[derive(Clone, Copy, Debug)]
    struct Inputs {
        /// An instruction is offered.
        issue_valid: bool,
        /// Its word.
        issue_instr: u32,
        /// Value of the host register that it names.
        issue_rs: u64,
        /// x[24:20], the second register of a matrix instruction. A unit without them has no such port.
        issue_rs2: u64,
        /// Echoed with the result.
        issue_id: u8,
        /// A result is taken.
        result_ready: bool,
        /// The host goes on after a trap.
        resume: bool,
        /// L1M takes a request.
        l1m_gnt: bool,
        /// L1M answers.
        l1m_rvalid: bool,
        /// The answer is an error.
        l1m_err: bool,
        /// The answer; as many bytes as the port has.
        l1m_rdata: [u8; 64],
        /// L0M takes a request.
        l0m_gnt: bool,
        /// L0M answers.
        l0m_rvalid: bool,
        /// The answer is an error.
        l0m_err: bool,
        /// Fill in the CSR state when an instruction executes.
        sample_csrs: bool,
    }

    /// Output ports and probe, as they are at the end of a clock cycle, before the edge.
    #[derive(Clone, Copy, Debug)]
    struct Outputs {
        /// The instruction offered is taken.
        issue_ready: bool,
        /// There is a result.
        result_valid: bool,
        /// Id of its instruction.
        result_id: u8,
        /// It trapped.
        result_trap: bool,
        /// Trap cause.
        result_cause: u8,
        /// Trap value.
        result_tval: u64,
        /// A host register is written.
        result_we: bool,
        /// Its number.
        result_rd: u8,
        /// Its value.
        result_data: u64,
        /// An older instruction trapped, and this one changed nothing.
        result_killed: bool,
        /// The result is of an instruction that the unit has not seen: an adapter has refused it.
        refused: bool,
        /// Something is in flight, or the unit starts or recovers.
        busy: bool,
        /// There is a port `meaning_o`: a unit behind an adapter has none.
        means: bool,
        /// What the CSRs mean, packed as `meaning_t`.
        meaning: u32,
        /// L1M request.
        l1m_req: bool,
        /// Its byte address.
        l1m_addr: u32,
        /// L0M request.
        l0m_req: bool,
        /// Its byte address.
        l0m_addr: u32,
        /// Its byte enables.
        l0m_be: u64,
        /// Its data; as many bytes as the port has. Valid with `l0m_req`.
        l0m_wdata: [u8; 64],
        /// An instruction executes: CSRs have its state after the coming edge.
        exec_valid: bool,
        /// Tag of that instruction.
        exec_tag: u8,
        /// An instruction retires.
        retire_valid: bool,
        /// Its tag.
        retire_tag: u8,
        /// Its word.
        retire_word: u32,
        /// Results that it wrote: bit 0 the first, bit 1 the second.
        retire_dst_valid: u8,
        /// Their TLRegs.
        retire_dst_arch: [u8; 2],
        /// Their physical registers.
        retire_dst_phys: [u8; 2],
        /// Tag of the store whose beat is on the L0M request.
        store_tag: u8,
        /// A matrix load writes its register at the coming edge.
        tile_valid: bool,
        /// Its tag. Valid with `tile_valid`, as the next one.
        tile_tag: u8,
        /// The register: 0 to 3 are tr0 to tr3, 4 to 7 acc0 to acc3.
        tile_md: u8,
        /// What dispatch waits for (`unit::stage::Stage`). In a model for profiles.
        stage: u16,
        /// A row of a TLReg is written.
        reg_write: bool,
        /// Which engines complete an instruction: load, store, move, xpose.
        done_valid: u8,
        /// Its tag.
        done_tag: [u8; 4],
    }

    /// What the core of a system does in a clock cycle.
    #[derive(Clone, Copy, Debug, Default)]
    struct Core {
        /// It has done an instruction.
        retire_valid: bool,
        /// Its address.
        pc: u32,
        /// Its word.
        word: u32,
        /// The register that it wrote; 0 is none.
        rd: u8,
        /// The value.
        data: u32,
        /// The program ends.
        exit_valid: bool,
        /// With this code.
        exit_code: u32,
        /// It prints.
        print_valid: bool,
        /// This byte.
        print: u8,
        /// It reaches for something that is not there.
        fault: bool,
        /// It has given up.
        stopped: bool,
        /// L0M takes a request of the unit, if there is one.
        l0m_gnt: bool,
    }

    /// CSR state.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct CsrState {
        /// ttype, tshape, tmask_load, tmask_store, tmask_concat_1, tmask_concat_2, tload_width, tstore_width,
        /// tload_pitch, tstore_pitch; the last two 0 without `pitch`.
        single: [u32; 10],
        /// Bit i: mask i (load, store, concat_1, concat_2) is initialised.
        mask_init: u32,
        /// tload_stride0 to 31.
        load_stride: [u32; 32],
        /// tstore_stride0 to 31.
        store_stride: [u32; 32],
        /// mtilem, mtilen, mtilek; 0 without the matrix instruction set.
        tile_sizes: [u32; 3],
    }

    /// What the RTL was built for. Sizes in bytes. Without a probe only the ports tell, and the rest is 0.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Built {
        /// There is a probe.
        probe: bool,
        /// There are the ports of the matrix instruction set.
        matrix_ports: bool,
        /// Bytes that the datapath moves per cycle.
        lanes: u32,
        /// Bytes per beat of the memory ports.
        port_bytes: u32,
        /// Bytes of a TLReg.
        reg_bytes: u32,
        /// Element widths: bit 0 is 4 bits, bit 3 is 32 bits.
        width_mask: u32,
        /// EngineID.
        engine_id: u32,
        /// The first CSR number.
        csr_base: u32,
        /// Bit 0 `pitch`, bit 1 `csr_op`, bit 2 `gpr_rs1`, bit 3 `mask_init`.
        options: u32,
        /// Size of L1M.
        l1m_bytes: u32,
        /// Size of L0M.
        l0m_bytes: u32,
        /// Bits of a matrix tile register; 0 without the matrix instruction set.
        tlen: u32,
        /// Bits of a row of it; 0 without the matrix instruction set.
        trlen: u32,
    }

    /// The rename map.
    #[derive(Clone, Copy, Debug)]
    struct RegisterMap {
        /// Bit i: TLReg i reads as zero.
        zero: u32,
        /// Physical register of each TLReg.
        phys: [u8; 32],
    }

    unsafe extern "C++" {
        include!("cosim/cpp/model.h");

        /// A verilated unit.
        type Model;
        /// Holds reset for `cycles` clock cycles.
        fn reset(self: Pin<&mut Model>, cycles: u32) -> Result<()>;
        /// One clock cycle: drives `inputs`, samples `outputs`, clocks; then `csrs`, if an instruction executed.
        fn step(self: Pin<&mut Model>, inputs: &Inputs, outputs: &mut Outputs, csrs: &mut CsrState) -> Result<()>;
        /// CSR state as of now.
        fn csrs(self: &Model) -> CsrState;
        /// The constants of the RTL.
        fn built(self: &Model) -> Built;
        /// The rename map as of now.
        fn register_map(self: &Model) -> RegisterMap;
        /// Whether physical register `phys` has these contents, which are `size` bytes.
        ///
        /// # Safety
        /// `expected` must be valid for `size` bytes.
        unsafe fn register_equals(self: &Model, phys: u8, expected: *const u8, size: usize) -> bool;
        /// Reads physical register `phys`.
        ///
        /// # Safety
        /// `bytes` must be valid for `size` bytes.
        unsafe fn read_register(self: &Model, phys: u8, bytes: *mut u8, size: usize);
        /// Reads matrix register `md` as of now: the first bytes of each row, as many as there is room for.
        ///
        /// # Safety
        /// `bytes` must be valid for `size` bytes.
        unsafe fn read_tile(self: &Model, md: u8, bytes: *mut u8, size: usize);
        /// Starts a waveform file.
        ///
        /// # Safety
        /// `path` must end with a zero.
        unsafe fn open_wave(self: Pin<&mut Model>, path: *const c_char) -> Result<()>;
        /// Ends the waveform file, if there is one.
        fn close_wave(self: Pin<&mut Model>);
        /// Writes the lines and toggles of this model so far.
        ///
        /// # Safety
        /// `path` must end with a zero.
        unsafe fn write_coverage(self: &Model, path: *const c_char) -> Result<()>;

        /// One clock cycle of a system: samples core and outputs of the unit, clocks; then `csrs`, if an instruction of
        /// the unit executed.
        ///
        /// # Safety
        /// The model must be a system.
        unsafe fn soc_step(
            model: Pin<&mut Model>,
            core: &mut Core,
            outputs: &mut Outputs,
            csrs: &mut CsrState,
        ) -> Result<()>;
        /// The first byte of a memory of a system: 0 program memory, 1 L1M, 2 L0M.
        ///
        /// # Safety
        /// The model must be a system.
        unsafe fn soc_memory(model: Pin<&mut Model>, place: u8) -> *mut u8;

        /// A verilated decoder.
        type Decoder;
        /// Decodes the words `first + i * step`, one for each of `count` rows; columns packed as by `decode::Columns`.
        ///
        /// # Safety
        /// `rows` must be valid for `count` elements.
        unsafe fn decode(self: Pin<&mut Decoder>, first: u32, step: u32, rows: *mut u64, count: usize);
    }

    impl UniquePtr<Model> {}
    impl UniquePtr<Decoder> {}
}
