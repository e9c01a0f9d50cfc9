"""Flow in Nuke's menu of nodes: Flow, FlowSmoke, FlowParticles, FlowVolume, one water as layers, and links to a camera.

The folder of this file belongs on NUKE_PATH, or into ~/.nuke. The plug-in itself is found by OFX_PLUGIN_PATH.
"""

import os

import nuke

FOLDER = os.path.dirname(os.path.abspath(__file__))
NODES = (
    ("Flow", "org.flowofx.Flow"),
    ("FlowSmoke", "org.flowofx.FlowSmoke"),
    ("FlowParticles", "org.flowofx.FlowParticles"),
    ("FlowVolume", "org.flowofx.FlowVolume"),
)

# Knobs of a node's camera as expressions of those of a camera in Nuke: the unit of the scene is the width of the frame.
CAMERA = {
    "translate": (
        "{camera}.translate.x * width",
        "{camera}.translate.y * width",
        "({camera}.translate.z - 50 / 24.576) * width",
    ),
    "rotate": ("{camera}.rotate.x", "{camera}.rotate.y", "{camera}.rotate.z"),
    "focal": ("{camera}.focal",),
    "haperture": ("{camera}.haperture",),
    "win_translate": ("{camera}.win_translate.u", "{camera}.win_translate.v"),
    "win_scale": ("{camera}.win_scale.u", "{camera}.win_scale.v"),
    "winroll": ("{camera}.winroll",),
}


def flow_create(identifier):
    """Makes a node of the plug-in, under whichever name this Nuke has for it."""
    for name in ("OFX%s_v1" % identifier.lower(), "OFX%s_v1" % identifier):
        try:
            return nuke.createNode(name)
        except RuntimeError:
            continue
    nuke.message(
        "%s was not found. Install Flow.ofx.bundle, name its folder in OFX_PLUGIN_PATH, and start Nuke again."
        % identifier
    )
    return None


def flow_layers():
    """Puts the toolset of layers behind the selected node."""
    path = os.path.join(FOLDER, "ToolSets", "Flow layers.nk")
    if not os.path.isfile(path):
        nuke.message("%s is missing. Install Flow again." % path)
        return
    try:
        nuke.loadToolset(path)
    except RuntimeError as error:
        nuke.message("The layers could not be made: %s" % error)


def flow_link_camera():
    """Links the camera parameters of the selected Flow nodes to the selected camera by expressions.

    For a Nuke whose camera does not fit the node's camera input. The camera must have no parent.
    """
    selected = nuke.selectedNodes()
    cameras = [node for node in selected if "haperture" in node.knobs() and "cameraScale" not in node.knobs()]
    nodes = [node for node in selected if "cameraScale" in node.knobs()]
    if len(cameras) != 1 or not nodes:
        nuke.message("Select one camera, and the FlowParticles and FlowVolume nodes that shall follow it.")
        return
    camera = cameras[0]
    for node in nodes:
        node.knob("camera").setValue("Parameters")
        if "rot_order" in camera.knobs():
            node.knob("rotOrder").setValue(camera.knob("rot_order").value())
        for name, expressions in CAMERA.items():
            for index, expression in enumerate(expressions):
                node.knob(name).setExpression(expression.format(camera=camera.fullName()), index)


def flow_menu():
    """Fills the menu; without a user interface there is none."""
    toolbar = nuke.menu("Nodes")
    if toolbar is None:
        return
    menu = toolbar.addMenu("Flow")
    for label, identifier in NODES:
        menu.addCommand(label, lambda identifier=identifier: flow_create(identifier))
    menu.addCommand("Flow layers", flow_layers)
    menu.addCommand("Link to camera", flow_link_camera)


if nuke.GUI:
    flow_menu()
