import { type IncomingHttpHeaders, request } from 'node:http'

export type UndecodedResponse = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** Returns a response with its bytes as sent. fetch would decompress them. */
export function requestUndecoded(
  url: string,
  { method = 'GET', ...headers }: Record<string, string> = {},
): Promise<UndecodedResponse> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        )
    })
      .on('error', reject)
      .end()
  })
}
