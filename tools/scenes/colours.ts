/** Each component is from 0 to 1. */
export type Colour = { r: number; g: number; b: number }

const black: Colour = { r: 0, g: 0, b: 0 }
/** Darkens `out` in place; a factor of 1 changes nothing. */
export const shade = (out: Colour, factor: number) => cover(out, black, 1 - factor)
export const mix = (from: Colour, to: Colour, share: number) => cover({ ...from }, to, share)

/** Mixes `color` into `out` in place; `share` is its opacity. */
export function cover(out: Colour, colour: Colour, share: number): Colour {
  out.r += (colour.r - out.r) * share
  out.g += (colour.g - out.g) * share
  out.b += (colour.b - out.b) * share
  return out
}

/** Adds light to `out` in place, up to white. */
export function glow(out: Colour, light: Colour, share: number): void {
  const amount = Math.min(1, share)
  out.r += (1 - out.r) * light.r * amount
  out.g += (1 - out.g) * light.g * amount
  out.b += (1 - out.b) * light.b * amount
}
