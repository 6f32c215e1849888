import { type GalleryPageData, pageDataId } from '../../../contract/gallery/gallery-page.ts'
import type { Catalogs, MessageKey } from '../../../locales/catalogs.ts'
import { t as translator } from '../../../locales/translate.ts'
import { getReaderLocale } from '../../shared/reader-locale.ts'

/** The data that the server embeds in the page. */
export const page: GalleryPageData = JSON.parse(document.getElementById(pageDataId)?.textContent ?? 'null')

export const t = (key: MessageKey<'gallery'>, values?: Record<string, string | number>): string =>
  translator(page.locale, page.messages as Catalogs['gallery'], key, values)

/** The locale of dates and times. */
export const readerLocale = getReaderLocale(page.locale, navigator.languages)

const { feedback, viewer } = page
const canMark = viewer.kind === 'guest' && feedback.feedback_enabled
export const canRate = canMark && feedback.allow_ratings
export const canColor = canMark && feedback.allow_color_labels
export const canComment = canMark && feedback.allow_comments
export const canWriteNotes = canMark && feedback.allow_notes
export const canAnnotate = canMark && feedback.allow_annotations

const heartKind = feedback.allow_favorites ? 'favorite' : feedback.allow_likes ? 'like' : null
/** The kind of feedback that the heart button gives. Null when picks are not possible, for example for an operator. */
export const pickKind = canMark ? heartKind : null
export const pickFilter = pickKind === 'like' ? 'liked' : 'favorited'
