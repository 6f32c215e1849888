import { OneOf } from './shapes.ts'

export const headerStyles = ['hero', 'standard', 'minimal', 'none'] as const
export type HeaderStyle = (typeof headerStyles)[number]

export const themePresets = {
  classic: { name: 'Classic', header_style: 'standard' },
  linen: { name: 'Linen', header_style: 'hero' },
  noir: { name: 'Noir', header_style: 'hero' },
  meadow: { name: 'Meadow', header_style: 'standard' },
  coast: { name: 'Coast', header_style: 'hero' },
  slate: { name: 'Slate', header_style: 'minimal' },
} as const satisfies Record<string, { name: string; header_style: HeaderStyle }>

export type ThemePreset = keyof typeof themePresets

export const ThemePreset = OneOf(Object.keys(themePresets) as ThemePreset[], { title: 'ThemePreset' })
export const HeaderStyle = OneOf(headerStyles, { title: 'HeaderStyle' })
