//! The contact sheet: a picture of each combination with its values.

use ab_glyph::{Font as _, FontRef, PxScale, ScaleFont as _, point};

use super::{Combination, Wedge};
use crate::{Error, Image, RectI, Result, io};

/// Largest sides of a combination's picture, in pixels.
const WIDEST: f64 = 320.0;
const HIGHEST: f64 = 320.0;

/// Smallest width of a cell: the labels need some space under a small picture, too.
const NARROWEST: i32 = 180;

/// Space around cells and pictures.
const GAP: i32 = 10;

/// Height of a line of text, and size of its letters.
const LINE: i32 = 19;
const LETTERS: f32 = 17.0;

/// Colours in linear light: the sheet, behind transparent pictures, and text.
const PAPER: f32 = 0.012;
const BEHIND: f32 = 0.045;
const INK: f32 = 0.75;

/// A combination's picture, at the size in which it is shown, or the words in its place.
type Picture = Result<Image, &'static str>;

/// Draws the sheet at a frame, or at the last one. Combinations of two and more parameters form a grid, whose columns
/// are the values of the last parameter.
pub(super) fn draw(wedge: &Wedge, frame: Option<i64>) -> Result<Image> {
    let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT)
        .map_err(|error| Error::usage(format!("the font of the contact sheet cannot be read: {error}")))?;
    let pen = Pen { font };
    let pictures = wedge.combinations.iter().map(|combination| picture(combination, frame));
    let pictures: Vec<Picture> = pictures.collect::<Result<_>>()?;
    let shown = pictures.iter().flatten().map(Image::bounds);
    let (width, height) = shown
        .fold((0, 0), |(width, height), bounds| (width.max(bounds.width() as i32), height.max(bounds.height() as i32)));
    let (width, height) = (width.max(NARROWEST), height.max(2 * LINE));
    let columns = columns(wedge);
    let rows = wedge.combinations.len().div_ceil(columns);
    let (across, down) = (width + GAP, height + LINE * wedge.axes.len() as i32 + 2 * GAP);
    let size = (GAP + across * columns as i32, GAP + LINE + GAP + down * rows as i32);
    let mut sheet = Image::from_fn(RectI::new(0, 0, size.0, size.1), |_, _| [PAPER, PAPER, PAPER, 1.0]);
    pen.write(&mut sheet, &title(wedge, frame)?, (GAP, GAP), size.0 - 2 * GAP);
    for (at, (combination, picture)) in wedge.combinations.iter().zip(&pictures).enumerate() {
        let (column, row) = ((at % columns) as i32, (at / columns) as i32);
        let (x, y) = (GAP + across * column, GAP + LINE + GAP + down * row);
        match picture {
            Ok(picture) => paste(&mut sheet, picture, (x, y)),
            Err(words) => pen.write(&mut sheet, words, (x, y + height / 2), width),
        }
        for (line, label) in (0..).zip(&combination.labels) {
            pen.write(&mut sheet, label, (x, y + height + GAP / 2 + LINE * line), width);
        }
    }
    Ok(sheet)
}

/// Cells in a row.
fn columns(wedge: &Wedge) -> usize {
    let count = wedge.combinations.len();
    match &wedge.axes[..] {
        [.., _, last] => last.values.len(),
        _ if count <= 4 => count,
        _ => count.isqrt() + usize::from(count.isqrt().pow(2) < count),
    }
}

fn title(wedge: &Wedge, frame: Option<i64>) -> Result<String> {
    let plugins = wedge.job.nodes.iter().map(|node| node.plugin.as_deref().unwrap_or(&node.name));
    let plugins: Vec<&str> = plugins.filter(|name| !name.is_empty()).collect();
    let first = wedge.combinations.first().ok_or_else(|| Error::usage("no combinations"))?;
    let shown = first.folder.picture(frame)?.0;
    Ok(format!("{}  frame {shown}", plugins.join(", ")).trim().to_owned())
}

