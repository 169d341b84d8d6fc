// SPDX-License-Identifier: Apache-2.0
//! Classes of shapes, sizes and masks.

use crate::coverage::values::*;

/// The class of a legal shape of elements of `bits` bits.
pub fn shape_class(shape: [u32; 3], bits: u32, reg_bytes: u32) -> Value {
    let long = shape.iter().filter(|&&size| size > 1).count();
    if long == 0 {
        SINGLE
    } else if shape.iter().product::<u32>() * bits == 8 * reg_bytes {
        FULL
    } else if long == 1 {
        LINE
    } else if shape.iter().all(|size| size.is_power_of_two()) {
        POWERS
    } else {
        ODD
    }
}

/// The class of the size of a dimension that slices count in, at most 32.
pub fn slices_class(size: u32) -> Value {
    match size {
        0 | 1 => ONE_SLICE,
        2 => TWO,
        3..32 => SOME,
        _ => MOST,
    }
}

/// The class of a slice or run of `run` bits against a unit of `unit` bytes.
pub fn run_class(run: u32, unit: u32) -> Value {
    match run {
        run if run % 8 != 0 => NIBBLES,
        run if run < 8 * unit => PART,
        run if run == 8 * unit => WHOLE,
        run if run % (8 * unit) == 0 => MULTIPLE,
        _ => UNEVEN,
    }
}

/// The class of a slice or memory line of `run` bits, whole bytes, against a word of `port` bytes.
pub fn line_class(run: u32, port: u32) -> Value {
    if run == 8 { BYTE } else { run_class(run, port) }
}

/// The class of a mask over `size` slices, 1 to 32, as a value of the axis `Mask`.
pub fn mask_class(mask: u32, size: u32) -> Value {
    let all = u32::MAX >> (32 - size.clamp(1, 32));
    let mask = mask & all;
    let run = mask >> mask.trailing_zeros().min(31);
    match mask {
        0 => M_NONE,
        mask if mask == all => M_ALL,
        mask if mask.count_ones() == 1 => M_ONE,
        _ if run & (run + 1) != 0 => M_HOLES,
        mask if mask & 1 == 1 => M_PREFIX,
        _ => M_RUN,
    }
}

/// Whether mask bits beyond `size` slices are set; nothing for 32 slices.
pub fn high_class(mask: u32, size: u32) -> Option<Value> {
    let high = mask.checked_shr(size)?;
    Some(if high == 0 { HIGH_CLEAR } else { HIGH_SET })
}

/// Where `bits` bits from the beginning of a register end.
pub fn end_class(bits: u32, reg_bytes: u32, row: u32) -> Value {
    match bits {
        bits if bits == 8 * reg_bytes => END_FULL,
        bits if bits % (8 * row) == 0 => END_ROW,
        bits if bits % 8 == 0 => END_INSIDE,
        _ => END_NIBBLE,
    }
}

/// Where an address is within a word of `port` bytes.
pub fn offset_class(address: u64, port: u32) -> Value {
    match address as u32 % port {
        0 => AT_0,
        offset if 2 * offset < port => AT_LOW,
        offset if 2 * offset == port => AT_HALF,
        _ => AT_HIGH,
    }
}

/// The class of a pitch, for slices of which `moved` bytes of `whole` are moved.
pub(super) fn pitch_class(pitch: u32, moved: u32, whole: u32) -> Value {
    match pitch {
        0 => P_0,
        1 => P_1,
        _ if pitch == whole => P_DENSE,
        0x8000.. => P_HIGH,
        _ if pitch > whole => P_MORE,
        _ if pitch < moved => P_OVERLAP,
        _ => P_INSIDE,
    }
}
