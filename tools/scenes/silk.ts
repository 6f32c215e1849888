import { blend, darken } from './colors.ts'
import { fractal, makeNoise } from './noise.ts'
import { smoothstep } from './numbers.ts'
import { pickPalette } from './palettes.ts'
import { pickRandom, randomBetween } from './random.ts'
import type { Frame, Layer, Shader } from './scene.ts'

const { cos, max, sin, sqrt } = Math

export function silk(frame: Frame): Layer[] {
  const { dark, base, lit } = pickPalette(
    frame,
    'dark base lit',
    `a08c78 e8dccc fffdf8
     8a5a5c dca8a4 fff0ec
     5c6c84 a8b8cc f4f8ff
     8a7048 d8bc8c fff8e0`,
  )
  const noise = makeNoise(frame)
  const turn = randomBetween(frame, 0.35, 1.1) * pickRandom(frame, [-1, 1])
  const wave = randomBetween(frame, 75, 120)
  const fold = (x: number, y: number) => {
    const along = x * cos(turn) + y * sin(turn)
    const across = y * cos(turn) - x * sin(turn)
    const phase = across / wave + fractal(noise, along / 1100 + 3, across / 700, 2) * 10 + 0.8 * sin(along / 420)
    const tall = wave * 0.5 * (0.35 + noise(along / 500, across / 300))
    return tall * (sin(phase) + 0.35 * sin(phase * 2.13 + along / 260))
  }
  const paint: Shader = (x, y, out) => {
    const here = fold(x, y)
    const slopeX = (fold(x + 2, y) - here) / 2
    const slopeY = (fold(x, y + 2) - here) / 2
    const size = 1 / sqrt(1 + slopeX * slopeX + slopeY * slopeY)
    const facing = (0.35 * slopeX + 0.6 * slopeY + 0.72) * size
    const gloss = max(0, (0.3 * slopeX + 0.5 * slopeY + 0.81) * size)
    darken(blend(out, dark, 1), 0.6)
    blend(out, dark, smoothstep(-0.5, 0.3, facing))
    blend(out, base, smoothstep(0.1, 0.85, facing))
    blend(out, lit, 0.7 * gloss ** 12)
    darken(out, 0.985 + 0.015 * sin((x + y) * 1.3) * sin((x - y) * 1.3))
  }
  return [{ detail: 0.6, paint }]
}
