import type { TestClient, TestResponse } from '../clients/test-client.ts'

export type UploadFile = { bytes: Uint8Array<ArrayBuffer>; name: string; type?: string }

export function sendFiles(
  client: TestClient,
  path: string,
  files: readonly UploadFile[],
  { field = 'photos', fields = {} }: { field?: string; fields?: Record<string, string> } = {},
): Promise<TestResponse> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const { bytes, name, type = 'image/jpeg' } of files) body.append(field, new Blob([bytes], { type }), name)
  return client.call('POST', path, { body })
}
