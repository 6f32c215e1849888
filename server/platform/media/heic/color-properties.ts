import type { ColorCoding, Matrix } from '../decoder/draw-planes.ts'
import { type CodedColors, type HevcStream, RejectedHeic } from './heic-picture.ts'
import { createCursor } from './item-tables.ts'

/** What a property `colr` declares; null where it does not. */
export type DeclaredColors = { colors: CodedColors | null; profile: Buffer | null }

/** Parses the contents of properties `colr`. Throws ReadLimitExceeded. */
export function parseColors(properties: readonly Buffer[]): DeclaredColors {
  const declared: DeclaredColors = { colors: null, profile: null }
  for (const property of properties) {
    const cursor = createCursor(property)
    const kind = cursor.bytes(4).toString('latin1')
    if (kind === 'nclx') {
      const [primaries, transfer, matrix] = [cursor.uint(2), cursor.uint(2), cursor.uint(2)]
      declared.colors ??= { primaries, transfer, matrix, isFullRange: cursor.uint(1) >= 128 }
    }
    // A gray profile does not fit the decoded picture.
    const isProfile = (kind === 'prof' || kind === 'rICC') && cursor.rest().toString('latin1', 16, 20) === 'RGB '
    if (isProfile) declared.profile ??= cursor.rest()
  }
  return declared
}

const unspecified = 2
const matrices: Record<number, Matrix> = { 0: 'identity', 1: 'bt709', 5: 'bt601', 6: 'bt601', 9: 'bt2020' }

/**
 * Returns how to convert the samples. The property counts first, then the stream. Without both, the colors are those that
 * the MIAF specification (ISO/IEC 23000-22, 7.3.6.4) names: the matrix of BT.601 and the full range. Throws RejectedHeic.
 */
export function chooseCoding(declared: CodedColors | null, { colors, sampling }: HevcStream): ColorCoding {
  const { isFullRange } = declared ?? colors ?? { isFullRange: true }
  const number = [declared, colors].find((one) => one && one.matrix !== unspecified)?.matrix ?? 6
  const matrix = sampling === '400' ? 'bt601' : matrices[number]
  if (!matrix || (matrix === 'identity' && sampling !== '444')) {
    throw new RejectedHeic('unsupported', `Colors with the matrix ${number} are not converted`)
  }
  return { matrix, isFullRange }
}
