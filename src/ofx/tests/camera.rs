//! Camera inputs.

use std::ffi::CStr;

use super::{
    fake::{self, Effect, Host, Set, Shape, call},
    probe::{Case, probe},
};
use crate::ofx::Status;

const CREATE: &CStr = c"OfxActionCreateInstance";
const RENDER: &CStr = c"OfxImageEffectActionRender";

fn arguments() -> &'static Set {
    let args = fake::leak::<Set>();
    args.doubles(c"OfxPropTime", &[7.5]).ints(c"OfxImageEffectPropRenderWindow", &[0, 0, 4, 4]);
    args
}

fn nuke() -> Shape {
    Shape { name: c"uk.co.thefoundry.nuke", api: (1, 4), ..Shape::default() }
}

#[test]
fn a_camera_is_read_at_the_time_and_in_the_view_of_the_render() {
    probe!(Probe);
    fake::set_host(plugin(), Host::new(nuke()));
    let effect = fake::leak::<Effect>();
    assert_eq!(call(plugin(), CREATE, Some(effect), None, None), Status::OK);
    LOG.set(Case::Camera);
    let rendered = |args: &Set| {
        assert_eq!(call(plugin(), RENDER, Some(effect), Some(args), None), Status::OK);
        LOG.take()
    };
    assert_eq!(rendered(arguments()), ["no input"]);
    let camera = effect.add_clip(c"Camera");
    assert_eq!(rendered(arguments()), ["None", "false"], "nothing is connected");
    camera.properties.ints(c"OfxImageClipPropConnected", &[1]);
    assert_eq!(rendered(arguments()), ["Some([7.5, 0.0])", "true"], "the first view");
    let right = arguments();
    right.ints(c"uk.co.thefoundry.OfxImageEffectPropView", &[2]);
    assert_eq!(rendered(right), ["Some([7.5, 2.0])", "true"]);
}

#[test]
fn a_host_without_the_suite_has_no_input() {
    probe!(Probe);
    fake::set_host(plugin(), Host::new(Shape { missing: vec!["NukeOfxCameraSuite"], ..nuke() }));
    let effect = fake::leak::<Effect>();
    effect.add_clip(c"Camera");
    assert_eq!(call(plugin(), CREATE, Some(effect), None, None), Status::OK);
    LOG.set(Case::Camera);
    assert_eq!(call(plugin(), RENDER, Some(effect), Some(arguments()), None), Status::OK);
    assert_eq!(LOG.take(), ["no input"]);
}
