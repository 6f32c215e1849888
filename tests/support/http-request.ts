import { request } from 'node:http'

/** A request whose Host header a test chooses itself, which fetch does not allow. */
export function requestAs(
  url: string,
  host: string,
  method: string,
  path: string,
  body?: object,
  token?: string,
): Promise<number> {
  const text = body && JSON.stringify(body)
  const headers = {
    host,
    ...(text && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  return new Promise((resolve, reject) => {
    request(new URL(path, url), { method, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
      .on('error', reject)
      .end(text)
  })
}
