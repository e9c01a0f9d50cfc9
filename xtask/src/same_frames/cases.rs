//! The cases that are rendered with both bundles, and their selection.

use std::collections::HashSet;
use std::path::Path;

use crate::project;

/// Sizes of the project in pixels: an even and an odd one.
pub const SIZES: [[usize; 2]; 2] = [[96, 64], [77, 45]];
/// Edges of the frame, by the names of both nodes.
const EDGES: [&str; 3] = ["Closed", "Open", "Wrap"];
/// Processors that the host reports, which is the number of threads of the simulation.
const THREADS: [&str; 4] = ["1", "2", "3", "4"];

/// The choices of a node that every case combines.
pub struct Axes {
    pub node: &'static str,
    pub presets: Vec<String>,
    pub outputs: Vec<String>,
}

/// A render.
#[derive(Clone, Debug)]
pub struct Case {
    node: &'static str,
    preset: String,
    output: String,
    size: [usize; 2],
    edges: &'static str,
    obstacles: bool,
    /// Name of the instruction set.
    pub isa: &'static str,
    threads: &'static str,
    /// Further parameters with a value each.
    settings: Vec<[&'static str; 2]>,
}

/// The instruction sets of this machine, by their names in `FLOW_ISA`.
fn instruction_sets() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        let found = [("AVX2", is_x86_feature_detected!("avx2")), ("AVX-512", is_x86_feature_detected!("avx512f"))];
        std::iter::once("SSE2").chain(found.into_iter().filter(|(_, there)| *there).map(|(name, _)| name)).collect()
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        vec!["baseline"]
    }
}

/// Parameters of the model that cases vary, each with its values; an empty value is the preset's.
fn parameters(node: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    if node == project::FLOW {
        vec![("model", vec!["", "Puddles and ponds", "Legacy pipes", "Rivers and floods"])]
    } else {
        vec![
            ("solver", vec!["", "Multigrid", "Conjugate gradients", "Iterated projection", "Jacobi"]),
            ("velocityAdvection", vec!["", "Semi-Lagrangian", "MacCormack"]),
            ("dyeAdvection", vec!["", "Semi-Lagrangian", "MacCormack"]),
            ("reflection", vec!["", "true"]),
            ("edgeSlip", vec!["", "No slip"]),
            ("obstacleSlip", vec!["", "Free slip"]),
        ]
    }
}

/// Chooses a node's cases: every preset in every output, or, `quick`, each preset and each output once.
pub fn choose(axes: &Axes, quick: bool) -> Vec<Case> {
    let (presets, outputs) = (axes.presets.len(), axes.outputs.len());
    let pairs: Vec<[usize; 2]> = if quick {
        (0..presets.max(outputs)).map(|at| [at % presets, at % outputs]).collect()
    } else {
        (0..presets).flat_map(|preset| (0..outputs).map(move |output| [preset, output])).collect()
    };
    let isas = instruction_sets();
    let parameters = parameters(axes.node);
    let mut counts = vec![SIZES.len(), EDGES.len(), 2, isas.len(), THREADS.len()];
    counts.extend(parameters.iter().map(|(_, values)| values.len()));
    let rows = cover(&pairs, &counts);
    let case = |(&[preset, output], values): (&[usize; 2], Vec<usize>)| {
        let settings = parameters.iter().zip(&values[5..]).map(|((name, of), &at)| [*name, of[at]]);
        Case {
            node: axes.node,
            preset: axes.presets[preset].clone(),
            output: axes.outputs[output].clone(),
            size: SIZES[values[0]],
            edges: EDGES[values[1]],
            obstacles: values[2] == 1,
            isa: isas[values[3]],
            threads: THREADS[values[4]],
            settings: settings.filter(|[_, value]| !value.is_empty()).collect(),
        }
    };
    pairs.iter().zip(rows).map(case).collect()
}

/// Gives each row a value of each further axis, the axes with most values first. A value scores for each value of the
/// row's other axes that it is paired with for the first time; of the best, the least used is chosen.
fn cover(rows: &[[usize; 2]], counts: &[usize]) -> Vec<Vec<usize>> {
    // Scores of a preset and an output, which have the fewest rows for pairs with all values.
    const PRESET: usize = 4;
    const OUTPUT: usize = 16;
    // Covered pairs of (axis, value).
    let mut met = HashSet::new();
    let mut taken: Vec<Vec<usize>> = counts.iter().map(|&count| vec![0; count]).collect();
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&axis| std::cmp::Reverse(counts[axis]));
    let choose = |row: &[usize; 2]| {
        let mut chosen: Vec<(usize, usize)> = row.iter().copied().enumerate().collect();
        let mut values = vec![0; counts.len()];
        for &axis in &order {
            let score = |value: usize| -> usize {
                let new = chosen.iter().filter(|other| !met.contains(&(**other, (axis + 2, value))));
                new.map(|(axis, _)| [PRESET, OUTPUT].get(*axis).copied().unwrap_or(1)).sum()
            };
            let key = |&value: &usize| (std::cmp::Reverse(score(value)), taken[axis][value]);
            let best = (0..counts[axis]).min_by_key(key).unwrap_or(0);
            taken[axis][best] += 1;
            met.extend(chosen.iter().map(|other| (*other, (axis + 2, best))));
            chosen.push((axis + 2, best));
            values[axis] = best;
        }
        values
    };
    rows.iter().map(choose).collect()
}

