"""A PyPlug for Natron: water with its inputs by name, its first parameters in one panel, and all layers on one node.

The folder of this file belongs on NATRON_PLUGIN_PATH. The plug-in itself is found by OFX_PLUGIN_PATH. Every layer (cross,
diagonal, surface, velocity, normal, foam, wetness, forward and backward motion) is a plane of this node's picture: choose
it in the viewer, or in any node that asks for a layer.

An alias hands the value of the group's parameter to the node. Every parameter of the group therefore gets its value,
default, range and help before it becomes an alias.
"""

FLOW = "org.flowofx.Flow"
INPUTS = ("Source", "Terrain", "Obstacles", "Force", "Mask", "Background", "Reflection", "Control", "Goal")
# The node's parameters in the group's panel. The others are in the node itself, inside the group.
SHOWN = ("output", "model", "speed", "flowRate", "startFrame", "emitter", "emitterCentre", "emitterRadius", "edges",
         "sourceMode", "sourceHeight", "terrainHeight", "resolution", "relief", "cacheFolder")
# Not an alias: a preset sets parameters of the node, and Natron ignores values that a node sets on a parameter with an alias.
PRESET = "preset"
# Parameters, pages and nodes of a group share one namespace. A page named "Flow" would hide the node when a project loads.
PAGE = "flowPage"


def getPluginID():
    return "org.flowofx.FlowLayers"


def getLabel():
    return "FlowLayers"


def getVersion():
    return 2


def getIconPath():
    return "FlowLayers.png"


def getGrouping():
    return "Flow"


def getDescription():
    return "Water on a height field, with its layers as planes of one picture."


def dimensions(param):
    """The dimensions of a numeric parameter; None for menus, switches and text, whose setters take no dimension."""
    return range(param.getNumDimensions()) if hasattr(param, "getMinimum") else None


def createLike(group, inner):
    """Creates a parameter of the group with the type, value, default, range, options and help of a node's parameter."""
    # A DoubleParam is created by createDoubleParam, and so on.
    create = getattr(group, "create%s" % type(inner).__name__, None)
    if create is None:
        return None
    shown = create(inner.getScriptName(), inner.getLabel())
    shown.setHelp(inner.getHelp())
    shown.setAnimationEnabled(inner.getIsAnimationEnabled())
    shown.setEvaluateOnChange(inner.getEvaluateOnChange())
    if hasattr(inner, "getOptions"):
        shown.setOptions([(str(option), "") for option in inner.getOptions()])
    # A new node stands at its defaults. Its defaults themselves may be in parts of the frame.
    each = dimensions(inner)
    if each is None:
        shown.setDefaultValue(inner.getValue())
        shown.setValue(inner.getValue())
        return shown
    for axis in each:
        shown.setMinimum(inner.getMinimum(axis), axis)
        shown.setMaximum(inner.getMaximum(axis), axis)
        shown.setDisplayMinimum(inner.getDisplayMinimum(axis), axis)
        shown.setDisplayMaximum(inner.getDisplayMaximum(axis), axis)
        shown.setDefaultValue(inner.getValue(axis), axis)
        shown.setValue(inner.getValue(axis), axis)
    return shown


def createInstance(app, group):
    """Fills the group: its inputs, the node, its output, and the parameters in its panel."""
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
    page = group.createPageParam(PAGE, "Flow")
    for name in (PRESET,) + SHOWN:
        inner = water.getParam(name)
        shown = createLike(group, inner) if inner is not None else None
        if shown is not None:
            page.addParam(shown)
            if name != PRESET:
                shown.setAsAlias(inner)
    changed = group.getParam("onParamChanged")
    if changed is not None:
        changed.setValue("FlowLayers.paramChanged")
    group.setPagesOrder([PAGE, "Node", "Settings"])
    group.refreshUserParamsGUI()


def paramChanged(thisParam, thisNode, thisGroup, app, userEdited):
    """Applies a preset that was chosen on the group: releases the aliases, lets the node set its parameters, copies them
    into the group, and makes the aliases again."""
    if not userEdited or thisParam.getScriptName() != PRESET:
        return
    water = thisNode.getNode("Flow") if hasattr(thisNode, "getNode") else None
    water = water or getattr(thisNode, "Flow", None)
    if water is None:
        return
    pairs = [(thisNode.getParam(name), water.getParam(name)) for name in SHOWN]
    pairs = [(shown, inner) for shown, inner in pairs if shown is not None and inner is not None]
    for shown, inner in pairs:
        for axis in range(inner.getNumDimensions()):
            inner.unslave(axis)
        # Released, the node's parameter has its own value again, which is out of date.
        inner.copy(shown)
    water.getParam(PRESET).setValue(thisParam.getValue())
    for shown, inner in pairs:
        shown.copy(inner)
        shown.setAsAlias(inner)
