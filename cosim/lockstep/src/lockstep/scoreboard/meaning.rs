// SPDX-License-Identifier: Apache-2.0
//! The port `meaning_o`: what the CSRs mean for the legality of instructions (docs/isa.md, "illegal" of each
//! instruction). It is for an adapter, which looks at it when no instruction that changes CSRs is in flight; so does
//! the bench.

use golden::decode::{Form, Tensor, Transfer};
use golden::{Csr, Machine};

use crate::lockstep::mismatch::Mismatch;
use crate::unit::Outputs;

/// Cycles that the unit has to find out what the CSRs mean, once nothing changes them.
const MOST_UNSETTLED: u32 = 48;

/// A field of `meaning_t`: its name, its bits and the value that it has to have, when there is one.
struct Field {
    name: &'static str,
    bits: u32,
    value: Option<u32>,
}

/// What is known of the port.
#[derive(Debug, Default)]
pub struct Meaning {
    /// What the CSRs of the model mean. None when they may have changed.
    expected: Option<Packed>,
    /// Cycles in which it was not settled, one after the other, with nothing to wait for.
    unsettled: u32,
}

impl Meaning {
    /// The CSRs of the model change, or are changing.
    pub fn forget(&mut self) {
        *self = Meaning::default();
    }

    /// Compares the port with the CSRs of `model`, which no instruction in flight changes.
    pub fn check(&mut self, out: &Outputs, model: &Machine) -> Result<(), Mismatch> {
        let Packed { value, counts, width } = *self.expected.get_or_insert_with(|| packed(&fields(model)));
        if out.meaning >> (width - 1) & 1 == 0 {
            self.unsettled += 1;
            let wrong = self.unsettled > MOST_UNSETTLED;
            return if wrong { Err(mismatch("settled", 0, 1)) } else { Ok(()) };
        }
        self.unsettled = 0;
        if (out.meaning ^ value) & counts == 0 {
            return Ok(());
        }
        differences(out.meaning, model).next().map_or(Ok(()), Err)
    }
}

/// The fields of `meaning_t` and `mx_meaning_t`, highest bits first. One that is not here yet has to be in front of these:
/// a wrong bit of it shows as a trap, or as none.
fn fields(model: &Machine) -> Vec<Field> {
    let element = model.element_type();
    let mask = |csr| model.csr.mask(csr).is_some_and(|mask| mask.initialised);
    let flags = |bits: &[bool]| bits.iter().rev().fold(0, |flags, &bit| flags << 1 | u32::from(bit));
    let legal = |tensor: Tensor| tensor.unmet(model).next().is_none();
    let [tlrd, tlrs1, tlrs2] = [0; 3];
    let load = Tensor::Load { tlrd, rs: 0, imm8: 0 };
    let store = Tensor::Store { tlrs: tlrs1, rs: 0, imm8: 0 };
    let dims = [0, 1, 2];
    let mut fields = vec![
        field("settled", 1, 1),
        field("type_ok", 1, element.is_some().into()),
        field("int_type", 1, element.is_some_and(|element| element.integer).into()),
        Field { name: "ewidth", bits: 2, value: element.map(|element| element.bits.ilog2() - 2) },
        field("ls_ok", 2, flags(&[load, store].map(legal))),
        field("mask_init", 2, flags(&[Csr::TmaskLoad, Csr::TmaskStore].map(mask))),
        field("merge_ok", 3, flags(&dims.map(|d| legal(Tensor::Merge { d, tlrd, tlrs1, tlrs2 })))),
        field("concat_ok", 3, flags(&dims.map(|d| legal(Tensor::Concat { d, tlrd, tlrs1, tlrs2 })))),
    ];
    if model.config().matrix.is_some() {
        let transfer = |form, d_size| Transfer { form, transposed: false, d_size, register: 0, rs1: 0, rs2: 0 };
        let columns = |form| [0, 1, 2].map(|d_size| transfer(form, d_size).columns_fit(model));
        fields.extend([
            field("mx_rows_ok", 2, flags(&[Form::A, Form::B].map(|form| transfer(form, 0).rows_fit(model)))),
            field("mx_k_ok", 3, flags(&columns(Form::A))),
            field("mx_n_ok", 3, flags(&columns(Form::C))),
        ]);
    }
    fields
}

fn field(name: &'static str, bits: u32, value: u32) -> Field {
    Field { name, bits, value: Some(value) }
}

/// All fields as they are on the port.
#[derive(Clone, Copy, Debug, Default)]
struct Packed {
    value: u32,
    /// Bits that have to have that value.
    counts: u32,
    /// Bits of the port.
    width: u32,
}

fn packed(fields: &[Field]) -> Packed {
    fields.iter().fold(Packed::default(), |Packed { value, counts, width }, field| Packed {
        value: value << field.bits | field.value.unwrap_or(0),
        counts: counts << field.bits | field.value.map_or(0, |_| (1 << field.bits) - 1),
        width: width + field.bits,
    })
}

