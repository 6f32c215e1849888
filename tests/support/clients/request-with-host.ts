import { request } from 'node:http'

/** Sends a request with any Host header, which fetch does not allow. Returns the status. */
export function requestWithHost(
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
    request(new URL(path, url), { method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
      .on('error', reject)
      .end(text)
  })
}
