import { expect, test } from 'vitest'
import { numberParameters } from './stored-postgres.ts'

test('parameters are numbered in order, and question marks in quotes stay unchanged', () => {
  expect(numberParameters(`update photos set name = 'why? it''s ?', "odd?" = ? where id in (?, ?)`)).toBe(
    `update photos set name = 'why? it''s ?', "odd?" = $1 where id in ($2, $3)`,
  )
})
