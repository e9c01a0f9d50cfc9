//! Bars of cell-steps per second at 1920×1080 and 8 steps per frame, drawn once for SVG and PNG.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea as _};
use plotters::element::{Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, IntoFont as _, RGBColor, TextStyle};

use super::report::speed;
use super::rows::{Kernel, Peer};
use crate::command;
use crate::plotting::{FONT, register};

/// Bars with one heading.
pub struct Panel {
    heading: &'static str,
    bars: Vec<Bar>,
}

struct Bar {
    name: String,
    /// Million cell-steps per second, of the median run.
    value: f64,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Kernel,
    Gpu,
    Yardstick,
    Peer,
}

impl Kind {
    fn colour(self) -> RGBColor {
        match self {
            Kind::Kernel => RGBColor(24, 100, 171),
            Kind::Gpu => RGBColor(43, 138, 62),
            Kind::Yardstick => RGBColor(134, 142, 150),
            Kind::Peer => RGBColor(217, 128, 38),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Kernel => "Flow, CPU",
            Kind::Gpu => "Flow, GPU",
            Kind::Yardstick => "plain scalar step",
            Kind::Peer => "peers, 32-bit float",
        }
    }
}

/// Steps per frame of the bars.
const STEPS: u32 = 8;

/// The plot's panels, one for each measured scene.
pub fn panels(kernels: &[Kernel], peers: &[Peer]) -> Vec<Panel> {
    let scenes = [
        ("mostly wet", "wet", false),
        ("mostly dry", "dry", false),
        ("mostly wet, three-channel pigment", "wet", true),
    ];
    let panel = |(heading, scene, pigment): (&'static str, &str, bool)| {
        let own = kernels.iter().filter(|row| row.model == "pipes" && row.pigment == pigment);
        let own = own.filter(|row| row.case.is(1920, scene, STEPS)).map(|row| {
            let kind = match row.role.as_str() {
                "cpu" => Kind::Kernel,
                "gpu" => Kind::Gpu,
                _ => Kind::Yardstick,
            };
            Bar { name: row.label(), value: row.case.median, kind }
        });
        let peers = peers.iter().filter(|row| !pigment && row.model == "pipes");
        let peers = peers.filter(|row| row.case.is(1920, scene, STEPS)).map(|row| {
            let where_ = if row.device == "CPU" { String::new() } else { format!(" ({})", row.device) };
            Bar { name: format!("{}{where_}", row.peer), value: row.case.median, kind: Kind::Peer }
        });
        let mut bars: Vec<Bar> = own.chain(peers).collect();
        bars.sort_by(|a, b| b.value.total_cmp(&a.value));
        Panel { heading, bars }
    };
    scenes.into_iter().map(panel).filter(|panel| !panel.bars.is_empty()).collect()
}

const WIDTH: u32 = 1000;
const MARGIN: i32 = 24;
const NAMES: i32 = 290;
const BAR: i32 = 24;
const HEAD: i32 = 96;
const PANEL_HEAD: i32 = 46;

/// Writes `bench.svg` and `bench.png` into `folder`.
pub fn write(panels: &[Panel], machine: &str, folder: &Path) -> Result<[PathBuf; 2]> {
    register()?;
    let height = HEAD + panels.iter().map(|panel| PANEL_HEAD + BAR * panel.bars.len() as i32).sum::<i32>() + MARGIN;
    let size = (WIDTH, height as u32);
    let mut svg = String::new();
    draw(SVGBackend::with_string(&mut svg, size).into_drawing_area(), panels, machine)?;
    let mut pixels = vec![0; (size.0 * size.1 * 3) as usize];
    draw(BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area(), panels, machine)?;
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, size.0, size.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    let paths = ["svg", "png"].map(|kind| folder.join(format!("bench.{kind}")));
    command::write_file(&paths[0], svg.as_bytes())?;
    command::write_file(&paths[1], &png)?;
    Ok(paths)
}

fn draw<B: DrawingBackend>(area: DrawingArea<B, Shift>, panels: &[Panel], machine: &str) -> Result<()>
where
    B::ErrorType: 'static,
{
    let (black, grey) = (RGBColor(33, 37, 41), RGBColor(90, 96, 102));
    let style = |size: i32, colour: RGBColor, at: HPos| -> TextStyle<'static> {
        TextStyle { pos: Pos::new(at, VPos::Center), ..(FONT, size).into_font().color(&colour) }
    };
    let text = |what: &str, at: (i32, i32), style: TextStyle<'static>| {
        area.draw(&Text::new(what.to_owned(), at, style)).map_err(|error| anyhow!("cannot draw the plot: {error}"))
    };
    let fill = |from: (i32, i32), to: (i32, i32), colour: RGBColor| {
        area.draw(&Rectangle::new([from, to], colour.filled()))
            .map_err(|error| anyhow!("cannot draw the plot: {error}"))
    };
    fill((0, 0), (WIDTH as i32, area.dim_in_pixel().1 as i32), RGBColor(255, 255, 255))?;
    let title = format!("Million cell-steps per second, 1920×1080, {STEPS} steps per frame");
    text(&title, (MARGIN, 26), style(24, black, HPos::Left))?;
    text(machine, (MARGIN, 52), style(15, grey, HPos::Left))?;
    let mut x = MARGIN;
    for kind in [Kind::Kernel, Kind::Gpu, Kind::Yardstick, Kind::Peer] {
        if panels.iter().flat_map(|panel| &panel.bars).any(|bar| bar.kind == kind) {
            fill((x, 72), (x + 14, 86), kind.colour())?;
            text(kind.name(), (x + 20, 79), style(15, black, HPos::Left))?;
            x += 190;
        }
    }
    let most = panels.iter().flat_map(|panel| &panel.bars).map(|bar| bar.value).fold(1.0, f64::max);
    let room = f64::from(WIDTH as i32 - MARGIN - NAMES - 80);
    let mut y = HEAD;
    for panel in panels {
        text(panel.heading, (MARGIN, y + PANEL_HEAD / 2 + 6), style(19, black, HPos::Left))?;
        y += PANEL_HEAD;
        for bar in &panel.bars {
            let end = NAMES + ((bar.value / most * room) as i32).max(1);
            text(&bar.name, (NAMES - 10, y + BAR / 2), style(15, black, HPos::Right))?;
            fill((NAMES, y + 3), (end, y + BAR - 3), bar.kind.colour())?;
            text(&speed(bar.value), (end + 8, y + BAR / 2), style(15, black, HPos::Left))?;
            y += BAR;
        }
    }
    area.present().map_err(|error| anyhow!("cannot draw the plot: {error}"))
}
