import type { Messages } from './translate.ts'

/** The messages of each file in `en/`. The folders of the other languages have the same files and keys. */
export type Catalogs = {
  [Name in Exclude<keyof English, 'admin'>]: Messages<keyof English[Name] & string>
} & {
  /** Grouped by module of the admin app. */
  admin: { [Module in keyof English['admin']]: Messages<keyof English['admin'][Module] & string> }
}

type English = {
  admin: typeof import('./en/admin.json')
  commands: typeof import('./en/commands.json')
  exports: typeof import('./en/exports.json')
  gallery: typeof import('./en/gallery.json')
  health: typeof import('./en/health.json')
  invite: typeof import('./en/invite.json')
  mails: typeof import('./en/mails.json')
  receipts: typeof import('./en/receipts.json')
}

export type CatalogName = Exclude<keyof Catalogs, 'admin'>
export type MessageKey<Name extends CatalogName> = keyof Catalogs[Name] & string

export type Translate<Key extends string> = (key: Key, values?: Record<string, string | number>) => string
export type TranslateCatalog<Name extends CatalogName> = Translate<MessageKey<Name>>

export type AdminModule = keyof Catalogs['admin']
export type AdminMessageKey<Module extends AdminModule> = keyof Catalogs['admin'][Module] & string
