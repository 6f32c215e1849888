import type { labelLanguages } from '../../../contract/exports.ts'
import { type ColorLabel, colorLabels } from '../../../contract/marks.ts'
import { normalizeText } from '../../platform/text/normalize-text.ts'

export type LabelNames = Readonly<Record<ColorLabel, string>>

/** The texts that `xmp:Label` has in Lightroom, by its language, and in Bridge. */
export const labelNames = {
  en: { red: 'Red', yellow: 'Yellow', green: 'Green', blue: 'Blue', purple: 'Purple' },
  de: { red: 'Rot', yellow: 'Gelb', green: 'Grün', blue: 'Blau', purple: 'Lila' },
  fr: { red: 'Rouge', yellow: 'Jaune', green: 'Vert', blue: 'Bleu', purple: 'Violet' },
  it: { red: 'Rosso', yellow: 'Giallo', green: 'Verde', blue: 'Blu', purple: 'Viola' },
  ja: { red: 'レッド', yellow: 'イエロー', green: 'グリーン', blue: 'ブルー', purple: 'パープル' },
  bridge: { red: 'Select', yellow: 'Second', green: 'Approved', blue: 'Review', purple: 'To Do' },
} as const satisfies Record<(typeof labelLanguages)[number], LabelNames>

const normalize = (name: string): string => normalizeText(name.trim()).toLowerCase()

const colorsByName = new Map(
  Object.values<LabelNames>(labelNames).flatMap((names) =>
    colorLabels.map((color) => [normalize(names[color]), color] as const),
  ),
)

/** Returns the color of a label in any of the sets, ignoring case; null for other names. */
export const findLabelColor = (name: string): ColorLabel | null => colorsByName.get(normalize(name)) ?? null

/**
 * Parses a name for each color, separated by commas, in the order of `colorLabels`. Returns null for any other text.
 */
export function parseLabelNames(text: string): LabelNames | null {
  const names = text.split(',').map((name) => name.trim())
  if (names.length !== colorLabels.length || names.some((name) => name === '')) return null
  return Object.fromEntries(colorLabels.map((color, index) => [color, names[index]])) as Record<ColorLabel, string>
}
