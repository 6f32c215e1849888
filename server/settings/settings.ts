import { type SettingKey, type SettingValues, settingDefaults } from '../../contract/settings.ts'
import { StateCache } from '../platform/background/changes.ts'
import type { Database } from '../platform/database/tables.ts'
import { inSnapshot } from '../platform/database/transaction.ts'
import { invalidField } from '../platform/errors/app-error.ts'
import { hasDecoder, noDecoderText } from '../platform/media/video/find-decoder.ts'
import { getRequestOrigin, type RequestAddress } from '../platform/network/request-origin.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { computeTreeHash } from '../platform/storage/content-digest.ts'
import type { StoredFiles } from './belongings.ts'
import { isKindAllowed } from './file-type-rules.ts'

export type SettingTable = { key: string; value: string; updated_at: number }

declare module '../platform/database/tables.ts' {
  interface Tables {
    settings: SettingTable
  }
}

export type Settings = ReturnType<typeof createSettings>

/** Stored like a setting: the origin at which a super_admin last signed in. */
export const originKey = 'instance_origin'

/** Stored like a setting: the public address that was entered in the admin app, or null. */
export const publicUrlKey = 'instance_public_url'

/** Stored like a setting: the `Logo` of the instance. */
const logoKey = 'branding_logo'

type BrandFile = { key: string; sha256: string; sizeBytes: number }

export type Logo = BrandFile & {
  width: number
  height: number
  /** Square. Logos of earlier versions have none. */
  icon?: BrandFile
  /** For a logo without a background whose colors are all dark or all light. */
  tone?: 'dark' | 'light'
  /** Missing in logos of earlier versions. */
  isOpaque?: boolean
}

type LoadedSettings = { values: SettingValues; origin: string | null; publicUrl: string | null; logo: Logo | null }

type SettingsContext = Pick<PlatformContext, 'db' | 'changes' | 'clock' | 'config'>

/** A change is visible to the next request in this process, and within 500 ms in other processes. */
export function createSettings({ db, changes, clock, config }: SettingsContext) {
  const cache = new StateCache<'all', LoadedSettings>(changes, { max: 1 })
  changes.on('settings', () => cache.drop())

  const load = () => loadSettings(db)
  const all = async () => (await cache.getOrLoad('all', load)) ?? load()

  async function store(entries: Array<[string, unknown]>): Promise<void> {
    if (entries.length > 0) {
      await db
        .insertInto('settings')
        .values(entries.map(([key, value]) => ({ key, value: JSON.stringify(value), updated_at: clock.now() })))
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((row) => ({
            value: row.ref('excluded.value'),
            updated_at: row.ref('excluded.updated_at'),
          })),
        )
        .execute()
    }
    changes.notify('settings', null)
  }

  return {
    values: async (): Promise<SettingValues> => (await all()).values,

    logo: async (): Promise<Logo | null> => (await all()).logo,

    /**
     * Accepts only keys of `group`, if it is given. A null `logo` removes the logo. Throws VALIDATION_ERROR for a key
     * of another group, and for HEIC files where nothing decodes them.
     */
    async change(values: Partial<SettingValues>, group?: string, logo?: Logo | null): Promise<SettingValues> {
      const foreign = Object.keys(values).find((key) => group && settingGroup(key as SettingKey) !== group)
      if (foreign) throw invalidField(foreign, `is not a setting of the group ${group}`)
      if (isKindAllowed('heic', { ...settingDefaults, ...values }) && !hasDecoder()) {
        throw invalidField('general_allowed_file_types', noDecoderText)
      }
      await store([...Object.entries(values), ...(logo === undefined ? [] : [[logoKey, logo] as [string, unknown]])])
      return (await all()).values
    },

    /** The base of links in mails, in webhook messages and on public pages. */
    async linkOrigin(): Promise<string> {
      const { publicUrl, origin } = await all()
      return config.publicUrl ?? publicUrl ?? origin ?? `http://localhost:${config.port}`
    },

    /** PUBLIC_URL, else the public address that was entered in the admin app. It has no trailing slash. */
    publicUrl: async (): Promise<string | null> => config.publicUrl ?? (await all()).publicUrl,

    /** The origin at which a super_admin last signed in. */
    signInOrigin: async (): Promise<string | null> => (await all()).origin,

    changePublicUrl: (url: string | null): Promise<void> => store([[publicUrlKey, url]]),

    /** The base of links in responses to authenticated callers. */
    async originFor(request: RequestAddress): Promise<string> {
      return (await this.publicUrl()) ?? getRequestOrigin(request) ?? this.linkOrigin()
    },

    async recordOrigin(origin: string | null): Promise<void> {
      if (origin !== null && (await all()).origin !== origin) await store([[originKey, origin]])
    },
  }
}

async function loadSettings(db: Database): Promise<LoadedSettings> {
  // On SQLite a read outside of a transaction would start the reader thread.
  const rows = await inSnapshot(db, (tx) => tx.selectFrom('settings').select(['key', 'value']).execute())
  const stored = Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]))
  const known = Object.entries(stored).filter(([key]) => key in settingDefaults)
  return {
    values: { ...settingDefaults, ...Object.fromEntries(known) } as SettingValues,
    origin: (stored[originKey] as string | undefined) ?? null,
    publicUrl: (stored[publicUrlKey] as string | null | undefined) ?? null,
    logo: (stored[logoKey] as Logo | null | undefined) ?? null,
  }
}

/** Reads the files of the logo from any database, for example from a backup. */
async function listLogoFiles(db: Database): Promise<BrandFile[]> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', logoKey).executeTakeFirst()
  const logo = row === undefined ? null : (JSON.parse(row.value) as Logo | null)
  return logo ? [logo, ...(logo.icon ? [logo.icon] : [])] : []
}

/** The logo belongs to no event. */
export const logoFile: StoredFiles = {
  tables: ['settings'],
  isInBackups: true,
  keysOf: async () => [],
  async *list(db) {
    const files = await listLogoFiles(db)
    if (files.length === 0) return
    yield files.map(({ key, sizeBytes, sha256 }) => ({
      photoId: null,
      key,
      sizeBytes,
      contentHash: computeTreeHash(sha256, sizeBytes),
    }))
  },
  count: async (db) => (await listLogoFiles(db)).length,
  isNamed: async (db, { photoId, key }) =>
    photoId === null && (await listLogoFiles(db)).some((file) => file.key === key),
}

/** Returns the group of a key, such as `general` for `general_default_language`. */
export const settingGroup = (key: SettingKey): string => key.slice(0, key.indexOf('_'))
