import { fileURLToPath } from 'node:url'

/** Open Sans SemiBold: Latin, Greek and Cyrillic. Its license (OFL) is in the same folder. */
export const fontFile = fileURLToPath(new URL('./fonts/OpenSans-SemiBold.ttf', import.meta.url))

/** As FONTCONFIG_FILE of a process it hides the system fonts, so that text looks the same everywhere. */
export const fontConfigFile = fileURLToPath(new URL('./fonts/fonts.conf', import.meta.url))
