import type { ColorLabel } from '../../../contract/color-labels.ts'
import { adminAppData } from './admin-app-data.ts'
import { translator } from './language.ts'

const t = translator('photos')

/** Returns the name in the settings, or else the color in the language of the app. */
export const colorName = (color: ColorLabel): string => adminAppData.colorNames[color] ?? t(color)
