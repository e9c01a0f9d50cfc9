//! The project's own commands, run as `cargo xtask COMMAND`.
//!
//! Each command first ensures that the programs that it needs are installed (`setup`),
//! then drives cargo and the built programs. Nothing here links the plug-in or
//! the host, so that `xtask` itself builds on a bare machine.
//!
//! Every failure ends with one message that names the cause and a remedy.

mod bench;
mod bundle;
mod command;
mod demo;
mod dist;
mod docs;
mod install;
mod lines;
mod noise;
mod picture;
mod plotting;
mod presets;
mod project;
mod recipes;
mod report;
mod same_frames;
mod setup;
mod test;
mod toolset;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Render a shot through the bundle: a river, a moving source and a matte sequence
    Demo(demo::Options),
    /// Run all checks: format, lints, documentation, tests, bundle, leaks, every host profile
    Test(test::Options),
    /// Build Flow.ofx.bundle and check it
    Bundle(bundle::Options),
    /// Put the bundle into the user's or the system's OpenFX folder
    Install(install::Options),
    /// Pack the bundle, flow-host and their licences into an archive with an install script
    Dist(dist::Options),
    /// Measure kernels, peers and whole frames, as a table and a plot
    Bench(bench::Options),
    /// Count the code lines of all crates that the bundle is built from
    Lines(lines::Options),
    /// Render the presets at their defaults: contact sheet, animated pictures, sudden changes
    Presets(presets::Options),
    /// Write the parameter reference and the pictures of the documentation again
    Docs(docs::Options),
    /// Make the recipes of the documentation: plates, renders, pictures before and after
    Recipes(recipes::Options),
    /// Run the gates of the numerics, and write the validation report with its plots
    Report(report::Options),
    /// Render with this checkout's bundle and another checkout's, and compare the files byte by byte
    SameFrames(same_frames::Options),
    /// Install the programs that the other commands need, or print the instructions
    Setup,
}

fn main() -> ExitCode {
    let task = Cli::parse().command;
    let outcome = match task {
        Task::Demo(options) => demo::run(&options),
        Task::Test(options) => test::run(&options),
        Task::Bundle(options) => bundle::run(&options).map(drop),
        Task::Install(options) => install::run(&options),
        Task::Dist(options) => dist::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Lines(options) => lines::run(&options),
        Task::Presets(options) => presets::run(&options),
        Task::Docs(options) => docs::run(&options),
        Task::Recipes(options) => recipes::run(&options),
        Task::Report(options) => report::run(&options),
        Task::SameFrames(options) => same_frames::run(&options),
        Task::Setup => setup::ensure(setup::Need::ALL).map(|()| println!("everything is in place")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            if let Some(advice) = command::advice(&error) {
                eprintln!("{advice}");
            }
            ExitCode::FAILURE
        }
    }
}
