//! Plays the vehicle's sound, in the window: through the protocol of `PulseAudio` on Linux, which takes no library of the
//! system and which `PipeWire` speaks, too; elsewhere through `cpal`.

use core::any::Any;

use showroom::app::Showroom;
use showroom::sound::Heard;
use showroom::voice::{SoundScore, Voice};

/// A stream that is open once sound was asked for.
#[derive(Default)]
pub(crate) struct Speaker {
    score: SoundScore,
    stream: Option<Box<dyn Any>>,
}

impl Speaker {
    /// Lets the showroom be heard, as it asks.
    pub(crate) fn follow(&mut self, room: &mut Showroom) {
        if room.sound && self.stream.is_none() {
            match output::open(self.score.clone()) {
                Ok(stream) => self.stream = Some(stream),
                Err(error) => {
                    room.sound = false;
                    room.fault = Some(format!("no sound: {error}"));
                }
            }
        }
        let heard = if room.sound {
            room.heard()
        } else {
            Heard::default()
        };
        self.score.tell(heard);
    }
}

#[cfg(target_os = "linux")]
mod output {
    use core::any::Any;

    use pulseaudio::protocol::{
        ChannelMap, ChannelVolume, DEFAULT_SINK, PlaybackStreamParams, SampleFormat, SampleSpec,
        stream::{BufferAttr, StreamFlags},
    };
    use pulseaudio::{AsPlaybackSource, Client, ClientError};

    use super::{SoundScore, Voice};

    const RATE: u32 = 44_100;
    const SAMPLE: usize = size_of::<f32>();
    /// Bytes that the server holds: 60 ms.
    const AHEAD: u32 = RATE * 60 / 1000 * SAMPLE as u32;

    /// Plays a score until the returned value is dropped.
    pub(super) fn open(score: SoundScore) -> Result<Box<dyn Any>, ClientError> {
        let client = Client::from_env(c"Jounce showroom")?;
        let spec = SampleSpec {
            format: SampleFormat::Float32Le,
            channels: 1,
            sample_rate: RATE,
        };
        let buffer = BufferAttr {
            target_length: AHEAD,
            ..BufferAttr::default()
        };
        let params = PlaybackStreamParams {
            sample_spec: spec,
            channel_map: ChannelMap::mono(),
            cvolume: Some(ChannelVolume::norm(1)),
            sink_name: Some(DEFAULT_SINK.to_owned()),
            buffer_attr: buffer,
            flags: StreamFlags {
                adjust_latency: true,
                ..StreamFlags::default()
            },
            ..PlaybackStreamParams::default()
        };
        let mut voice = Voice::new(score, RATE as f32);
        let source = move |bytes: &mut [u8]| {
            let (places, _) = bytes.as_chunks_mut::<SAMPLE>();
            let count = places.len() * SAMPLE;
            let put = |place: &mut [u8; SAMPLE], sample: f32| *place = sample.to_le_bytes();
            voice.fill(
                places
                    .iter_mut()
                    .map(|place| move |sample| put(place, sample)),
            );
            count
        };
        let stream = client.create_playback_stream(params, source.as_playback_source());
        Ok(Box::new((pollster::block_on(stream)?, client)))
    }
}

#[cfg(not(target_os = "linux"))]
mod output {
    use core::any::Any;

    use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
    use cpal::{Error, OutputCallbackInfo, SampleFormat};

    use super::{SoundScore, Voice};

    /// Plays a score until the returned value is dropped.
    pub(super) fn open(score: SoundScore) -> Result<Box<dyn Any>, String> {
        let device = cpal::default_host().default_output_device();
        let device = device.ok_or("no device that plays")?;
        let told = |error: Error| error.to_string();
        let config = device.default_output_config().map_err(told)?;
        if config.sample_format() != SampleFormat::F32 {
            return Err(format!(
                "the device takes {}, not f32",
                config.sample_format()
            ));
        }
        let channels = usize::from(config.channels());
        let mut voice = Voice::new(score, config.sample_rate() as f32);
        let play = move |samples: &mut [f32], _: &OutputCallbackInfo| {
            let frames = samples.chunks_mut(channels);
            voice.fill(frames.map(|frame| move |sample| frame.fill(sample)));
        };
        let stream = device.build_output_stream(config.into(), play, |_: Error| {}, None);
        let stream = stream.map_err(told)?;
        stream.play().map_err(told)?;
        Ok(Box::new(stream))
    }
}
