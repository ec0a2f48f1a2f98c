//! The shaders: no textures.

/// Instances of a mesh.
pub(super) const SOLID_VERTEX: &str = "
uniform mat4 view;
in vec3 position;
in vec3 normal;
in vec4 color;
in vec4 row_x;
in vec4 row_y;
in vec4 row_z;
in vec4 tint;
out vec3 at;
out vec3 n;
out vec4 paint;
void main() {
    vec4 p = vec4(position, 1.0);
    at = vec3(dot(row_x, p), dot(row_y, p), dot(row_z, p));
    n = normalize(vec3(dot(row_x.xyz, normal), dot(row_y.xyz, normal), dot(row_z.xyz, normal)));
    paint = vec4(color.rgb * tint.rgb, color.a);
    paint.a = tint.a < 1.0 ? -tint.a : paint.a;
    gl_Position = view * vec4(at, 1.0);
}";

/// Sun, sky, a highlight by the gloss in alpha, mist.
pub(super) const SOLID_FRAGMENT: &str = "
uniform vec3 sun;
uniform vec3 eye;
uniform vec3 sky;
in vec3 at;
in vec3 n;
in vec4 paint;
layout (location = 0) out vec4 shown;
void main() {
    vec3 way = eye - at;
    vec3 to_eye = normalize(way);
    // Faces are flat.
    vec3 up = n;
    float gloss = max(paint.a, 0.0);
    float light = 0.40 + 0.58 * max(dot(up, sun), 0.0) + 0.14 * up.z;
    vec3 mirrored = reflect(-to_eye, up);
    // Powers by products: 24 and 3.
    float shine = max(dot(mirrored, sun), 0.0);
    shine *= shine * shine;
    shine *= shine;
    shine *= shine;
    shine *= shine;
    float rim = 1.0 - max(dot(to_eye, up), 0.0);
    rim *= rim * rim;
    vec3 color = paint.rgb * light + gloss * (0.55 * shine + 0.35 * rim * max(mirrored.z, 0.0) * sky);
    color = mix(sky, color, 1.0 / (1.0 + 6.0e-6 * dot(way, way)));
    shown = vec4(color, paint.a < 0.0 ? -paint.a : 1.0);
}";

/// The ground. Its light falls on its corners, which lie close enough where it is not flat.
pub(super) const LAND_VERTEX: &str = "
uniform mat4 view;
uniform vec3 sun;
in vec3 position;
in vec3 normal;
in vec4 color;
out vec3 at;
out vec4 paint;
invariant gl_Position;
void main() {
    at = position;
    paint = vec4(color.rgb * (0.42 + 0.12 * normal.z + 0.56 * max(dot(normal, sun), 0.0)), color.a);
    gl_Position = view * vec4(position, 1.0);
}";

/// Fields of 10 m, and lines every 2 m, by alpha; mist.
pub(super) const LAND_FRAGMENT: &str = "
uniform vec3 sky;
in vec3 at;
in vec4 paint;
layout (location = 0) out vec4 shown;
void main() {
    // Of the depth's inverse, which is there: all else fades by it.
    float close = gl_FragCoord.w * gl_FragCoord.w;
    float clear = close / (close + 6.0e-6);
    vec2 side = fract(at.xy * 0.05) - 0.5;
    float field = step(side.x * side.y, 0.0) * max(1.6 * clear - 0.6, 0.0);
    vec2 place = at.xy * 0.5;
    vec2 off = abs(fract(place - 0.5) - 0.5) / max(fwidth(place) * 1.2, vec2(0.004));
    float line = (1.0 - min(min(off.x, off.y), 1.0)) * max(7.0 * clear - 6.0, 0.0);
    vec3 color = paint.rgb * (1.0 - paint.a * (0.055 * field + 0.13 * line));
    shown = vec4(mix(sky, color, clear), 1.0);
}";

/// The ground again, where a shadow may fall: in the box's own coordinates, and the sun's share in its light.
pub(super) const SHADE_VERTEX: &str = "
uniform mat4 view;
uniform vec3 sun;
uniform mat4 caster;
in vec3 position;
in vec3 normal;
out vec3 from;
out float sunny;
invariant gl_Position;
void main() {
    float lit = 0.56 * max(dot(normal, sun), 0.0);
    sunny = lit / (0.42 + 0.12 * normal.z + lit);
    from = (caster * vec4(position, 1.0)).xyz;
    gl_Position = view * vec4(position, 1.0);
}";

/// Shades the ground's light under a box: by the ray's length through it along the sun, and by the gloom below it.
pub(super) const SHADE_FRAGMENT: &str = "
uniform vec3 inverse;
in vec3 from;
in float sunny;
layout (location = 0) out vec4 shown;
void main() {
    // Where the ray passes the middles of the box's three slabs, and how long it is in each.
    vec3 middle = from * inverse;
    vec3 near = -middle - abs(inverse);
    vec3 away = abs(inverse) - middle;
    float enters = max(max(near.x, near.y), max(near.z, 0.0));
    float leaves = min(away.x, min(away.y, away.z));
    float dark = 0.85 * smoothstep(0.0, 0.55, leaves - enters);
    vec2 under = max(abs(from.xy) - vec2(0.75), 0.0);
    float gloom = 0.45 * exp(-14.0 * dot(under, under) - max(abs(from.z) - 1.0, 0.0));
    shown = vec4(vec3((1.0 - gloom) * (1.0 - dark * sunny)), 1.0);
}";

/// Colored triangles without light.
pub(super) const PLAIN_VERTEX: &str = "
uniform mat4 view;
in vec3 position;
in vec4 color;
out vec4 paint;
void main() {
    paint = color;
    gl_Position = view * vec4(position, 1.0);
}";

/// Passes the color of triangles without light through.
pub(super) const PLAIN_FRAGMENT: &str = "
in vec4 paint;
layout (location = 0) out vec4 shown;
void main() { shown = paint; }";
