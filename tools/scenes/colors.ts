/** Each component is from 0 to 1. */
export type Color = { r: number; g: number; b: number }

const black: Color = { r: 0, g: 0, b: 0 }
/** Darkens `out` in place; a factor of 1 changes nothing. */
export const darken = (out: Color, factor: number) => blend(out, black, 1 - factor)
export const mix = (from: Color, to: Color, share: number) => blend({ ...from }, to, share)

/** Mixes `color` into `out` in place; `share` is its opacity. */
export function blend(out: Color, color: Color, share: number): Color {
  out.r += (color.r - out.r) * share
  out.g += (color.g - out.g) * share
  out.b += (color.b - out.b) * share
  return out
}

/** Adds light to `out` in place, up to white. */
export function addLight(out: Color, light: Color, share: number): void {
  const amount = Math.min(1, share)
  out.r += (1 - out.r) * light.r * amount
  out.g += (1 - out.g) * light.g * amount
  out.b += (1 - out.b) * light.b * amount
}
