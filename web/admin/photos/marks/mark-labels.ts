import { translator } from '../../app/language.ts'
import { colorName } from '../model/photo-labels.ts'
import type { MarkChange } from './mark-keys.ts'

const t = translator('photos')

export function marksLabel({ rating, color_label: color }: MarkChange, count: number): string {
  const stars = rating !== undefined && (rating === null ? t('noStars') : t('stars', { count: rating }))
  const label = color !== undefined && (color === null ? t('noColor') : colorName(color))
  return `${[stars, label].filter(Boolean).join(', ')}: ${t('count', { count })}`
}
