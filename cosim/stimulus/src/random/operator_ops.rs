// SPDX-License-Identifier: Apache-2.0
//! Operators on whole tensors, as `kernels` plans them: what the unit is given by the loops of the host, one after the
//! other.

use golden::decode::{Access, OperandKind, decode};
use golden::{Machine, Program};
use kernels::emit;
use kernels::operator::{Layout, Operator, Padding};
use kernels::plan::Plan;
use kernels::tensor::Tensor;

use super::generator::Generator;

/// Instructions of the unit, at most.
const MOST: usize = 250;
/// Instructions of the host, at most.
const HOST: usize = 20_000;

/// Most of the program of an operator on a small tensor.
pub fn operator(g: &mut Generator) {
    let (operator, x) = draw(g);
    // What the unit cannot do, or attributes that do not fit together: no operator then.
    let Ok(mapping) = operator.mapping(&[x]) else { return };
    let Ok(plan) = Plan::new(&mapping, &g.target.for_plans()) else { return };
    let text = emit::program(&plan, &g.target.for_plans());
    let Ok(words) = golden::asm::assemble("operator", &text, &g.target.golden) else { return };
    let mut machine = Machine::new(&g.target.golden);
    if machine.load(&Program::from_words(&words)).is_err() {
        return;
    }
    let most = g.words().len() + MOST;
    for _ in 0..HOST {
        let word = machine.hart.fetch().ok().flatten().unwrap_or_default();
        let decoded = decode(word, &g.target.golden);
        if decoded.engine().is_some_and(|engine| engine != golden::decode::Engine::Host) {
            for operand in decoded.operands().iter() {
                if let OperandKind::X(Access::Read | Access::ReadWrite) = operand.kind {
                    let (register, value) = (operand.value as u8, machine.x(operand.value as u8));
                    if g.machine.x(register) != value {
                        g.constant(register, value);
                    }
                }
            }
            g.word(word);
        }
        if g.words().len() >= most || machine.step_program().is_err() {
            return;
        }
    }
}

/// A small operator of any kind.
fn draw(g: &mut Generator) -> (Operator, Tensor) {
    let bits = g.draw.pick(&[8, 8, 16, 32]);
    let pick = |g: &mut Generator| g.draw.pick(&[3, 4, 8, 13, 16, 32]) as usize;
    let [a, b, c] = [pick(g), pick(g), pick(g)];
    let two = Tensor::new(&[a * b, 2 * c], bits);
    let image = |sizes: [usize; 3]| Tensor::new(&[&[1][..], &sizes].concat(), bits);
    let crd = g.draw.chance(50);
    match g.draw.below(9) {
        0 | 1 => (Operator::Transpose { perm: Some(vec![1, 0]) }, two),
        2 => (Operator::Transpose { perm: Some(vec![1, 2, 0]) }, Tensor::new(&[a, b, c], bits)),
        3 => (Operator::Transpose { perm: Some(vec![1, 0, 2]) }, Tensor::new(&[a, b, c], bits)),
        4 => (
            Operator::Pad { pads: vec![1, 2, 0, 3], axes: None, padding: Padding::Constant(g.draw.below(256).into()) },
            two,
        ),
        5 => (Operator::AddConstant { value: i64::from(g.draw.below(256) as u8 as i8) }, two),
        6 => (Operator::SpaceToDepth { blocksize: 2, crd }, image([4, 2 * a, 2 * b])),
        7 => (
            Operator::Slice {
                starts: vec![1, -1],
                ends: vec![i64::MAX, i64::MIN],
                axes: None,
                steps: Some(vec![2, -1]),
            },
            two,
        ),
        _ => {
            let layout = if crd { Layout::Nchw } else { Layout::Nhwc };
            let operator =
                Operator::Im2col { layout, kernel: [3; 2], strides: [1; 2], dilations: [1; 2], padding: [1; 2] };
            (operator, image([4, a, b]))
        }
    }
}
