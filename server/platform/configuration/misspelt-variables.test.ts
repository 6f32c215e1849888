import { expect, test } from 'vitest'
import { findMisspeltVariables } from './misspelt-variables.ts'

test.each([
  ['PUBLC_URL', 'PUBLIC_URL'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['PROT', 'PORT'],
  ['SMTP_ULR', 'SMTP_URL'],
  ['jwt_secret', 'JWT_SECRET'],
  ['JWT_SECRETFILE', 'JWT_SECRET_FILE'],
])('%s: did you mean %s?', (name, meant) => {
  expect(findMisspeltVariables({ [name]: 'x' })).toEqual([{ name, meant }])
})

test('other variables, and those that are read, are not reported', () => {
  const others = 'HOME HOSTNAME PATH LOGNAME MAIL PWD USER LANG TERM SHELL PUBLIC NODE_ENV'.split(' ')
  const read = ['PORT', 'HOST', 'DATA_DIR', 'SMTP_URL_FILE', 'S3_BUCKET']
  expect(findMisspeltVariables(Object.fromEntries([...others, ...read].map((name) => [name, 'x'])))).toEqual([])
})
