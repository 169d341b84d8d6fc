// SPDX-License-Identifier: Apache-2.0

// What a configuration chooses, as parameters of the package tl_pkg.

parameter int unsigned Lanes        = 16;       // W: datapath bytes per cycle
parameter int unsigned PortBytes    = 16;       // P: bytes per beat of the memory ports
parameter int unsigned RegBytes     = 1024;     // bytes of a TLReg
parameter int unsigned L1mBytes     = 262144;   // bytes of the load memory
parameter int unsigned L0mBytes     = 262144;   // bytes of the store memory
parameter logic [3:0]  WidthMask    = 4'b1111;  // elements of 4 [0], 8, 16, 32 bits [3] exist
parameter logic [1:0]  EngineId     = 2'd0;     // EngineID that the unit answers to
parameter logic [11:0] CsrBase      = 12'h800;  // CSR numbers; 12'h880: of a second unit
parameter int unsigned Pitch        = 0;        // 1: slots of any pitch, slices in part
parameter int unsigned CsrOp        = 0;        // 1: CSR instructions under our own opcode
parameter int unsigned GprRs1       = 0;        // 1: second encodings, the GPR in [19:15]
parameter int unsigned MaskInit     = 0;        // 1: a CSR that says which masks were written
parameter int unsigned Xlen         = 32;       // bits of a register of the host: 32 or 64
parameter int unsigned QueueEntries = 16;       // issue queue; instructions in flight
parameter int unsigned NumSpare     = 16;       // physical registers for results in flight
parameter int unsigned Outstanding  = 16;       // requests without a response, of each port
parameter int unsigned Precise      = 1;        // 1: traps are precise
parameter int unsigned Matrix       = 1;        // 1: the matrix instruction set is there, too
parameter int unsigned MxRows       = 4;        // rows of a matrix register: TLEN / TRLEN
parameter int unsigned MxTrBytes    = 16;       // bytes of a row of tr0 to tr3: TRLEN / 8

// The network that sorts the bits of a lane index, for transpositions: digit s of the constants
// names the two bits that layer s compares, and the clock cycle of the sort in which it does.
parameter int unsigned XposeLaneSwaps = 9;
parameter logic [4*XposeLaneSwaps-1:0] XposeLowBit    = 36'h231201010;
parameter logic [4*XposeLaneSwaps-1:0] XposeHighBit   = 36'h342413243;
parameter logic [4*XposeLaneSwaps-1:0] XposeSortCycle = 36'h211110000;
