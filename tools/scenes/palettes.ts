import type { Color } from './colors.ts'
import { pickRandom } from './random.ts'
import type { Frame } from './scene.ts'

type Colors<Text> = Text extends `${infer First} ${infer Rest}` ? First | Colors<Rest> : Text

/** Returns the colors of a random line of `palettes`. Each line has one hex color for each name. */
export function pickPalette<Names extends string>(frame: Frame, names: Names, palettes: string) {
  const hexes = pickRandom(frame, palettes.trim().split('\n')).trim().split(' ')
  const part = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  const colors = hexes.map((hex) => ({ r: part(hex, 0), g: part(hex, 2), b: part(hex, 4) }))
  return Object.fromEntries(names.split(' ').map((name, at) => [name, colors[at]])) as Record<Colors<Names>, Color>
}
