import { expect, test } from 'vitest'
import { formatExposure } from './format-exposure.ts'

const nothing = { focal_length: null, aperture: null, exposure_time: null, iso: null }

test.each([
  ['85 mm, f/1.8, 1/200 s, ISO 400', { focal_length: 85, aperture: 1.8, exposure_time: 1 / 200, iso: 400 }, 'en'],
  ['f/2,8, 2,5 s', { ...nothing, aperture: 2.8, exposure_time: 2.5 }, 'de'],
  ['1/4 s', { ...nothing, exposure_time: 0.25 }, 'en'],
  ['', nothing, 'en'],
])('exposure: %s', (text, exposure, locale) => {
  expect(formatExposure(exposure, locale)).toBe(text)
})
