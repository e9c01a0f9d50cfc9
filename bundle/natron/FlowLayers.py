"""A PyPlug for Natron: water with its inputs by name, its first parameters in one panel, and all layers on one node.

The folder of this file belongs on NATRON_PLUGIN_PATH. The plug-in itself is found by OFX_PLUGIN_PATH. Every layer (cross,
diagonal, surface, velocity, normal, foam, wetness, motion) is a plane of this node's picture: choose it in the viewer,
or in any node that asks for a layer.
"""

FLOW = "org.flowofx.Flow"
INPUTS = ("Source", "Terrain", "Obstacles", "Force", "Mask", "Background", "Reflection", "Control", "Goal")
# What a group shows of the node in it; all else is one click away, in the group.
SHOWN = ("output", "model", "speed", "flowRate", "startFrame", "emitter", "emitterCentre", "emitterRadius", "edges",
         "sourceMode", "sourceHeight", "terrainHeight", "resolution", "relief", "cacheFolder")


def getPluginID():
    return "org.flowofx.FlowLayers"


def getLabel():
    return "FlowLayers"


def getVersion():
    return 1


def getIconPath():
    return "FlowLayers.png"


def getGrouping():
    return "Flow"


def getDescription():
    return "Water on a height field, with its layers as planes of one picture."


def createInstance(app, group):
    """Fills the group: its inputs, the node, its output, and the parameters that it shows."""
    water = app.createNode(FLOW, -1, group)
    if water is None:
        raise RuntimeError(
            "%s was not found. Install Flow.ofx.bundle, name its folder in OFX_PLUGIN_PATH, and start Natron again."
            % FLOW
        )
    water.setScriptName("Flow")
    water.setLabel("Flow")
    water.setPosition(0, 0)
    group.Flow = water
    for place, name in enumerate(INPUTS):
        source = app.createNode("fr.inria.built-in.Input", -1, group)
        source.setScriptName(name)
        source.setLabel(name)
        source.setPosition(-300 + 100 * place, -150)
        optional = source.getParam("optional")
        if optional is not None:
            optional.setValue(True)
        water.connectInput(place, source)
    output = app.createNode("fr.inria.built-in.Output", -1, group)
    output.setLabel("Output")
    output.setPosition(0, 150)
    output.connectInput(0, water)
    page = group.createPageParam("Flow", "Flow")
    for name in SHOWN:
        inner = water.getParam(name)
        # A DoubleParam is made by createDoubleParam, and so on.
        create = getattr(group, "create%s" % type(inner).__name__, None)
        if create is not None:
            shown = create(name, inner.getLabel())
            page.addParam(shown)
            shown.setAsAlias(inner)
    group.setPagesOrder(["Flow", "Node", "Settings"])
    group.refreshUserParamsGUI()
