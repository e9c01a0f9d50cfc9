"""Emulates the treatment of a PyPlug by Natron 2.5: aliases, the namespace of a group, and callbacks.

Arguments: the PyPlug, and a JSON file with the node's description (`params`), the values of a new node (`values`), and the
values that the preset of index 1 gives it (`preset`). Prints JSON: the created objects, and the values of both sides of each alias.
"""

import json
import runpy
import sys


class Param:
    """A parameter. What it holds itself is hidden while another drives it."""

    dims = 1

    def __init__(self, name, label):
        self.name, self.label, self.help, self.driver = name, label, "", None
        self.own = [self.zero] * self.dims
        self.default = list(self.own)
        self.animates, self.evaluates = True, True
        self.changed = lambda: None

    zero = 0

    def getScriptName(self): return self.name
    def getLabel(self): return self.label
    def getHelp(self): return self.help
    def setHelp(self, text): self.help = text
    def getNumDimensions(self): return self.dims
    def getIsAnimationEnabled(self): return self.animates
    def setAnimationEnabled(self, on): self.animates = on
    def getEvaluateOnChange(self): return self.evaluates
    def setEvaluateOnChange(self, on): self.evaluates = on

    def held(self):
        return self.driver.held() if self.driver else self.own

    def give(self, values):
        before = self.own
        self.own = list(values)
        if self.own != before:
            self.changed()

    # The parameter named last is driven by this one from now on, which keeps its own value.
    def setAsAlias(self, inner):
        if type(inner) is not type(self):
            return False
        inner.driver = self
        return True

    def unslave(self, axis):
        assert 0 <= axis < self.dims
        self.driver = None

    def copy(self, other):
        self.give(other.held())


class Number(Param):
    def __init__(self, name, label):
        Param.__init__(self, name, label)
        # As Natron has them for a new parameter of a group.
        self.limits = {"min": [-1e300] * self.dims, "max": [1e300] * self.dims,
                       "displayMin": [0] * self.dims, "displayMax": [99] * self.dims}

    def getValue(self, axis=0): return self.held()[axis]
    def setValue(self, value, axis=0):
        values = list(self.own)
        values[axis] = value
        self.give(values)
    def getDefaultValue(self, axis=0): return self.default[axis]
    def setDefaultValue(self, value, axis=0): self.default[axis] = value
    def getMinimum(self, axis=0): return self.limits["min"][axis]
    def getMaximum(self, axis=0): return self.limits["max"][axis]
    def getDisplayMinimum(self, axis): return self.limits["displayMin"][axis]
    def getDisplayMaximum(self, axis): return self.limits["displayMax"][axis]
    def setMinimum(self, value, axis=0): self.limits["min"][axis] = value
    def setMaximum(self, value, axis=0): self.limits["max"][axis] = value
    def setDisplayMinimum(self, value, axis=0): self.limits["displayMin"][axis] = value
    def setDisplayMaximum(self, value, axis=0): self.limits["displayMax"][axis] = value


class Single(Param):
    def getValue(self): return self.held()[0]
    def setValue(self, value): self.give([value])
    def getDefaultValue(self): return self.default[0]
    def setDefaultValue(self, value): self.default = [value]


class IntParam(Number): pass
class DoubleParam(Number): pass
class Double2DParam(Number): dims = 2
class ColorParam(Number): dims = 4
class BooleanParam(Single): pass
class StringParam(Single): zero = ""
class PathParam(Single): zero = ""
class FileParam(Single): zero = ""
class ButtonParam(Param): pass


class ChoiceParam(Single):
    def __init__(self, name, label):
        Single.__init__(self, name, label)
        self.options = []

    def getOptions(self): return list(self.options)
    def setOptions(self, options): self.options = [option for option, _ in options]


KINDS = {"int": IntParam, "double": DoubleParam, "double2D": Double2DParam, "RGB": ColorParam, "bool": BooleanParam,
         "choice": ChoiceParam, "string": StringParam, "button": ButtonParam}
FOLDERS = ("cacheFolder",)


def described(entry, values):
    """A node's parameter by its description, with the value of a new node."""
    name = entry["name"]
    kind = PathParam if name in FOLDERS else KINDS.get(entry["type"])
    if kind is None:
        return None
    param = kind(name, entry["label"])
    param.help, param.animates = entry["hint"], entry["animates"]
    if kind is ChoiceParam:
        param.options = list(entry["options"])
    if name in values:
        param.own = list(values[name])
        param.default = list(values[name])
    if isinstance(param, Number):
        for key, ends in (("", entry["range"]), ("display", entry["display_range"])):
            low, high = ("min", "max") if not key else ("displayMin", "displayMax")
            if ends:
                param.limits[low] = [ends[0]] * param.dims
                param.limits[high] = [ends[1]] * param.dims
    return param


