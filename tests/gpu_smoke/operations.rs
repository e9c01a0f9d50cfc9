//! Every operation on a graphics device against the CPU.

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::sim::fluid::Solver;

use crate::cases::{Case, Results, cases};
use crate::{levels, passes, shared};

/// Tolerance of the largest value of a field: drivers may fuse, and divide and take roots with errors of their own.
const TRANSPORT: f64 = 2e-6;
/// The same for the pressure.
const PRESSURE: f64 = 2e-5;

fn compare(tolerance: f64, ours: impl Fn(&Case) -> Results, theirs: impl Fn(&Case) -> Results) {
    let mut worst: f64 = 0.0;
    for case in cases() {
        worst = worst.max(ours(&case).compare(&theirs(&case), &case.name(), tolerance));
    }
    println!("largest difference of an operation: {worst:e} of a field's largest value");
}

#[test]
fn every_operation_of_a_step_agrees_with_the_cpu() {
    let (cpu, gpu) = (Cpu::new(2), shared().backend().expect("a graphics device"));
    compare(TRANSPORT, |case| passes::results(&SmokeCpu::new(&cpu), case), |case| passes::results(&gpu, case));
}

#[test]
fn every_operation_of_the_pressure_agrees_with_the_cpu() {
    let (cpu, gpu) = (Cpu::new(2), shared().backend().expect("a graphics device"));
    compare(PRESSURE, |case| levels::results(&SmokeCpu::new(&cpu), case), |case| levels::results(&gpu, case));
}

#[test]
fn projections_stop_at_the_same_iteration_as_the_cpus() {
    let (cpu, gpu) = (Cpu::new(2), shared().backend().expect("a graphics device"));
    let mut worst: f64 = 0.0;
    for case in cases() {
        let large = case.size[0] > 100;
        let all = [Solver::Auto, Solver::Jacobi, Solver::IteratedProjection];
        for solver in all.into_iter().take(if large { 1 } else { 3 }) {
            let (ours, our_residual) = levels::projected(&SmokeCpu::new(&cpu), &case, solver);
            let (theirs, their_residual) = levels::projected(&gpu, &case, solver);
            let name = format!("{} {solver:?}", case.name());
            let both = format!("{name}: {our_residual:e} and {their_residual:e} are left");
            assert!(their_residual <= 1.05 * our_residual.max(1e-5), "{both}");
            // An unconverged iteration differs by more.
            let tolerance = if our_residual <= 1e-5 { 1e-4 } else { 5e-3 };
            worst = worst.max(ours.compare(&theirs, &both, tolerance));
        }
    }
    println!("largest difference of a projection: {worst:e}");
}

#[test]
fn a_device_separates_the_regions() {
    levels::knows_regions_apart(&shared().backend().expect("a graphics device"));
}
