import { expect, test } from 'vitest'
import {
  themePresets as offered,
  headerStyles as offeredHeaders,
  typefaces as offeredTypefaces,
} from '../../../../contract/themes.ts'
import {
  getRecommendedHeader,
  getTypefaceOfTheme,
  headerStyles,
  isThemePreset,
  themePresets,
  typefaces,
} from './themes.ts'

test('the admin app has the themes, headers and typefaces of the contract', () => {
  expect(themePresets.map((theme) => [theme, getRecommendedHeader(theme), getTypefaceOfTheme(theme)])).toEqual(
    Object.entries(offered).map(([theme, { header_style, typeface }]) => [theme, header_style, typeface]),
  )
  expect(typefaces).toEqual([...offeredTypefaces])
  expect(headerStyles).toEqual([...offeredHeaders])
  expect([isThemePreset('linen'), isThemePreset('toString')]).toEqual([true, false])
})
