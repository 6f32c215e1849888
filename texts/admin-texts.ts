import type { Texts } from './say.ts'

type English = typeof import('./admin/en.json')

/** The rooms of the operators' app, each with its own texts. */
export type AdminModule = keyof English
/** What operators read: each language is one file of `admin/`, with the keys of the English one. */
export type AdminTexts = { [Module in AdminModule]: Texts<AdminTextKey<Module>> }
export type AdminTextKey<Module extends AdminModule> = keyof English[Module] & string
