import { readFile, writeFile } from 'node:fs/promises'
import { adminApiTypes } from './admin-api-types.ts'

// `npm run admin-api`, and before types are checked: web/admin/api/admin-api.d.ts, when it is not as it should be.
const file = new URL('../web/admin/api/admin-api.d.ts', import.meta.url)
const types = await adminApiTypes()
const written = await readFile(file, 'utf8').catch(() => null)
if (types !== written) await writeFile(file, types)
process.exit()
