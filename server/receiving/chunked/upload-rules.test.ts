import { expect, test } from 'vitest'
import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import { calculateProgress, countChunks, findPart, listMissingIndexes } from './upload-rules.ts'

test.each([
  [1, 1],
  [chunkBytes - 1, 1],
  [chunkBytes, 1],
  [chunkBytes + 1, 2],
  [3 * chunkBytes, 3],
])('splits a file of %i bytes into %i chunks', (bytes, count) => {
  expect(countChunks(bytes)).toBe(count)
})

test.each([
  [1, 0, { index: 0, offset: 0, sizeBytes: 1 }],
  [1, 1, null],
  [2 * chunkBytes, 1, { index: 1, offset: chunkBytes, sizeBytes: chunkBytes }],
  [2 * chunkBytes, 2, null],
  [2 * chunkBytes + 7, 0, { index: 0, offset: 0, sizeBytes: chunkBytes }],
  [2 * chunkBytes + 7, 2, { index: 2, offset: 2 * chunkBytes, sizeBytes: 7 }],
  [2 * chunkBytes + 7, 3, null],
])('a file of %i bytes has as chunk %i %o', (bytes, index, part) => {
  expect(findPart(bytes, index)).toEqual(part)
})

test.each([
  [0, 3, 0],
  [1, 3, 33],
  [2, 3, 66],
  [3, 3, 100],
  [999, 1000, 99],
])('%i of %i chunks are %i percent', (received, expected, percent) => {
  expect(calculateProgress(received, expected)).toBe(percent)
})

test.each([
  [[], 3, 10, [0, 1, 2]],
  [[1], 3, 10, [0, 2]],
  [[0, 1, 2], 3, 10, []],
  [[0, 7], 4, 2, [1, 2]],
  [[], 3, 0, []],
])('the missing chunks when %o of %i are received, at most %i: %o', (received, expected, most, missing) => {
  expect(listMissingIndexes(new Set(received), expected, most)).toEqual(missing)
})
