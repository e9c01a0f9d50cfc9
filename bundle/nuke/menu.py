"""Flow in Nuke's menu of nodes: Flow, FlowSmoke, FlowParticles, FlowVolume, and one water as layers.

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


def flow_menu():
    """Fills the menu; without a user interface there is none."""
    toolbar = nuke.menu("Nodes")
    if toolbar is None:
        return
    menu = toolbar.addMenu("Flow")
    for label, identifier in NODES:
        menu.addCommand(label, lambda identifier=identifier: flow_create(identifier))
    menu.addCommand("Flow layers", flow_layers)


if nuke.GUI:
    flow_menu()
