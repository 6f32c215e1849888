import type { CameraFacts } from '../../../../contract/camera-facts.ts'

type Exposure = Pick<CameraFacts, 'focal_length' | 'aperture' | 'exposure_time' | 'iso'>

/** Returns for example `85 mm, f/1.8, 1/200 s, ISO 400`, or an empty text if nothing is known. */
export function formatExposure({ focal_length, aperture, exposure_time, iso }: Exposure, locale: string): string {
  const format = (value: number) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value)
  return [
    focal_length && `${format(focal_length)} mm`,
    aperture && `f/${format(aperture)}`,
    // Cameras show times below a third of a second as a fraction.
    exposure_time && `${exposure_time < 0.3 ? `1/${Math.round(1 / exposure_time)}` : format(exposure_time)} s`,
    iso && `ISO ${iso}`,
  ]
    .filter(Boolean)
    .join(', ')
}
