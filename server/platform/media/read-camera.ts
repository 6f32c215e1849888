import type { CameraFacts } from '../../../contract/camera-facts.ts'
import type { ExifTags } from './exif-tags.ts'
import { readExif } from './read-exif.ts'

/** Returns nulls for a file without usable EXIF data. */
export const readCamera = async (path: string): Promise<CameraFacts> => parseCamera(await readExif(path))

/** Returns what `readCamera` does. */
export function parseCamera(tags: ExifTags): CameraFacts {
  return {
    camera: joinNames(toName(tags.Make), toName(tags.Model)),
    lens: toName(tags.LensModel),
    focal_length: toPositive(tags.FocalLength, 100_000),
    aperture: toPositive(tags.FNumber, 1000),
    exposure_time: toPositive(tags.ExposureTime, 1e6),
    iso: toPositive(tags.ISO, 1e8),
  }
}

function toName(value: unknown): string | null {
  if (typeof value !== 'string') return null
  return (
    value
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, 48) || null
  )
}

/** Many models begin with the name of the maker: Canon, Canon EOS 40D. */
function joinNames(maker: string | null, model: string | null): string | null {
  const [firstWord = ''] = maker?.split(' ') ?? []
  const isRepeated = model?.toLowerCase().startsWith(firstWord.toLowerCase())
  return isRepeated ? model : [maker, model].filter(Boolean).join(' ') || null
}

const toPositive = (value: unknown, max: number): number | null =>
  typeof value === 'number' && value > 0 && value <= max ? value : null
