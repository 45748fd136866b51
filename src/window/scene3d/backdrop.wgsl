// What is behind everything: a soft gradient from the horizon to the zenith and to the nadir.

#import bevy_pbr::{forward_io::VertexOutput, mesh_view_bindings::view}

struct Gradient {
    zenith: vec4<f32>,
    horizon: vec4<f32>,
    nadir: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> gradient: Gradient;

// Noise of one step of an 8-bit channel, without which so soft a gradient shows bands.
fn dither(pixel: vec2<f32>) -> f32 {
    return (fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let height = normalize(in.world_position.xyz - view.world_position.xyz).z;
    let end = select(gradient.nadir.rgb, gradient.zenith.rgb, height > 0.0);
    let colour = mix(gradient.horizon.rgb, end, smoothstep(0.0, 0.55, abs(height)));
    // The step is one of the encoded colour, of which a dark one has fewer in linear light.
    let slope = 2.2 * pow(max(colour, vec3(1e-4)), vec3(0.545));
    return vec4(colour + dither(in.position.xy) * slope, 1.0);
}
