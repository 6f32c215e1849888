import { expect, test } from 'vitest'
import { candidateNames, isIgnored, toDisplayPath } from './import-rules.ts'

test('ignores hidden, incomplete and system files', () => {
  const passed = [
    '.a.jpg',
    '~$a.jpg',
    '~syncthing~a.jpg.tmp',
    'a.jpg.part',
    'A.JPG.FILEPART',
    'a.crdownload',
    'a.!sync',
  ]
  const further = ['Thumbs.db', 'THUMBS.DB', 'desktop.ini', 'Icon\r', '@eaDir', '#recycle', '__MACOSX']
  expect([...passed, ...further].filter((name) => !isIgnored(name))).toEqual([])
  const importCounts = ['a.jpg', 'part.jpg', 'a.part.jpg', 'no extension', 'temp', 'Icon', 'recycle']
  expect(importCounts.filter(isIgnored)).toEqual([])
})

test('adds a number before the extension of a name in use', () => {
  const firstOf = (name: string) => {
    const names = candidateNames(name)
    return [1, 2, 3].map(() => names.next().value)
  }
  expect(firstOf('a.jpg')).toEqual(['a.jpg', 'a_1.jpg', 'a_2.jpg'])
  expect(firstOf('a.b.tar.gz')).toEqual(['a.b.tar.gz', 'a.b.tar_1.gz', 'a.b.tar_2.gz'])
  expect(firstOf('no extension')).toEqual(['no extension', 'no extension_1', 'no extension_2'])
  expect(firstOf('line\nbreak.jpg')).toEqual(['line\nbreak.jpg', 'line\nbreak_1.jpg', 'line\nbreak_2.jpg'])
})

test('shows a path without control characters and limits its length', () => {
  expect(toDisplayPath(['slug', 'First\u202e dance', 'a\nb.jpg'])).toBe('slug/First dance/ab.jpg')
  expect(toDisplayPath(['x'.repeat(400)])).toHaveLength(255)
})
