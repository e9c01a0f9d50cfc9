"""A VDB file of FlowVolume in Blender's Cycles: the picture of a frame, run by

    blender --background --factory-startup --python-exit-code 1 --python benches/vdb_picture.py -- \
        FILE PICTURE WIDTHxHEIGHT EXTINCTION ALBEDO DIRECTION ELEVATION

FILE is in the units of the scene, where the width of the frame is 1, and the camera is the node's default one. EXTINCTION
is that of a density of 1 per unit; ALBEDO is grey. A light comes from DIRECTION (degrees from the right, counter-clockwise)
and ELEVATION (degrees towards the viewer), and has the irradiance at which thick smoke has about the radiance of its albedo.
PICTURE is an EXR of half floats with alpha.
"""

import math
import sys

import bpy
import mathutils

SAMPLES = 64
# Focal length and aperture of the node's default camera, millimetres.
FOCAL, APERTURE = 50.0, 24.576


def main():
    name, picture, size, extinction, albedo, direction, elevation = sys.argv[sys.argv.index("--") + 1 :]
    width, height = map(int, size.split("x"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.object.volume_import(filepath=name)
    smoke = bpy.context.object
    if smoke is None or smoke.type != "VOLUME":
        raise RuntimeError("Blender reads no volume from the file")
    # Files of this kind have y up, and Blender turns none.
    smoke.location, smoke.rotation_euler = (0, 0, 0), (0, 0, 0)
    smoke.data.render.space, smoke.data.render.step_size = "WORLD", 0.002
    smoke.data.materials.append(material(float(extinction), float(albedo)))
    light(math.radians(float(direction)), math.radians(float(elevation)))
    camera(FOCAL / APERTURE)
    render(picture, width, height)


def material(extinction, albedo):
    made = bpy.data.materials.new("smoke")
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    nodes.clear()
    shader = nodes.new("ShaderNodeVolumePrincipled")
    shader.inputs["Color"].default_value = (albedo, albedo, albedo, 1)
    shader.inputs["Density"].default_value = extinction
    shader.inputs["Density Attribute"].default_value = "density"
    output = nodes.new("ShaderNodeOutputMaterial")
    links.new(shader.outputs["Volume"], output.inputs["Volume"])
    return made


def light(direction, elevation):
    data = bpy.data.lights.new("sun", "SUN")
    # Isotropic smoke scatters the irradiance over the whole sphere.
    data.energy, data.angle = 4 * math.pi, 0
    sun = bpy.data.objects.new("sun", data)
    flat = math.cos(elevation)
    towards = (flat * math.cos(direction), flat * math.sin(direction), math.sin(elevation))
    sun.rotation_euler = mathutils.Vector(towards).to_track_quat("Z", "Y").to_euler()
    bpy.context.collection.objects.link(sun)


def camera(distance):
    data = bpy.data.cameras.new("camera")
    data.lens, data.sensor_width, data.sensor_fit = FOCAL, APERTURE, "HORIZONTAL"
    data.clip_start, data.clip_end = 0.01, 100
    made = bpy.data.objects.new("camera", data)
    made.location = (0, 0, distance)
    bpy.context.collection.objects.link(made)
    bpy.context.scene.camera = made


def render(picture, width, height):
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.seed = "CPU", SAMPLES, 1
    scene.cycles.volume_bounces, scene.cycles.use_denoising = 8, False
    scene.render.film_transparent = True
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_mode = "RGBA"
    scene.render.filepath = picture
    bpy.ops.render.render(write_still=True)


main()
