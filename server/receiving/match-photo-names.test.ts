import { expect, test } from 'vitest'
import { matchNames } from './match-photo-names.ts'

const photo = (id: number, source_filename: string, media_type: 'image' | 'video' = 'image') => ({
  id,
  source_filename,
  original_filename: source_filename,
  media_type,
  captured_at: id * 1000,
  uploaded_by: 'admin' as const,
})
const photos = [
  photo(1, 'DSC_0001.JPG'),
  photo(2, 'DSC_0002.JPG'),
  photo(3, 'dsc_0002.jpg'),
  photo(4, 'Straße.jpg'),
  photo(5, 'DSC_0005.jpg'),
  photo(6, 'DSC_0005.png'),
  photo(7, 'DSC_0007.MOV', 'video'),
]
const listed = (...ids: number[]) => ids.map((id) => ({ id, captured_at: new Date(id * 1000).toISOString() }))
const match = (...names: string[]) => Object.fromEntries(matchNames(photos, names))

test('finds the photos with a name, in any case', () => {
  expect(match('dsc_0001.jpg', 'STRASSE.JPG', 'card 2/DSC_0001.JPG', 'DSC_1.JPG')).toEqual({
    'dsc_0001.jpg': { photos: listed(1), is_exact: true },
    'STRASSE.JPG': { photos: listed(4), is_exact: true },
    'card 2/DSC_0001.JPG': { photos: listed(1), is_exact: true },
  })
})

test('finds all photos with the name, but none of those with several extensions', () => {
  expect(match('DSC_0002.JPG', 'DSC_0002.png', 'DSC_0005.webp')).toEqual({
    'DSC_0002.JPG': { photos: listed(2, 3), is_exact: true },
  })
  expect(match('DSC_0005.PNG')).toEqual({ 'DSC_0005.PNG': { photos: listed(6), is_exact: true } })
  const many = Array.from({ length: 101 }, (_, index) => photo(index, 'image.jpg'))
  expect(matchNames(many, ['image.jpg']).get('image.jpg')).toEqual({ photos: [], is_exact: true })
})

test('finds an upload of a guest only if no other photo has the name', () => {
  const ofGuest = (id: number, name: string) => ({ ...photo(id, name), uploaded_by: 'guest' as const })
  const withGuests = [...photos, ofGuest(8, 'DSC_0001.JPG'), ofGuest(9, 'dsc_0001.png'), ofGuest(10, 'DSC_0010.JPG')]
  expect(Object.fromEntries(matchNames(withGuests, ['DSC_0001.JPG', 'DSC_0001.png', 'DSC_0010.JPG']))).toEqual({
    'DSC_0001.JPG': { photos: listed(1), is_exact: true },
    'DSC_0001.png': { photos: listed(1), is_exact: false },
    'DSC_0010.JPG': { photos: listed(10), is_exact: true },
  })
})

test('finds a photo of another extension, but none of another kind', () => {
  expect(match('DSC_0001.tif', 'DSC_0007.jpg', 'DSC_0007.mp4', 'DSC_0001.mov')).toEqual({
    'DSC_0001.tif': { photos: listed(1), is_exact: false },
    'DSC_0007.mp4': { photos: listed(7), is_exact: false },
  })
})

test('finds a photo by the name of the file that replaced its first one, and by the first name', () => {
  const replaced = { ...photo(8, 'IMG_0008.HEIC'), original_filename: 'IMG_0008.JPG' }
  expect(Object.fromEntries(matchNames([replaced], ['img_0008.jpg', 'IMG_0008.heic', 'IMG_0008.png']))).toEqual({
    'img_0008.jpg': { photos: listed(8), is_exact: true },
    'IMG_0008.heic': { photos: listed(8), is_exact: true },
    'IMG_0008.png': { photos: listed(8), is_exact: false },
  })
})
