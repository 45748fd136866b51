//! H.264: the only file that names the encoder.

use super::Picture;
use super::colour::yuv420;
use super::error::VideoError;
use openh264::OpenH264API;
use openh264::encoder::{
    BitRate, Complexity, Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, QpRange,
    RateControlMode, UsageType, VuiConfig,
};
use openh264::formats::YUVBuffer;

/// Quantiser, best and worst: the worst still shows a line of one pixel and no blocks in a plain floor.
const QUANTISER: (u8, u8) = (12, 26);
/// Bits that a pixel may take on average; the quantiser's range has the last word.
const BITS_PER_PIXEL: f64 = 0.25;
/// Seconds between frames from which a player can start.
const SEEK: f64 = 2.0;

/// One frame as the encoder gave it.
pub struct Packet {
    /// Units with start codes (Annex B).
    pub bytes: Vec<u8>,
    /// Whether a player can start here.
    pub is_key: bool,
}

/// An encoder that drops nothing.
pub struct H264 {
    encoder: Encoder,
}

impl H264 {
    /// An encoder for so many frames per second of such a size [pixels].
    pub fn new(size: [u32; 2], fps: f64) -> Result<Self, VideoError> {
        let pixels = f64::from(size[0]) * f64::from(size[1]);
        let bits = (pixels * fps * BITS_PER_PIXEL).clamp(1e5, 2e9) as u32;
        let (best, worst) = QUANTISER;
        let config = EncoderConfig::new()
            .usage_type(UsageType::CameraVideoRealTime)
            // The only control that neither leaves frames out nor complains that it may not.
            .rate_control_mode(RateControlMode::Bufferbased)
            .adaptive_quantization(false)
            .background_detection(false)
            .bitrate(BitRate::from_bps(bits))
            .max_frame_rate(FrameRate::from_hz(fps as f32))
            .qp(QpRange::new(best, worst))
            .complexity(Complexity::Medium)
            // The drawing needs the other processors more, and one slice per frame decodes everywhere.
            .num_threads(1)
            // Every frame counts, even where nothing moves.
            .skip_frames(false)
            .intra_frame_period(IntraFramePeriod::from_num_frames((SEEK * fps).ceil() as u32))
            .vui(VuiConfig::bt709());
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config);
        Ok(Self {
            encoder: encoder.map_err(|e| VideoError::Encoder(e.to_string()))?,
        })
    }

    /// Encodes the next picture, whose edges are even.
    pub fn encode(&mut self, picture: &Picture) -> Result<Packet, VideoError> {
        let [w, h] = picture.size().map(|edge| edge as usize);
        let yuv = YUVBuffer::from_vec(yuv420(picture), w, h);
        let failed = |e: openh264::Error| VideoError::Encoder(e.to_string());
        let stream = self.encoder.encode(&yuv).map_err(failed)?;
        let packet = Packet {
            is_key: matches!(stream.frame_type(), FrameType::IDR),
            bytes: stream.to_vec(),
        };
        if packet.bytes.is_empty() {
            return Err(VideoError::Encoder("a frame was left out".into()));
        }
        Ok(packet)
    }
}
