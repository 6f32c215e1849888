import { addLight, blend, darken } from './colors.ts'
import { fractal, makeNoise } from './noise.ts'
import { clamp, lerp, smoothstep, times } from './numbers.ts'
import { pickPalette } from './palettes.ts'
import { randomBetween } from './random.ts'
import type { Frame, Layer, Shader } from './scene.ts'

const { abs, atan2, cos, exp, floor, hypot, min, PI, sqrt } = Math

export function petals(frame: Frame): Layer[] {
  const { back, leaf, deep, base, tip } = pickPalette(
    frame,
    'back leaf deep base tip',
    `3c4a34 5a7048 b8586a f0a8b0 fff0ec
     4a443c 7a7060 d8a070 f8dcc0 fffaf0
     20281c 48583c 6a0818 c02838 f47a78
     484a50 70747c a890b8 e0d0e8 fffcff
     3c4428 78844c e08a30 fcc068 fff0b8`,
  )
  const noise = makeNoise(frame)
  const isPointed = frame.random() < 0.35
  const zoom = randomBetween(frame, 0.95, 1.7)
  const [centreX, centreY] = [
    frame.width * randomBetween(frame, 0.36, 0.64),
    frame.height * randomBetween(frame, 0.4, 0.6),
  ]
  const count = isPointed ? 64 : floor(randomBetween(frame, 22, 34))
  const whorl = times(count, (index) => {
    const share = (index + 1) / count
    const radius = 560 * share ** (isPointed ? 0.7 : 0.85) * randomBetween(frame, 0.95, 1.05)
    const axis = (index * 2.399963 + randomBetween(frame, -0.15, 0.15)) % (2 * PI)
    return { radius, axis, wide: isPointed ? lerp(0.75, 0.24, share) : lerp(1.5, 0.85, share), seed: index * 2.7 }
  })
  const paint: Shader = (x, y, out) => {
    const [dx, dy] = [(x - centreX) / zoom, ((y - centreY) * 1.08) / zoom]
    const distance = hypot(dx, dy)
    const angle = atan2(dy, dx)
    let gap = 400
    for (const { radius, axis, wide, seed } of whorl) {
      if (distance > radius * 1.05 + 90) continue
      const turned = angle - axis
      const off = turned > PI ? turned - 2 * PI : turned < -PI ? turned + 2 * PI : turned
      const across = abs(off / wide)
      if (across >= 1) continue
      const outline = isPointed ? (1 - across * sqrt(across)) ** 0.6 : sqrt(1 - across ** 4)
      const inside = radius * outline * (1 + 0.09 * (noise(off * 3.2 + seed, seed) - 0.5)) - distance
      if (inside < 0) {
        gap = min(gap, -inside)
        continue
      }
      const reach = 40 + radius * 0.28
      const vein = noise(off * 40 + seed, distance / 120) - 0.5
      blend(out, tip, 1)
      blend(out, base, smoothstep(0, reach * 0.9, inside + vein * 10))
      blend(out, deep, 0.7 * smoothstep(reach * 0.4, reach * 1.8, inside))
      blend(out, deep, 0.85 * exp(-gap / (14 + radius * 0.08)))
      const lit = 0.1 * cos(angle + 2.3) * min(1, distance / 200) - (0.08 * off) / wide
      darken(out, 1 + lit - 0.2 * exp(-gap / 9) + vein * 0.04)
      addLight(out, tip, 0.3 * exp(-inside / 7))
      // Without this shadow at the edge, the outline would be jagged.
      blend(out, deep, 0.7 * clamp(1 - inside / 3.5))
      return
    }
    blend(out, back, 1)
    blend(out, leaf, smoothstep(0.25, 0.8, fractal(noise, x / 420, y / 420, 2)))
    darken(out, 1 - 0.6 * exp(-gap / 22))
  }
  return [{ detail: 0.75, paint }]
}
