// SPDX-License-Identifier: Apache-2.0
//! The command line of a program.

use std::process::ExitCode;

use clap::{Arg, Command, Parser};

use super::output;

/// The command line of this process. `-1` behind an option is its value, which the option refuses if it has to, and no
/// other option.
///
/// # Errors
/// After what is wrong was said, or the help that was asked for: the exit code.
pub fn parse<P: Parser>() -> Result<P, ExitCode> {
    let matches = may_be_negative(P::command()).try_get_matches();
    matches.and_then(|matches| P::from_arg_matches(&matches)).map_err(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        let text = error.render().to_string();
        output::log(
            &text.trim_end().replace("invalid digit found in string", "allowed: a whole number without a sign"),
        );
        ExitCode::from(2)
    })
}

fn may_be_negative(command: Command) -> Command {
    let takes_values = |arg: &Arg| arg.get_action().takes_values() && !arg.is_positional();
    command
        .mut_args(|arg| if takes_values(&arg) { arg.allow_negative_numbers(true) } else { arg })
        .mut_subcommands(may_be_negative)
}
