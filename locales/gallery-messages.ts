import type { Messages } from './translate.ts'

/** The messages of the gallery. Each language is one file in `gallery/` with the keys of `en.json`. */
export type GalleryMessageKey = keyof typeof import('./gallery/en.json')
export type GalleryMessages = Messages<GalleryMessageKey>
