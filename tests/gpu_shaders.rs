//! Every shader is valid, and the uniforms of Rust have the layout of the shaders.

use std::mem::offset_of;
use std::path::Path;

use flow_ofx::compute::gpu::water::SHADERS;
use flow_ofx::compute::gpu::water::layout::{PARAMS_WORDS, Params, Shown, flag};
use flow_ofx::compute::gpu::water::ripples;
use flow_ofx::compute::gpu::{Shader, particles, smoke, volume};
use naga::valid::{Capabilities, ValidationFlags, Validator};

fn parsed(shader: &Shader) -> naga::Module {
    let module = naga::front::wgsl::parse_str(shader.source);
    module.unwrap_or_else(|e| panic!("{}: {}", shader.name, e.emit_to_string(shader.source)))
}

fn check(shader: &Shader) {
    let module = parsed(shader);
    let checked = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
    checked.unwrap_or_else(|e| panic!("{}: {}", shader.name, e.emit_to_string(shader.source)));
    let names: Vec<&str> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["main"], "{}", shader.name);
    // The capabilities of every device, without its limits.
    let size: u32 = module.entry_points[0].workgroup_size.iter().product();
    assert!(size <= 256, "{}", shader.name);
}

/// The sources in a folder.
fn sources(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = std::fs::read_dir(folder).expect("shaders are there").flatten().map(|entry| entry.path());
    paths.filter(|path| path.is_file()).map(|path| std::fs::read_to_string(path).expect("readable")).collect()
}

#[test]
fn every_shader_is_valid_and_every_file_is_used() {
    let tables = [
        ("shaders/water", &SHADERS[..]),
        ("shaders/water/ripples", &ripples::SHADERS),
        ("shaders/smoke", &smoke::SHADERS),
        ("shaders/particles", &particles::SHADERS),
        ("shaders/volume", &volume::SHADERS),
    ];
    for (folder, shaders) in tables {
        shaders.iter().for_each(check);
        for source in sources(folder) {
            assert!(shaders.iter().any(|shader| shader.source.ends_with(&source)), "in no table:\n{source}");
        }
        let shared = format!("{folder}/shared");
        for source in
            Path::new(env!("CARGO_MANIFEST_DIR")).join(&shared).is_dir().then(|| sources(&shared)).into_iter().flatten()
        {
            assert!(shaders.iter().any(|shader| shader.source.contains(&source)), "used by none:\n{source}");
        }
    }
    assert_eq!(sources("shaders/water").len(), SHADERS.len());
}

/// Names and offsets of the members of a struct, and its size, in those shaders that have it.
fn structs(shaders: &[Shader], name: &str) -> Vec<(Vec<(String, usize)>, usize)> {
    let modules: Vec<_> = shaders.iter().map(parsed).collect();
    let found = modules.iter().filter_map(|module| module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name)));
    let members = |inner: &naga::TypeInner| {
        let naga::TypeInner::Struct { members, span } = inner else { panic!("{name} is a struct") };
        let member = |m: &naga::StructMember| (m.name.clone().expect("members have names"), m.offset as usize);
        (members.iter().map(member).collect(), *span as usize)
    };
    found.map(|(_, t)| members(&t.inner)).collect()
}

#[test]
fn the_smoke_uniforms_have_the_shaders_layout() {
    macro_rules! ours {
        ($of:ty: $($field:ident),*; $end:ident) => {
            (vec![$((stringify!($field).to_owned(), offset_of!($of, $field))),*], offset_of!($of, $end))
        };
    }
    let params = ours!(smoke::layout::Params: size, numbers, area, more; edges);
    let level = ours!(smoke::layout::LevelParams: size, coarse, coefficient, sweeps, side_coefficient, ghost; edges);
    let (grounds, levels) = (structs(&smoke::SHADERS, "Params"), structs(&smoke::SHADERS, "Level"));
    assert_eq!(grounds.len() + levels.len(), smoke::SHADERS.len());
    // Fields beyond the end are compile-time constants.
    assert!(grounds.iter().all(|theirs| *theirs == params), "{grounds:?}");
    assert!(levels.iter().all(|theirs| *theirs == level), "{levels:?}");
}

#[test]
fn the_volume_uniforms_have_the_shaders_layout() {
    macro_rules! ours {
        ($($field:ident),*; $end:ident) => {
            (
                vec![$((stringify!($field).to_owned(), offset_of!(volume::layout::Params, $field))),*],
                offset_of!(volume::layout::Params, $end),
            )
        };
    }
    let params = ours!(size, detail, low, number, first, mode, part, count, wind, time, numbers, more; flags);
    let theirs = structs(&volume::SHADERS, "Params");
    assert_eq!(theirs.len(), volume::SHADERS.len());
    // Fields beyond the end are compile-time constants.
    assert!(theirs.iter().all(|theirs| *theirs == params), "{theirs:?}");
    volume::SHADERS.iter().for_each(|shader| compare_flags(shader, volume::layout::flag::NAMES));
    let with_scalars = volume::SHADERS.iter().filter(|shader| shader.source.contains("const RATIO"));
    assert!(with_scalars.map(|shader| compare_flags(shader, volume::layout::scalar::NAMES)).count() > 0);
}

