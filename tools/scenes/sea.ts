import { addLight, blend, mix } from './colors.ts'
import { fractal, makeNoise } from './noise.ts'
import { clamp, smoothstep } from './numbers.ts'
import { pickPalette } from './palettes.ts'
import { randomBetween } from './random.ts'
import { makeRidge, ridgeAt } from './ridges.ts'
import type { Frame, Layer, Shader } from './scene.ts'
import { skyShader } from './sky.ts'

const { abs, exp, floor } = Math

export function sea(frame: Frame): Layer[] {
  const { width, height } = frame
  const palette = pickPalette(
    frame,
    'zenith middle low sun cloud shadow deep',
    `3c5a88 d99a7c ffcf8a ffdf9e ffc98f 6d5a78 123048
     28305e b56a86 ffb08a ffc790 ff9f8a 4a3a68 1c2348
     6f9cc4 b9d2de f6ead2 fff4d8 ffffff 9fb2c4 1d5a70
     1f3a50 7a8a90 f0c08a ffe0a8 f0c8a0 3c4a58 0d2430`,
  )
  const noise = makeNoise(frame)
  const horizon = floor(height * randomBetween(frame, 0.4, 0.58))
  const [sunX, sunY] = [width * randomBetween(frame, 0.25, 0.75), horizon - randomBetween(frame, 40, 170)]
  const sky = { ...palette, sunX, sunY, horizon, clouds: randomBetween(frame, 0.35, 1), noise }
  const [paintSky, paintClearSky] = [skyShader(sky), skyShader({ ...sky, clouds: 0 })]
  const cape = makeRidge(frame, noise, horizon + 10, randomBetween(frame, 30, 90), 700, 0.3)
  const distant = mix(palette.low, palette.deep, 0.55)
  const paint: Shader = (x, y, out) => {
    const depth = y - horizon
    if (depth < 0) {
      paintSky(x, y, out)
      blend(out, distant, 0.8 * clamp((y - ridgeAt(cape, x)) / 1.5))
      return
    }
    const far = 1000 / (depth + 9)
    const along = ((x - width / 2) * far) / 240
    const swell = fractal(noise, along * 0.35, far * 5, 3) - 0.5
    const chop = fractal(noise, along * 1.6, far * 26 + swell * 3, 3)
    const tilt = swell * 0.8 + chop - 0.5
    paintClearSky(x + tilt * 60, horizon - 6 - depth * 0.5 - abs(tilt) * 160, out)
    blend(out, palette.deep, clamp(0.2 + 0.62 * smoothstep(0, height * 0.4, depth) + tilt * 0.5))
    const aside = ((x - sunX) / (34 + depth * 0.34)) ** 2
    const glitter = exp(-aside) * (0.22 + 1.3 * smoothstep(0.5, 0.72, chop))
    addLight(out, palette.sun, glitter + exp(-aside / 9) * 0.8 * smoothstep(0.6, 0.8, chop))
    blend(out, palette.low, 0.5 * exp(-depth / 14))
  }
  return [{ detail: 0.75, paint }]
}
