import { addLight, blend, darken, mix } from './colors.ts'
import { trunks } from './forest-trunks.ts'
import { fractal, makeNoise } from './noise.ts'
import { smoothstep, times } from './numbers.ts'
import { pickPalette } from './palettes.ts'
import { pickRandom, randomBetween } from './random.ts'
import type { Frame, Layer, Shader } from './scene.ts'
import { css, ellipse, shape } from './svg.ts'

const { abs, cos, exp, hypot, PI, sin } = Math

export function forest(frame: Frame): Layer[] {
  const { width, height, random } = frame
  const { fog, sun, bark, ground, leaf, light } = pickPalette(
    frame,
    'fog sun bark ground leaf light',
    `c4d2cc fff4d0 1c2622 2c4030 3c5c3c 6a7a6a
     f0dcb0 fff4d4 3a2618 6a4a20 b07a28 8a6a48
     bccad8 f4f4ee 18222c 34444a 4a6468 708494
     eee4c8 fffae0 4a3c34 7a6a30 c8a030 f0ece0`,
  )
  const noise = makeNoise(frame)
  const [sunX, sunY] = [width * randomBetween(frame, 0.25, 0.75), height * randomBetween(frame, 0.1, 0.35)]
  const floorY = height * randomBetween(frame, 0.66, 0.74)
  const paint: Shader = (x, y, out) => {
    const distance = hypot(x - sunX, y - sunY)
    blend(out, fog, 1)
    blend(out, leaf, 0.6 * smoothstep(0.35, 0.75, fractal(noise, x / 130, y / 130, 5)) * smoothstep(60, 700, distance))
    addLight(out, sun, 0.9 * exp(-distance / 260))
    const depth = y - floorY + (fractal(noise, x / 200, 3, 3) - 0.5) * 60
    if (depth < 0) return
    const far = 1000 / (depth + 60)
    const tuft = fractal(noise, ((x - width / 2) * far) / 130, far * 8, 5)
    const share = smoothstep(0, 320, depth)
    blend(out, fog, smoothstep(0, 40, depth))
    blend(out, ground, smoothstep(0, 40, depth) * (0.35 + 0.65 * share))
    darken(out, 1 + (tuft - 0.5) * 1.3 * share)
    blend(out, leaf, smoothstep(0.5, 0.75, tuft) * 0.7 * share)
    addLight(out, sun, 0.5 * exp(-abs(x - sunX) / 220 - depth / 130) * tuft)
  }
  const row = (near: number) => trunks(frame, { floorY, sunX, colors: { fog, bark, light } }, near)
  const shafts = times(9, () => {
    const angle = randomBetween(frame, 0.15, PI - 0.15)
    const ray = (turn: number) => `L${sunX + 2200 * cos(angle + turn)} ${sunY + 2200 * sin(angle + turn)}`
    return shape(
      `M${sunX} ${sunY}${ray(0)}${ray(randomBetween(frame, 0.015, 0.06))}z`,
      css(sun),
      randomBetween(frame, 0.05, 0.16),
    )
  })
  const twigs = times(14, () => ({ x: random() * width, y: height * 0.3 * random() ** 2 }))
  const leaves = times(420, () => {
    const { x, y } = pickRandom(frame, twigs)
    const [leafX, leafY] = [x + randomBetween(frame, -130, 130), y + randomBetween(frame, -50, 50)]
    const tone = mix(leaf, pickRandom(frame, [sun, bark]), random() * 0.6)
    return ellipse(leafX, leafY, randomBetween(frame, 5, 18), randomBetween(frame, 4, 10), css(tone), 0.6)
  })
  const beams: Layer = { blur: 14, light: true, svg: shafts.join('') }
  const foliage: Layer = { blur: 6, light: false, svg: leaves.join('') }
  return [{ detail: 0.5, paint }, row(0), row(0.25), row(0.5), beams, row(1), foliage]
}
