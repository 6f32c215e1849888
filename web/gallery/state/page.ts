import { type GalleryPageData, pageDataId } from '../../../contract/gallery/gallery-page.ts'
import type { GalleryMessageKey, GalleryMessages } from '../../../locales/gallery-messages.ts'
import { t as translator } from '../../../locales/translate.ts'

/** The data that the server embeds in the page. */
export const page: GalleryPageData = JSON.parse(document.getElementById(pageDataId)?.textContent ?? 'null')

export const t = (key: GalleryMessageKey, values?: Record<string, string | number>): string =>
  translator(page.locale, page.messages as GalleryMessages, key, values)

/** The mark that the heart gives. Null when guests cannot pick, and for an operator who views the gallery. */
export const pickKind: 'favorite' | 'like' | null = (() => {
  const { feedback, viewer } = page
  if (viewer.kind !== 'guest' || !feedback.feedback_enabled) return null
  if (feedback.allow_favorites) return 'favorite'
  return feedback.allow_likes ? 'like' : null
})()
export const pickFilter = pickKind === 'like' ? 'liked' : 'favorited'

const canMark = page.viewer.kind === 'guest' && page.feedback.feedback_enabled
export const canRate = canMark && page.feedback.allow_ratings
export const canColor = canMark && page.feedback.allow_color_labels
export const canComment = canMark && page.feedback.allow_comments