#[test]
fn the_sprites_have_the_shaders_layout() {
    use particles::{Params, Sprite};
    macro_rules! ours {
        ($of:ty: $($field:ident),*) => {
            (vec![$((stringify!($field).to_owned(), offset_of!($of, $field))),*], size_of::<$of>())
        };
    }
    let params = ours!(Params: size, columns, mode, aspect, spare, per_pixel, limited, levels, frame_texels, fit);
    assert_eq!(structs(&particles::SHADERS, "Params"), [params]);
    let sprite =
        ours!(Sprite: whole, part, bounds, along, inverse, depth, kind, colour, light, ambient, random, blur, disc);
    assert_eq!(structs(&particles::SHADERS, "Sprite"), [sprite]);
}

/// Compares constants with those of a shader.
fn compare_flags(shader: &Shader, names: &[(&str, u32)]) {
    let module = parsed(shader);
    for (name, value) in names {
        let constant = module.constants.iter().find(|(_, c)| c.name.as_deref() == Some(name));
        let (_, constant) = constant.unwrap_or_else(|| panic!("{} has no {name}", shader.name));
        let naga::Expression::Literal(naga::Literal::U32(theirs)) = module.global_expressions[constant.init] else {
            panic!("{name} is a number")
        };
        assert_eq!(theirs, *value, "{name}");
    }
}

#[test]
fn the_water_uniforms_have_the_shaders_layout() {
    macro_rules! offsets {
        ($($field:ident),*) => { vec![$((stringify!($field), offset_of!(Params, $field))),*] };
    }
    let ours = offsets!(
        width,
        height,
        first,
        rows,
        own_first,
        own_last,
        planes,
        wet,
        keep,
        diagonal,
        smoothing,
        rescale,
        cross,
        gravity,
        friction,
        inflow,
        evaporation,
        inflow_planes
    );
    for shader in &SHADERS {
        let module = parsed(shader);
        let params = module.types.iter().find(|(_, t)| t.name.as_deref() == Some("Params"));
        let Some((_, params)) = params else { panic!("{} has no Params", shader.name) };
        let naga::TypeInner::Struct { members, span } = &params.inner else { panic!("Params is a struct") };
        assert_eq!(*span as usize, size_of::<Params>());
        let theirs: Vec<_> = members
            .iter()
            .map(|member| (member.name.as_deref().expect("members have names"), member.offset as usize))
            .collect();
        assert_eq!(theirs, ours, "{}", shader.name);
    }
}

#[test]
fn the_picture_uniforms_have_the_shaders_layout() {
    let ours = [
        ("unit_power", offset_of!(Shown, unit_power)),
        ("wet", offset_of!(Shown, wet)),
        ("range", offset_of!(Shown, range)),
        ("terrain", offset_of!(Shown, terrain)),
        ("per_frame", offset_of!(Shown, per_frame)),
        ("unused_a", offset_of!(Shown, unused)),
        ("unused_b", offset_of!(Shown, unused) + 4),
        ("unused_c", offset_of!(Shown, unused) + 8),
    ];
    let mut found = 0;
    for shader in &SHADERS {
        let module = parsed(shader);
        let Some((_, shown)) = module.types.iter().find(|(_, t)| t.name.as_deref() == Some("Shown")) else { continue };
        let naga::TypeInner::Struct { members, span } = &shown.inner else { panic!("Shown is a struct") };
        assert_eq!(*span as usize, size_of::<Shown>());
        let theirs: Vec<_> = members.iter().map(|m| (m.name.as_deref().expect("named"), m.offset as usize)).collect();
        assert_eq!(theirs, ours, "{}", shader.name);
        found += 1;
    }
    assert_eq!(found, 4);
    let shown = Shown { unit_power: 1, wet: 2, range: 3, terrain: 4, per_frame: 5, unused: [6, 7, 8] };
    assert_eq!(shown.words(), [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn the_words_of_a_struct_are_in_field_order() {
    let mut params =
        Params { width: 1, height: 2, first: 3, rows: 4, own_first: 5, own_last: 6, planes: 7, ..Params::default() };
    params.wet = 8;
    (params.keep, params.diagonal, params.smoothing, params.rescale) = ([9, 10], [11, 12], [13, 14], [15, 16]);
    let mut next = 17;
    let gains = params.gravity.iter_mut().chain(&mut params.friction);
    let rest = params.inflow.iter_mut().chain(&mut params.evaporation);
    for word in params.cross.iter_mut().flatten().chain(gains).chain(rest) {
        *word = next;
        next += 1;
    }
    (params.inflow_planes, params.flags) = (next, next + 1);
    let words = params.words();
    assert!(words.iter().zip(1..).all(|(word, nth)| *word == nth), "{words:?}");
    for (offset, value) in
        [(offset_of!(Params, keep), 9), (offset_of!(Params, cross), 17), (offset_of!(Params, inflow_planes), next)]
    {
        assert_eq!(words[offset / 4], value);
    }
    assert_eq!(PARAMS_WORDS * 4, size_of::<Params>());
}

#[test]
fn flags_have_the_shaders_values() {
    compare_flags(&SHADERS[0], &flag::NAMES);
    let with = |name: &str| smoke::SHADERS.iter().find(|shader| shader.name == name).expect("it is there");
    compare_flags(with("smoke/advect"), smoke::layout::flag::NAMES);
    compare_flags(with("smoke/relax"), smoke::layout::level_flag::NAMES);
}
