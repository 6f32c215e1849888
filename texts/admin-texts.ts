import type { Texts } from './say.ts'

type English = typeof import('./admin/en.json')

/** The rooms of the operators' app, each with its own texts. */
export type AdminRoom = keyof English
/** What operators read: each language is one file of `admin/`, with the keys of the English one. */
export type AdminTexts = { [Room in AdminRoom]: Texts<AdminTextKey<Room>> }
export type AdminTextKey<Room extends AdminRoom> = keyof English[Room] & string
