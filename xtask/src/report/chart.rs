//! Curves over numbered axes, as SVG.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::backend::SVGBackend;
use plotters::chart::{ChartBuilder, SeriesLabelPosition};
use plotters::drawing::IntoDrawingArea as _;
use plotters::element::{Circle, PathElement};
use plotters::style::{Color as _, RGBColor};

use super::records::Plot;
use crate::command;
use crate::plotting::{FONT, register};

const SIZE: (u32, u32) = (760, 420);

const COLOURS: [RGBColor; 7] = [
    RGBColor(24, 100, 171),
    RGBColor(217, 128, 38),
    RGBColor(43, 138, 62),
    RGBColor(166, 30, 77),
    RGBColor(95, 61, 196),
    RGBColor(12, 133, 153),
    RGBColor(134, 142, 150),
];

/// Draws a plot into a file.
///
/// # Errors
/// The plot cannot be drawn or written.
pub fn write(plot: &Plot, path: &Path) -> Result<()> {
    let mut svg = String::new();
    draw(plot, &mut svg).map_err(|error| anyhow!("cannot draw the plot {}: {error}", plot.name))?;
    command::write_file(path, svg.as_bytes())
}

fn draw(plot: &Plot, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    register()?;
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&RGBColor(255, 255, 255))?;
    let [x, y] = [0, 1].map(|axis| Axis::over(plot, axis));
    let mut chart = ChartBuilder::on(&area)
        .caption(&plot.name, (FONT, 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(x.low..x.high, y.low..y.high)?;
    chart
        .configure_mesh()
        .light_line_style(RGBColor(241, 243, 245))
        .bold_line_style(RGBColor(222, 226, 230))
        .x_desc(&*plot.axes[0])
        .y_desc(&*plot.axes[1])
        .x_labels(x.labels())
        .y_labels(y.labels())
        .x_label_formatter(&|value| x.label(*value))
        .y_label_formatter(&|value| y.label(*value))
        .label_style((FONT, 14))
        .axis_desc_style((FONT, 15))
        .draw()?;
    let place = |[a, b]: [f64; 2]| (x.place(a), y.place(b));
    let mut colours = COLOURS.into_iter().cycle();
    for line in &plot.lines {
        let colour = colours.next().unwrap_or(COLOURS[0]);
        let points = line.points.iter().copied().filter(|point| x.takes(point[0]) && y.takes(point[1]));
        let path = PathElement::new(points.map(place).collect::<Vec<_>>(), colour.stroke_width(2));
        chart
            .draw_series([path])?
            .label(&*line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    for line in &plot.known {
        let colour = colours.next().unwrap_or(COLOURS[0]);
        let points = line.points.iter().map(|point| Circle::new(place(*point), 4, colour.filled()));
        chart.draw_series(points)?.label(&*line.name).legend(move |(x, y)| Circle::new((x + 9, y), 4, colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(emptiest(plot, [&x, &y]))
        .background_style(RGBColor(255, 255, 255).mix(0.85))
        .border_style(RGBColor(206, 212, 218))
        .label_font((FONT, 14))
        .draw()?;
    area.present()?;
    Ok(())
}

/// The corner with the fewest points.
fn emptiest(plot: &Plot, axes: [&Axis; 2]) -> SeriesLabelPosition {
    let all = || plot.lines.iter().chain(&plot.known).flat_map(|line| &line.points);
    let corners = [
        (SeriesLabelPosition::UpperRight, [true, true]),
        (SeriesLabelPosition::LowerRight, [true, false]),
        (SeriesLabelPosition::LowerLeft, [false, false]),
        (SeriesLabelPosition::UpperLeft, [false, true]),
    ];
    let count = |far: [bool; 2]| {
        let inside = |point: &[f64; 2]| {
            [0, 1].into_iter().all(|axis| {
                let part = axes[axis].part(point[axis]);
                if far[axis] { part > 0.6 } else { part < 0.4 }
            })
        };
        all().filter(|point| inside(point)).count()
    };
    let best = corners.into_iter().min_by_key(|(_, far)| count(*far));
    best.map_or(SeriesLabelPosition::UpperRight, |(corner, _)| corner)
}

/// One axis; on a logarithmic one, positions are logarithms.
struct Axis {
    low: f64,
    high: f64,
    log: bool,
}

impl Axis {
    /// The range of a plot's data.
    fn over(plot: &Plot, axis: usize) -> Axis {
        let log = plot.log[axis];
        let all = plot.lines.iter().chain(&plot.known).flat_map(|line| &line.points).map(|point| point[axis]);
        let all = all.filter(|value| !log || *value > 0.0).map(|value| if log { value.log10() } else { value });
        let (low, high) = all.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        // Whole powers of ten on a logarithmic vertical axis; else a small margin.
        if log && axis == 1 {
            return Axis { low: low.floor(), high: high.ceil().max(low.floor() + 1.0), log };
        }
        let room = ((high - low) * 0.04).max(1e-12);
        let bottom = if low == 0.0 && axis == 0 { 0.0 } else { low - room };
        Axis { low: bottom, high: high + room, log }
    }

    fn place(&self, value: f64) -> f64 {
        if self.log { value.max(f64::MIN_POSITIVE).log10() } else { value }
    }

    /// Position of a value along the axis, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        (self.place(value) - self.low) / (self.high - self.low)
    }

    fn takes(&self, value: f64) -> bool {
        !self.log || value > 0.0
    }

    fn labels(&self) -> usize {
        let decades = (self.high - self.low).round() as usize + 1;
        if self.log && decades > 2 { decades.min(10) } else { 8 }
    }

    fn label(&self, value: f64) -> String {
        let value = if self.log { 10_f64.powf(value) } else { value };
        match value.abs() {
            size if size < 1e-12 => "0".to_owned(),
            size if self.log && (10.0..10_000.0).contains(&size) => format!("{value:.0}"),
            size if (0.01..10_000.0).contains(&size) => {
                let text = format!("{value:.3}");
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
            _ => format!("{value:.0e}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::records::Line;
    use super::*;

    #[test]
    fn a_plot_has_its_curves_and_points() {
        let line = |name: &str| Line { name: name.to_owned(), points: vec![[0.0, 1.0], [1.0, 0.0], [2.0, 1e-5]] };
        let mut plot = Plot {
            name: "Fall".to_owned(),
            axes: ["time".to_owned(), "height".to_owned()],
            log: [false, true],
            lines: vec![line("curve")],
            known: vec![],
        };
        let mut svg = String::new();
        draw(&plot, &mut svg).expect("draws");
        for text in ["Fall", "time", "height", "curve", "polyline"] {
            assert!(svg.contains(text), "{text}");
        }
        assert_eq!(Axis::over(&plot, 1).low, -5.0, "values without a logarithm are left out");
        plot.lines.clear();
        draw(&plot, &mut String::new()).expect("draws nothing");
    }
}
