import type { Colour } from './colours.ts'
import { clamp } from './numbers.ts'

/** A colour as CSS and SVG write it. */
export const css = ({ r, g, b }: Colour) => `rgb(${[r, g, b].map((part) => Math.floor(clamp(part) * 255)).join()})`
/** One stop of a gradient; `at` from 0 to 1. */
export const stop = (at: number, colour: Colour, alpha = 1) =>
  `<stop offset="${at}" stop-color="${css(colour)}" stop-opacity="${alpha}"/>`
/** A linear gradient to fill with `url(#id)`; `ends` are its attributes, left to right when empty. */
/** A stroked path with round ends. */
export const linear = (id: string, ends: string, stops: string) =>
  `<linearGradient id="${id}" ${ends}>${stops}</linearGradient>`
/** A radial gradient to fill with `url(#id)`. */
export const radial = (id: string, stops: string) => `<radialGradient id="${id}">${stops}</radialGradient>`
/** A filled path. */
export const shape = (path: string, fill: string, alpha = 1) =>
  `<path d="${path}" fill="${fill}" fill-opacity="${alpha}"/>`
/** A filled ellipse around x, y. */
export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, alpha: number) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" fill-opacity="${alpha}"/>`
/** A stroked path with round ends. */
export const line = (path: string, colour: Colour, width: number) =>
  `<path d="${path}" fill="none" stroke="${css(colour)}" stroke-width="${width}" stroke-linecap="round"/>`
