import { type Static, Type } from 'typebox'
import { settingShapes } from './settings.ts'
import { Nullable, Strict } from './shapes.ts'

/** The limit of the uploaded file. */
export const logoMegabytes = 5

export const BrandingRecord = Type.Object(
  {
    studio_name: settingShapes.branding_studio_name,
    accent: settingShapes.branding_accent,
    contact_email: settingShapes.branding_contact_email,
    imprint_url: settingShapes.branding_imprint_url,
    privacy_url: settingShapes.branding_privacy_url,
    logo: Nullable(
      Type.Object({
        url: Type.String({ description: 'The path of the logo; it stays the same when the logo changes' }),
        width: Type.Integer(),
        height: Type.Integer(),
        size_bytes: Type.Integer(),
      }),
    ),
  },
  { title: 'Branding' },
)
export type BrandingRecord = Static<typeof BrandingRecord>

/** The JSON form of the request. A new logo needs the multipart form. */
export const ChangeBrandingBody = Strict({
  studio_name: Type.Optional(settingShapes.branding_studio_name),
  accent: Type.Optional(settingShapes.branding_accent),
  contact_email: Type.Optional(settingShapes.branding_contact_email),
  imprint_url: Type.Optional(settingShapes.branding_imprint_url),
  privacy_url: Type.Optional(settingShapes.branding_privacy_url),
  logo: Type.Optional(Type.Null({ description: 'Removes the logo. To set a logo, send a form' })),
})
export type ChangeBrandingBody = Static<typeof ChangeBrandingBody>

/** Fastify does not validate a streamed body against this schema; the operation validates the fields. */
export const BrandingForm = Type.Object(
  {
    logo: Type.Optional(
      Type.String({
        format: 'binary',
        contentMediaType: 'image/*',
        description: `JPEG, PNG or WebP of at most ${logoMegabytes} MB; stored as PNG of at most 1024 × 512 pixels`,
      }),
    ),
    studio_name: Type.Optional(Type.String()),
    accent: Type.Optional(Type.String({ description: 'If empty, the color of the theme' })),
    contact_email: Type.Optional(Type.String({ description: 'If empty, there is no link' })),
    imprint_url: Type.Optional(Type.String({ description: 'If empty, there is no link' })),
    privacy_url: Type.Optional(Type.String({ description: 'If empty, there is no link' })),
  },
  { 'x-streamed': true },
)
