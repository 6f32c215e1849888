import { bokeh, scattered } from './bokeh.ts'
import { addLight, blend, mix } from './colors.ts'
import { flower, flowerPaints } from './flowers.ts'
import { fractal, makeNoise } from './noise.ts'
import { lerp, smoothstep, times } from './numbers.ts'
import { pickPalette } from './palettes.ts'
import { randomBetween } from './random.ts'
import type { Frame, Layer, Shader } from './scene.ts'
import { line } from './svg.ts'

const { exp, floor, hypot } = Math

export function meadow(frame: Frame): Layer[] {
  const { width, height, random } = frame
  const { far, green, deep, straw, base, tip, heart, other } = pickPalette(
    frame,
    'far green deep straw base tip heart other',
    `f4efc8 8aa850 2c4a20 d8d890 f4e8e0 ffffff f0b820 e85a4a
     f8d8b0 a89a58 3c4420 e8c880 d84a8a f8a8cc f4c430 f4f0ff
     d8e8e0 6a9a68 1c4030 b8d0a0 c8301c f46a40 30201c 8a9aee
     fce4c0 b0a060 4a4428 f0d890 9a80d0 d8c8f8 f4d050 fff0f8`,
  )
  const noise = makeNoise(frame)
  const paint: Shader = (x, y, out) => {
    const blotch = fractal(noise, x / 240, y / 170, 2) - 0.5
    blend(out, far, 1)
    blend(out, green, smoothstep(0.05, 0.5, y / height + blotch * 0.5))
    blend(out, deep, 0.95 * smoothstep(0.4, 1.05, y / height + blotch * 0.3))
    addLight(out, far, 0.5 * exp(-hypot(x - width * 0.75, y) / 420))
  }
  const daisy = {
    count: floor(randomBetween(frame, 8, 14)),
    wide: randomBetween(frame, 0.2, 0.34),
    heart: 0.23,
    notch: 0.06,
  }
  const poppy = { count: 5, wide: 0.95, heart: 0.2, notch: 0.03 }
  const plants = (near: number, count: number, blur: number, paints: string): Layer => {
    const ground = height * lerp(0.6, 1.25, near)
    const blades = times(lerp(150, 60, near), () => {
      const tall = lerp(70, 560, near) * randomBetween(frame, 0.4, 1)
      const curve = `q${randomBetween(frame, -20, 20)} ${-tall * 0.6} ${randomBetween(frame, -90, 90) * (0.3 + near)} ${-tall}`
      const tone = mix(mix(green, deep, random()), straw, random() ** 2)
      return line(
        `M${random() * width} ${ground + 40}${curve}`,
        tone,
        lerp(2.5, 9, near) * randomBetween(frame, 0.5, 1),
      )
    })
    const heads = times(count, (index) => {
      const [x, y] = [((index + random()) / count) * width, ground - lerp(60, 760, near) * randomBetween(frame, 0.3, 1)]
      return { x, y, radius: lerp(16, 165, near ** 1.5) * randomBetween(frame, 0.7, 1.15) }
    })
    const stalks = heads.map(({ x, y, radius }) => {
      const curve = `q${randomBetween(frame, -20, 20)} ${(ground - y) / 2} ${randomBetween(frame, -70, 70)} ${ground - y + 60}`
      return line(`M${x} ${y}${curve}`, mix(green, deep, 0.5), radius * 0.09)
    })
    const flowers = heads.map((head) =>
      flower(frame, head, randomBetween(frame, 0.45, 0.9), heart.r < 0.4 ? poppy : daisy),
    )
    return { blur, light: false, svg: [paints, ...blades, ...stalks, ...flowers].join('') }
  }
  const main = flowerPaints(base, tip, heart, deep)
  const guests = flowerPaints(mix(other, deep, 0.25), other, heart, deep)
  const rest = [plants(0.1, 34, 9, guests), plants(0.3, 16, 6, main), plants(0.48, 8, 2.5, guests)]
  const dots = bokeh(frame, [far, straw, tip], 0.3, scattered(frame, 22, 0, 18, 60))
  return [{ detail: 0.2, paint }, dots, ...rest, plants(0.62, 6, 0.6, main), plants(1, 3, 20, main)]
}
