import { expect, test } from 'vitest'
import en from './en/gallery.json' with { type: 'json' }
import { formatPhotoCount } from './format-photo-count.ts'
import { t } from './translate.ts'

test.each([
  [12, 0, '12 photos'],
  [13, 1, '12 photos and 1 video'],
  [3, 2, '1 photo and 2 videos'],
  [1, 1, '1 video'],
])('%i with %i videos are "%s"', (count, videos, expected) => {
  expect(formatPhotoCount((key, values) => t('en', en, key, values), count, videos)).toBe(expected)
})
