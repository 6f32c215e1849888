import { expect, test } from 'vitest'
import { themePresets as offered, headerStyles as offeredHeaders } from '../../../contract/themes.ts'
import { headerOf, headerStyles, isTheme, themePresets } from './themes.ts'

test('the admin app has the themes and headers of the contract', () => {
  expect(Object.fromEntries(themePresets.map((theme) => [theme, headerOf(theme)]))).toEqual(
    Object.fromEntries(Object.entries(offered).map(([theme, { header_style }]) => [theme, header_style])),
  )
  expect(headerStyles).toEqual([...offeredHeaders])
  expect([isTheme('linen'), isTheme('toString')]).toEqual([true, false])
})
