/* Four small plug-ins for the host's own tests:
 *   Invert   a filter over any depth, row layout and origin
 *   Average  the mean of several frames, with statistics and aborts
 *   Values   a generator that writes the values of its parameters into pixels
 *   Rude     a filter that breaks one rule of the standard, chosen by a parameter */
#include "ofx.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Host *host;
static const PropSuite *props;
static const EffectSuite *effects;
static const ParamSuite *params;
static const MessageSuite *messages;
static const ThreadSuite *threads;
static const TimeSuite *timeline;
static const StatsSuite *stats;
static int loads;

static void set_host(Host *h) { host = h; }

static int load(void)
{
    if (!host)
        return FAILED;
    props = host->fetch(host->host, "OfxPropertySuite", 1);
    effects = host->fetch(host->host, "OfxImageEffectSuite", 1);
    params = host->fetch(host->host, "OfxParameterSuite", 1);
    messages = host->fetch(host->host, "OfxMessageSuite", 2);
    threads = host->fetch(host->host, "OfxMultiThreadSuite", 1);
    timeline = host->fetch(host->host, "OfxTimeLineSuite", 1);
    stats = host->fetch(host->host, "org.flowofx.FlowHostStatsSuite", 1);
    loads++;
    return props && effects && params ? OK : FAILED;
}

/* ---- images ---- */

typedef struct {
    Props handle;
    char *data;
    RectI bounds;
    int row_bytes, count, bytes;
    char depth;
} Picture;

static int open_image(Clip clip, double time, Picture *p)
{
    char *depth, *components;
    void *data;
    memset(p, 0, sizeof *p);
    if (effects->image(clip, time, NULL, &p->handle) != OK || !p->handle)
        return FAILED;
    props->get_pointer(p->handle, "OfxImagePropData", 0, &data);
    p->data = data;
    props->get_int_n(p->handle, "OfxImagePropBounds", 4, &p->bounds.x1);
    props->get_int(p->handle, "OfxImagePropRowBytes", 0, &p->row_bytes);
    props->get_string(p->handle, "OfxImageEffectPropPixelDepth", 0, &depth);
    props->get_string(p->handle, "OfxImageEffectPropComponents", 0, &components);
    p->depth = depth[strlen("OfxBitDepth")];
    p->bytes = p->depth == 'F' ? 4 : p->depth == 'B' ? 1 : 2;
    p->count = strcmp(components, "OfxImageComponentRGBA") == 0  ? 4
               : strcmp(components, "OfxImageComponentRGB") == 0 ? 3
                                                                 : 1;
    return OK;
}

static void *pixel(const Picture *p, int x, int y)
{
    if (x < p->bounds.x1 || x >= p->bounds.x2 || y < p->bounds.y1 || y >= p->bounds.y2)
        return NULL;
    return p->data + (ptrdiff_t)(y - p->bounds.y1) * p->row_bytes
           + (ptrdiff_t)(x - p->bounds.x1) * p->bytes * p->count;
}

static double get(const Picture *p, int x, int y, int channel)
{
    const char *at = pixel(p, x, y);
    float f;
    uint16_t s;
    if (!at)
        return 0;
    at += channel * p->bytes;
    if (p->depth == 'F')
        return memcpy(&f, at, 4), f;
    if (p->depth == 'B')
        return *(const uint8_t *)at / 255.0;
    memcpy(&s, at, 2);
    return s / 65535.0;
}

static void put(const Picture *p, int x, int y, int channel, double value)
{
    char *at = pixel(p, x, y);
    float f = (float)value;
    uint16_t s = (uint16_t)(value * 65535 + 0.5);
    if (!at)
        return;
    at += channel * p->bytes;
    if (p->depth == 'F')
        memcpy(at, &f, 4);
    else if (p->depth == 'B')
        *(uint8_t *)at = (uint8_t)(value * 255 + 0.5);
    else
        memcpy(at, &s, 2);
}

