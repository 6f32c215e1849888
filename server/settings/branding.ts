import type { BrandingRecord, ChangeBrandingBody } from '../../contract/branding.ts'
import type { SettingValues } from '../../contract/settings.ts'
import type { ReceivedFile } from '../platform/storage/received-file.ts'
import type { AppContext } from './app-context.ts'
import { logoPrefix, storeLogo } from './store-logo.ts'

export const logoPath = '/branding/logo.png'
export const iconPath = '/branding/icon.png'

export async function readBranding({ settings }: AppContext): Promise<BrandingRecord> {
  const values = await settings.values()
  const logo = await settings.logo()
  return {
    studio_name: values.branding_studio_name,
    accent: values.branding_accent,
    contact_email: values.branding_contact_email,
    imprint_url: values.branding_imprint_url,
    privacy_url: values.branding_privacy_url,
    logo: logo && { url: logoPath, width: logo.width, height: logo.height, size_bytes: logo.sizeBytes },
  }
}

/** Changes only the fields of the body and the logo, if there is one. Throws what `storeLogo` throws. */
export async function changeBranding(
  ctx: AppContext,
  { logo: removal, ...fields }: ChangeBrandingBody,
  file: ReceivedFile | null,
): Promise<BrandingRecord> {
  const { settings } = ctx
  const logo = file ? await storeLogo(ctx, file) : removal
  const values = Object.fromEntries(Object.entries(fields).map(([name, value]) => [`branding_${name}`, value]))
  await settings.change(values as Partial<SettingValues>, 'branding', logo)
  if (logo !== undefined) await removeUnusedLogos(ctx)
  return readBranding(ctx)
}

/** Also removes logos that a crash or a concurrent change has left. */
async function removeUnusedLogos({ storage, settings }: AppContext): Promise<void> {
  const logo = await settings.logo()
  const usedKeys = [logo?.key, logo?.icon?.key]
  for await (const { key } of storage.list(logoPrefix)) if (!usedKeys.includes(key)) await storage.remove(key)
}
