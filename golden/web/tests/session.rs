// SPDX-License-Identifier: Apache-2.0
//! What the page of a program is told.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use tensorload_web::{Answer, Block, Request, Session, State};

/// A configuration with small registers.
const TINY: &str = "tiny";

fn open(program: &str, config: &str, l1m: &[u8]) -> Session {
    Session::open(&Request { program: program.into(), config: config.into(), l1m: l1m.into() }).ok().unwrap()
}

fn state(session: &Session) -> State {
    let Answer::State(state) = session.answer() else { panic!("no state") };
    *state
}

/// The state at the end of a program.
fn run(program: &str, config: &str, l1m: &[u8]) -> State {
    let mut session = open(program, config, l1m);
    while state(&session).ending.is_none() {
        session.step(1000);
    }
    state(&session)
}

fn block(state: &State, name: &str) -> Block {
    state.blocks.iter().find(|block| block.name == name).unwrap().clone()
}

/// Every element of every register and byte of L0M is what its origin in L1M holds, and zero without one.
fn check_origins(state: &State, l1m: &[u8], what: &str) -> usize {
    let at = |origin: i64| usize::try_from(origin).map_or(0, |at| l1m[at]);
    for block in &state.blocks {
        for (&value, &origin) in block.values.iter().zip(&block.origins) {
            let byte = at(origin);
            let is_it =
                if block.bits == 4 { [byte & 15, byte >> 4].contains(&(value as u8)) } else { value as u8 == byte };
            assert!(is_it && (origin >= 0 || value == 0), "{what}: {}: {value:#x} of {origin}", block.name);
        }
        assert_eq!(block.values.len(), block.origins.len(), "{what}");
    }
    for piece in &state.l0m {
        let is_it = |(&value, &origin): (&u8, &i64)| value == at(origin);
        assert!(piece.values.iter().zip(&piece.origins).all(is_it), "{what}: L0M {:#x}", piece.address);
    }
    state.blocks.len() + state.l0m.len()
}

#[test]
fn elements_are_what_their_origins_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let l1m: Vec<u8> = (0..1 << 16).map(|address: u32| (address.wrapping_mul(0x9E37_79B9) >> 24) as u8 | 1).collect();
    let mut checked = 0;
    for (folder, config) in [(folder.clone(), "w16"), (folder.join("matrix"), "mx1024")] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let Ok(program) = fs::read_to_string(&path) else { continue };
            // A sum is not what its origin holds; a host that moves data leaves no origin.
            if !program.contains("tl.addi") && !program.contains("sw ") {
                checked += check_origins(&run(&program, config, &l1m), &l1m, &path.display().to_string());
            }
        }
    }
    assert!(checked > 30, "{checked}");
}

/// A block [2, 4, 4] of two registers, exchanged, and a sum.
const EXCHANGE: &str = "
        li x5, 0x010440                 # [1, 4, 64] does not fit
        csrrw x0, tshape, x5
        tl.load tl1, 0(x0)
        li x5, 0x040404                 # [4, 4, 4]
        csrrw x0, tshape, x5
        tl.load tl1, 0(x0)
        tl.load tl2, 4(x0)
        li x6, 0x04040402               # D0 = 2, D1 = 4, D2 = 4, D3 = 4
        tl.xpose.03 tl1, tl2, x6
        tl.addi tl3, tl1, 100
";

#[test]
fn a_transposed_block_has_the_exchanged_shape_and_keeps_its_origins() {
    let l1m: Vec<u8> = (0..128).collect();
    let state = run(EXCHANGE, TINY, &l1m);
    let (first, second) = (block(&state, "tl1"), block(&state, "tl2"));
    assert_eq!((first.sizes, first.first), (vec![4, 4, 4, 2], 0));
    assert_eq!((second.sizes, second.first), (vec![4, 4, 4, 2], 64));
    // Element (i3, i1, i2, i0) of the result is element (i0, i1, i2, i3).
    assert_eq!(first.origins[..6], [0, 64, 4, 68, 8, 72]);
    assert_eq!(first.values[..6], [0, 64, 4, 68, 8, 72]);
    let sum = block(&state, "tl3");
    assert_eq!((&sum.values[..2], &sum.origins[..2], sum.sizes), (&[100, 164][..], &[0, 64][..], vec![4, 4, 4, 2]));
}

#[test]
fn a_trap_stops_and_is_told_with_its_line() {
    let mut session = open(EXCHANGE, TINY, &[]);
    session.step(1000);
    let stopped = state(&session);
    let last = stopped.last.unwrap();
    assert_eq!((last.line, last.text.as_str()), (Some(4), "tl.load tl1, 0(x0)"));
    assert!(last.trap.unwrap().starts_with("illegal instruction (cause 2"));
    assert_eq!((stopped.next.unwrap().line, stopped.traps.len(), stopped.retired), (Some(5), 1, 4));
    session.step(1000);
    let end = state(&session);
    assert_eq!((end.ending.as_deref(), end.next.is_none(), end.retired), (Some("exit code 0"), true, 13));
}

#[test]
fn a_concat_takes_slices_of_both() {
    let program = "
        li x5, 0x020204
        csrrw x0, tshape, x5
        tl.load tl1, 0(x0)
        tl.load tl2, 2(x0)
        csrrwi x0, tmask_concat_1, 0b1010
        csrrwi x0, tmask_concat_2, 0b0001
        tl.concat.2 tl3, tl1, tl2
        tl.store tl3, 0(x0)
    ";
    let state = run(program, TINY, &(0..64).collect::<Vec<u8>>());
    let concat = block(&state, "tl3");
    assert_eq!((concat.origins[..8].to_vec(), concat.sizes), (vec![1, 3, 16, -1, 5, 7, 20, -1], vec![2, 2, 4]));
    assert_eq!((state.l0m.len(), state.l0m[0].values.len()), (1, 16));
    assert_eq!(state.l0m[0].origins[..8], concat.origins[..8]);
    let mask = state.csrs.iter().find(|csr| csr.name == "tmask_concat_1").unwrap();
    assert_eq!((mask.value, mask.initialised, mask.reset), (10, Some(true), false));
}

#[test]
fn mistakes_have_their_lines() {
    let request =
        |config: &str| Request { program: "nop\ntl.load tl1\n".into(), config: config.into(), l1m: vec![1; 1 << 21] };
    let mistakes = |config: &str| Session::open(&request(config)).err().unwrap();
    assert_eq!((mistakes(TINY)[0].line, mistakes(TINY).len()), (Some(2), 1));
    assert!(mistakes("name = \"a\"\nlanes = 9").iter().all(|mistake| mistake.line.is_none()));
    let large = "name = \"a\"\nl1m_bytes = 2097152";
    assert_eq!(mistakes(large)[0].message, "l1m_bytes = 2097152; allowed in a browser are 1048576 at most");
    let request = Request { program: "nop".into(), ..request(TINY) };
    let error = Session::open(&request).err().unwrap();
    assert_eq!(error[0].message, "L1M: 2097152 bytes do not fit in a memory of 4096 bytes");
}
