// SPDX-License-Identifier: Apache-2.0
//! The program `golden`: assemble, disassemble and run programs on the model.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use golden::asm::AsmErrors;
use golden::decode::Isa;
use golden::report::{Report, Retired};
use golden::run::{self, Account};
use golden::{Config, Machine, Memory, Program, asm};

/// The name of standard output.
const STDOUT: &str = "-";
const EXIT_CODES: &str = "\
Exit codes: 0 the program ended with code 0, 2 bad usage or input or a program that does not end, 3 the program ended \
with another code.";

/// The executable specification of the TensorLoad and matrix instruction sets.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Assemble a program: one 8-digit hexadecimal word on each line
    Asm {
        /// Program in assembly language
        program: PathBuf,
        /// Configuration: a name or a .toml file
        #[arg(long, default_value = "w16")]
        config: String,
    },
    /// Disassemble words
    Disasm {
        /// Words in hexadecimal, with or without 0x
        #[arg(required = true)]
        words: Vec<String>,
        /// Configuration: a name or a .toml file
        #[arg(long, default_value = "w16")]
        config: String,
    },
    /// Run a program until it ends; a trap that no handler takes is recorded and the next instruction is executed
    #[command(after_help = EXIT_CODES)]
    Run {
        /// Program in assembly language, or an ELF file
        program: PathBuf,
        /// Configuration: a name or a .toml file
        #[arg(long, default_value = "w16")]
        config: String,
        /// Raw bytes for L1M, from address 0
        #[arg(long)]
        l1m: Option<PathBuf>,
        /// Raw bytes for L0M, from address 0
        #[arg(long)]
        l0m: Option<PathBuf>,
        /// Write all of L0M to this file after the run
        #[arg(long)]
        dump_l0m: Option<PathBuf>,
        /// Write the report as JSON to this file (- for standard output) in place of the summary
        #[arg(long)]
        json: Option<PathBuf>,
        /// Print this register, tl0 to tl31, as the block that it is at the end; several with commas between them
        #[arg(long, value_name = "REGISTER", value_delimiter = ',')]
        show: Vec<String>,
        /// Instructions after which a program that has not ended is given up
        #[arg(long, default_value_t = run::LIMIT, allow_negative_numbers = true, value_parser = instructions)]
        limit: u64,
        /// Issue the words as a stream, as replay files do: of the base instruction set the host knows lui and addi
        /// alone
        #[arg(long)]
        stream: bool,
    },
}

fn main() -> ExitCode {
    match execute(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("golden: {}", files::printable(&format!("{error:#}")));
            ExitCode::from(2)
        }
    }
}