/* ---- describing ---- */

static void context(Props p, int at, const char *name)
{
    props->set_string(p, "OfxImageEffectPropSupportedContexts", at, name);
}

static void describe_common(Effect effect, const char *label, const char *safety)
{
    Props p;
    effects->props(effect, &p);
    props->set_string(p, "OfxPropLabel", 0, label);
    props->set_string(p, "OfxImageEffectPluginPropGrouping", 0, "Tests");
    props->set_string(p, "OfxImageEffectPropSupportedPixelDepths", 0, "OfxBitDepthFloat");
    props->set_string(p, "OfxImageEffectPropSupportedPixelDepths", 1, "OfxBitDepthShort");
    props->set_string(p, "OfxImageEffectPropSupportedPixelDepths", 2, "OfxBitDepthByte");
    props->set_string(p, "OfxImageEffectPluginRenderThreadSafety", 0, safety);
    props->set_int(p, "OfxImageEffectPluginPropHostFrameThreading", 0, 0);
}

static void clip(Effect effect, const char *name, int temporal)
{
    Props p;
    effects->define_clip(effect, name, &p);
    props->set_string(p, "OfxImageEffectPropSupportedComponents", 0, "OfxImageComponentRGBA");
    props->set_string(p, "OfxImageEffectPropSupportedComponents", 1, "OfxImageComponentRGB");
    props->set_string(p, "OfxImageEffectPropSupportedComponents", 2, "OfxImageComponentAlpha");
    props->set_int(p, "OfxImageEffectPropTemporalClipAccess", 0, temporal);
}

static Props param(Effect effect, const char *type, const char *name)
{
    ParamSet set;
    Props p = NULL;
    effects->params(effect, &set);
    params->define(set, type, name, &p);
    return p;
}

static Param find(Effect effect, const char *name)
{
    ParamSet set;
    Param p = NULL;
    effects->params(effect, &set);
    params->handle(set, name, &p, NULL);
    return p;
}

static Clip find_clip(Effect effect, const char *name)
{
    Clip c = NULL;
    effects->clip(effect, name, &c, NULL);
    return c;
}

static double time_of(Props in)
{
    double time = 0;
    props->get_double(in, "OfxPropTime", 0, &time);
    return time;
}

static int is(const char *action, const char *name) { return strcmp(action, name) == 0; }

/* ---- Invert ---- */

static int invert_render(Effect effect, Props in)
{
    Picture source, output;
    RectI window;
    double time = time_of(in), amount = 0;
    params->get_at(find(effect, "amount"), time, &amount);
    props->get_int_n(in, "OfxImageEffectPropRenderWindow", 4, &window.x1);
    if (open_image(find_clip(effect, "Output"), time, &output) != OK)
        return FAILED;
    if (open_image(find_clip(effect, "Source"), time, &source) != OK) {
        effects->release(output.handle);
        if (messages)
            messages->message(effect, "OfxMessageError", "input", "no image of %s at frame %g",
                              "Source", time);
        return FAILED;
    }
    for (int y = window.y1; y < window.y2; y++)
        for (int x = window.x1; x < window.x2; x++)
            for (int c = 0; c < output.count; c++) {
                double value = get(&source, x, y, c);
                int alpha = output.count == 4 && c == 3;
                put(&output, x, y, c, alpha ? value : value + amount * (1 - 2 * value));
            }
    effects->release(source.handle);
    effects->release(output.handle);
    return OK;
}

