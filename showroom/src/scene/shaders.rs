//! Shaders of solids, shadows, sky and overlays. Those with `FINE` in them are also compiled with it, for quick renderers.

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
#ifdef FINE
    float shade = shaded(at + 0.03 * n);
    light -= 0.58 * max(dot(up, sun), 0.0) * shade;
    shine *= 1.0 - shade;
#endif
    vec3 color = paint.rgb * light + gloss * (0.55 * shine + 0.35 * rim * max(mirrored.z, 0.0) * sky);
    color = mix(sky, color, 1.0 / (1.0 + 6.0e-6 * dot(way, way)));
    shown = vec4(color, paint.a < 0.0 ? -paint.a : 1.0);
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

/// Shadow map: the share of the sun that does not reach a point, softened over its neighbors. Included where `FINE` is defined.
pub(super) const SHADOWS: &str = "
uniform mat4 light;
uniform sampler2D casters;
float shaded(vec3 point) {
    vec3 seen = (light * vec4(point, 1.0)).xyz * 0.5 + 0.5;
    vec2 edge = abs(seen.xy - 0.5);
    float inside = step(max(edge.x, edge.y), 0.49) * step(seen.z, 1.0);
    float dark = 0.0;
    for (int x = -2; x <= 2; x++) {
        for (int y = -2; y <= 2; y++) {
            float nearest = texture(casters, seen.xy + vec2(float(x), float(y)) * SOFT).x;
            dark += step(nearest, seen.z - 0.0007);
        }
    }
    return inside * dark / 25.0;
}
";

/// What a shadow map keeps is the depth alone.
pub(super) const CASTER_FRAGMENT: &str = "
layout (location = 0) out vec4 shown;
void main() { shown = vec4(1.0); }";

/// Casters of shadows: instances of a mesh.
pub(super) const CASTER_VERTEX: &str = "
uniform mat4 view;
in vec3 position;
in vec4 row_x;
in vec4 row_y;
in vec4 row_z;
void main() {
    vec4 p = vec4(position, 1.0);
    gl_Position = view * vec4(dot(row_x, p), dot(row_y, p), dot(row_z, p), 1.0);
}";

/// The whole picture, at the far end of the depth.
pub(super) const SKY_VERTEX: &str = "
in vec3 position;
in vec3 ray;
out vec3 way;
out vec2 place;
void main() {
    way = ray;
    place = 0.5 * position.xy + 0.5;
    gl_Position = vec4(position.xy, 0.99999, 1.0);
}";

/// A sky that is paler below, thin clouds, the sun.
pub(super) const SKY_FRAGMENT: &str = "
uniform vec3 sun;
uniform vec3 sky;
in vec3 way;
layout (location = 0) out vec4 shown;
void main() {
    vec3 ray = normalize(way);
    float high = max(ray.z, 0.0);
    vec3 color = mix(sky, vec3(0.27, 0.50, 0.80), smoothstep(0.0, 0.5, high));
    vec2 plane = ray.xy / (high + 0.08) * 1.4;
    float cloud = 0.55 * noise(plane) + 0.3 * noise(2.7 * plane) + 0.15 * noise(6.1 * plane);
    color = mix(color, vec3(0.96, 0.97, 0.98), smoothstep(0.50, 0.85, cloud) * smoothstep(0.02, 0.20, high) * 0.8);
    float near = max(dot(ray, sun), 0.0);
    color += vec3(1.0, 0.9, 0.7) * (0.25 * pow(near, 40.0) + smoothstep(0.9985, 0.9992, near));
    shown = vec4(color, 1.0);
}";

/// Passes a finished picture through.
pub(super) const COPY_FRAGMENT: &str = "
uniform sampler2D finished;
in vec2 place;
layout (location = 0) out vec4 shown;
void main() { shown = vec4(texture(finished, place).rgb, 1.0); }";

/// Work that takes a graphics card no time, and a processor some ten milliseconds.
pub(super) const EFFORT_FRAGMENT: &str = "
in vec2 place;
layout (location = 0) out vec4 shown;
void main() {
    vec2 p = place * 100.0;
    float sum = 0.0;
    for (int n = 0; n < 64; n++) {
        p = fract(p * vec2(1.3, 1.7) + 0.1) * 50.0 + p.yx * 0.5;
        sum += fract(p.x * p.y);
    }
    shown = vec4(sum / 64.0);
}";
