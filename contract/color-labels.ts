export const colorLabels = ['red', 'yellow', 'green', 'blue', 'purple'] as const
export type ColorLabel = (typeof colorLabels)[number]

/** A color without a name of its own is absent. */
export type ColorNames = { [Color in ColorLabel]?: string }

type ColorNameSettings = { [Color in ColorLabel as `color_name_${Color}`]: string }

/** Returns the names that the settings give to color labels. */
export const pickColorNames = (settings: ColorNameSettings): ColorNames =>
  Object.fromEntries(
    colorLabels
      .map((color) => [color, settings[`color_name_${color}`].trim()] as const)
      .filter(([, name]) => name !== ''),
  )