fn execute(command: Command) -> Result<ExitCode> {
    match command {
        Command::Asm { program, config } => {
            let source = source(&program, contents(&program)?)?;
            let name = program.display().to_string();
            let words = asm::assemble(&name, &source, &Config::load(&config)?).map_err(has_errors)?;
            let lines: String = words.iter().map(|word| format!("{word:08x}\n")).collect();
            print(lines.as_bytes())?;
        }
        Command::Disasm { words, config } => {
            let isa = Isa::from(&Config::load(&config)?);
            let words = words.iter().map(|text| parse_word(text)).collect::<Result<Vec<u32>>>()?;
            let lines: String = words.iter().map(|&word| asm::disassemble(word, isa) + "\n").collect();
            print(lines.as_bytes())?;
        }
        Command::Run { program, config, l1m, l0m, dump_l0m, json, show, limit, stream } => {
            show.iter().try_for_each(|name| golden::show::number(name).map(drop)).map_err(anyhow::Error::msg)?;
            let config = Config::load(&config)?;
            let mut machine = Machine::new(&config);
            fill(&mut machine.l1m, "L1M", l1m.as_deref())?;
            fill(&mut machine.l0m, "L0M", l0m.as_deref())?;
            let name = || program.display().to_string();
            let (mut account, mut retired) = (Account::default(), Vec::new());
            let mut seen = |one: Retired| {
                account.add(one);
                if json.is_some() {
                    retired.push(one);
                }
            };
            let stuck = if stream {
                let words = asm::assemble(&name(), &source(&program, contents(&program)?)?, &config);
                let words = words.map_err(has_errors)?;
                words.iter().for_each(|&word| seen(Retired::from(&machine.step(word))));
                None
            } else {
                machine.load(&read(&program, &config)?).with_context(name)?;
                let mut pulse = run::Pulse::default();
                let mut told = |outcome: &golden::Outcome| {
                    seen(Retired::from(outcome));
                    pulse
                        .beat(|done| eprintln!("golden: {}: {done} of at most {limit} instructions (--limit)", name()));
                };
                run::execute(&mut machine, limit, &mut told).err()
            };
            // What the program has printed and done is there in each case, also when it does not end.
            let to_stdout = json.as_deref() == Some(Path::new(STDOUT));
            if !to_stdout {
                print(&machine.hart.console)?;
            }
            if let Some(file) = dump_l0m {
                files::write(&file, &machine.l0m.bytes).with_context(|| format!("cannot write {}", file.display()))?;
            }
            let report = Report::new(&machine, retired);
            let blocks = show.iter().map(|name| golden::show::register(&report, &config, name));
            let blocks: String = blocks.collect::<Result<_, String>>().map_err(anyhow::Error::msg)?;
            match json {
                None if stuck.is_some() => {}
                None => print((account.text(&config.name, report.exit, &config) + &blocks).as_bytes())?,
                Some(file) => {
                    let text = serde_json::to_string(&report)? + "\n";
                    if to_stdout {
                        print(text.as_bytes())?;
                    } else {
                        files::write(&file, text.as_bytes())
                            .with_context(|| format!("cannot write {}", file.display()))?;
                    }
                }
            }
            stuck.map_or(Ok(()), Err).with_context(name)?;
            if machine.hart.exit.is_some_and(|code| code != 0) {
                return Ok(ExitCode::from(3));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A number of instructions.
fn instructions(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "allowed: a whole number without a sign".into())
}

/// The program in a file: assembly language, or ELF.
fn read(file: &Path, config: &Config) -> Result<Program> {
    let bytes = contents(file)?;
    if Program::is_elf(&bytes) {
        return Program::from_elf(&bytes).with_context(|| file.display().to_string());
    }
    asm::program(&file.display().to_string(), &source(file, bytes)?, config).map_err(has_errors)
}

/// The contents of the file of a program.
fn contents(program: &Path) -> Result<Vec<u8>> {
    files::read(program, files::PROGRAM).with_context(|| format!("cannot read {}", program.display()))
}

/// Writes to standard output. A reader that has seen enough (`golden run PROG | head`) is no error.
fn print(text: &[u8]) -> Result<()> {
    match std::io::stdout().write_all(text) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

fn has_errors(errors: AsmErrors) -> anyhow::Error {
    anyhow::anyhow!("the program has errors\n{errors}")
}

/// The text of a program in assembly language.
fn source(program: &Path, bytes: Vec<u8>) -> Result<String> {
    files::text(bytes).with_context(|| format!("cannot read {}", program.display()))
}

fn fill(memory: &mut Memory, name: &str, file: Option<&Path>) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let size = memory.bytes.len() as u64;
    let contents = files::read(file, size).with_context(|| format!("{name} from {}", file.display()))?;
    memory.fill(&contents).with_context(|| format!("{name} from {}", file.display()))
}

fn parse_word(text: &str) -> Result<u32> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let is_hex = !digits.is_empty() && digits.len() <= 8 && digits.chars().all(|c| c.is_ascii_hexdigit());
    if !is_hex {
        bail!("`{text}` is not a word; allowed are 1 to 8 hexadecimal digits, with or without 0x");
    }
    u32::from_str_radix(digits, 16).with_context(|| text.to_string())
}
