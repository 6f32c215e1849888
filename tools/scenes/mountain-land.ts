import { addLight, blend, type Color, darken, mix } from './colors.ts'
import { fractal, makeNoise, type Noise } from './noise.ts'
import { lerp, smoothstep, times } from './numbers.ts'
import { pickPalette } from './palettes.ts'
import { randomBetween } from './random.ts'
import { makeRidge, paintStack, plantConifers, ridgeAt } from './ridges.ts'
import type { Frame, Shader } from './scene.ts'
import { type Sky, skyShader } from './sky.ts'

const { exp, floor, hypot } = Math

export type MountainLand = { land: Shader; water: Color; waterY: number; noise: Noise }

/** Above a lake, the land ends at `waterY` and has trees. Without a lake, it fills the frame. */
export function mountainLand(frame: Frame, isAboveLake: boolean): MountainLand {
  const palette = pickPalette(
    frame,
    'zenith middle low sun cloud shadow near',
    `5d7fa8 a9b9cc f3d9c0 ffe3b5 fff0dc 8d9db5 14202e
     31456e 8c7fa6 f5b796 ffd7a0 ffcdb0 6a6288 1a1830
     6fa0c8 b4d0de eef0e4 fff6dc ffffff a4b4c4 123036
     46536b 9aa3ae dfd9cf fff2da f4ece2 858d99 1b2422
     6a5a86 d89a9a ffdcb0 ffe2b0 ffd8c0 8a7090 2a1a2c`,
  )
  const noise = makeNoise(frame)
  const waterY = frame.height * (isAboveLake ? randomBetween(frame, 0.52, 0.62) : 1)
  const [sunX, sunY] = [frame.width * randomBetween(frame, 0.2, 0.8), waterY * randomBetween(frame, 0.18, 0.32)]
  const horizon = waterY * (isAboveLake ? 1 : 0.5)
  const sky = { ...palette, sunX, sunY, horizon, clouds: randomBetween(frame, 0.1, 0.9), noise }
  const [top, bottom] = isAboveLake ? [0.62, 0.985] : [0.42, 0.93]
  const isWooded = isAboveLake || frame.random() < 0.7
  const land = mountainRanges(frame, sky, palette.near, waterY * top, waterY * bottom, isWooded)
  return { land, water: mix(palette.near, palette.zenith, 0.4), waterY, noise }
}

function mountainRanges(frame: Frame, sky: Sky, near: Color, top: number, bottom: number, isWooded: boolean): Shader {
  const count = floor(randomBetween(frame, 4, 7))
  const ranges = times(count, (index) => {
    const share = index / (count - 1)
    const tall = lerp(300, 130, share) * randomBetween(frame, 0.8, 1.1) * (1.5 - count * 0.07)
    const y = lerp(top, bottom, share ** 0.9)
    const ridge = makeRidge(frame, sky.noise, y, tall, lerp(360, 520, share), lerp(0.42, 0.16, share))
    const edge = isWooded && share > 0.4 ? plantConifers(frame, ridge, share * 850, lerp(8, 74, share ** 2.5)) : ridge
    return { ridge, edge, color: mix(mix(sky.low, sky.zenith, 0.34), near, share ** 1.15), share }
  })
  return paintStack(ranges, skyShader(sky), ({ ridge, color, share }, coverage, x, y, out) => {
    const below = y - ridgeAt(ridge, x)
    const rock = below > 0 ? fractal(sky.noise, (x + y * 0.4) / 120, (y - x * 0.12) / 52, 5) - 0.5 : 0
    blend(out, color, coverage)
    darken(out, 1 + rock * lerp(0.34, 0.1, share))
    blend(out, sky.low, lerp(0.85, 0.55, share) * smoothstep(0, 240, below + rock * 70))
    addLight(out, sky.sun, 0.22 * exp(-hypot(x - sky.sunX, y - sky.sunY) / 300))
  })
}
