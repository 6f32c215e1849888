import { expect, test } from 'vitest'
import { pairSidecars } from '../../../contract/files/pair-sidecars.ts'

const pairsOf = (...paths: string[]) =>
  [...pairSidecars(paths.map((path) => ({ path })))].map(([file, sidecar]) => `${file.path} < ${sidecar.path}`)

test.each([
  [['IMG_1.JPG', 'IMG_1.xmp'], ['IMG_1.JPG < IMG_1.xmp']],
  [['IMG_1.JPG', 'img_1.JPG.XMP', 'IMG_1.xmp'], ['IMG_1.JPG < img_1.JPG.XMP']],
  [['IMG_1.JPG', 'IMG_1.CR3.xmp'], ['IMG_1.JPG < IMG_1.CR3.xmp']],
  [
    ['IMG_1.JPG', 'IMG_1.CR3', 'IMG_1.xmp'],
    ['IMG_1.JPG < IMG_1.xmp', 'IMG_1.CR3 < IMG_1.xmp'],
  ],
  [['IMG_1.JPG', 'IMG_1.CR3.xmp', 'IMG_1.NEF.xmp'], []],
  [['a/IMG_1.JPG', 'b/IMG_1.xmp', 'IMG_1.xmp', 'a/IMG_10.xmp'], []],
  [['Zoe\u0308.jpg', 'Zoë.xmp'], ['Zoe\u0308.jpg < Zoë.xmp']],
  [['a.b/IMG', 'a.b/IMG.xmp'], ['a.b/IMG < a.b/IMG.xmp']],
  [['IMG_1.xmp', 'IMG_1.xmp.xmp'], []],
])('of %j are %j', (paths, expected) => {
  expect(pairsOf(...paths)).toEqual(expected)
})
