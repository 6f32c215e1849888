import { expect, test } from 'vitest'
import { comparePaths } from './path-order.ts'

test('an original comes before its copy, and the next photo after both', () => {
  const numbered = ['IMG_1 (1).jpg', 'IMG_1(2).jpg', 'IMG_1 copy.jpg', 'IMG_1 copy 2.jpg', 'IMG_1 - Kopie.jpg']
  for (const copy of [...numbered, 'IMG_1 - Copy (2).jpg', 'Copy of IMG_1.jpg', 'Kopie von IMG_1.jpg']) {
    const paths = ['IMG_2.jpg', `a/${copy}`, copy, 'IMG_1.jpg', 'a/IMG_1.jpg', 'IMG_10.jpg']
    const expected = ['IMG_1.jpg', copy, 'IMG_2.jpg', 'IMG_10.jpg', 'a/IMG_1.jpg', `a/${copy}`]
    expect(paths.sort(comparePaths)).toEqual(expected)
  }
})

test('the files of a folder come before those of its folders, in natural order', () => {
  const paths = ['s/copies/1.jpg', 's/IMG_10.jpg', 's/b/c/1.jpg', 's/img_9.jpg', 's/b/2.jpg', 's/img_9.jpg']
  expect(paths.sort(comparePaths)).toEqual([
    's/img_9.jpg',
    's/img_9.jpg',
    's/IMG_10.jpg',
    's/b/2.jpg',
    's/b/c/1.jpg',
    's/copies/1.jpg',
  ])
})

test('numbered photos keep their order', () => {
  const paths = ['Ana (10).jpg', 'Ana (2).jpg', 'Photocopy.jpg', 'Ana (1).jpg']
  expect(paths.sort(comparePaths)).toEqual(['Ana (1).jpg', 'Ana (2).jpg', 'Ana (10).jpg', 'Photocopy.jpg'])
})
