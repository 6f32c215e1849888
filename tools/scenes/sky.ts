import { addLight, blend, type Color } from './colors.ts'
import { fractal, type Noise } from './noise.ts'
import { clamp, lerp, smoothstep } from './numbers.ts'
import type { Shader } from './scene.ts'

const { exp, hypot } = Math

type SkyColors = Record<'zenith' | 'middle' | 'low' | 'sun' | 'cloud' | 'shadow', Color>

/** Positions are in the units of `Shader`; `clouds`: 0 is none, 1 is many. */
export type Sky = SkyColors & { sunX: number; sunY: number; horizon: number; clouds: number; noise: Noise }

const cloudAt = ({ noise, horizon }: Sky, x: number, y: number, octaves: number) =>
  fractal(noise, x / 380, (y * (1 + (2.2 * y) / horizon)) / 150, octaves)

export const skyShader =
  (sky: Sky): Shader =>
  (x, y, out) => {
    const share = clamp(y / sky.horizon)
    blend(out, sky.zenith, 1)
    blend(out, sky.middle, smoothstep(0, 0.62, share))
    blend(out, sky.low, smoothstep(0.5, 1, share))
    const distance = hypot(x - sky.sunX, (y - sky.sunY) * 1.15)
    addLight(out, sky.sun, 0.5 * exp(-distance / 260))
    const amount = sky.clouds && smoothstep(0.62, 0.88, cloudAt(sky, x, y, 5) + sky.clouds * 0.23)
    if (amount > 0) {
      // A cloud is bright where it gets thinner towards the sun.
      const sunward = cloudAt(sky, lerp(x, sky.sunX, 0.06), lerp(y, sky.sunY, 0.12), 3)
      const bright = clamp(0.5 + (cloudAt(sky, x, y, 3) - sunward) * 2.6 + 0.5 * exp(-distance / 300))
      blend(out, sky.shadow, amount * 0.75 * (1 - bright))
      blend(out, sky.cloud, amount * 0.85 * bright * (1 - 0.5 * smoothstep(0.8, 1, share)))
    }
    addLight(out, sky.sun, 1.25 * exp(-distance / 42))
  }
