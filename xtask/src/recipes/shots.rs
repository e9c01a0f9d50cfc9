//! The recipes: their plates, and their comps.

use std::path::Path;

use anyhow::Result;

use super::comp::{blur, distort, multiply, over, st_map, vector_blur};
use super::figure::{actor, actor_colour, boots_colour, splash, standing};
use super::plates::{self, ASPECT, Painter};
use super::{Recipe, SIZE, Shot, flight, roofs, walk};
use crate::bundle::icon;
use crate::command;
use crate::noise::{fbm, smooth};
use crate::picture::Picture;
use crate::project;

/// Width of the frame in the units of a particle's camera, times its focal length by its aperture: the distance of the
/// picture's plane.
const PLANE: f32 = SIZE.0 as f32 * 50.0 / 24.576;

/// Width and height of the logo in pixels.
const LOGO: usize = 300;

/// An actor in a forest in winter, and the actor's distance.
fn winter_plates(folder: &Path, painter: Painter) -> Result<()> {
    still(folder, "winter", &painter.paint(plates::winter))?;
    still(folder, "actor", &painter.paint(|u, v| actor_colour(u, v, [0.3, 0.33, 0.38])))?;
    let matte = painter.matte(actor);
    // A distance is one or another: half a distance at the edge would be a place before the actor.
    let distance = |x: usize, y: usize| match matte.at(x, y)[0] {
        cover if cover >= 0.5 => PLANE / cover,
        _ => 0.0,
    };
    still(folder, "depth", &multiply(&matte, distance))
}

/// A layer over the actor in the forest, and that without the layer.
fn over_winter_plates(shot: &Shot<'_>, layer: &str) -> Result<[Picture; 2]> {
    let layer = shot.layer(layer)?;
    let plate = over(&shot.plate("actor", &layer)?, &shot.plate("winter", &layer)?);
    let after = over(&layer, &plate);
    Ok([plate, after])
}

