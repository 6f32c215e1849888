import { expect, test } from 'vitest'
import { matchSidecars } from './match-sidecars.ts'

const match = (photos: string[], sidecars: string[], ofGuests: string[] = []) => {
  const toPhotos = (names: string[], isOfGuest: boolean) =>
    names.map((sourceFilename) => ({ sourceFilename, isOfGuest }))
  const { matched, unmatched } = matchSidecars(
    [...toPhotos(ofGuests, true), ...toPhotos(photos, false)],
    sidecars.map((clientName) => ({ clientName })),
  )
  return [
    ...matched.map(({ photo, sidecar }) => `${photo.sourceFilename} < ${sidecar.clientName}`),
    ...unmatched.map(({ sidecar, problem }) => `${sidecar.clientName}: ${problem}`),
  ]
}

test('matches the names of raw files and of the uploaded files', () => {
  expect(match(['IMG_1.JPG', 'IMG_2.jpg', 'IMG_3.jpg'], ['img_1.xmp', 'IMG_2.CR3.xmp', 'IMG_3.jpg.xmp'])).toEqual([
    'IMG_1.JPG < img_1.xmp',
    'IMG_2.jpg < IMG_2.CR3.xmp',
    'IMG_3.jpg < IMG_3.jpg.xmp',
  ])
})

test('matches an upload of a guest only if no other photo has the name', () => {
  expect(match(['IMG_1.JPG'], ['IMG_1.xmp', 'IMG_2.xmp'], ['img_1.jpg', 'IMG_2.jpg'])).toEqual([
    'IMG_1.JPG < IMG_1.xmp',
    'IMG_2.jpg < IMG_2.xmp',
  ])
})

test('leaves out what belongs to no photo or is ambiguous', () => {
  expect(match(['IMG_1.JPG'], ['IMG_2.xmp', 'notes.txt'])).toEqual(['IMG_2.xmp: noPhoto', 'notes.txt: noPhoto'])
  expect(match(['IMG_1.JPG', 'img_1.jpg', 'IMG_2.jpg', 'IMG_2.png'], ['IMG_1.xmp', 'IMG_2.xmp'])).toEqual([
    'IMG_1.xmp: severalPhotos',
    'IMG_2.xmp: severalPhotos',
  ])
  expect(match(['IMG_1.JPG'], ['IMG_1.xmp', 'IMG_1.XMP'])).toEqual(['IMG_1.xmp: sameName', 'IMG_1.XMP: sameName'])
  expect(match(['IMG_1.xmp'], ['IMG_1.xmp'])).toEqual(['IMG_1.xmp: noPhoto'])
})
