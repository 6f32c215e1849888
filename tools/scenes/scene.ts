import type { Colour } from './colours.ts'

/** Paints one point of the picture into `out`; x and y in units (the short edge of every picture is 1000 units). */
export type Shader = (x: number, y: number, out: Colour) => void

/**
 * One layer of a scene: either a shader, run at `detail` (0 to 1) of the full resolution, or SVG elements in units,
 * out of focus by `blur` units. A `light` layer adds to what is below as light does, any other covers it.
 */
export type Layer = { detail: number; paint: Shader } | { blur: number; light: boolean; svg: string }

/** The sheet a scene is made for: its size in units, and the only source of chance. */
export type Frame = { width: number; height: number; random: () => number }
