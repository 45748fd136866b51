// The ground: lit like any other surface, with a grid that keeps its width on the screen and fades with distance.

#import bevy_pbr::{
    forward_io::{FragmentOutput, VertexOutput},
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}

struct Ground {
    // Colour of the lines; w is their strength.
    line: vec4<f32>,
    // Colours of the x and the y axis, drawn near the origin only; w is their strength.
    axis_x: vec4<f32>,
    axis_y: vec4<f32>,
    // Centre of the fade (x, y), its radius, and the distance between the lines of the second set.
    fade: vec4<f32>,
    // Where the grid begins, and its axes.
    origin: vec4<f32>,
    along_x: vec4<f32>,
    along_y: vec4<f32>,
    // Opacity from the free side and from behind; where the fading begins and ends, as shares of the radius.
    opacity: vec4<f32>,
    // Strengths of three sets of lines, each ten times wider than the one before; the second is that of `fade.w`.
    strengths: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> ground: Ground;

// How much of a pixel is covered by the lines of a grid of the given cell, on two axes.
fn coverage(position: vec2<f32>, cell: f32) -> f32 {
    let q = position / cell;
    let pixel = fwidth(q);
    let near = abs(fract(q - 0.5) - 0.5) / max(pixel, vec2(1e-6));
    let lines = 1.0 - min(near * 0.9, vec2(1.0));
    // Lines closer than a few pixels would shimmer.
    let calm = 1.0 - smoothstep(vec2(0.12), vec2(0.4), pixel);
    return max(lines.x * calm.x, lines.y * calm.y);
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr = pbr_input_from_standard_material(in, is_front);
    let away_from_origin = in.world_position.xyz - ground.origin.xyz;
    let at = vec2(dot(away_from_origin, ground.along_x.xyz), dot(away_from_origin, ground.along_y.xyz));
    let minor = coverage(at, 0.1 * ground.fade.w) * ground.strengths.x;
    let major = coverage(at, ground.fade.w) * ground.strengths.y;
    let wide = coverage(at, 10.0 * ground.fade.w) * ground.strengths.z;
    let lines = max(max(minor, major), wide);
    var colour = mix(pbr.material.base_color.rgb, ground.line.rgb, lines * ground.line.w);

    let pixel = max(fwidth(at), vec2(1e-7));
    let axis = 1.0 - min(abs(at) / (pixel * 1.3), vec2(1.0));
    let arm = 1.0 - smoothstep(0.5 * ground.fade.w, ground.fade.w, length(at));
    colour = mix(colour, ground.axis_x.rgb, axis.y * arm * step(0.0, at.x) * ground.axis_x.w);
    colour = mix(colour, ground.axis_y.rgb, axis.x * arm * step(0.0, at.y) * ground.axis_y.w);

    let away = distance(at, ground.fade.xy) / ground.fade.z;
    let side = select(ground.opacity.y, ground.opacity.x, is_front);
    pbr.material.base_color = vec4(colour, side * (1.0 - smoothstep(ground.opacity.z, ground.opacity.w, away)));
    // What is not seen must not hide what is behind it.
    if pbr.material.base_color.a < 0.004 {
        discard;
    }

    var out: FragmentOutput;
    out.color = apply_pbr_lighting(pbr);
    out.color = main_pass_post_lighting_processing(pbr, out.color);
    return out;
}
