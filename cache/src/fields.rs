//! The fields of a [`Header`] as attributes of an EXR, and back.

use std::collections::BTreeMap;
use std::path::Path;

use exr::meta::attribute::{AttributeValue, Text};

use crate::parts::Part;
use crate::shape::MOST_AXES;
use crate::{Header, Refusal};

/// The version of the file format that this crate writes and reads.
pub(crate) const FORMAT: u32 = 2;
const PREFIX: &str = "flow.";
/// Longer parameters are cut in the file, so that a header always fits what `peek` reads.
pub(crate) const MOST_PARAMETERS: usize = 128 << 10;

/// The attributes that hold a header, in the order in which they are written.
pub(crate) fn write(header: &Header) -> Vec<(&'static str, AttributeValue)> {
    let Header {
        key,
        family,
        model,
        version,
        frame,
        index,
        shape,
        origin,
        cells_per_pixel,
        numbers,
        parameters,
        state,
    } = header;
    let text = |text: String| AttributeValue::Text(Text::from_slice_unchecked(text.as_bytes()));
    let key_text = |key: u128| text(format!("{key:032x}"));
    let numbers: Vec<String> = numbers.iter().map(|(name, bits)| format!("{name}={bits:016x}")).collect();
    let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
    let origin: Vec<String> = origin.iter().map(|value| format!("{value:?}")).collect();
    vec![
        ("flow.format", AttributeValue::I32(FORMAT as i32)),
        ("flow.model", text(model.clone())),
        ("flow.version", AttributeValue::I32(*version as i32)),
        ("flow.frame", text(frame.to_string())),
        ("flow.index", text(index.to_string())),
        ("flow.key", key_text(*key)),
        ("flow.family", key_text(*family)),
        ("flow.state", key_text(*state)),
        ("flow.shape", text(shape.join(" "))),
        ("flow.origin", text(origin.join(" "))),
        ("flow.cellsPerPixel", AttributeValue::F64(*cells_per_pixel)),
        ("flow.numbers", text(numbers.join(" "))),
        ("flow.parameters", text(shortened(parameters))),
    ]
}

fn shortened(parameters: &str) -> String {
    if parameters.len() <= MOST_PARAMETERS {
        return parameters.into();
    }
    let end = (0..=MOST_PARAMETERS).rev().find(|&end| parameters.is_char_boundary(end)).unwrap_or(0);
    format!("{}…", &parameters[..end])
}

/// The attributes of a part that hold its header, by name: another program may have written them in another order.
fn of(part: &Part) -> Vec<&crate::parts::Attribute> {
    let mut own: Vec<_> = part.attributes.iter().filter(|attribute| attribute.name.starts_with(PREFIX)).collect();
    own.sort_by_key(|attribute| &attribute.name);
    own
}

/// The header that all parts of a state file carry.
pub(crate) fn read(path: &Path, parts: &[Part]) -> Result<Header, Refusal> {
    let first = &parts[0];
    let fields = Fields { path, part: first };
    let Some(format) = first.attribute("flow.format", "int") else {
        // Half a header is a damaged file; none is another program's.
        return Err(if parts.iter().all(|part| of(part).is_empty()) {
            Refusal::NotOurs { path: path.into(), why: "Flow did not write it as a state".into() }
        } else {
            fields.bad("format")
        });
    };
    let found = fields.number(format, "format")?;
    if found != FORMAT {
        return Err(Refusal::OtherFormat { path: path.into(), found, expected: FORMAT });
    }
    if parts[1..].iter().any(|part| of(part) != of(first)) {
        return Err(Refusal::damaged(path, "its parts disagree"));
    }
    let (shape, origin) =
        (fields.list("shape", usize::to_string)?, fields.list("origin", |at: &f64| format!("{at:?}"))?);
    if shape.len() != origin.len() || !origin.iter().all(|at| at.is_finite()) {
        return Err(fields.bad("origin"));
    }
    Ok(Header {
        key: fields.key("key")?,
        family: fields.key("family")?,
        model: fields.text("model")?.into(),
        version: fields.number(fields.value("version", "int")?, "version")?,
        frame: fields.decimal("frame")?,
        index: fields.decimal("index")?,
        shape,
        origin,
        cells_per_pixel: fields.float("cellsPerPixel")?,
        numbers: fields.numbers()?,
        parameters: fields.text("parameters")?.into(),
        state: fields.key("state")?,
    })
}

struct Fields<'a> {
    path: &'a Path,
    part: &'a Part,
}

impl<'a> Fields<'a> {
    fn bad(&self, name: &str) -> Refusal {
        Refusal::damaged(self.path, format!("its {PREFIX}{name} is missing or makes no sense"))
    }

    fn value(&self, name: &str, kind: &str) -> Result<&'a [u8], Refusal> {
        self.part.attribute(&format!("{PREFIX}{name}"), kind).ok_or_else(|| self.bad(name))
    }

    fn text(&self, name: &str) -> Result<&'a str, Refusal> {
        std::str::from_utf8(self.value(name, "string")?).map_err(|_| self.bad(name))
    }

    fn number(&self, bytes: &[u8], name: &str) -> Result<u32, Refusal> {
        bytes.try_into().map(u32::from_le_bytes).map_err(|_| self.bad(name))
    }

    /// Numbers are read only as they are written: there is one text for each.
    fn decimal<N: std::str::FromStr + ToString>(&self, name: &str) -> Result<N, Refusal> {
        let text = self.text(name)?;
        text.parse().ok().filter(|number: &N| number.to_string() == text).ok_or_else(|| self.bad(name))
    }

    fn key(&self, name: &str) -> Result<u128, Refusal> {
        let text = self.text(name)?;
        let key = u128::from_str_radix(text, 16).ok().filter(|key| format!("{key:032x}") == text);
        key.ok_or_else(|| self.bad(name))
    }

    fn float(&self, name: &str) -> Result<f64, Refusal> {
        self.value(name, "double")?.try_into().map(f64::from_le_bytes).map_err(|_| self.bad(name))
    }

    /// One number for each axis, as `text` writes it.
    fn list<N: std::str::FromStr>(&self, name: &str, text: impl Fn(&N) -> String) -> Result<Vec<N>, Refusal> {
        let entries = self.text(name)?.split(' ').take(MOST_AXES + 1);
        let list: Option<Vec<N>> =
            entries.map(|entry| entry.parse().ok().filter(|number| text(number) == entry)).collect();
        list.filter(|list| list.len() <= MOST_AXES).ok_or_else(|| self.bad(name))
    }

    fn numbers(&self) -> Result<BTreeMap<String, u64>, Refusal> {
        let text = self.text("numbers")?;
        let entry = |entry: &str| {
            let (name, bits) = entry.split_once('=')?;
            let bits = u64::from_str_radix(bits, 16).ok().filter(|value| format!("{value:016x}") == bits)?;
            is_name(name).then(|| (name.to_owned(), bits))
        };
        let entries = text.split(' ').filter(|_| !text.is_empty());
        entries.map(entry).collect::<Option<_>>().ok_or_else(|| self.bad("numbers"))
    }
}

/// Whether a number can be kept under that name.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '=')
}
