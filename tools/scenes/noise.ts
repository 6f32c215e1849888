import { lerp, smoothstep } from './numbers.ts'
import type { Frame } from './scene.ts'

const { floor } = Math

export type Noise = (x: number, y: number) => number

/** Smooth noise: interpolates between random values at integer coordinates. */
export function makeNoise({ random }: Frame): Noise {
  const lattice = Float32Array.from({ length: 65536 }, random)
  const at = (column: number, row: number) => lattice[(column & 255) | ((row & 255) << 8)] as number
  return (x, y) => {
    const column = floor(x)
    const row = floor(y)
    const across = smoothstep(column, column + 1, x)
    const top = lerp(at(column, row), at(column + 1, row), across)
    const bottom = lerp(at(column, row + 1), at(column + 1, row + 1), across)
    return lerp(top, bottom, smoothstep(row, row + 1, y))
  }
}

/** Noise with several octaves. Each octave is rotated, so that the grid is not visible. */
export function fractal(noise: Noise, startX: number, startY: number, octaves: number): number {
  let [x, y, sum, weight] = [startX, startY, 0, 0.5]
  for (let octave = 0; octave < octaves; octave++) {
    sum += weight * noise(x, y)
    weight /= 2
    const turned = x * 1.6 + y * 1.2 + 17.3
    y = y * 1.6 - x * 1.2 + 5.7
    x = turned
  }
  return sum / (1 - weight * 2)
}
