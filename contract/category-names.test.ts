import { expect, test } from 'vitest'
import { categoryName } from './category-names.ts'

const name = (name: string, is_global = true) => categoryName((key) => key, { name, is_global })

test('the categories that each instance starts with have translated names', () => {
  expect(['Ceremony', 'Portraits', 'Party', 'Guest uploads'].map((one) => name(one))).toEqual([
    'categoryCeremony',
    'categoryPortraits',
    'categoryParty',
    'categoryGuestUploads',
  ])
})

test('renamed categories and those of an event are shown as they are named', () => {
  const names = [name('Ceremony at noon'), name('constructor'), name('Party', false)]
  expect(names).toEqual(['Ceremony at noon', 'constructor', 'Party'])
})
