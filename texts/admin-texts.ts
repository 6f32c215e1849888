import type { Texts } from './say.ts'

type English = typeof import('./admin/en.json')

export type AdminModule = keyof English
/** The messages of the admin app. Each language is one file in `admin/` with the keys of `en.json`. */
export type AdminTexts = { [Module in AdminModule]: Texts<AdminTextKey<Module>> }
export type AdminTextKey<Module extends AdminModule> = keyof English[Module] & string
