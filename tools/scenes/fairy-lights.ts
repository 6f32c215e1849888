import { bokeh, scattered } from './bokeh.ts'
import { addLight, blend } from './colors.ts'
import { fractal, makeNoise } from './noise.ts'
import { clamp, times } from './numbers.ts'
import { pickPalette } from './palettes.ts'
import { pickRandom, randomBetween } from './random.ts'
import type { Frame, Layer, Shader } from './scene.ts'
import { css, ellipse, line, radial, shape, stop } from './svg.ts'

const { exp, hypot } = Math

export function fairyLights(frame: Frame): Layer[] {
  const { width, height } = frame
  const { dark, wall, ...hues } = pickPalette(
    frame,
    'dark wall amber warm accent white',
    `120a06 4a2c18 ffb85c ffd898 ff9a48 fff0d0
     0a0c18 2c2a48 ffc878 ffe0b0 e8a0b8 fff4e0
     0c120c 2a3c28 ffd070 ffe8b0 ffb050 fff8dc`,
  )
  const noise = makeNoise(frame)
  const glowX = width * randomBetween(frame, 0.3, 0.7)
  const paint: Shader = (x, y, out) => {
    const distance = hypot(x - glowX, y - height * 0.55)
    blend(out, dark, 1)
    blend(out, wall, clamp(0.2 + fractal(noise, x / 240, y / 240, 3) * 0.9) * exp(-distance / (width * 0.55)))
    addLight(out, hues.amber, 0.2 * exp(-distance / 330))
  }
  const hang = (share: number, sag: number) => sag * (1 - 4 * (share - 0.5) ** 2)
  const rows = times(7, (index) => ({ rowY: height * (0.02 + index * 0.13), sag: randomBetween(frame, 50, 190) }))
  const strung = (count: number, radius: number) =>
    times(count, () => {
      const [{ rowY, sag }, share] = [pickRandom(frame, rows), frame.random()]
      const y = rowY + hang(share, sag) + randomBetween(frame, -25, 25)
      return { x: share * width, y, radius: radius * randomBetween(frame, 0.7, 1.2) }
    })
  const top = height * randomBetween(frame, 0.2, 0.36)
  const [sag, tilt] = [randomBetween(frame, 90, 260), randomBetween(frame, -160, 160)]
  const wire = times(45, (index) => {
    const share = index / 44
    return { x: width * (share * 1.1 - 0.05), y: top + hang(share, sag) + tilt * (share - 0.5) }
  })
  const halo = ellipse(0, 36, 130, 130, 'url(#halo)', 1)
  const glass = shape('M-6 14c-16 14 -18 44 0 50q6 2 12 0c18 -6 16 -36 0 -50z', 'url(#glass)')
  const filament = line('M-3 20q-4 16 0 28q3 4 6 0q4 -12 0 -28', hues.white, 2.2)
  const bulb = halo + shape('M-6 -2h12v16h-12z', css(dark)) + glass + filament
  const bulbs = wire
    .filter((_, index) => index % 4 === 2)
    .map(({ x, y }) => `<g transform="translate(${x} ${y}) rotate(${randomBetween(frame, -10, 10)})">${bulb}</g>`)
  const paints =
    radial('halo', stop(0, hues.amber, 0.55) + stop(0.35, hues.amber, 0.16) + stop(1, hues.amber, 0)) +
    radial('glass', stop(0, hues.white) + stop(0.45, hues.warm) + stop(1, hues.amber, 0.75))
  const cable = line(`M${wire.map(({ x, y }) => `${x} ${y}`).join('L')}`, dark, 4)
  const lights = Object.values(hues)
  return [
    { detail: 0.2, paint },
    bokeh(frame, lights, 1, strung(170, 11)),
    bokeh(frame, lights, 0.6, strung(50, 34)),
    bokeh(frame, lights, 0.3, scattered(frame, 16, 0, 50, 120)),
    { blur: 0.5, light: false, svg: paints + cable + bulbs.join('') },
  ]
}
