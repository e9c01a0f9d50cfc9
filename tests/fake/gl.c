/* The functions of OpenGL 1 that an overlay may use, which count instead of drawing. */

#include <stddef.h>
#include <stdio.h>

struct counts {
  int pushed, popped, begun, ended, vertices, outside, coloured, widths;
  double left, right, bottom, top;
};

static struct counts counts;

static const struct counts none = {0, 0, 0, 0, 0, 0, 0, 0, 1e9, -1e9, 1e9, -1e9};

/* What was called since the last time, as numbers in the order of the structure. */
size_t fake_gl_take(char *text, size_t size) {
  struct counts now = counts;
  counts = none;
  return (size_t)snprintf(text, size, "%d %d %d %d %d %d %d %d %.17g %.17g %.17g %.17g", now.pushed, now.popped, now.begun,
                          now.ended, now.vertices, now.outside, now.coloured, now.widths, now.left, now.right, now.bottom,
                          now.top);
}

void glPushAttrib(unsigned bits) {
  (void)bits;
  counts.pushed++;
}

void glPopAttrib(void) { counts.popped++; }

void glEnable(unsigned what) { (void)what; }

void glDisable(unsigned what) { (void)what; }

void glBlendFunc(unsigned source, unsigned target) {
  (void)source;
  (void)target;
}

void glLineWidth(float width) {
  counts.widths += width > 0;
}

void glColor4f(float red, float green, float blue, float alpha) {
  counts.coloured += red >= 0 && green >= 0 && blue >= 0 && alpha > 0;
}

void glBegin(unsigned mode) {
  (void)mode;
  counts.begun++;
}

void glVertex2d(double x, double y) {
  counts.vertices++;
  counts.outside += counts.begun != counts.ended + 1;
  if (x < counts.left) counts.left = x;
  if (x > counts.right) counts.right = x;
  if (y < counts.bottom) counts.bottom = y;
  if (y > counts.top) counts.top = y;
}

void glEnd(void) { counts.ended++; }
