import { sayIn } from '../desk/language.ts'
import type { MarkChange } from './mark-keys.ts'
import { colorWords } from './photo-words.ts'

const say = sayIn('photos')

export function markWords({ rating, color_label: color }: MarkChange, count: number): string {
  const stars = rating !== undefined && (rating === null ? say('noStars') : say('stars', { count: rating }))
  const label = color !== undefined && (color === null ? say('noColor') : colorWords(color))
  return `${[stars, label].filter(Boolean).join(', ')}: ${say('count', { count })}`
}
