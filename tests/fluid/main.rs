//! Promise: the operations of the CPU are those of the scalar reference backend, and the multigrid cycle and the
//! projection solve Poisson problems of three axes.

#[path = "../gpu_smoke/cases.rs"]
mod cases;
#[path = "../gpu_smoke/levels.rs"]
mod levels;
#[path = "../gpu_smoke/passes.rs"]
mod passes;
mod poisson;
#[path = "../reference/mod.rs"]
mod reference;

use flow_ofx::compute::cpu::Cpu;
use flow_ofx::compute::cpu::smoke::SmokeCpu;
use flow_ofx::sim::fluid::{Slips, Solver};

use cases::cases;
use reference::Reference;

#[test]
fn every_operation_of_the_pressure_is_that_of_the_reference() {
    let cpu = Cpu::new(2);
    let mut worst: f64 = 0.0;
    for case in cases().into_iter().filter(|case| case.size[0] < 100 && case.slip == Slips::default()) {
        let (ours, theirs) = (levels::results(&SmokeCpu::new(&cpu), &case), levels::results(&Reference, &case));
        worst = worst.max(ours.compare(&theirs, &case.name(), 2e-5));
    }
    println!("largest difference of an operation: {worst:e} of a field's largest value");
}

#[test]
fn every_operation_of_a_step_without_solids_is_that_of_the_reference() {
    let cpu = Cpu::new(2);
    let mut worst: f64 = 0.0;
    for case in cases().into_iter().filter(|case| case.size[0] < 100 && case.solids.is_none()) {
        let (ours, theirs) = (passes::results(&SmokeCpu::new(&cpu), &case), passes::results(&Reference, &case));
        worst = worst.max(ours.compare(&theirs, &case.name(), 1e-6));
    }
    println!("largest difference of an operation: {worst:e} of a field's largest value");
}

#[test]
fn projections_are_those_of_the_reference() {
    let cpu = Cpu::new(2);
    for case in cases().into_iter().filter(|case| case.size[0] < 100) {
        for solver in [Solver::Auto, Solver::Jacobi] {
            let (ours, left) = levels::projected(&SmokeCpu::new(&cpu), &case, solver);
            let (theirs, their_left) = levels::projected(&Reference, &case, solver);
            let name = format!("{} {solver:?}: {left:e} and {their_left:e} are left", case.name());
            assert!(their_left <= 1.05 * left.max(1e-5), "{name}");
            ours.compare(&theirs, &name, if left <= 1e-5 { 1e-4 } else { 5e-3 });
        }
    }
}

#[test]
fn regions_are_told_apart() {
    levels::knows_regions_apart(&SmokeCpu::new(&Cpu::new(2)));
}
