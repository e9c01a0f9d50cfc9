/* What the test plug-ins need of the OpenFX C interface. */
#ifndef FLOW_HOST_TEST_OFX_H
#define FLOW_HOST_TEST_OFX_H
#include <stddef.h>

typedef void *Props;
typedef void *Effect;
typedef void *ParamSet;
typedef void *Param;
typedef void *Clip;
typedef struct { double x1, y1, x2, y2; } RectD;
typedef struct { int x1, y1, x2, y2; } RectI;

enum { OK = 0, FAILED = 1, UNKNOWN = 3, BAD_HANDLE = 9, BAD_INDEX = 10, VALUE = 11, DEFAULT = 14 };

typedef struct {
    Props host;
    const void *(*fetch)(Props host, const char *name, int version);
} Host;

typedef struct {
    const char *api;
    int api_version;
    const char *id;
    unsigned major, minor;
    void (*set_host)(Host *);
    int (*entry)(const char *action, const void *handle, Props in, Props out);
} Plugin;

typedef struct {
    int (*set_pointer)(Props, const char *, int, void *);
    int (*set_string)(Props, const char *, int, const char *);
    int (*set_double)(Props, const char *, int, double);
    int (*set_int)(Props, const char *, int, int);
    int (*set_pointer_n)(Props, const char *, int, void *const *);
    int (*set_string_n)(Props, const char *, int, const char *const *);
    int (*set_double_n)(Props, const char *, int, const double *);
    int (*set_int_n)(Props, const char *, int, const int *);
    int (*get_pointer)(Props, const char *, int, void **);
    int (*get_string)(Props, const char *, int, char **);
    int (*get_double)(Props, const char *, int, double *);
    int (*get_int)(Props, const char *, int, int *);
    int (*get_pointer_n)(Props, const char *, int, void **);
    int (*get_string_n)(Props, const char *, int, char **);
    int (*get_double_n)(Props, const char *, int, double *);
    int (*get_int_n)(Props, const char *, int, int *);
    int (*reset)(Props, const char *);
    int (*dimension)(Props, const char *, int *);
} PropSuite;

typedef struct {
    int (*props)(Effect, Props *);
    int (*params)(Effect, ParamSet *);
    int (*define_clip)(Effect, const char *, Props *);
    int (*clip)(Effect, const char *, Clip *, Props *);
    int (*clip_props)(Clip, Props *);
    int (*image)(Clip, double, const RectD *, Props *);
    int (*release)(Props);
    int (*region)(Clip, double, RectD *);
    int (*abort)(Effect);
    int (*alloc)(Effect, size_t, void **);
    int (*free)(void *);
    int (*lock)(void *, void **);
    int (*unlock)(void *);
} EffectSuite;

typedef struct {
    int (*define)(ParamSet, const char *type, const char *name, Props *);
    int (*handle)(ParamSet, const char *, Param *, Props *);
    int (*set_props)(ParamSet, Props *);
    int (*props)(Param, Props *);
    int (*get)(Param, ...);
    int (*get_at)(Param, double, ...);
    int (*derivative)(Param, double, ...);
    int (*integral)(Param, double, double, ...);
    int (*set)(Param, ...);
    int (*set_at)(Param, double, ...);
    int (*num_keys)(Param, unsigned *);
    int (*key_time)(Param, unsigned, double *);
    int (*key_index)(Param, double, int, int *);
    int (*delete_key)(Param, double);
    int (*delete_all)(Param);
    int (*copy)(Param to, Param from, double offset, const void *range);
    int (*edit_begin)(ParamSet, const char *);
    int (*edit_end)(ParamSet);
} ParamSuite;

typedef struct {
    int (*message)(void *, const char *type, const char *id, const char *format, ...);
    int (*persistent)(void *, const char *type, const char *id, const char *format, ...);
    int (*clear)(void *);
} MessageSuite;

typedef struct {
    int (*run)(void (*)(unsigned, unsigned, void *), unsigned, void *);
    int (*cpus)(unsigned *);
    int (*index)(unsigned *);
    int (*spawned)(void);
    int (*mutex_create)(void **, int);
    int (*mutex_destroy)(void *);
    int (*mutex_lock)(void *);
    int (*mutex_unlock)(void *);
    int (*mutex_try)(void *);
} ThreadSuite;

typedef struct {
    int (*time)(void *, double *);
    int (*go)(void *, double);
    int (*bounds)(void *, double *, double *);
} TimeSuite;

typedef struct {
    int (*report)(Effect, double, const char *json);
} StatsSuite;

#endif
