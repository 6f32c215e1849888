import { addLight, blend } from './colors.ts'
import { mountainLand } from './mountain-land.ts'
import { fractal } from './noise.ts'
import { clamp, smoothstep } from './numbers.ts'
import type { Frame, Layer, Shader } from './scene.ts'

const { min } = Math

export function lake(frame: Frame): Layer[] {
  const { land, water, waterY, noise } = mountainLand(frame, true)
  const paint: Shader = (x, y, out) => {
    if (y < waterY) return land(x, y, out)
    const depth = y - waterY
    const far = 1000 / (depth + 12)
    const ripple = fractal(noise, (x * far) / 900, far * 9, 3) - 0.5
    land(x + ripple * min(12, depth * 0.12), waterY - depth * 0.96 + ripple * min(60, depth * 0.35), out)
    blend(out, water, 0.16 + 0.3 * smoothstep(0, 500, depth))
    addLight(out, water, 0.25 * clamp(1 - depth / 3))
  }
  return [{ detail: 0.75, paint }]
}
