//! Fonts and errors shared by all plots.

use anyhow::{Result, anyhow};
use plotters::style::{FontStyle, register_font};

/// The plots' font.
pub const FONT: &str = "sans-serif";

/// The font is part of the program: plots are the same on machines without fonts.
pub fn register() -> Result<()> {
    register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT)
        .map_err(|_| anyhow!("the plots' font cannot be read"))
}
