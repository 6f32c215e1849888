import { addLight, blend, darken, mix } from './colors.ts'
import { fractal, makeNoise, type Noise } from './noise.ts'
import { smoothstep, times } from './numbers.ts'
import { pickPalette } from './palettes.ts'
import { pickRandom, randomBetween } from './random.ts'
import { makeRidge, paintStack, plantConifers } from './ridges.ts'
import type { Frame, Layer, Shader } from './scene.ts'

const { cos, exp, floor, sin } = Math

/**
 * Returns the brightness at a point. A square of `cell` units has at most one star; `rare` is the share of squares
 * without a star.
 */
function starAt(noise: Noise, x: number, y: number, cell: number, rare: number): number {
  const [column, row] = [floor(x / cell), floor(y / cell)]
  const power = (noise(column + 91, row + 37) - rare) / (1 - rare)
  if (power < 0) return 0
  const aside = x / cell - column - 0.3 - 0.4 * noise(column, row)
  const down = y / cell - row - 0.3 - 0.4 * noise(column + 7, row + 3)
  const size = (0.9 + 1.1 * power ** 6) / cell
  return exp(-(aside * aside + down * down) / (size * size)) * (0.25 + 0.75 * power * power)
}

export function night(frame: Frame): Layer[] {
  const { width, height } = frame
  const { zenith, middle, low, core, cool, ground } = pickPalette(
    frame,
    'zenith middle low core cool ground',
    `050a1c 0f2448 3c5a70 ffd9b0 8fb0ff 04070c
     0a0820 2a2058 b06a70 ffc8a8 b8a8ff 070512
     04121c 0a3848 4a9080 ffe8c0 90e0e0 020a0c`,
  )
  const noise = makeNoise(frame)
  const turn = randomBetween(frame, 0.5, 1.1) * pickRandom(frame, [-1, 1])
  const centreX = width * randomBetween(frame, 0.35, 0.65)
  const hills = times(3, (index) => {
    const ridge = makeRidge(frame, noise, height * (0.84 + index * 0.06), 150 - index * 30, 500, 0.12)
    const color = mix(low, ground, 0.62 + index * 0.18)
    return { edge: plantConifers(frame, ridge, index * 130, 20 + index * 55), color }
  })
  const milkyWay: Shader = (x, y, out) => {
    blend(out, zenith, 1)
    blend(out, middle, smoothstep(0.1, 0.75, y / height))
    blend(out, low, smoothstep(0.5, 0.98, y / height))
    const along = (x - centreX) * sin(turn) + (y - height * 0.45) * cos(turn)
    const across = (x - centreX) * cos(turn) - (y - height * 0.45) * sin(turn)
    const cloud = fractal(noise, across / 130 + 20, along / 210, 4)
    const dust = fractal(noise, across / 60 + 40, along / 150 + 9, 5)
    const band = exp(-(((across + (cloud - 0.5) * 160) / 170) ** 2))
    const heart = exp(-(((across + (dust - 0.5) * 60) / 75) ** 2))
    addLight(out, cool, band * cloud * 0.5)
    addLight(out, core, heart * (0.15 + 0.85 * cloud) * (0.34 + 0.2 * cos(along / 500)))
    darken(out, 1 - 0.5 * heart * smoothstep(0.42, 0.72, dust))
    const fade = 1 - 0.8 * smoothstep(0.55, 0.95, y / height)
    const faint = starAt(noise, x, y, 11, 0.55 - 0.3 * band) + 0.6 * starAt(noise, x + 500, y, 7, 0.85 - 0.6 * band)
    addLight(out, cool, fade * faint)
    addLight(out, core, fade * 1.6 * starAt(noise, x, y + 300, 46, 0.55))
  }
  const paint = paintStack(hills, milkyWay, ({ color }, coverage, _x, _y, out) => blend(out, color, coverage))
  return [{ detail: 0.75, paint }]
}
