import { expect, test } from 'vitest'
import { createShareLinks } from './share-links.ts'

const gallery = 'https://studio.example/gallery/ana-ben/token'

test('links to the whole gallery without query and fragment, and to a view with filter, search and order', () => {
  expect(createShareLinks(gallery)).toEqual({ gallery, view: null, isOwn: false })
  const address = `${gallery}?category_id=3&search=kiss&sort=filename_asc&photo=12&page=2#x`
  const view = `${gallery}?category_id=3&search=kiss&sort=filename_asc`
  expect(createShareLinks(address)).toEqual({ gallery, view, isOwn: false })
  expect(createShareLinks(`${gallery}?photo=12&as=operator`).view).toBe(null)
})

test.each(['filter=favorited', 'color_label=red', 'my_min_rating=4'])('%s differs for each guest', (query) => {
  expect(createShareLinks(`${gallery}?${query}`).isOwn).toBe(true)
})

test('uses the share path for an address that only works for this guest', () => {
  const links = createShareLinks('https://studio.example/gallery/ana-ben?search=kiss', '/gallery/ana-ben/token')
  expect(links).toEqual({ gallery, view: `${gallery}?search=kiss`, isOwn: false })
})
