import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { pino } from 'pino'
import { createApp } from '../server/app.ts'
import { createAppContext } from '../server/create-app-context.ts'
import { type CollectedRoutes, collectInto } from '../server/openapi/collect-routes.ts'
import { describeAdminApi } from '../server/openapi/describe-admin-api.ts'
import { readConfig } from '../server/platform/config.ts'

export async function adminApiTypes(): Promise<string> {
  const description = describeAdminApi(await collectOperatorRoutes())
  return `// Made by \`npm run admin-api\`.\n\n${astToString(await openapiTS(JSON.stringify(description)))}`
}

async function collectOperatorRoutes(): Promise<CollectedRoutes['adminRoutes']> {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofroom-'))
  const { ctx, close } = await createAppContext(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' }))
  try {
    const collected: CollectedRoutes = { publicRoutes: [], adminRoutes: [] }
    const { http } = await createApp(ctx, collectInto(collected))
    await http.close()
    return collected.adminRoutes
  } finally {
    await close()
    await rm(dataDir, { recursive: true })
  }
}
