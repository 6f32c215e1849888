/** No ffmpeg can be run. The video is not at fault. */
export class FfmpegMissing extends Error {}

export async function findFfmpeg(configuredPath: string | null): Promise<string> {
  if (configuredPath !== null) return configuredPath
  try {
    return (await import('@ffmpeg-installer/ffmpeg')).default.path
  } catch (cause) {
    // The package throws a string when it has no program for this platform.
    throw new FfmpegMissing('There is no ffmpeg for this machine in the package; set FFMPEG_PATH', { cause })
  }
}
