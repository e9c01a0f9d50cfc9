/* The parameter suite's variadic calls. Each one queries the type of the parameter,
 * takes as many arguments of that C type as it has dimensions, and hands them on
 * as an array. */
#include <stdarg.h>
#include <stddef.h>

enum { NOTHING, DOUBLES, INTS, STRING };
enum { CURRENT, AT_TIME, DERIVATIVE, INTEGRAL };

/* Implemented in src/ffi/param.rs. `flow_host_param_shape` answers the class in
 * `*class_out` and the number of dimensions (at most 4) in `*count`. */
int flow_host_param_shape(void *param, int *class_out, int *count);
int flow_host_param_get_doubles(void *param, int mode, double a, double b, double *out);
int flow_host_param_get_ints(void *param, int mode, double a, double b, int *out);
int flow_host_param_get_string(void *param, int mode, double a, const char **out);
int flow_host_param_set_doubles(void *param, int mode, double time, const double *values);
int flow_host_param_set_ints(void *param, int mode, double time, const int *values);
int flow_host_param_set_string(void *param, int mode, double time, const char *value);

static int get(void *param, int mode, double a, double b, va_list list)
{
    int class = NOTHING, count = 0, i;
    int status = flow_host_param_shape(param, &class, &count);
    if (status != 0)
        return status;
    if (class == DOUBLES) {
        double values[4] = {0, 0, 0, 0};
        status = flow_host_param_get_doubles(param, mode, a, b, values);
        for (i = 0; status == 0 && i < count; i++) {
            double *out = va_arg(list, double *);
            if (out)
                *out = values[i];
        }
    } else if (class == INTS) {
        int values[4] = {0, 0, 0, 0};
        status = flow_host_param_get_ints(param, mode, a, b, values);
        for (i = 0; status == 0 && i < count; i++) {
            int *out = va_arg(list, int *);
            if (out)
                *out = values[i];
        }
    } else {
        const char *value = NULL;
        status = flow_host_param_get_string(param, mode, a, &value);
        if (status == 0) {
            const char **out = va_arg(list, const char **);
            if (out)
                *out = value;
        }
    }
    return status;
}

static int set(void *param, int mode, double time, va_list list)
{
    int class = NOTHING, count = 0, i;
    int status = flow_host_param_shape(param, &class, &count);
    if (status != 0)
        return status;
    if (class == DOUBLES) {
        double values[4] = {0, 0, 0, 0};
        for (i = 0; i < count; i++)
            values[i] = va_arg(list, double);
        return flow_host_param_set_doubles(param, mode, time, values);
    }
    if (class == INTS) {
        int values[4] = {0, 0, 0, 0};
        for (i = 0; i < count; i++)
            values[i] = va_arg(list, int);
        return flow_host_param_set_ints(param, mode, time, values);
    }
    return flow_host_param_set_string(param, mode, time, va_arg(list, const char *));
}

int flow_host_param_get_value(void *param, ...)
{
    va_list list;
    va_start(list, param);
    int status = get(param, CURRENT, 0.0, 0.0, list);
    va_end(list);
    return status;
}

int flow_host_param_get_value_at_time(void *param, double time, ...)
{
    va_list list;
    va_start(list, time);
    int status = get(param, AT_TIME, time, 0.0, list);
    va_end(list);
    return status;
}

int flow_host_param_get_derivative(void *param, double time, ...)
{
    va_list list;
    va_start(list, time);
    int status = get(param, DERIVATIVE, time, 0.0, list);
    va_end(list);
    return status;
}

int flow_host_param_get_integral(void *param, double from, double to, ...)
{
    va_list list;
    va_start(list, to);
    int status = get(param, INTEGRAL, from, to, list);
    va_end(list);
    return status;
}

int flow_host_param_set_value(void *param, ...)
{
    va_list list;
    va_start(list, param);
    int status = set(param, CURRENT, 0.0, list);
    va_end(list);
    return status;
}

int flow_host_param_set_value_at_time(void *param, double time, ...)
{
    va_list list;
    va_start(list, time);
    int status = set(param, AT_TIME, time, list);
    va_end(list);
    return status;
}
