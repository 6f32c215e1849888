import type { Color } from './colors.ts'
import { clamp } from './numbers.ts'

export const css = ({ r, g, b }: Color) => `rgb(${[r, g, b].map((part) => Math.floor(clamp(part) * 255)).join()})`
/** `at` is from 0 to 1. */
export const stop = (at: number, color: Color, alpha = 1) =>
  `<stop offset="${at}" stop-color="${css(color)}" stop-opacity="${alpha}"/>`
/** `ends` are the attributes `x1`, `y1`, `x2` and `y2`; if empty, the gradient runs from left to right. */
export const linear = (id: string, ends: string, stops: string) =>
  `<linearGradient id="${id}" ${ends}>${stops}</linearGradient>`
export const radial = (id: string, stops: string) => `<radialGradient id="${id}">${stops}</radialGradient>`
export const shape = (path: string, fill: string, alpha = 1) =>
  `<path d="${path}" fill="${fill}" fill-opacity="${alpha}"/>`
export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, alpha: number) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" fill-opacity="${alpha}"/>`
export const line = (path: string, color: Color, width: number) =>
  `<path d="${path}" fill="none" stroke="${css(color)}" stroke-width="${width}" stroke-linecap="round"/>`
