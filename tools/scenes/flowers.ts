import type { Disc } from './bokeh.ts'
import { type Color, mix } from './colors.ts'
import { times } from './numbers.ts'
import { pickRandom, randomBetween } from './random.ts'
import type { Frame } from './scene.ts'
import { ellipse, linear, radial, shape, stop } from './svg.ts'

const { cos, max, PI, sin, sqrt } = Math

/**
 * `count` is the number of petals in a ring. For a flower of radius 1, `heart` is the radius of the center; `wide` and
 * `notch` set the width of a petal and the depth of its notch.
 */
type Bloom = { count: number; wide: number; heart: number; notch: number }

export function flowerPaints(base: Color, tip: Color, heart: Color, dark: Color): string {
  const face = stop(0, base) + stop(0.45, mix(base, tip, 0.7)) + stop(1, tip)
  const under = stop(0, mix(base, dark, 0.3)) + stop(1, mix(tip, base, 0.55))
  const middle = stop(0, heart) + stop(0.6, mix(heart, dark, 0.15)) + stop(1, mix(heart, dark, 0.55))
  const upwards = 'x1="0" y1="1" x2="0" y2="0"'
  return linear('face', upwards, face) + linear('under', upwards, under) + radial('heart', middle)
}

/** With a `tilt` of 1, the flower is seen from the front. */
export function flower(
  frame: Frame,
  { x, y, radius }: Disc,
  tilt: number,
  { count, wide, heart, notch }: Bloom,
): string {
  const rings = count > 8 ? 2 : 1
  const [side, end] = [wide * 1.1, wide * 0.3]
  const outline = `M0 0C${-wide} -.2 ${-side} -.95 ${-end} -1Q0 ${notch - 1} ${end} -1C${side} -.95 ${wide} -.2 0 0z`
  const petal = times(count * rings, (index) => {
    const turn = ((index + (index < count ? 0 : 0.5)) / count) * 360 + randomBetween(frame, -7, 7)
    const fill = index < count * (rings - 1) || frame.random() < 0.25 ? 'url(#under)' : 'url(#face)'
    return `<g transform="rotate(${turn}) scale(${randomBetween(frame, 0.88, 1.06)})">${shape(outline, fill)}</g>`
  })
  const seeds = times(30, () => {
    const [angle, reach] = [frame.random() * 2 * PI, max(heart, 0.3 - heart) * sqrt(frame.random())]
    return ellipse(reach * cos(angle), reach * sin(angle), 0.02, 0.02, pickRandom(frame, ['#fff2b0', '#8a5410']), 0.7)
  })
  const parts = [...petal, ellipse(0, 0, heart, heart, 'url(#heart)', 1), ...seeds]
  const pose = `rotate(${randomBetween(frame, -25, 25)}) scale(${radius} ${radius * tilt}) rotate(${randomBetween(frame, 0, 90)})`
  return `<g transform="translate(${x} ${y}) ${pose}">${parts.join('')}</g>`
}
