import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingDefaults } from '../../contract/settings.ts'
import { createSettingsTables } from '../support/docs/settings-tables.ts'
import { root } from './source-files.ts'

const page = readFileSync(join(root, 'docs/operating/settings.md'), 'utf8')

test('the page about settings lists exactly the settings of the service', () => {
  for (const table of Object.values(createSettingsTables())) expect(page).toContain(table)
  const described = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key)
  expect(described.sort()).toEqual(Object.keys(settingDefaults).sort())
})
