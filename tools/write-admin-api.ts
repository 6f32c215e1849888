import { readFile, writeFile } from 'node:fs/promises'
import { adminApiTypes } from './admin-api-types.ts'

// Updates web/admin/api/admin-api.d.ts if it is outdated. `npm run admin-api` and the type checks run this script.
const file = new URL('../web/admin/api/admin-api.d.ts', import.meta.url)
const types = await adminApiTypes()
const written = await readFile(file, 'utf8').catch(() => null)
if (types !== written) await writeFile(file, types)
process.exit()
