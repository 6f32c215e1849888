import { fileURLToPath } from 'node:url'

/** Open Sans SemiBold: Latin, Greek and Cyrillic. Its licence (OFL) stands beside it. */
export const fontFile = fileURLToPath(new URL('./fonts/OpenSans-SemiBold.ttf', import.meta.url))

/** As FONTCONFIG_FILE in the environment of a process it hides the fonts of the system: text looks the same everywhere. */
export const fontConfigFile = fileURLToPath(new URL('./fonts/fonts.conf', import.meta.url))