static int invert(const char *action, const void *handle, Props in, Props out)
{
    Effect effect = (Effect)handle;
    Props p;
    if (is(action, "OfxActionLoad"))
        return load();
    if (is(action, "OfxActionUnload"))
        return OK;
    if (is(action, "OfxActionDescribe")) {
        describe_common(effect, "Invert", "OfxImageEffectRenderFullySafe");
        effects->props(effect, &p);
        context(p, 0, "OfxImageEffectContextFilter");
        context(p, 1, "OfxImageEffectContextGeneral");
        return OK;
    }
    if (is(action, "OfxImageEffectActionDescribeInContext")) {
        clip(effect, "Source", 0);
        clip(effect, "Output", 0);
        p = param(effect, "OfxParamTypeDouble", "amount");
        props->set_double(p, "OfxParamPropDefault", 0, 1.0);
        props->set_double(p, "OfxParamPropMin", 0, 0.0);
        props->set_double(p, "OfxParamPropMax", 0, 1.0);
        props->set_string(p, "OfxParamPropHint", 0, "How much of the inverse is shown");
        return OK;
    }
    if (is(action, "OfxActionCreateInstance") || is(action, "OfxActionDestroyInstance"))
        return OK;
    if (is(action, "OfxImageEffectActionIsIdentity")) {
        double amount = 1;
        params->get_at(find(effect, "amount"), time_of(in), &amount);
        if (amount != 0)
            return DEFAULT;
        props->set_string(out, "OfxPropName", 0, "Source");
        return OK;
    }
    if (is(action, "OfxImageEffectActionRender"))
        return invert_render(effect, in);
    return DEFAULT;
}

/* ---- Average ---- */

static int average_render(Effect effect, Props in)
{
    Picture output;
    RectI window;
    int radius = 0, stopped = 0, frames = 0;
    double time = time_of(in);
    char json[128];
    params->get_at(find(effect, "radius"), time, &radius);
    props->get_int_n(in, "OfxImageEffectPropRenderWindow", 4, &window.x1);
    if (open_image(find_clip(effect, "Output"), time, &output) != OK)
        return FAILED;
    for (int at = -radius; at <= radius && !stopped; at++) {
        Picture source;
        if (effects->abort(effect)) {
            stopped = 1;
            break;
        }
        if (open_image(find_clip(effect, "Source"), time + at, &source) != OK)
            continue;
        for (int y = window.y1; y < window.y2; y++)
            for (int x = window.x1; x < window.x2; x++)
                for (int c = 0; c < output.count; c++) {
                    double sum = get(&output, x, y, c) * frames + get(&source, x, y, c);
                    put(&output, x, y, c, sum / (frames + 1));
                }
        frames++;
        effects->release(source.handle);
    }
    effects->release(output.handle);
    snprintf(json, sizeof json, "{\"steps\": %d, \"from\": \"simulated\"}", frames);
    if (stats)
        stats->report(effect, time, json);
    return OK;
}

static int average(const char *action, const void *handle, Props in, Props out)
{
    Effect effect = (Effect)handle;
    Props p;
    if (is(action, "OfxActionLoad"))
        return load();
    if (is(action, "OfxActionUnload"))
        return OK;
    if (is(action, "OfxActionDescribe")) {
        describe_common(effect, "Average", "OfxImageEffectRenderInstanceSafe");
        effects->props(effect, &p);
        context(p, 0, "OfxImageEffectContextFilter");
        context(p, 1, "OfxImageEffectContextGeneral");
        props->set_int(p, "OfxImageEffectPropTemporalClipAccess", 0, 1);
        return OK;
    }
    if (is(action, "OfxImageEffectActionDescribeInContext")) {
        clip(effect, "Source", 1);
        clip(effect, "Output", 0);
        p = param(effect, "OfxParamTypeInteger", "radius");
        props->set_int(p, "OfxParamPropDefault", 0, 1);
        props->set_int(p, "OfxParamPropMin", 0, 0);
        props->set_int(p, "OfxParamPropMax", 0, 1000);
        param(effect, "OfxParamTypeBoolean", "secretive");
        return OK;
    }
    if (is(action, "OfxActionCreateInstance")) {
        effects->props(effect, &p);
        props->set_pointer(p, "OfxPropInstanceData", 0, effect);
        return OK;
    }
    if (is(action, "OfxActionDestroyInstance"))
        return OK;
    if (is(action, "OfxImageEffectActionGetFramesNeeded")) {
        int radius = 0, secretive = 0;
        double time = time_of(in);
        params->get_at(find(effect, "radius"), time, &radius);
        params->get_at(find(effect, "secretive"), time, &secretive);
        if (secretive)
            return DEFAULT;
        props->set_double(out, "OfxImageClipPropFrameRange_Source", 0, time - radius);
        props->set_double(out, "OfxImageClipPropFrameRange_Source", 1, time + radius);
        return OK;
    }
    if (is(action, "OfxImageEffectActionRender"))
        return average_render(effect, in);
    return DEFAULT;
}

