//! Files of volumes for other programs, one per frame, written by renders in full quality: OpenVDB and deep OpenEXR.

use super::controls::Id;
use super::values::number;
use crate::compute::cpu::Cpu;
use crate::nodes::common::controls::Controls as _;
use crate::nodes::common::files::FrameFiles;
use crate::nodes::common::values::Values;
use crate::ofx::Result;
use crate::picture::volume::{DeepOptions, Lit, Shot, VdbGrid, VdbOptions, write_deep, write_vdb};
use crate::sim::volume::fields::{Lattice, VolumeView};

/// The grids of a VDB file, and the switches of each.
const GRIDS: [(Id, VdbGrid); 7] = [
    (Id::VdbDensity, VdbGrid::Density),
    (Id::VdbTemperature, VdbGrid::Temperature),
    (Id::VdbFlame, VdbGrid::Flame),
    (Id::VdbFuel, VdbGrid::Fuel),
    (Id::VdbSoot, VdbGrid::Soot),
    (Id::VdbColour, VdbGrid::Colour),
    (Id::VdbVelocity, VdbGrid::Velocity),
];

/// The files on the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Files {
    vdb: Option<(FrameFiles, VdbOptions)>,
    deep: Option<(FrameFiles, usize)>,
    /// Whether lengths are those of the scene of the camera, else pixels.
    in_scene: bool,
}

impl Files {
    /// The files on the panel at a time; `None` without a folder.
    ///
    /// # Errors
    /// A call to the host fails.
    pub fn read(values: &impl Values<Id>, time: f64) -> Result<Option<Self>> {
        let vdb = FrameFiles::read(values, [Id::VdbFolder, Id::VdbName], ("VDB files", "volume"), time);
        let deep = FrameFiles::read(values, [Id::DeepFolder, Id::DeepName], ("Deep files", "deep"), time);
        if vdb.is_none() && deep.is_none() {
            return Ok(None);
        }
        let (options, samples) = (options(values, time)?, values.int(Id::DeepSamples, time)?);
        Ok(Some(Self {
            vdb: vdb.map(|files| (files, options)),
            deep: deep.map(|files| (files, samples.clamp(1, 1024) as usize)),
            in_scene: values.choice(Id::FileUnits, time)? == 1,
        }))
    }

    /// Writes a frame in a shot. `lit` computes the light of the medium, where it is needed. Returns texts for the artist
    /// about files that could not be written.
    pub fn write(
        &self,
        cpu: &Cpu,
        view: &VolumeView<'_>,
        shot: &Shot<'_>,
        frame: i64,
        lit: impl FnOnce(&mut dyn FnMut(&Lit<'_>)),
    ) -> Vec<String> {
        let mut failures = Vec::new();
        let (origin, unit) = if self.in_scene {
            let [x1, y1, x2, y2] = shot.frame();
            let unit = shot.camera.unit.filter(|unit| *unit > 0.0).unwrap_or((x2 - x1).max(1.0));
            ([(x1 + x2) / 2.0, (y1 + y2) / 2.0, 0.0], unit)
        } else {
            ([0.0; 3], 1.0)
        };
        if let Some((files, options)) = &self.vdb {
            let Lattice { origin: corner, spacing } = view.lattice;
            let lattice =
                Lattice { origin: [0, 1, 2].map(|axis| (corner[axis] - origin[axis]) / unit), spacing: spacing / unit };
            let view = VolumeView { lattice, ..*view };
            failures.extend(files.write(frame, "vdb", |to| write_vdb(cpu, &view, options, to)));
        }
        if let Some((files, samples)) = &self.deep {
            let options = DeepOptions { samples: *samples, unit };
            lit(&mut |lit| {
                failures.extend(files.write(frame, "exr", |to| write_deep(cpu, lit, shot, &options, to)));
            });
        }
        failures
    }
}

fn options(values: &impl Values<Id>, time: f64) -> Result<VdbOptions> {
    let mut grids = Vec::new();
    for (id, grid) in GRIDS {
        if id.matters(values, time)? && values.switch(id, time)? {
            grids.push(grid);
        }
    }
    let per_second = values.choice(Id::VdbVelocityTime, time)? == 1;
    let rate = if per_second { number(values, Id::VdbRate, time)? } else { 1.0 };
    Ok(VdbOptions {
        grids,
        half: values.choice(Id::VdbPrecision, time)? == 0,
        rate: number(values, Id::TimeScale, time)? * rate,
    })
}
