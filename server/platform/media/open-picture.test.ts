import { describe, expect, test } from 'vitest'
import type { ImageHeader } from './image-header.ts'
import { RejectedPicture, validateHeader } from './open-picture.ts'

const camera: ImageHeader = { kind: 'jpeg', width: 6000, height: 4000, isFullyBuffered: false }

function causeFor(change: Partial<ImageHeader>): string | null {
  try {
    validateHeader({ ...camera, ...change }, { maxBufferedBytes: 300e6 })
    return null
  } catch (error) {
    return error instanceof RejectedPicture ? error.rejection.cause : 'another error'
  }
}

describe('a picture', () => {
  test.each<[string, Partial<ImageHeader>, string | null]>([
    ['of the most pixels', { width: 16_383, height: 16_383 }, null],
    ['of one row more', { width: 16_383, height: 16_384 }, 'size'],
    ['without width', { width: 0 }, 'damage'],
    ['without height', { height: 0 }, 'damage'],
    ['of a progressive camera picture', { isFullyBuffered: true }, null],
    [
      'that is progressive, and that 300 MB do not hold',
      { width: 12_000, height: 9000, isFullyBuffered: true },
      'size',
    ],
    ['of the same size, baseline', { width: 12_000, height: 9000 }, null],
    ['that is a large interlaced PNG', { kind: 'png', width: 10_000, height: 10_000, isFullyBuffered: true }, 'size'],
    ['whose header has no size', { kind: 'avif', width: null, height: null, isFullyBuffered: true }, null],
  ])('%s is rejected for: %s', (_name, change, cause) => {
    expect(causeFor(change)).toBe(cause)
  })
})
