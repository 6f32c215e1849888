import type { TestService } from '../service/test-service.ts'

const boundary = 'edge-of-a-part'

export const part = (headers: string, content: string | Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])

export const end = Buffer.from(`--${boundary}--\r\n`)

export const photoHeaders = 'Content-Disposition: form-data; name="photo"; filename="a.jpg"\r\nContent-Type: image/jpeg'

/** Returns the head of an upload request for a raw connection. `headers` override the defaults. */
export const uploadHead = ({ api }: TestService, eventId: number, headers: Record<string, string>): string =>
  formHead(`/api/v1/events/${eventId}/photos`, api.token, headers)

/** Returns the head of a form request for any route. */
export function formHead(path: string, token: string | undefined, headers: Record<string, string>): string {
  const all = {
    host: 'localhost',
    authorization: `Bearer ${token}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}