impl Case {
    /// The case in one line.
    pub fn name(&self) -> String {
        let node = self.node.rsplit('.').next().unwrap_or_default();
        let [width, height] = self.size;
        let obstacles = if self.obstacles { "obstacles" } else { "no obstacles" };
        let mut name = format!(
            "{node}, {}, {}, {width}×{height}, {}, {obstacles}, {}, {} threads",
            self.preset, self.output, self.edges, self.isa, self.threads
        );
        for [parameter, value] in &self.settings {
            name.push_str(&format!(", {parameter} {value}"));
        }
        name
    }

    /// Arguments of `flow-host render`, after the bundle and without the frames and the output.
    pub fn arguments(&self, plates: &Path) -> Vec<String> {
        let [width, height] = self.size;
        let size = format!("{width}x{height}");
        let plate = |name: &str| plates.join(format!("{size}.{name}")).display().to_string();
        let mut arguments: Vec<String> = [
            "--plugin",
            self.node,
            "--context",
            "general",
            "--size",
            &size,
            "--missing",
            "hold",
            "--processors",
            self.threads,
        ]
        .map(str::to_owned)
        .into();
        let mut set = |name: &str, value: &str| arguments.extend(["--set".to_owned(), format!("{name}={value}")]);
        // An explicit value overrides the preset's: the default of the choice is none.
        if self.preset != "Custom" {
            set("preset", &self.preset);
        }
        set("output", &self.output);
        set("device", "CPU");
        let edges = if self.node == project::FLOW { "edges" } else { "edgeLeft edgeRight edgeBottom edgeTop" };
        edges.split(' ').for_each(|name| set(name, self.edges));
        self.settings.iter().for_each(|[name, value]| set(name, value));
        let mut clip =
            |name: &str, file: &str| arguments.extend(["--clip".to_owned(), format!("{name}={}", plate(file))]);
        clip("Source", "source.####.exr");
        if self.node == project::FLOW {
            clip("Terrain", "terrain.exr");
            clip("Background", "terrain.exr");
        } else {
            clip("Velocity", "velocity.exr");
        }
        if self.obstacles {
            clip("Obstacles", "obstacles.####.exr");
        }
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that each value is paired with each preset and output, and with each value of another axis.
    #[test]
    fn all_pairs_of_values_are_covered() {
        for counts in [vec![2, 3, 2, 3, 4, 4], vec![2, 3, 2, 3, 4, 5, 3, 3, 2, 2, 2]] {
            let (presets, outputs) = if counts.len() == 6 { (9, 13) } else { (7, 10) };
            let pairs: Vec<[usize; 2]> = (0..presets).flat_map(|p| (0..outputs).map(move |o| [p, o])).collect();
            let rows: Vec<Vec<usize>> = cover(&pairs, &counts)
                .into_iter()
                .zip(&pairs)
                .map(|(values, pair)| pair.iter().copied().chain(values).collect())
                .collect();
            let counts: Vec<usize> = [presets, outputs].into_iter().chain(counts).collect();
            for (a, b) in (0..counts.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let met: HashSet<[usize; 2]> = rows.iter().map(|row| [row[a], row[b]]).collect();
                assert_eq!(met.len(), counts[a] * counts[b], "axes {b} and {a} of {counts:?}");
            }
        }
    }

    #[test]
    fn a_quick_run_has_each_preset_and_each_output() {
        let named = |prefix: &str, count: usize| (0..count).map(|at| format!("{prefix}{at}")).collect::<Vec<_>>();
        let axes = Axes { node: project::FLOW, presets: named("p", 3), outputs: named("o", 5) };
        let cases = choose(&axes, true);
        assert_eq!(cases.len(), 5);
        assert!(axes.presets.iter().all(|preset| cases.iter().any(|case| case.preset == *preset)));
        assert_eq!(choose(&axes, false).len(), 15);
        let arguments = cases[1].arguments(Path::new("plates")).join(" ");
        assert!(arguments.contains("--set preset=p1 --set output=o1 --set device=CPU"), "{arguments}");
    }
}
