import { expect, test } from 'vitest'
import { shareLinks } from './share-links.ts'

const gallery = 'https://studio.example/gallery/ana-ben/token'

test('the whole gallery is its address without anything behind it', () => {
  expect(shareLinks(gallery)).toEqual({ gallery, view: null, isOwn: false })
})

test('a view keeps filter, search and order, and leaves out the photo that is open', () => {
  const address = `${gallery}?category_id=3&search=kiss&sort=filename_asc&photo=12&page=2#x`
  const view = `${gallery}?category_id=3&search=kiss&sort=filename_asc`
  expect(shareLinks(address)).toEqual({ gallery, view, isOwn: false })
})

test('an open photo alone is no view, nor is looking in as an operator', () => {
  expect(shareLinks(`${gallery}?photo=12&as=operator`).view).toBe(null)
})

test.each(['filter=favorited', 'color_label=red', 'my_min_rating=4'])('%s shows everybody their own', (query) => {
  expect(shareLinks(`${gallery}?${query}`).isOwn).toBe(true)
})

test('an address that opens to nobody else is given on by its whole path', () => {
  const links = shareLinks('https://studio.example/gallery/ana-ben?search=kiss', '/gallery/ana-ben/token')
  expect(links).toEqual({ gallery, view: `${gallery}?search=kiss`, isOwn: false })
})
