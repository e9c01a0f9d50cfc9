//! Compatibility of descriptions with saved projects: names, types, options and positions of a release stay in every
//! host, and later releases only append.

mod common;

use common::private_flow;
use flow_host::{Context, Description, ParamDescription, Profile};

/// The descriptions of a node's releases.
const RELEASES: [(&str, &str); 1] = [("0.2.0", include_str!("described/flow-0.2.0.tsv"))];

const HOSTS: [&str; 5] = ["generic", "nuke", "natron", "resolve", "mlt"];

/// The lines of a release's record that begin with `kind`, split into columns.
fn lines<'a>(record: &'a str, kind: &'a str) -> impl Iterator<Item = Vec<&'a str>> {
    record.lines().map(|line| line.split('\t').collect::<Vec<_>>()).filter(move |columns| columns[0] == kind)
}

/// Incompatible changes since a release.
fn breaches(record: &str, now: &Description) -> Vec<String> {
    let mut found = Vec::new();
    for node in lines(record, "node") {
        let number = |text: &str| text.parse::<u32>().expect("a version is two numbers");
        let (major, minor) = node[2].split_once('.').expect("a version is two numbers");
        // Hosts treat another major version as another plug-in.
        if now.id != node[1] || now.version.0 != number(major) || now.version.1 < number(minor) {
            found.push(format!("{} {} is now {} {:?}", node[1], node[2], now.id, now.version));
        }
    }
    for param in lines(record, "param") {
        match now.params.iter().find(|other| other.name == param[1]) {
            None => found.push(format!("the parameter {} is gone", param[1])),
            Some(other) => found.extend(parameter(&param, other)),
        }
    }
    found.extend(clips(record, now));
    found
}

/// Incompatible changes of one parameter.
fn parameter(was: &[&str], now: &ParamDescription) -> Option<String> {
    let (name, kind, keyed) = (was[1], was[2], was[3] == "keyed");
    let (default, options) = (was.get(4).copied().unwrap_or_default(), was.get(5..).unwrap_or_default());
    // A position's default is in fractions of the frame only if the host supports that.
    let placed = kind == "double2D" && now.default == "0,0";
    if now.kind != kind {
        return Some(format!("{name} was of the type {kind} and is of the type {}", now.kind));
    }
    if keyed && !now.animates {
        return Some(format!("{name} had keys"));
    }
    if now.default != default && !placed {
        return Some(format!("{name} was {default:?} where a project says nothing, and is {:?}", now.default));
    }
    let kept = now.options.get(..options.len()).is_some_and(|kept| kept == options);
    (!kept).then(|| format!("{name} had the options {options:?}, and has {:?}", now.options))
}

/// Incompatible changes of the clips, which hosts number in their order.
fn clips(record: &str, now: &Description) -> Option<String> {
    let was: Vec<_> = lines(record, "clip").filter(|clip| clip[1] == now.context && clip[2] != "Output").collect();
    let inputs: Vec<_> = now.clips.iter().filter(|clip| clip.name != "Output").collect();
    let kept = was.iter().enumerate().all(|(nth, clip)| {
        let marked = |mark: &str| clip[3..].contains(&mark);
        inputs.get(nth).is_some_and(|other| {
            other.name == clip[2] && (other.optional || !marked("optional")) && other.mask == marked("mask")
        })
    });
    let more = inputs.iter().skip(was.len()).all(|clip| clip.optional);
    let names = || inputs.iter().map(|clip| &*clip.name).collect::<Vec<_>>();
    (!kept || !more).then(|| format!("the {} clips were {was:?}, and are {:?}", now.context, names()))
}

#[test]
fn every_host_sees_the_released_description() {
    for host in HOSTS {
        let (_host, plugin) = private_flow(Profile::named(host).expect("a host of that name"));
        for context in plugin.contexts() {
            let now = plugin.describe(context).expect("describes");
            for (release, record) in RELEASES {
                assert!(lines(record, "param").count() > 40 && lines(record, "clip").count() == 13, "{release}");
                assert_eq!(breaches(record, &now), [""; 0], "since {release}, in {host}, {context:?}");
            }
        }
    }
}

/// An incompatible change, and its report.
type Careless = (fn(&mut Description), &'static str);

#[test]
fn a_description_that_breaks_projects_is_detected() {
    fn param<'a>(now: &'a mut Description, name: &str) -> &'a mut ParamDescription {
        now.params.iter_mut().find(|param| param.name == name).expect("is described")
    }
    const CARELESS: [Careless; 9] = [
        (|now| now.version.0 = 2, "org.flowofx.Flow 1.7 is now"),
        (|now| param(now, "rain").name = "rainfall".to_owned(), "the parameter rain is gone"),
        (|now| param(now, "seed").kind = "double".to_owned(), "seed was of the type int"),
        (|now| param(now, "speed").animates = false, "speed had keys"),
        (|now| param(now, "damping").default = "0.1".to_owned(), "damping was \"0.02\""),
        (|now| param(now, "output").options.swap(1, 2), "output had the options"),
        (|now| param(now, "edges").options.truncate(2), "edges had the options"),
        (|now| now.clips.swap(0, 1), "the general clips were"),
        (|now| now.clips[1].optional = false, "the general clips were"),
    ];
    let (_host, plugin) = private_flow(Profile::generic());
    let now = plugin.describe(Context::General).expect("describes");
    for (careless, expected) in CARELESS {
        let mut broken = now.clone();
        careless(&mut broken);
        let found = breaches(RELEASES[0].1, &broken);
        assert!(found.len() == 1 && found[0].starts_with(expected), "{expected}: {found:?}");
    }
}
