/** Nothing here can look into videos. It is nobody's file that is at fault. */
export class FfmpegMissing extends Error {}

/** The program that the operator or the system provides, else the one of the npm package; that is looked for at first need. */
export async function findFfmpeg(configuredPath: string | null): Promise<string> {
  if (configuredPath !== null) return configuredPath
  try {
    return (await import('@ffmpeg-installer/ffmpeg')).default.path
  } catch (cause) {
    // The package throws text where it has no program for this kind of machine.
    throw new FfmpegMissing('There is no ffmpeg for this machine in the package; set FFMPEG_PATH', { cause })
  }
}
