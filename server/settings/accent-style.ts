/** Lightens the color on dark backgrounds and darkens it on light ones until it is readable. */
export const accentStyle = (accent: string): string => `:root {
  --accent: ${readableOnLight(accent)};
}

@media (prefers-color-scheme: dark) {
  :root {
    --accent: ${readableOnDark(accent)};
  }
}

:root.theme-noir {
  --accent: ${readableOnDark(accent)};
}
`

/** Returns the color for a button, and black or white for the text on it, whichever is easier to read. */
export function createButtonColors(accent: string): { button: string; text: string } {
  const color = parseHex(accent)
  const isWhiteReadable = contrast(color, [255, 255, 255]) >= contrast(color, [0, 0, 0])
  return { button: accent, text: isWhiteReadable ? '#ffffff' : '#000000' }
}

type Rgb = [red: number, green: number, blue: number]

/** The darkest light background and the lightest dark background of all themes. */
const lightBackground: Rgb = [247, 240, 229]
const darkBackground: Rgb = [27, 22, 18]

/** The minimum for readable text (WCAG 2.2, 1.4.3). */
const minContrast = 4.5

export const readableOnLight = (accent: string): string => mixUntilReadable(accent, [0, 0, 0], lightBackground)
const readableOnDark = (accent: string): string => mixUntilReadable(accent, [255, 255, 255], darkBackground)

function mixUntilReadable(accent: string, target: Rgb, background: Rgb): string {
  const start = parseHex(accent)
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = start.map((part, index) => Math.round(part + ((target[index] ?? 0) - part) * share)) as Rgb
    if (contrast(mixed, background) >= minContrast) return hex(mixed)
  }
  return hex(target)
}

const parseHex = (color: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as Rgb

export function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const hex = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`
