import { type Static, Type } from 'typebox'
import { Nullable } from './shapes.ts'

const Name = () => Nullable(Type.String({ maxLength: 100 }))
const Positive = (maximum: number, description: string) =>
  Nullable(Type.Number({ exclusiveMinimum: 0, maximum }), { description })

/** The EXIF data that the camera wrote. A missing or unusable value is null. */
export const CameraFacts = Type.Object({
  camera: Name(),
  lens: Name(),
  focal_length: Positive(100_000, 'In millimeters, not converted to full frame'),
  aperture: Positive(1000, 'The f-number'),
  exposure_time: Positive(1e6, 'In seconds'),
  iso: Positive(1e8, 'ISO speed'),
})
export type CameraFacts = Static<typeof CameraFacts>
