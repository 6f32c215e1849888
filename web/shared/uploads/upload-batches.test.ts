import { expect, test } from 'vitest'
import { maxBatchIndex } from '../../../contract/chunk-bytes.ts'
import { createBatch, sortNaturally } from './upload-batches.ts'

test('sorts paths with numbers by their value, folder by folder', () => {
  const paths = ['b/IMG_10.jpg', 'b/IMG_9.jpg', 'a/IMG_11.jpg', 'IMG_2.jpg', 'IMG_12.jpg']
  const sorted = ['a/IMG_11.jpg', 'b/IMG_9.jpg', 'b/IMG_10.jpg', 'IMG_2.jpg', 'IMG_12.jpg']
  expect(sortNaturally(paths, (path) => path)).toEqual(sorted)
})

test('gives the files of a batch one id, and places that the service accepts', () => {
  const [place, ofOther] = [createBatch(), createBatch()]
  const { id } = place(0)
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect([place(7), place(200_000)]).toEqual([
    { id, index: 7 },
    { id, index: maxBatchIndex },
  ])
  expect(ofOther(0).id).not.toBe(id)
})
