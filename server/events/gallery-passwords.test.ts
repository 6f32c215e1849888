import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { GalleryPassword } from '../../contract/events.ts'
import { generateGalleryPassword } from './gallery-passwords.ts'

test('generated passwords are valid, unique and without similar characters', () => {
  const made = Array.from({ length: 1000 }, generateGalleryPassword)
  expect(made.filter((password) => !Value.Check(GalleryPassword, password))).toEqual([])
  expect(new Set(made).size).toBe(1000)
  expect(made.join('')).not.toMatch(/[01ilo]/)
})