/// The picture of a combination, made smaller to fit, or the reason why there is none.
fn picture(combination: &Combination, frame: Option<i64>) -> Result<Picture> {
    let (_, path) = combination.folder.picture(frame)?;
    if !path.is_file() {
        return Ok(Err("failed: no picture"));
    }
    let image = io::read(&path, combination.folder.options(), (0, 0))?;
    let (width, height) = (image.bounds().width() as f64, image.bounds().height() as f64);
    let scale = (WIDEST / width).min(HIGHEST / height).min(1.0);
    Ok(Ok(image.scaled((scale, scale))))
}

/// Puts a picture on the sheet with its upper left corner at (x, y), y downwards.
fn paste(sheet: &mut Image, picture: &Image, (x, y): (i32, i32)) {
    let (from, top) = (picture.bounds(), sheet.bounds().y2);
    let straight = picture.premultiplication == crate::Premultiplication::Unpremultiplied;
    for row in 0..from.height() as i32 {
        for column in 0..from.width() as i32 {
            let [r, g, b, a] = picture.pixel(from.x1 + column, from.y2 - 1 - row);
            let cover = a.clamp(0.0, 1.0);
            let over = |value: f32| {
                let value = if straight { value * cover } else { value };
                (value + BEHIND * (1.0 - cover)).clamp(0.0, 1.0)
            };
            sheet.set_pixel(x + column, top - 1 - (y + row), [over(r), over(g), over(b), 1.0]);
        }
    }
}

/// Writes text.
struct Pen {
    font: FontRef<'static>,
}

impl Pen {
    /// Writes a line whose upper left corner is (x, y), y downwards. Text beyond `width` is left out.
    fn write(&self, sheet: &mut Image, text: &str, (x, y): (i32, i32), width: i32) {
        let font = self.font.as_scaled(PxScale::from(LETTERS));
        let top = sheet.bounds().y2;
        let end = width as f32;
        let dots = font.h_advance(font.glyph_id('…'));
        let fits = text.chars().map(|c| font.h_advance(font.glyph_id(c))).sum::<f32>() <= end;
        let mut pen = 0.0;
        for c in text.chars() {
            let advance = font.h_advance(font.glyph_id(c));
            let cut = !fits && pen + advance + dots > end;
            let glyph = font.glyph_id(if cut { '…' } else { c });
            let placed = glyph.with_scale_and_position(LETTERS, point(x as f32 + pen, y as f32 + font.ascent()));
            if let Some(outline) = self.font.outline_glyph(placed) {
                let bounds = outline.px_bounds();
                outline.draw(|column, row, cover| {
                    let (x, y) = (bounds.min.x as i32 + column as i32, top - 1 - (bounds.min.y as i32 + row as i32));
                    let [under, ..] = sheet.pixel(x, y);
                    let value = under + (INK - under) * cover.clamp(0.0, 1.0);
                    sheet.set_pixel(x, y, [value, value, value, 1.0]);
                });
            }
            if cut {
                break;
            }
            pen += advance;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of the sheet that have ink, as the first and the last.
    fn inked(text: &str, width: i32) -> Option<(i32, i32)> {
        let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).expect("a font");
        let mut sheet = Image::from_fn(RectI::new(0, 0, 400, 40), |_, _| [PAPER, PAPER, PAPER, 1.0]);
        Pen { font }.write(&mut sheet, text, (10, 10), width);
        let has_ink = |x: &i32| (0..40).any(|y| sheet.pixel(*x, y)[0] > 0.1);
        let columns: Vec<i32> = (0..400).filter(has_ink).collect();
        Some((*columns.first()?, *columns.last()?))
    }

    #[test]
    fn labels_are_drawn_and_stay_within_their_width() {
        assert_eq!(inked("", 300), None);
        let (first, last) = inked("rainDrops = 4", 300).expect("ink");
        assert!((10..14).contains(&first) && (80..150).contains(&last), "{first} to {last}");
        let (_, long) = inked(&"rainDrops = 4 ".repeat(9), 300).expect("ink");
        assert!((250..=310).contains(&long), "{long}");
    }
}
