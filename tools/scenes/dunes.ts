import { addLight, blend, darken } from './colors.ts'
import { fractal, makeNoise } from './noise.ts'
import { clamp, lerp, smoothstep, times } from './numbers.ts'
import { pickPalette } from './palettes.ts'
import { randomBetween } from './random.ts'
import { makeRidge, paintStack, ridgeAt } from './ridges.ts'
import type { Frame, Layer } from './scene.ts'
import { skyShader } from './sky.ts'

const { abs, exp, min, sin, sqrt } = Math

export function dunes(frame: Frame): Layer[] {
  const { width, height } = frame
  const palette = pickPalette(
    frame,
    'zenith middle low sun cloud shadow lit sand dark',
    `3f6fa8 9cc0d8 f2e2c8 fff0d0 ffffff c0c8d0 f0b878 b06a3c 5a2e22
     4a4a80 c08a98 f8c090 ffd8a0 ffc8b0 7a6888 f0a060 9a4a38 3a1c30
     86b0cc c8dce4 f6efe0 fff8e8 ffffff c8d0d4 f4dcb8 c49a70 76543c`,
  )
  const noise = makeNoise(frame)
  const clouds = randomBetween(frame, 0, 0.5)
  const sky = { ...palette, sunX: -width * 0.1, sunY: height * 0.15, horizon: height * 0.5, clouds, noise }
  const waves = times(5, (index) => {
    const share = index / 4
    const tall = lerp(120, 420, share) * randomBetween(frame, 0.8, 1.2)
    const edge = makeRidge(frame, noise, height * lerp(0.42, 0.86, share), tall, lerp(600, 1500, share), 0.004)
    const top = edge.reduce((high, y) => min(high, y))
    const curve = {
      bend: randomBetween(frame, 60, 130),
      phase: randomBetween(frame, 0, 6),
      lean: randomBetween(frame, -0.9, 0.2),
    }
    return { edge, top, peak: edge.indexOf(top) / 2, ...curve, share }
  })
  const paint = paintStack(
    waves,
    skyShader(sky),
    ({ edge, top, peak, bend, phase, lean, share }, coverage, x, y, out) => {
      const below = y - ridgeAt(edge, x)
      // The crest separates the side in the sun from the side in shadow.
      const drop = y - top
      const side = x - peak - lean * drop - bend * (sin(drop / 120 + phase) - sin(phase)) * min(1, drop / 200)
      const soft = fractal(noise, x / 260, y / 130, 3) - 0.5
      const ripple = sin((x * 0.35 + y) / lerp(3, 9, share) + soft * 26) * smoothstep(0, 160, below) * share * 0.05
      const dark = smoothstep(-2, 3 + drop * 0.02, side)
      blend(out, palette.sand, coverage)
      blend(out, palette.lit, coverage * (1 - dark) * clamp(0.85 - abs(side) / 1400 + soft * 0.8))
      blend(out, palette.dark, coverage * dark * clamp(0.85 - side / 900 + soft * 0.7))
      darken(out, 1 + coverage * (ripple * (1 - dark / 2) + (noise(x * 1.1, y * 1.1) - 0.5) * 0.05 * share))
      blend(out, palette.low, coverage * (1 - share) * (0.62 * sqrt(1 - share) + 0.1 * smoothstep(0, 300, below)))
      addLight(out, palette.sun, coverage * 0.1 * exp(-x / 500))
    },
  )
  return [{ detail: 0.75, paint }]
}
