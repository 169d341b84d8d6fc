// SPDX-License-Identifier: Apache-2.0
//! The bench with the project's generator: what the program `cosim` and its tests start from.

use cosim_bench::model::source::SourceFile;
use cosim_bench::unit::target::Workshop;

/// Where targets come from.
pub fn workshop() -> Workshop {
    Workshop::new(|config| {
        let file = |file: rtl_gen::GenFile| SourceFile { name: file.name, text: file.text };
        Ok(rtl_gen::generate(config)?.into_iter().map(file).collect())
    })
}
