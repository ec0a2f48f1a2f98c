//! Shaders of the ground: patterns by material, of few operations where a processor draws.

/// The ground. Its light falls on its corners, which lie close enough where it is not flat.
pub(super) const LAND_VERTEX: &str = "
uniform mat4 view;
uniform vec3 sun;
in vec3 position;
in vec3 normal;
in vec4 color;
out vec3 at;
out vec4 paint;
#ifdef FINE
out float sunny;
#endif
invariant gl_Position;
void main() {
    at = position;
    float lit = 0.56 * max(dot(normal, sun), 0.0);
    float all = 0.42 + 0.12 * normal.z + lit;
    paint = vec4(color.rgb * all, color.a);
#ifdef FINE
    sunny = lit / all;
#endif
    gl_Position = view * vec4(position, 1.0);
}";

/// Relief: fields of 10 m and lines every 2 m, mist; finely, blades of grass and grains of asphalt.
pub(super) const LAND_FRAGMENT: &str = "
uniform vec3 sky;
in vec3 at;
in vec4 paint;
#ifdef FINE
in float sunny;
#endif
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
#ifdef FINE
    // Grass is 1, asphalt 2.
    float grass = step(paint.a, 1.5);
    float close_by = max(7.0 * clear - 6.0, 0.0);
    float patches = 0.6 * noise(at.xy * 0.07) + 0.4 * noise(at.xy * 0.31);
    float blades = noise(at.xy * vec2(9.0, 7.0)) + noise(at.yx * vec2(17.0, 23.0)) - 1.0;
    float grains = hash(floor(at.xy * 60.0)) - 0.5 + 0.7 * (noise(at.xy * 14.0) - 0.5);
    vec3 color = paint.rgb * mix(1.0 + 0.16 * (patches - 0.5) + 0.22 * grains * close_by, 0.80 + 0.40 * patches + 0.20 * blades * close_by, grass);
    color *= 1.0 - mix(0.045 * field + 0.10 * line, 0.02 * field, grass);
    color *= 1.0 - 0.82 * sunny * shaded(at);
#else
    vec3 color = paint.rgb * (1.0 - 0.055 * field - 0.13 * line);
#endif
    shown = vec4(mix(sky, color, clear), 1.0);
}";

/// What lies or stands on the relief, by the material in alpha: 3 concrete with joints, 4 gravel with stones, 5 ice with cracks,
/// 6 wet with puddles, 7 warning stripes, 8 windows, 9 curbs, 0 plain.
pub(super) const COVER_FRAGMENT: &str = "
uniform vec3 sky;
in vec3 at;
in vec4 paint;
#ifdef FINE
in float sunny;
#endif
layout (location = 0) out vec4 shown;
float is(float material) { return 1.0 - min(abs(paint.a - material), 1.0); }
void main() {
    float close = gl_FragCoord.w * gl_FragCoord.w;
    float clear = close / (close + 6.0e-6);
    float near = max(3.0 * clear - 2.0, 0.0);
    vec2 p = at.xy;
    vec3 color = paint.rgb;
    vec2 joint = abs(fract(p / 3.0) - 0.5) * 3.0;
    color *= 1.0 - is(3.0) * 0.16 * near * step(1.46, max(joint.x, joint.y));
    float stone = hash(floor(p * 5.0 + 0.4 * sin(p.yx * 3.0)));
    color *= 1.0 + is(4.0) * (0.55 * stone - 0.30) * near;
    vec2 crack = abs(fract(p * mat2(0.14, 0.09, -0.08, 0.17) + 0.12 * sin(p.yx * 0.7)) - 0.5);
    color = mix(color, vec3(0.97, 0.99, 1.0), is(5.0) * (0.75 * step(0.475, max(crack.x, crack.y)) + 0.25 * hash(floor(p * 0.5))));
    float pool = noise(p * 0.32);
    color = mix(color, sky * 0.72, is(6.0) * smoothstep(0.52, 0.60, pool) * 0.8);
    vec2 pane = fract(vec2((p.x + p.y) / 2.4, at.z / 2.5));
    vec2 frame = step(vec2(0.28, 0.34), pane) * step(pane, vec2(0.72, 0.80));
    color = mix(color, vec3(0.13, 0.17, 0.22), is(8.0) * frame.x * frame.y);
    color *= 1.0 - is(9.0) * 0.55 * step(0.5, fract((p.x + p.y) * 0.5));
    color = mix(color, vec3(0.12), is(7.0) * step(0.5, fract((p.x + p.y + at.z) * 0.8)));
#ifdef FINE
    color *= 1.0 + (1.0 - is(5.0)) * 0.16 * near * (noise(p * 21.0) + noise(at.zx * 17.0) - 1.0);
    color *= 1.0 - 0.82 * sunny * shaded(at);
#endif
    shown = vec4(mix(sky, color, clear), 1.0);
}";

/// Values without a pattern, and their soft mean. Included in fragments that use them.
pub(super) const NOISE: &str = "
float hash(vec2 p) {
    vec3 q = fract(vec3(p.xyx) * 0.1031);
    q += dot(q, q.yzx + 33.33);
    return fract((q.x + q.y) * q.z);
}
float noise(vec2 p) {
    vec2 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(hash(i), hash(i + vec2(1.0, 0.0)), f.x), mix(hash(i + vec2(0.0, 1.0)), hash(i + vec2(1.0)), f.x), f.y);
}
";
