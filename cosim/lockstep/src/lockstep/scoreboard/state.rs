// SPDX-License-Identifier: Apache-2.0
//! The comparisons of state: CSRs, registers, memories, the host.

use golden::hart::HartCsr;
use golden::{Csr, Csrs, Hart, Machine, MatrixCsr, Outcome};

use super::tile_loads;
use crate::lockstep::mismatch::Mismatch;
use crate::unit::{CsrState, Rtl};

type Checked = Result<(), Mismatch>;

/// The CSRs of [`CsrState::single`], in its order.
pub const SINGLE: [Csr; 10] = [
    Csr::Ttype,
    Csr::Tshape,
    Csr::TmaskLoad,
    Csr::TmaskStore,
    Csr::TmaskConcat1,
    Csr::TmaskConcat2,
    Csr::TloadWidth,
    Csr::TstoreWidth,
    Csr::TloadPitch,
    Csr::TstorePitch,
];

const TILE_SIZES: [MatrixCsr; 3] = [MatrixCsr::Mtilem, MatrixCsr::Mtilen, MatrixCsr::Mtilek];

/// mtilem, mtilen and mtilek; 0 without the matrix instruction set.
pub fn tile_sizes(model: &Csrs) -> [u32; 3] {
    TILE_SIZES.map(|csr| model.read(Csr::Matrix(csr)))
}

/// CSR values and the "initialised" bits.
pub fn csrs(rtl: &CsrState, model: &Csrs) -> Checked {
    let expected = CsrState {
        single: SINGLE.map(|csr| model.read(csr)),
        mask_init: model.initialised(),
        load_stride: std::array::from_fn(|i| model.read(Csr::TloadStride(i as u8))),
        store_stride: std::array::from_fn(|i| model.read(Csr::TstoreStride(i as u8))),
        tile_sizes: tile_sizes(model),
    };
    if *rtl == expected {
        return Ok(());
    }
    let names = SINGLE.map(Csr::name);
    let names = names.into_iter().chain((0..32).map(|i| format!("tload_stride{i}")));
    let names = names.chain((0..32).map(|i| format!("tstore_stride{i}")));
    let names = names.chain(TILE_SIZES.map(|csr| csr.name().into())).chain(["the masks' \"initialised\" bits".into()]);
    let flat = |state: &CsrState| {
        let CsrState { single, load_stride, store_stride, tile_sizes, mask_init } = state;
        [&single[..], &load_stride[..], &store_stride[..], &tile_sizes[..], &[*mask_init]].concat()
    };
    let mut values = names.zip(flat(rtl).into_iter().zip(flat(&expected)));
    match values.find(|(_, (rtl, model))| rtl != model) {
        Some((name, (rtl, model))) => Err(Mismatch::Csr { name, rtl, model }),
        None => Ok(()),
    }
}

/// Which TLRegs the instruction wrote, and every byte of them.
pub fn registers(rtl: &Rtl, outcome: &Outcome, model: &Machine) -> Checked {
    let out = &rtl.outputs;
    let written = (0..2).filter(|i| out.retire_dst_valid >> i & 1 == 1);
    let mut count = 0;
    for i in written.clone() {
        count += 1;
        let (tl, phys) = (out.retire_dst_arch[i], out.retire_dst_phys[i]);
        if !outcome.tl_writes.contains(&tl) {
            count = usize::MAX;
            break;
        }
        register(rtl, tl, phys, model)?;
    }
    if count != outcome.tl_writes.len() {
        let rtl = written.map(|i| out.retire_dst_arch[i]).collect();
        return Err(Mismatch::Destinations { rtl, model: outcome.tl_writes.clone() });
    }
    Ok(())
}

fn register(rtl: &Rtl, tl: u8, phys: u8, model: &Machine) -> Checked {
    let expected = model.tl.get(tl);
    if rtl.register_equals(phys, expected) {
        return Ok(());
    }
    let bytes = rtl.register(phys, expected.len());
    Err(Mismatch::Register { tl, phys: Some(phys), rtl: bytes, model: expected.to_vec() })
}

pub fn host(x: &[u32; 32], model: &Machine) -> Checked {
    for (number, (&rtl, &model)) in (0..).zip(x.iter().zip(model.xs())) {
        if rtl != model {
            return Err(Mismatch::X { number, rtl, model });
        }
    }
    Ok(())
}

/// The whole unit: CSRs, TLRegs, matrix registers.
pub fn unit(rtl: &Rtl, model: &Machine) -> Checked {
    csrs(&rtl.csrs(), &model.csr)?;
    let map = rtl.register_map();
    for (tl, &phys) in (0..).zip(&map.phys) {
        let expected = model.tl.get(tl);
        if map.zero >> tl & 1 == 0 {
            register(rtl, tl, phys, model)?;
        } else if expected.iter().any(|&byte| byte != 0) {
            let rtl = vec![0; expected.len()];
            return Err(Mismatch::Register { tl, phys: None, rtl, model: expected.to_vec() });
        }
    }
    tile_loads::all_tiles(rtl, model)
}

/// That every instruction that retired was compared.
pub fn all_compared(retired: u64, compared: u64) -> Checked {
    if compared < retired { Err(Mismatch::Uncompared { retired, compared }) } else { Ok(()) }
}

/// The host that has executed a program: where it is, its CSRs, its memory, what it printed. `l1m` is L1M as the host
/// left it.
pub fn hart(hart: &Hart, l1m: &[u8], model: &Machine) -> Checked {
    let pairs = HartCsr::all().filter(|csr| !matches!(csr, HartCsr::Mcycle | HartCsr::Mcycleh));
    let pairs = pairs.map(|csr| (csr.name(), hart.csr(csr), model.hart.csr(csr)));
    let mut pairs = pairs.chain([("pc", hart.pc, model.hart.pc)]);
    if let Some((what, rtl, model)) = pairs.find(|(_, rtl, model)| rtl != model) {
        return Err(Mismatch::Host { what: what.into(), rtl, model });
    }
    if let Some((address, [rtl, model])) = hart.ram.difference(&model.hart.ram) {
        let what = format!("program memory, byte {address:#x},");
        return Err(Mismatch::Host { what, rtl: rtl.into(), model: model.into() });
    }
    bytes("L1M", l1m, &model.l1m.bytes)?;
    bytes("what was printed", &hart.console, &model.hart.console)
}

/// Bytes of that `name`, which the host has written.
pub fn bytes(name: &str, rtl: &[u8], model: &[u8]) -> Checked {
    if rtl == model {
        return Ok(());
    }
    let same = rtl.iter().zip(model).take_while(|(rtl, model)| rtl == model).count();
    let byte = |bytes: &[u8]| bytes.get(same).copied().unwrap_or_default().into();
    Err(Mismatch::Host { what: format!("{name}, byte {same:#x},"), rtl: byte(rtl), model: byte(model) })
}

/// All of L0M.
pub fn l0m(l0m: &[u8], model: &Machine) -> Checked {
    if l0m == model.l0m.bytes {
        return Ok(());
    }
    let mut bytes = (0..).zip(l0m.iter().zip(&model.l0m.bytes));
    match bytes.find(|(_, (rtl, model))| rtl != model) {
        Some((address, (&rtl, &model))) => Err(Mismatch::L0m { address, rtl, model }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_that_was_not_compared_is_a_failure() {
        assert_eq!(all_compared(7, 7), Ok(()));
        assert_eq!(all_compared(7, 6), Err(Mismatch::Uncompared { retired: 7, compared: 6 }));
    }
}
