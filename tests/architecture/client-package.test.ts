import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

test('proofroom-client has the version of the product, and one dependency, in the version of the product', () => {
  const [client, product] = [readJson('clients/typescript/package.json'), readJson('package.json')]
  expect(client.version).toBe(product.version)
  expect(client.dependencies).toEqual({ 'openapi-fetch': product.dependencies['openapi-fetch'] })
})

test('proofroom-client is at most 12 KB for a browser, compressed, with its dependency', async () => {
  const bundle = await rolldown({ input: join(root, 'clients/typescript/source/index.ts'), platform: 'browser' })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  const [{ code }] = output
  expect(code).toContain('createProofroom')
  expect(gzipSync(code).length).toBeLessThanOrEqual(12 * 1024)
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(8 * 1024)
})