/// All recipes, in the order of their page.
pub const RECIPES: [Recipe; 15] = [
    Recipe {
        name: "puddle",
        shown: 40,
        backdrops: &["street"],
        script: include_str!("comps/puddle.nk"),
        plates: |folder, painter, _| {
            still(folder, "street", &painter.paint(plates::street))?;
            still(folder, "height", &painter.paint(plates::street_height))?;
            still(folder, "mirrored", &painter.paint(plates::street_mirrored))
        },
        comp: |shot| {
            let (water, map) = (shot.layer("water")?, shot.layer("map")?);
            let plate = shot.plate("street", &water)?;
            let after = over(&water, &st_map(&plate, &map));
            Ok([plate, after])
        },
    },
    Recipe {
        name: "footsteps",
        shown: 56,
        backdrops: &["actor.####"],
        script: include_str!("comps/footsteps.nk"),
        plates: |folder, painter, last| {
            still(folder, "pavement", &painter.paint(plates::pavement))?;
            sequence(folder, "boots", last, |frame| painter.matte(standing(frame)))?;
            sequence(folder, "splash", last, |frame| painter.matte(splash(frame)))?;
            sequence(folder, "actor", last, |frame| painter.paint(boots_colour(frame)))
        },
        comp: |shot| {
            let water = shot.layer("water")?;
            let boots = shot.plate("actor", &water)?;
            Ok([over(&boots, &shot.plate("pavement", &water)?), over(&boots, &water)])
        },
    },
    Recipe {
        name: "actor-smoke",
        shown: 50,
        backdrops: &["street", "actor"],
        script: include_str!("comps/actor-smoke.nk"),
        plates: |folder, painter, _| {
            still(folder, "street", &painter.paint(plates::street))?;
            still(folder, "actor", &painter.paint(|u, v| actor_colour(u, v, [0.75, 0.42, 0.2])))?;
            still(folder, "matte", &painter.matte(actor))?;
            still(folder, "bank", &painter.matte(plates::bank))
        },
        comp: |shot| {
            let smoke = shot.layer("smoke")?;
            let (street, actor) = (shot.plate("street", &smoke)?, shot.plate("actor", &smoke)?);
            Ok([over(&actor, &street), over(&actor, &over(&smoke, &street))])
        },
    },
    Recipe {
        name: "flood",
        shown: 60,
        backdrops: &[],
        script: include_str!("comps/flood.nk"),
        plates: |folder, painter, _| {
            still(folder, "town", &painter.paint(plates::town))?;
            still(folder, "houses", &painter.matte(plates::town_houses))?;
            still(folder, "height", &painter.paint(plates::town_height))
        },
        comp: |shot| {
            let flood = shot.layer("flood")?;
            Ok([shot.plate("town", &flood)?, flood])
        },
    },
    Recipe {
        name: "vector-blur",
        shown: 36,
        backdrops: &["stage"],
        script: include_str!("comps/vector-blur.nk"),
        plates: |folder, painter, _| still(folder, "stage", &painter.paint(plates::stage)),
        comp: |shot| {
            let (dye, motion) = (shot.layer("dye")?, shot.layer("motion")?);
            let stage = shot.plate("stage", &dye)?;
            Ok([over(&dye, &stage), over(&vector_blur(&dye, &motion, 1.0), &stage)])
        },
    },
    Recipe {
        name: "ink-title",
        shown: 40,
        backdrops: &["paper"],
        script: include_str!("comps/ink-title.nk"),
        plates: |folder, painter, _| {
            still(folder, "paper", &painter.paint(plates::paper))?;
            let ink = painter.matte(plates::title);
            still(
                folder,
                "title",
                &Picture::from_fn(ink.width, ink.height, |x, y| {
                    let cover = ink.at(x, y)[3];
                    [0.012 * cover, 0.02 * cover, 0.07 * cover, cover]
                }),
            )
        },
        comp: |shot| {
            let ink = shot.layer("ink")?;
            let paper = shot.plate("paper", &ink)?;
            Ok([over(&shot.plate("title", &ink)?, &paper), over(&ink, &paper)])
        },
    },
    Recipe {
        name: "heat-haze",
        shown: 40,
        backdrops: &["desert"],
        script: include_str!("comps/heat-haze.nk"),
        plates: |folder, painter, _| {
            still(folder, "desert", &painter.paint(plates::desert))?;
            still(
                folder,
                "heat",
                &painter.paint(|u, v| {
                    let rough = 0.6 + 0.4 * fbm(u * 7.0, v * 20.0, 171);
                    plates::opaque([smooth((0.47 - v) / 0.03) * smooth((v - 0.3) / 0.06) * rough.max(0.0); 3])
                }),
            )
        },
        comp: |shot| {
            let (velocity, temperature) = (shot.layer("velocity")?, shot.layer("temperature")?);
            let plate = shot.plate("desert", &velocity)?;
            let after = distort(&plate, |x, y| {
                let hot = temperature.at(x, y)[0].clamp(0.0, 1.0) * 1.5;
                let [right, up, ..] = velocity.at(x, y);
                [right * hot, up * hot]
            });
            Ok([plate, after])
        },
    },
    Recipe {
        name: "campfire-embers",
        shown: 40,
        backdrops: &["clearing"],
        script: include_str!("comps/campfire-embers.nk"),
        plates: |folder, painter, _| still(folder, "clearing", &painter.paint(plates::clearing)),
        comp: |shot| {
            let (fire, embers) = (shot.layer("fire")?, shot.layer("embers")?);
            let plate = shot.plate("clearing", &fire)?;
            let after = over(&embers, &over(&fire, &plate));
            Ok([plate, after])
        },
    },
    Recipe {
        name: "explosion",
        shown: 14,
        backdrops: &["street"],
        script: include_str!("comps/explosion.nk"),
        plates: |folder, painter, _| still(folder, "street", &painter.paint(plates::street)),
        comp: |shot| {
            let [blast, emission, sparks] = [shot.layer("blast")?, shot.layer("emission")?, shot.layer("sparks")?];
            let (velocity, temperature) = (shot.layer("velocity")?, shot.layer("temperature")?);
            let plate = shot.plate("street", &blast)?;
            let bent = distort(&plate, |x, y| {
                let hot = temperature.at(x, y)[0].clamp(0.0, 1.0) * 1.2;
                let [right, up, ..] = velocity.at(x, y);
                [right * hot, up * hot]
            });
            // The light of the fire on the street, without its distance.
            let light = blur(&emission, blast.width / 5);
            let lit = Picture::from_fn(bent.width, bent.height, |x, y| {
                let (pixel, light) = (bent.at(x, y), light.at(x, y));
                [0, 1, 2, 3].map(|c| if c < 3 { pixel[c] * (1.0 + 6.0 * light[c]) } else { pixel[c] })
            });
            Ok([plate, over(&sparks, &over(&blast, &lit))])
        },
    },
    Recipe {
        name: "actor-snow",
        shown: 40,
        backdrops: &["winter", "actor"],
        script: include_str!("comps/actor-snow.nk"),
        plates: |folder, painter, _| winter_plates(folder, painter),
        comp: |shot| over_winter_plates(shot, "snow"),
    },
    Recipe {
        name: "actor-fog",
        shown: 24,
        backdrops: &["winter", "actor"],
        script: include_str!("comps/actor-fog.nk"),
        plates: |folder, painter, _| winter_plates(folder, painter),
        comp: |shot| over_winter_plates(shot, "fog"),
    },
    Recipe {
        name: "chimney-track",
        shown: 44,
        backdrops: &["roofs.####"],
        script: include_str!("comps/chimney-track.nk"),
        plates: |folder, painter, last| {
            command::write_file(&folder.join("camera.chan"), roofs::camera_file(last).as_bytes())?;
            sequence(folder, "roofs", last, |frame| painter.paint(roofs::plate(frame)))
        },
        comp: |shot| {
            let smoke = shot.layer("smoke")?;
            let plate = shot.plate("roofs", &smoke)?;
            let after = over(&smoke, &plate);
            Ok([plate, after])
        },
    },
    Recipe {
        name: "disintegration",
        shown: 44,
        backdrops: &["stage"],
        script: include_str!("comps/disintegration.nk"),
        plates: |folder, painter, last| {
            still(folder, "stage", &painter.paint(plates::stage))?;
            let icon = icon::picture(project::FLOW, LOGO as u32)?;
            let (left, top) = ((SIZE.0 - LOGO) / 2, (SIZE.1 - LOGO) / 2);
            let logo = Picture::from_fn(SIZE.0, SIZE.1, |x, y| {
                let inside = (left..left + LOGO).contains(&x) && (top..top + LOGO).contains(&y);
                if inside { icon.at(x - left, y - top) } else { [0.0; 4] }
            });
            still(folder, "logo", &logo)?;
            sequence(folder, "remains", last, |frame| {
                let wiped = painter.matte(remains(frame));
                multiply(&wiped, |x, y| logo.at(x, y)[3])
            })
        },
        comp: |shot| {
            let dust = shot.layer("dust")?;
            let (stage, logo) = (shot.plate("stage", &dust)?, shot.plate("logo", &dust)?);
            let remains = shot.plate("remains", &dust)?;
            let left = multiply(&logo, |x, y| remains.at(x, y)[3].min(1.0));
            Ok([over(&logo, &stage), over(&dust, &over(&left, &stage))])
        },
    },
    Recipe {
        name: "disintegration-gun",
        shown: 60,
        backdrops: &["street"],
        script: include_str!("comps/disintegration-gun.nk"),
        plates: |folder, painter, last| {
            still(folder, "street", &painter.paint(plates::street))?;
            for frame in 1..=last {
                let man = painter.paint(walk::man(frame as f32));
                let left = painter.matte(walk::left(frame as f32));
                man.write_exr(&folder.join(format!("man.{frame:04}.exr")))?;
                multiply(&left, |x, y| man.at(x, y)[3]).write_exr(&folder.join(format!("remains.{frame:04}.exr")))?;
            }
            Ok(())
        },
        comp: |shot| {
            let dust = shot.layer("dust")?;
            let [street, man, remains] =
                [shot.plate("street", &dust)?, shot.plate("man", &dust)?, shot.plate("remains", &dust)?];
            let left = multiply(&man, |x, y| remains.at(x, y)[3].min(1.0));
            Ok([over(&man, &street), over(&dust, &over(&left, &street))])
        },
    },
    Recipe {
        name: "jet-pack",
        shown: 58,
        backdrops: &["valley", "man.####"],
        script: include_str!("comps/jet-pack.nk"),
        plates: |folder, painter, last| {
            still(folder, "valley", &painter.paint(flight::valley))?;
            let side = ["left", "right"];
            for (nozzle, side) in side.into_iter().enumerate() {
                for (smoke, name) in [(false, "nozzle"), (true, "smoke")] {
                    let track = flight::track(last, nozzle, smoke);
                    command::write_file(&folder.join(format!("{name}-{side}.chan")), track.as_bytes())?;
                }
            }
            command::write_file(&folder.join("air.chan"), flight::air(last).as_bytes())?;
            sequence(folder, "man", last, |frame| painter.paint(flight::man(frame)))
        },
        comp: |shot| {
            let exhaust = shot.layer("exhaust")?;
            let (valley, man) = (shot.plate("valley", &exhaust)?, shot.plate("man", &exhaust)?);
            Ok([over(&man, &valley), over(&man, &over(&exhaust, &valley))])
        },
    },
];

/// The part of the frame that has not turned to dust: a ragged front from left to right.
fn remains(frame: f32) -> impl Fn(f32, f32) -> f32 {
    let front = ASPECT * 0.5 - 0.36 + 0.0125 * (frame - 6.0);
    let logo = 0.5 * LOGO as f32 / SIZE.1 as f32;
    move |u, v| {
        // Nothing is seen of the front beside the logo.
        let beside = (u - ASPECT * 0.5).abs() > logo || (v - 0.5).abs() > logo;
        if beside { 0.0 } else { smooth((u - front + 0.07 * fbm(u * 9.0, v * 9.0, 181)) / 0.012) }
    }
}

fn still(folder: &Path, name: &str, plate: &Picture) -> Result<()> {
    plate.write_exr(&folder.join(format!("{name}.exr")))
}

fn sequence(folder: &Path, name: &str, last: usize, picture: impl Fn(f32) -> Picture) -> Result<()> {
    (1..=last).try_for_each(|frame| picture(frame as f32).write_exr(&folder.join(format!("{name}.{frame:04}.exr"))))
}
