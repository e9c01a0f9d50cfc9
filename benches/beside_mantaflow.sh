#!/bin/sh
# The plume of the benchmarks in Blender's Mantaflow at 128³ and in FlowVolume at 256³, frame 80, drawn by FlowVolume:
# MANTAFLOW.exr and FLOW.exr in OUT. Prints the CPU-seconds of a frame of Mantaflow, and the user and system time of all
# commands before FlowVolume's simulation and after it. Needs Blender, and a release bundle.
#
#     benches/beside_mantaflow.sh target/bundle/Flow.ofx.bundle OUT
set -eu
bundle=$1 out=$2
host=${FLOW_HOST:-target/debug/flow-host}
here=$(dirname "$0")
mkdir -p "$out"

# The look of both, and a box as wide and high as the frame, nearly.
draw() {
    "$host" render "$bundle" --plugin org.flowofx.FlowVolume --size 540x540 --half --allow-unused \
        --set preroll=0 --set boxWidth=0.96 --set boxHeight=0.96 --set boxLength=0.96 --set "follow=Whole box" \
        --set floor=Open --set noise=0 --set dissipation=0 --set cooling=0 --set viscosity=0 --set windDrag=0 \
        --set emitter1Breakup=0 --set opacity=14 --set lights=1 --set light1Direction=140 --set light1Elevation=10 \
        --set light1Intensity=0.75 --set light1Shadow=1.5 --set scattering=0.2 --set skyColour=0.06,0.08,0.1 \
        --set groundColour=0.03,0.03,0.03 "$@"
}

# 17 frames before the measured ones.
blender --background --factory-startup --python-exit-code 1 --python "$here/mantaflow.py" -- 128 63 "$out/mantaflow.vdb" |
    grep '^{'
# Its box begins at the origin, is two units wide, and has z up.
draw --set cells=128 --set "emitter1Shape=VDB file" --set "emitter1File=$out/mantaflow.vdb" --set emitter1FileScale=0.5 \
    --set emitter1FileUp=Z --set emitter1Centre=-0.5,0,0.5 --set emitter1Mode=Replace --set emitter1Heat=0 \
    --set buoyancy=0 --set swirl=0 --frames 1 -o "$out/MANTAFLOW.exr"
times
draw --set cells=256 --set buoyancy=0.078125 --set swirl=0.1 --set maxCfl=20 --set emitter1Centre=0,0.2,0 \
    --set emitter1Radius=0.078125 --set emitter1Softness=0.3 --frames 80 -o "$out/FLOW.exr"
times
