import type { Texts } from './say.ts'

/** The messages of the gallery. Each language is one file in `gallery/` with the keys of `en.json`. */
export type GalleryTextKey = keyof typeof import('./gallery/en.json')
export type GalleryTexts = Texts<GalleryTextKey>
