import type { Color } from './colors.ts'
import { fractal, type Noise } from './noise.ts'
import { randomBetween } from './random.ts'
import type { Frame, Shader } from './scene.ts'

const { abs, floor, max, min } = Math

/** The upper edge of a silhouette: y for every half unit of x. */
export type Ridge = Float32Array

export const ridgeAt = (ridge: Ridge, x: number) => ridge[max(0, min(ridge.length - 1, floor(x * 2)))] as number

/** `tall` and `wide` are the size of the peaks; `rough` is the amount of detail. */
export function makeRidge(frame: Frame, noise: Noise, top: number, tall: number, wide: number, rough: number): Ridge {
  const offset = frame.random() * 200
  return Float32Array.from({ length: floor(frame.width * 2) + 2 }, (_, column) => {
    const x = column / 2 / wide + offset
    const peaks = abs(2 * fractal(noise, x, offset, 3) - 1) - 0.5
    return top + tall * (peaks - rough * (fractal(noise, x * 7, offset + 9, 5) - 0.5))
  })
}

/** Returns a copy of the ridge with the outlines of `count` trees of at most `tall` units. */
export function plantConifers(frame: Frame, ridge: Ridge, count: number, tall: number): Ridge {
  const grown = ridge.slice()
  for (let tree = 0; tree < count; tree++) {
    const centre = floor(frame.random() * ridge.length)
    const height = tall * randomBetween(frame, 0.35, 1) ** 1.3
    const half = height * randomBetween(frame, 0.3, 0.42)
    for (let column = max(0, floor(centre - half)); column < min(ridge.length, centre + half); column++) {
      const out = abs(column - centre) / half
      const top = (ridge[centre] as number) - height * (1 - out ** 0.8 - 0.22 * frame.random() * out)
      grown[column] = min(grown[column] as number, top)
    }
  }
  return grown
}

/**
 * The first piece is the farthest one. `paint` gets the share of the point that the piece covers; hidden pieces are
 * skipped.
 */
export function paintStack<Piece extends { edge: Ridge }>(
  pieces: Piece[],
  background: Shader,
  paint: (piece: Piece, coverage: number, x: number, y: number, out: Color) => void,
): Shader {
  return (x, y, out) => {
    let index = pieces.length - 1
    while (index >= 0 && y < ridgeAt((pieces[index] as Piece).edge, x) + 2) index--
    if (index < 0) background(x, y, out)
    for (index = max(0, index); index < pieces.length; index++) {
      const piece = pieces[index] as Piece
      const above = y - ridgeAt(piece.edge, x)
      if (above > 0) paint(piece, min(1, above / 1.5), x, y, out)
    }
  }
}
