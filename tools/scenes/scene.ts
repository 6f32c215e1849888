import type { Color } from './colors.ts'

/** Paints one point into `out`; x and y are in units. The short edge of every picture is 1000 units. */
export type Shader = (x: number, y: number, out: Color) => void

/**
 * A shader at `detail` (0 to 1) of the full resolution, or SVG with `blur` in units. With `light`, the SVG brightens
 * the layers below and does not cover them.
 */
export type Layer = { detail: number; paint: Shader } | { blur: number; light: boolean; svg: string }

/** The size in units and the only source of random numbers. */
export type Frame = { width: number; height: number; random: () => number }
