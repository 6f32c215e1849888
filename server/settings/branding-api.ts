import type { FastifyRequest } from 'fastify'
import { BrandingForm, BrandingRecord, ChangeBrandingBody, logoMegabytes } from '../../contract/branding.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import { acceptForms, withReceivedForm } from '../platform/http/receive-form.ts'
import { pictureSecurityPolicy } from '../platform/http/security-headers.ts'
import { sendFile, sendStylesheet } from '../platform/http/send-file.ts'
import { validateShape } from '../platform/http/validation.ts'
import { FileMissing } from '../platform/storage/storage.ts'
import { accentStyle } from './accent-style.ts'
import type { AppContext } from './app-context.ts'
import { changeBranding, iconPath, logoPath, readBranding } from './branding.ts'
import type { Logo } from './settings.ts'

export const brandingAdminApi = (ctx: AppContext) => async (app: Http) => {
  acceptForms(app)

  app.get(
    '/branding',
    {
      schema: {
        operationId: 'getBranding',
        tags: ['settings'],
        summary: 'Get the branding',
        response: { 200: BrandingRecord },
      },
      config: { permission: 'settings.view' },
    },
    () => readBranding(ctx),
  )

  app.put(
    '/branding',
    {
      schema: {
        operationId: 'changeBranding',
        tags: ['settings'],
        summary: 'Change the name, color, links and logo of the studio',
        description: 'Send JSON, or a form with a logo. Changes only the fields that are sent.',
        body: {
          content: {
            'application/json': { schema: ChangeBrandingBody },
            'multipart/form-data': { schema: BrandingForm },
          },
        },
        response: { 200: BrandingRecord },
      },
      config: { permission: 'settings.edit', problems: ['FILE_TOO_LARGE', 'UNREADABLE_IMAGE'] },
    },
    (request) =>
      request.body === undefined || request.body === null
        ? receiveForm(ctx, request)
        : changeBranding(ctx, request.body as ChangeBrandingBody, null),
  )
}

const textFields = ['studio_name', 'accent', 'contact_email', 'imprint_url', 'privacy_url'] as const

function receiveForm(ctx: AppContext, request: FastifyRequest): Promise<BrandingRecord> {
  const rules = {
    fileField: 'logo',
    textFields,
    maxFiles: 1,
    maxFileBytes: logoMegabytes * 2 ** 20,
    // Accepts any type, because `storeLogo` checks the content. If no file is chosen, a browser sends an empty file
    // without the type of a picture.
    assertDeclaredType: () => undefined,
  }
  return withReceivedForm(ctx.storage, request, rules, async ({ fields, files: [file] }) => {
    await request.admitAgain()
    const body = validateShape<ChangeBrandingBody>(
      ChangeBrandingBody,
      Object.fromEntries([...fields].flatMap(parseFormField)),
    )
    return changeBranding(ctx, body, file && file.sizeBytes > 0 ? file : null)
  })
}

/** An empty field means null, except that an empty `studio_name` stays empty and an empty `logo` changes nothing. */
function parseFormField([name, text]: [string, string]): Array<[string, string | null]> {
  const isEmpty = text.trim() === ''
  if (name === 'logo' && isEmpty) return []
  return [[name, isEmpty && name !== 'studio_name' ? null : text]]
}

/** The URLs stay the same when the branding changes, so browsers may cache the files for five minutes only. */
export const brandingFilesApi = (ctx: AppContext) => async (app: Http) => {
  const cacheControl = 'public, max-age=300'

  const files = { [logoPath]: (logo: Logo) => logo, [iconPath]: (logo: Logo) => logo.icon }
  for (const [path, choose] of Object.entries(files))
    app.get(path, async (request, reply) => {
      const logo = await ctx.settings.logo()
      const file = logo && choose(logo)
      if (!file) throw new AppError('NOT_FOUND')
      const { key, sha256, sizeBytes } = file
      reply.headers({
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': pictureSecurityPolicy,
      })
      const open: Parameters<typeof sendFile>[2]['open'] = (range) =>
        ctx.storage.openStream(key, range, sizeBytes).catch((error) => {
          throw error instanceof FileMissing ? new AppError('NOT_FOUND') : error
        })
      return sendFile(request, reply, { sizeBytes, etag: sha256, contentType: 'image/png', cacheControl, open })
    })

  app.get('/branding/style.css', async (request, reply) => {
    const { branding_accent: accent } = await ctx.settings.values()
    return sendStylesheet(request, reply, accent ? accentStyle(accent) : '', cacheControl)
  })
}
