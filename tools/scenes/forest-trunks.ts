import { type Color, mix } from './colors.ts'
import { lerp, times } from './numbers.ts'
import { pickRandom, randomBetween } from './random.ts'
import type { Frame, Layer } from './scene.ts'
import { css, ellipse, line, linear, shape, stop } from './svg.ts'

/** `floorY`: the y of the ground; `sunX`: the x of the sun. */
export type Forest = { floorY: number; sunX: number; colors: Record<'fog' | 'bark' | 'light', Color> }

/** `near`: 0 is far away in the fog, 1 is in the foreground. */
export function trunks(frame: Frame, { floorY, sunX, colors }: Forest, near: number): Layer {
  const { fog, bark, light } = colors
  const tone = mix(fog, bark, 0.12 + 0.86 * near ** 1.3)
  const sides = stop(0, tone) + stop(1, mix(tone, light, 0.15 + 0.6 * near))
  const paints = linear('left', '', sides) + linear('right', 'x1="1" x2="0"', sides)
  const stems = times(lerp(26, 5, near ** 0.6), () => {
    const [x, lean] = [frame.random() * frame.width, randomBetween(frame, -50, 50)]
    const wide = lerp(5, 46, near ** 1.6) * randomBetween(frame, 0.6, 1.25)
    const foot = floorY + lerp(5, frame.height * 0.34, near ** 1.5) + randomBetween(frame, -10, 10)
    const marks = times(near > 0.3 ? 26 : 0, () => {
      const at = frame.random()
      const [markX, markWide] = [
        x + lean * (1 - at) + randomBetween(frame, -0.4, 0.4) * wide,
        randomBetween(frame, 0.07, 0.36),
      ]
      return ellipse(
        markX,
        foot * at,
        wide * markWide,
        randomBetween(frame, 0.4, 2.5),
        css(bark),
        randomBetween(frame, 0.3, 0.9),
      )
    })
    const boughs = times(3 + near * 5, () => {
      const at = randomBetween(frame, 0.02, 0.6)
      const reach = randomBetween(frame, 40, 150) * (0.4 + near) * pickRandom(frame, [-1, 1])
      const curve = `q${reach * 0.4} ${-8 - 12 * near} ${reach} ${randomBetween(frame, -70, -15)}`
      return line(`M${x + lean * (1 - at)} ${foot * at}${curve}`, tone, wide * randomBetween(frame, 0.03, 0.1))
    })
    const half = wide * 0.36
    const left = `M${x + lean - half} -20L${x - wide / 2} ${foot - wide}q0 ${wide * 0.9} ${-half} ${wide * 1.1}`
    const right = `h${wide * 1.7}q${-half} ${-wide * 0.3} ${-half} ${-wide * 1.1}L${x + lean + half} -20z`
    return boughs.join('') + shape(left + right, x < sunX ? 'url(#left)' : 'url(#right)') + marks.join('')
  })
  return { blur: lerp(3, 0.5, near), light: false, svg: paints + stems.join('') }
}