class Node:
    def __init__(self, kind, name, params=None):
        self.kind, self.name, self.inputs, self.params = kind, name, {}, params or {}

    def getParam(self, name): return self.params.get(name)
    def getScriptName(self): return self.name
    def setScriptName(self, name): self.name = name
    def setLabel(self, label): self.label = label
    def setPosition(self, x, y): pass
    def connectInput(self, place, node): self.inputs[place] = node.name


class Page:
    def __init__(self, name): self.name, self.shown = name, []
    def addParam(self, param): self.shown.append(param.name)


class Group(Node):
    def __init__(self):
        callback = StringParam("onParamChanged", "")
        Node.__init__(self, "group", "Group1", {"onParamChanged": callback})
        self.pages, self.nodes, self.order = [], [], []

    def __getattr__(self, name):
        kind = name[len("create"):]
        known = [c for c in KINDS.values() if c.__name__ == kind] + [PathParam]
        if not name.startswith("create") or known[0].__name__ != kind and kind != "PathParam":
            raise AttributeError(name)
        def create(script, label):
            made = (PathParam if kind == "PathParam" else known[0])(script, label)
            self.params[script] = made
            return made
        return create

    def createPageParam(self, name, label):
        self.pages.append(Page(name))
        return self.pages[-1]

    def getNode(self, name): return next((node for node in self.nodes if node.name == name), None)
    def setPagesOrder(self, order): self.order = order
    def refreshUserParamsGUI(self): pass

    def load(self):
        """The names of the nodes that a project which was saved comes back with: pages and parameters come first."""
        taken = {page.name for page in self.pages} | set(self.params)
        return [node.name for node in self.nodes if node.name not in taken]


class App:
    def __init__(self, group, make): self.group, self.make = group, make
    def createNode(self, kind, version, group):
        node = self.make(kind, "Node%d" % len(self.group.nodes))
        if node is not None:
            self.group.nodes.append(node)
        return node


def main(plug, path):
    with open(path) as file:
        given = json.load(file)
    module = runpy.run_path(plug)

    def make(kind, name):
        node = Node(kind, name)
        if kind == "org.flowofx.Flow":
            found = [described(entry, given["values"]) for entry in given["params"]]
            node.params = {param.name: param for param in found if param is not None}
            def preset():
                # Set by the plug-in: lost on a parameter with an alias.
                if node.params["preset"].held() == [1]:
                    for name, values in given["preset"].items():
                        if name != "preset":
                            node.params[name].give(values)
            node.params["preset"].changed = preset
        elif kind == "fr.inria.built-in.Output":
            node.name = "Output1"
        return node

    group = Group()
    module["createInstance"](App(group, make), group)
    water = group.getNode("Flow")

    def sides():
        names = [name for page in group.pages for name in page.shown]
        return {name: {"group": group.params[name].held(), "node": water.params[name].held()} for name in names}

    def shape(param):
        shape = {"value": param.held(), "default": param.default, "hint": param.help, "animates": param.animates,
                 "type": type(param).__name__}
        shape.update(getattr(param, "limits", {}))
        shape["options"] = getattr(param, "options", [])
        return shape

    result = {"made": [node.kind for node in group.nodes], "inputs": [water.inputs[n] for n in sorted(water.inputs)],
              "loaded": group.load(), "nodes": [node.name for node in group.nodes], "sides": sides(), "order": group.order,
              "pages": [page.name for page in group.pages],
              "shapes": {name: [shape(group.params[name]), shape(water.params[name])] for name in sides()}}
    callback = group.params["onParamChanged"].getValue()
    if "preset" in group.params:
        group.params["preset"].give([1])
        if callback:
            owner, function = callback.split(".")
            assert owner == "FlowLayers", callback
            module[function](group.params["preset"], group, None, None, True)
    result["after"] = sides()
    # The user edits the group, and the node follows.
    speed = group.params["speed"]
    speed.setValue(speed.getValue() + 1)
    result["driven"] = [speed.getValue(), water.params["speed"].getValue()]
    try:
        module["createInstance"](App(Group(), lambda kind, name: None), Group())
    except RuntimeError as error:
        result["missing"] = str(error)
    print(json.dumps(result))


main(*sys.argv[1:])
