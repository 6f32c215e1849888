import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { diskStorageForTest } from '../../../tests/support/storage/test-storage.ts'
import { readConfig } from '../configuration/config.ts'
import { createHttp } from './create-http.ts'
import { acceptForms, withReceivedForm } from './receive-form.ts'

const maxFiles = 3

async function sendForm(parts: string): Promise<[status: number, body: unknown]> {
  const storage = diskStorageForTest(await temporaryFolder())
  const app = createHttp(readConfig({}), pino({ level: 'silent' }))
  acceptForms(app)
  const rules = {
    fileField: 'photos',
    textFields: [],
    maxFiles,
    maxFileBytes: 1000,
    assertDeclaredType: () => undefined,
  }
  app.post('/', (request) =>
    withReceivedForm(storage, request, rules, async ({ fields, files }) => ({
      fields: fields.size,
      files: files.length,
    })),
  )
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const headers = { 'content-type': 'multipart/form-data; boundary=X' }
  const response = await fetch(url, { method: 'POST', headers, body: `${parts}--X--\r\n` })
  return [response.status, await response.json()]
}

const part = (header: string) => `--X\r\n${header}\r\n\r\n1\r\n`
const file = part('Content-Disposition: form-data; name="photos"; filename="1.jpg"')
const fields = (count: number) =>
  Array.from({ length: count }, (_, index) => part(`Content-Disposition: form-data; name="${index}"`)).join('')
const error = (text: string) => [400, expect.objectContaining({ code: 'VALIDATION_ERROR', error: text })]

test('takes as many fields and files as are allowed', async () => {
  expect(await sendForm(fields(50) + file.repeat(maxFiles))).toEqual([200, { fields: 50, files: maxFiles }])
})

test.each([
  ['fields', fields(51), 'The form has too many fields.'],
  ['files', file.repeat(100), 'Send at most 3 files in the field photos.'],
  ['parts without a name', part('X:').repeat(100), 'The form has too many parts.'],
  ['parts without headers', '--X\r\n\r\n\r\n'.repeat(100), 'The form has too many parts.'],
  ['parts that never begin', '--X\r\n'.repeat(100), 'The form has too many parts.'],
  ['files in another field', file.replace('photos', 'other').repeat(100), 'The form has too many parts.'],
])('rejects a form with too many %s', async (_name, parts, text) => {
  expect(await sendForm(parts)).toEqual(error(text))
})
