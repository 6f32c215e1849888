import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { pino } from 'pino'
import { createApp } from '../server/app.ts'
import { createAppContext } from '../server/create-app-context.ts'
import { type CollectedRoutes, collectInto, noRoutes } from '../server/openapi/collect-routes.ts'
import { describeAdminApi } from '../server/openapi/describe-admin-api.ts'
import { describeGalleryApi } from '../server/openapi/describe-gallery-api.ts'
import { describePublicApi } from '../server/openapi/describe-public-api.ts'
import { readConfig } from '../server/platform/configuration/config.ts'

/** Returns the OpenAPI documents of this version, as the service serves them. */
export async function describeApis() {
  const { publicRoutes, guestRoutes, adminRoutes } = await collectAll()
  return {
    publicApi: describePublicApi(publicRoutes),
    galleryApi: describeGalleryApi(guestRoutes),
    adminApi: describeAdminApi(adminRoutes),
  }
}

/** Returns the TypeScript types of a document. */
export const typesOf = async (description: object): Promise<string> =>
  `// Made by \`npm run admin-api\`.\n\n${astToString(await openapiTS(JSON.stringify(description)))}`

async function collectAll(): Promise<CollectedRoutes> {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofroom-'))
  const { ctx, close } = await createAppContext(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' }))
  try {
    const collected = noRoutes()
    const { http } = await createApp(ctx, collectInto(collected))
    await http.close()
    return collected
  } finally {
    await close()
    await rm(dataDir, { recursive: true })
  }
}
