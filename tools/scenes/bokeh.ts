import type { Color } from './colors.ts'
import { times } from './numbers.ts'
import { randomBetween } from './random.ts'
import type { Frame, Layer } from './scene.ts'
import { ellipse, radial, stop } from './svg.ts'

export type Disc = { x: number; y: number; radius: number }

/** Returns one radial gradient per color, with the ids `d0`, `d1` and so on. `rim` is the opacity of the edge. */
export const discPaints = (colors: Color[], rim: number) =>
  colors.map((light, index) =>
    radial(`d${index}`, stop(0, light, 0.62) + stop(0.8, light, 0.7) + stop(0.93, light, rim) + stop(1, light, 0)),
  )

export function bokeh(frame: Frame, colors: Color[], alpha: number, discs: Disc[]): Layer {
  const lights = discs.map(({ x, y, radius }) => {
    const paint = `url(#d${Math.floor(frame.random() * colors.length)})`
    return ellipse(x, y, radius, radius, paint, alpha * randomBetween(frame, 0.35, 1))
  })
  return { blur: 2, light: true, svg: discPaints(colors, 1).concat(lights).join('') }
}

/**
 * Returns discs at random places below `top`, which is a share of the height. Radii are between `small` and `large`.
 */
export const scattered = (frame: Frame, count: number, top: number, small: number, large: number): Disc[] =>
  times(count, () => {
    const [x, y] = [frame.random() * frame.width, randomBetween(frame, top, 1) * frame.height]
    return { x, y, radius: randomBetween(frame, small, large) }
  })
