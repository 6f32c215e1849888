import { ChangePublicAddressBody, PublicAddressRecord } from '../../contract/settings.ts'
import { origin } from '../platform/configuration/value-parsers.ts'
import { AppError, invalidField } from '../platform/errors/app-error.ts'
import type { Http } from '../platform/http/create-http.ts'
import type { AppContext } from './app-context.ts'

const tags = ['settings']
const guard = { permission: 'settings.edit', role: 'super_admin' } as const

/** The address that guests use, when PUBLIC_URL does not name it. */
export const publicAddressApi = (ctx: AppContext) => async (app: Http) => {
  app.get(
    '/public-address',
    {
      schema: {
        operationId: 'getPublicAddress',
        tags,
        summary: 'Get the public address and the start of links',
        response: { 200: PublicAddressRecord },
      },
      config: guard,
    },
    () => readPublicAddress(ctx),
  )

  app.put(
    '/public-address',
    {
      schema: {
        operationId: 'changePublicAddress',
        tags,
        summary: 'Change the public address',
        description: 'Not possible while PUBLIC_URL is set.',
        body: ChangePublicAddressBody,
        response: { 200: PublicAddressRecord },
      },
      config: { ...guard, problems: ['INVALID_STATE'] },
    },
    ({ body: { url } }) => changePublicAddress(ctx, url),
  )
}

async function readPublicAddress({ config, settings }: AppContext): Promise<PublicAddressRecord> {
  const url = await settings.publicUrl()
  const withoutUrl = (await settings.signInOrigin()) === null ? 'none' : 'sign_in'
  const withUrl = config.publicUrl === null ? 'app' : 'environment'
  return { url, source: url === null ? withoutUrl : withUrl, link_origin: await settings.linkOrigin() }
}

async function changePublicAddress(ctx: AppContext, url: string | null): Promise<PublicAddressRecord> {
  if (ctx.config.publicUrl !== null) {
    throw new AppError('INVALID_STATE', { text: 'PUBLIC_URL in the environment sets the public address.' })
  }
  await ctx.settings.changePublicUrl(url === null ? null : parseOrigin(url.trim()))
  return readPublicAddress(ctx)
}

function parseOrigin(url: string): string {
  try {
    return origin.read(url)
  } catch (error) {
    throw invalidField('url', (error as Error).message)
  }
}
