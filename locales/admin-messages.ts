import type { Messages } from './translate.ts'

type English = typeof import('./admin/en.json')

export type AdminModule = keyof English
/** The messages of the admin app. Each language is one file in `admin/` with the keys of `en.json`. */
export type AdminMessages = { [Module in AdminModule]: Messages<AdminMessageKey<Module>> }
export type AdminMessageKey<Module extends AdminModule> = keyof English[Module] & string