/* ---- Values ---- */

enum { PROBES = 24 };

static void count_thread(unsigned index, unsigned count, void *data)
{
    (void)count;
    ((double *)data)[index] += 1;
}

/* Fills `v` with the host's answers; pixel x of the output shows v[x]. */
static void probe(Effect effect, double time, double v[PROBES])
{
    double rgb[3] = {0}, rgba[4] = {0}, xy[2] = {0}, xyz[3] = {0}, d = 0;
    int i = 0, ij[2] = {0}, flag = 0, choice = 0, index = -1;
    unsigned keys = 0, cpus = 0;
    char *text = NULL;
    double marks[4] = {0};
    params->get_at(find(effect, "number"), time, &v[0]);
    params->get(find(effect, "number"), &d);
    v[1] = d;
    params->derivative(find(effect, "number"), time, &v[2]);
    params->integral(find(effect, "number"), 0.0, time, &v[3]);
    params->get_at(find(effect, "whole"), time, &i);
    v[4] = i;
    params->get_at(find(effect, "pair"), time, &ij[0], &ij[1]);
    v[5] = ij[0] * 100 + ij[1];
    params->get_at(find(effect, "flag"), time, &flag);
    v[6] = flag;
    params->get_at(find(effect, "choice"), time, &choice);
    v[7] = choice;
    params->get_at(find(effect, "colour"), time, &rgb[0], &rgb[1], &rgb[2]);
    memcpy(&v[8], rgb, sizeof rgb);
    params->get_at(find(effect, "tint"), time, &rgba[0], &rgba[1], &rgba[2], &rgba[3]);
    v[11] = rgba[3];
    params->get_at(find(effect, "centre"), time, &xy[0], &xy[1]);
    v[12] = xy[0];
    v[13] = xy[1];
    params->get_at(find(effect, "direction"), time, &xyz[0], &xyz[1], &xyz[2]);
    v[14] = xyz[2];
    params->get_at(find(effect, "text"), time, &text);
    v[15] = text ? (double)strlen(text) : -1;
    params->num_keys(find(effect, "number"), &keys);
    v[16] = keys;
    v[17] = -1;
    if (keys)
        params->key_time(find(effect, "number"), keys - 1, &v[17]);
    params->key_index(find(effect, "number"), time, -1, &index);
    v[18] = index;
    v[19] = v[20] = -1;
    if (timeline)
        timeline->bounds(effect, &v[19], &v[20]);
    if (threads) {
        threads->cpus(&cpus);
        threads->run(count_thread, 4, marks);
    }
    v[21] = cpus > 0;
    v[22] = marks[0] + marks[1] + marks[2] + marks[3];
    v[23] = loads;
}

