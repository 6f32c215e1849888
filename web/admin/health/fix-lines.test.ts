import { expect, test } from 'vitest'
import { getFixLines } from './fix-lines.ts'

test('the command of a backup starts the program of the service', () => {
  const item = { key: 'backup', facts: { program: '/srv/proofroom/bin/proofroom' } }
  const line = '/srv/proofroom/bin/proofroom backup /mnt/backup'
  expect(getFixLines(item, 'https://photos.example.com')).toEqual([{ where: 'shell', line }])
})
