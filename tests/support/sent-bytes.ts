import { type IncomingHttpHeaders, request } from 'node:http'

export type SentAnswer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** Returns a response with its bytes as sent. fetch would decompress them. */
export function sentBytes(
  url: string,
  { method = 'GET', ...headers }: Record<string, string> = {},
): Promise<SentAnswer> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        )
    })
      .on('error', reject)
      .end()
  })
}
