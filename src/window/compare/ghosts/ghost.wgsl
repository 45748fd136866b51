// A ghost: a body in one colour that can be seen through, with a crisp rim where its surface turns away.

#import bevy_pbr::{forward_io::VertexOutput, mesh_view_bindings::view}

struct Ghost {
    // Colour; w is the opacity where the surface faces the eye.
    colour: vec4<f32>,
    // Where the rim begins and where it is full, as the sine of the angle between surface normal and line of sight;
    // its opacity.
    rim: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> ghost: Ghost;

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let normal = normalize(in.world_normal);
    let sight = normalize(view.world_position.xyz - in.world_position.xyz);
    let facing = dot(normal, sight);
    let away = sqrt(max(1.0 - facing * facing, 0.0));
    let rim = smoothstep(ghost.rim.x, ghost.rim.y, away);
    return vec4(ghost.colour.rgb, mix(ghost.colour.w, ghost.rim.z, rim));
}
