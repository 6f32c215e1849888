import { readFile, rename, writeFile } from 'node:fs/promises'
import { describeApis, typesOf } from './api-types.ts'

// Updates the types of the admin app's client and of proofroom-client if they are outdated. `npm run admin-api` and the
// type checks run this script.
const { publicApi, galleryApi, adminApi } = await describeApis()
const files: Array<[path: string, description: object]> = [
  ['web/admin/api/admin-api.d.ts', adminApi],
  ['clients/typescript/source/public-api.ts', publicApi],
  ['clients/typescript/source/gallery-api.ts', galleryApi],
]
for (const [path, description] of files) {
  const file = new URL(`../${path}`, import.meta.url)
  const types = await typesOf(description)
  const written = await readFile(file, 'utf8').catch(() => null)
  if (types === written) continue
  // In one step, because another script can read the file at the same time.
  const temporary = new URL(`${file}.${process.pid}`)
  await writeFile(temporary, types)
  await rename(temporary, file)
}
process.exit()
