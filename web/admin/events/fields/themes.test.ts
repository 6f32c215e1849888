import { expect, test } from 'vitest'
import { themePresets as offered, headerStyles as offeredHeaders } from '../../../../contract/themes.ts'
import { getRecommendedHeader, headerStyles, isThemePreset, themePresets } from './themes.ts'

test('the admin app has the themes and headers of the contract', () => {
  expect(Object.fromEntries(themePresets.map((theme) => [theme, getRecommendedHeader(theme)]))).toEqual(
    Object.fromEntries(Object.entries(offered).map(([theme, { header_style }]) => [theme, header_style])),
  )
  expect(headerStyles).toEqual([...offeredHeaders])
  expect([isThemePreset('linen'), isThemePreset('toString')]).toEqual([true, false])
})
