import { expect, test } from 'vitest'
import { findTerminalLanguage } from './command-messages.ts'

test.each([
  ['de', { LANG: 'de_DE.UTF-8' }],
  ['de', { LANG: 'de_AT@euro' }],
  ['de', { LANG: 'de' }],
  ['en', { LANG: 'en_US.UTF-8' }],
  ['en', { LANG: 'xx_XX.UTF-8' }],
  ['en', { LANG: 'C.UTF-8' }],
  ['en', { LANG: 'POSIX' }],
  ['en', {}],
  // An empty variable counts as unset.
  ['de', { LC_ALL: '', LC_MESSAGES: 'de_DE.UTF-8', LANG: 'en_US.UTF-8' }],
  ['en', { LC_ALL: 'C', LC_MESSAGES: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' }],
  ['en', { LC_MESSAGES: 'en_GB.UTF-8', LANG: 'de_DE.UTF-8' }],
])('finds %s from %o', (language, environment) => expect(findTerminalLanguage(environment)).toBe(language))
