/* The message suites' variadic calls: the text is formatted here and handed on. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Implemented in src/ffi/message.rs. */
int flow_host_message_text(void *handle, const char *type, const char *id, const char *text,
                           int persistent);

static int format_and_send(void *handle, const char *type, const char *id, int persistent,
                           const char *format, va_list list)
{
    if (!format)
        return flow_host_message_text(handle, type, id, "", persistent);
    va_list measure;
    va_copy(measure, list);
    int length = vsnprintf(NULL, 0, format, measure);
    va_end(measure);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!text)
        return flow_host_message_text(handle, type, id, format, persistent);
    vsnprintf(text, (size_t)length + 1, format, list);
    int status = flow_host_message_text(handle, type, id, text, persistent);
    free(text);
    return status;
}

int flow_host_message(void *handle, const char *type, const char *id, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int status = format_and_send(handle, type, id, 0, format, list);
    va_end(list);
    return status;
}

int flow_host_set_persistent_message(void *handle, const char *type, const char *id,
                                     const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int status = format_and_send(handle, type, id, 1, format, list);
    va_end(list);
    return status;
}
