import { bokeh, scattered } from './bokeh.ts'
import { blend, mix } from './colors.ts'
import { flower, flowerPaints } from './flowers.ts'
import { fractal, makeNoise } from './noise.ts'
import { smoothstep, times } from './numbers.ts'
import { pickPalette } from './palettes.ts'
import { randomBetween } from './random.ts'
import type { Frame, Layer, Shader } from './scene.ts'
import { line } from './svg.ts'

const { floor, sin } = Math

export function blossom(frame: Frame): Layer[] {
  const { width, height } = frame
  const { back, depth, bark, base, tip, heart } = pickPalette(
    frame,
    'back depth bark base tip heart',
    `bcd8ec 7aa4c8 3c2a28 f090b0 fff0f4 e8b050
     f8dce0 d8a0b0 40282c f4a8b8 ffffff e0a048
     d0dcb8 88a070 3a2c20 f0e0d0 ffffff e8c040
     5a7080 2c3c4c 241c1c f4c8c8 fff8f4 f0c060`,
  )
  const noise = makeNoise(frame)
  const paint: Shader = (x, y, out) => {
    const share = smoothstep(0.3, 0.75, fractal(noise, x / 260, y / 260, 2) * 0.6 + (0.4 * y) / height)
    blend(blend(out, back, 1), depth, share)
  }
  const branch = (scale: number, blur: number, startY: number, rise: number): Layer => {
    const yAt = (share: number) => height * (startY + rise * share) + 70 * sin(share * 5 + startY * 9) * scale
    const xAt = (share: number) => share * width * 0.95 - 20
    const wood = times(24, (index) => {
      const [from, to] = [index / 24, (index + 1) / 24]
      return line(`M${xAt(from)} ${yAt(from)}L${xAt(to)} ${yAt(to)}`, bark, (30 - index * 1.1) * scale)
    })
    const blooms = times(30, () => {
      const at = floor(frame.random() * 6) / 6 + 0.12 + randomBetween(frame, -0.065, 0.065)
      const [dx, dy] = [randomBetween(frame, -75, 75) * scale, randomBetween(frame, -95, 80) * scale]
      const curve = `M${xAt(at)} ${yAt(at)}q${dx * 0.2} ${dy * 0.8} ${dx} ${dy}`
      const radius = scale * (frame.random() < 0.18 ? 26 : randomBetween(frame, 46, 68))
      return { x: xAt(at) + dx, y: yAt(at) + dy, radius, stalk: line(curve, mix(bark, base, 0.35), 3.4 * scale) }
    })
    const cherry = { count: 5, wide: 0.56, heart: 0.06, notch: 0.12 }
    const flowers = blooms.map((place) => flower(frame, place, randomBetween(frame, 0.55, 1), cherry))
    const stalks = blooms.map(({ stalk }) => stalk)
    return { blur, light: false, svg: [flowerPaints(base, tip, heart, bark), ...wood, ...stalks, ...flowers].join('') }
  }
  const dots = bokeh(frame, [tip, base, back], 0.4, scattered(frame, 30, 0, 24, 80))
  return [
    { detail: 0.2, paint },
    dots,
    branch(0.7, 14, 0.75, -0.2),
    branch(1, 6, 0.2, 0.25),
    branch(1.35, 0.6, 0.72, -0.36),
  ]
}