static int values(const char *action, const void *handle, Props in, Props out)
{
    static const struct { const char *type, *name; } all[] = {
        {"OfxParamTypeGroup", "group"},       {"OfxParamTypeDouble", "number"},
        {"OfxParamTypeInteger", "whole"},     {"OfxParamTypeInteger2D", "pair"},
        {"OfxParamTypeBoolean", "flag"},      {"OfxParamTypeChoice", "choice"},
        {"OfxParamTypeRGB", "colour"},        {"OfxParamTypeRGBA", "tint"},
        {"OfxParamTypeDouble2D", "centre"},   {"OfxParamTypeDouble3D", "direction"},
        {"OfxParamTypeString", "text"},       {"OfxParamTypePushButton", "button"},
        {"OfxParamTypeString", "log"},        {"OfxParamTypePage", "page"},
    };
    Effect effect = (Effect)handle;
    Props p;
    (void)out;
    if (is(action, "OfxActionLoad"))
        return load();
    if (is(action, "OfxActionUnload"))
        return OK;
    if (is(action, "OfxActionDescribe")) {
        describe_common(effect, "Values", "OfxImageEffectRenderUnsafe");
        effects->props(effect, &p);
        context(p, 0, "OfxImageEffectContextGenerator");
        context(p, 1, "OfxImageEffectContextGeneral");
        return OK;
    }
    if (is(action, "OfxImageEffectActionDescribeInContext")) {
        clip(effect, "Output", 0);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            p = param(effect, all[i].type, all[i].name);
            if (is(all[i].name, "choice")) {
                props->set_string(p, "OfxParamPropChoiceOption", 0, "Red");
                props->set_string(p, "OfxParamPropChoiceOption", 1, "Green");
                props->set_string(p, "OfxParamPropChoiceOption", 2, "Blue");
            } else if (is(all[i].name, "centre")) {
                props->set_string(p, "OfxParamPropDoubleType", 0, "OfxParamDoubleTypeXYAbsolute");
                props->set_double(p, "OfxParamPropDefault", 0, 0.5);
                props->set_double(p, "OfxParamPropDefault", 1, 0.25);
            } else if (is(all[i].name, "number")) {
                props->set_string(p, "OfxParamPropParent", 0, "group");
            }
        }
        return OK;
    }
    if (is(action, "OfxActionCreateInstance") || is(action, "OfxActionDestroyInstance"))
        return OK;
    if (is(action, "OfxActionInstanceChanged")) {
        char *name, *reason, *log, line[512];
        props->get_string(in, "OfxPropName", 0, &name);
        props->get_string(in, "OfxPropChangeReason", 0, &reason);
        params->get(find(effect, "log"), &log);
        if (is(name, "log"))
            return OK;
        snprintf(line, sizeof line, "%s%s:%s;", log, name, reason + strlen("OfxChange"));
        params->set(find(effect, "log"), line);
        if (is(name, "button")) {
            params->set(find(effect, "whole"), 42);
            params->set_at(find(effect, "number"), 5.0, 2.5);
        }
        return OK;
    }
    if (is(action, "OfxImageEffectActionRender")) {
        Picture output;
        double v[PROBES] = {0};
        double time = time_of(in);
        probe(effect, time, v);
        if (open_image(find_clip(effect, "Output"), time, &output) != OK)
            return FAILED;
        for (int x = 0; x < PROBES; x++)
            for (int c = 0; c < output.count; c++)
                put(&output, output.bounds.x1 + x, output.bounds.y1, c, v[x]);
        effects->release(output.handle);
        return OK;
    }
    return DEFAULT;
}

/* ---- Rude ---- */

