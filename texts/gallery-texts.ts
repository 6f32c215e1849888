import type { Texts } from './say.ts'

/** What guests read: each language is one file of `gallery/`, with the keys of the English one. */
export type GalleryTextKey = keyof typeof import('./gallery/en.json')
export type GalleryTexts = Texts<GalleryTextKey>