/// The fields that are wrong.
fn differences(rtl: u32, model: &Machine) -> impl Iterator<Item = Mismatch> {
    let fields = fields(model);
    let mut left = packed(&fields).width;
    fields.into_iter().filter_map(move |Field { name, bits, value }| {
        left -= bits;
        let rtl = rtl >> left & ((1 << bits) - 1);
        value.filter(|&value| value != rtl).map(|value| mismatch(name, rtl, value))
    })
}

fn mismatch(field: &str, rtl: u32, model: u32) -> Mismatch {
    Mismatch::Meaning { field: field.into(), rtl, model }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(source: &str) -> Machine {
        let config = golden::Config::named("w16").expect("w16");
        let mut machine = Machine::new(&config);
        let words = golden::asm::assemble("test", source, &config).expect("assembles");
        words.iter().for_each(|&word| assert_eq!(machine.step(word).trap, None));
        machine
    }

    fn values(machine: &Machine) -> Vec<(&'static str, Option<u32>)> {
        fields(machine).into_iter().map(|Field { name, value, .. }| (name, value)).collect()
    }

    #[test]
    fn a_block_with_masks_and_tiles_means_this() {
        // [4, 40, 2] of int8: dimension 1 has too many slices. The masks select 2 + 2 and 2 + 1 of four and two.
        let source = "csrrwi x0, ttype, 2\nli x5, 0x042802\ncsrrw x0, tshape, x5\n\
                      csrrwi x0, tmask_load, 0\ncsrrwi x0, tmask_concat_1, 3\ncsrrwi x0, tmask_concat_2, 5\n\
                      li x5, 257\ncsrrw x0, tstore_width, x5\n\
                      msettilemi 5\nmsettileki 5\nmsettileni 4\n";
        let machine = machine(source);
        let matrix = machine.config().matrix.expect("matrix");
        assert_eq!((matrix.rows(), matrix.tr_row_bytes(), matrix.acc_row_bytes()), (4, 16, 16));
        assert_eq!(
            values(&machine),
            [
                ("settled", Some(1)),
                ("type_ok", Some(1)),
                ("int_type", Some(1)),
                ("ewidth", Some(1)),
                ("ls_ok", Some(0b01)),
                ("mask_init", Some(0b01)),
                ("merge_ok", Some(0b101)),
                ("concat_ok", Some(0b001)),
                ("mx_rows_ok", Some(0b10)),
                ("mx_k_ok", Some(0b011)),
                ("mx_n_ok", Some(0b111)),
            ]
        );
    }

    /// Name and bits of each field of a packed struct of the RTL's package.
    fn structure(package: &str, name: &str) -> Vec<(String, u32)> {
        let (fields, _) = package.split_once(&format!("}} {name};")).expect("struct");
        let (_, fields) = fields.rsplit_once("struct packed {").expect("struct");
        let field = |line: &str| {
            let (declaration, _) = line.split_once(';')?;
            let (of, name) = declaration.trim().rsplit_once(' ')?;
            let bits = match of.trim() {
                "logic" => 1,
                "ewidth_t" => 2,
                vector => vector.strip_prefix("logic [")?.strip_suffix(":0]")?.parse::<u32>().ok()? + 1,
            };
            Some((name.to_owned(), bits))
        };
        fields.lines().filter(|line| line.contains(';')).map(|line| field(line).expect(line)).collect()
    }

    #[test]
    fn the_fields_are_those_of_the_rtl() {
        let files = rtl_gen::generate(&rtl_gen::Config::load("w16").expect("w16")).expect("RTL");
        let package = &files.iter().find(|file| file.name == "tl_pkg.sv").expect("package").text;
        let matrix = structure(package, "mx_meaning_t").into_iter().map(|(name, bits)| (format!("mx_{name}"), bits));
        let rtl: Vec<(String, u32)> = structure(package, "meaning_t").into_iter().chain(matrix).collect();
        let ours: Vec<(String, u32)> =
            fields(&machine("")).into_iter().map(|field| (field.name.to_owned(), field.bits)).collect();
        assert_eq!(ours, rtl);
    }

    #[test]
    fn every_bit_counts_but_those_of_a_width_that_is_none() {
        let legal = machine("csrrwi x0, ttype, 2\n");
        let illegal = machine("csrrwi x0, ttype, 3\n");
        for (machine, loose) in [(&legal, 0), (&illegal, 2)] {
            let Packed { value, counts, width } = packed(&fields(machine));
            assert_eq!((width, width - counts.count_ones()), (23, loose));
            for bit in (0..width - 1).filter(|bit| counts >> bit & 1 == 1) {
                let out = Outputs { means: true, meaning: value ^ 1 << bit, ..Outputs::default() };
                assert!(Meaning::default().check(&out, machine).is_err(), "bit {bit}");
            }
            let out = Outputs { means: true, meaning: value | !counts, ..Outputs::default() };
            assert_eq!(Meaning::default().check(&out, machine), Ok(()));
        }
    }

    #[test]
    fn it_has_to_settle() {
        let machine = machine("");
        let out = Outputs { means: true, ..Outputs::default() };
        let mut meaning = Meaning::default();
        for _ in 0..MOST_UNSETTLED {
            assert_eq!(meaning.check(&out, &machine), Ok(()));
        }
        assert_eq!(meaning.check(&out, &machine), Err(mismatch("settled", 0, 1)));
    }
}