static int rude_render(Effect effect, Props in)
{
    Picture source, output;
    Props p;
    double time = time_of(in), d;
    int how = 0, i;
    char *text;
    params->get(find(effect, "how"), &how);
    if (open_image(find_clip(effect, "Output"), time, &output) != OK)
        return FAILED;
    switch (how) {
    case 1: /* keep an input image */
        open_image(find_clip(effect, "Source"), time, &source);
        break;
    case 2: /* release twice */
        open_image(find_clip(effect, "Source"), time, &source);
        effects->release(source.handle);
        effects->release(source.handle);
        break;
    case 3: /* change a parameter */
        params->set(find(effect, "how"), 0);
        break;
    case 4: /* properties: unknown, wrong type, wrong index, read-only, NULL name */
        props->get_double(in, "NoSuchProperty", 0, &d);
        props->get_int(in, "OfxPropTime", 0, &i);
        props->get_double(in, "OfxPropTime", 7, &d);
        props->set_double(in, "OfxPropTime", 0, 3.0);
        props->get_string(in, NULL, 0, &text);
        break;
    case 5: /* handles: none, invented, of another kind */
        effects->props(NULL, &p);
        effects->props((Effect)(intptr_t)0x1234, &p);
        effects->image((Clip)effect, time, NULL, &p);
        params->get((Param)effect, &d);
        effects->release(NULL);
        props->get_double(NULL, "OfxPropTime", 0, &d);
        break;
    case 6: /* write between the rows */
        for (int y = 0; y < output.bounds.y2 - output.bounds.y1 - 1; y++)
            memset(output.data + (ptrdiff_t)y * output.row_bytes
                       + (ptrdiff_t)(output.bounds.x2 - output.bounds.x1) * output.bytes
                             * output.count,
                   0, 4);
        break;
    case 7: /* fail with a standing message */
        effects->release(output.handle);
        if (messages && messages->persistent)
            messages->persistent(effect, "OfxMessageError", NULL, "rude at frame %d of %s",
                                 (int)time, "the test");
        return FAILED;
    case 8: /* another time without saying so, before */
        if (open_image(find_clip(effect, "Source"), time - 3, &source) == OK) {
            for (int c = 0; c < output.count; c++)
                put(&output, output.bounds.x1, output.bounds.y1, c,
                    get(&source, output.bounds.x1, output.bounds.y1, c));
            effects->release(source.handle);
        }
        break;
    case 9: /* leave an error standing after a good render */
        if (messages && messages->persistent)
            messages->persistent(effect, "OfxMessageError", NULL, "left behind");
        break;
    case 10: /* warn beside a good render */
        if (messages && messages->message)
            messages->message(effect, "OfxMessageWarning", NULL, "frame %d is shallow", (int)time);
        break;
    default:
        break;
    }
    effects->release(output.handle);
    return OK;
}

static int rude(const char *action, const void *handle, Props in, Props out)
{
    Effect effect = (Effect)handle;
    Props p;
    (void)out;
    if (is(action, "OfxActionLoad"))
        return load();
    if (is(action, "OfxActionUnload"))
        return OK;
    if (is(action, "OfxActionDescribe")) {
        describe_common(effect, "Rude", "OfxImageEffectRenderFullySafe");
        effects->props(effect, &p);
        context(p, 0, "OfxImageEffectContextFilter");
        return OK;
    }
    if (is(action, "OfxImageEffectActionDescribeInContext")) {
        clip(effect, "Source", 0);
        clip(effect, "Output", 0);
        param(effect, "OfxParamTypeInteger", "how");
        return OK;
    }
    if (is(action, "OfxActionCreateInstance") || is(action, "OfxActionDestroyInstance"))
        return OK;
    if (is(action, "OfxActionInstanceChanged")) {
        if (messages && messages->clear)
            messages->clear(effect);
        return OK;
    }
    if (is(action, "OfxImageEffectActionRender"))
        return rude_render(effect, in);
    return DEFAULT;
}

static Plugin plugins[] = {
    {"OfxImageEffectPluginAPI", 1, "org.flowofx.test.Invert", 1, 0, set_host, invert},
    {"OfxImageEffectPluginAPI", 1, "org.flowofx.test.Average", 1, 2, set_host, average},
    {"OfxImageEffectPluginAPI", 1, "org.flowofx.test.Values", 1, 0, set_host, values},
    {"OfxImageEffectPluginAPI", 1, "org.flowofx.test.Rude", 1, 0, set_host, rude},
};

int OfxGetNumberOfPlugins(void) { return sizeof plugins / sizeof *plugins; }
Plugin *OfxGetPlugin(int nth) { return &plugins[nth]; }
