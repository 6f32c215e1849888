import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type RecaptchaVerifier = {
  /** For RECAPTCHA_VERIFY_URL. */
  url: string
  received: Array<{ method: string; type: string; form: Record<string, string> }>
}

export type Respond = (response: ServerResponse, form: Record<string, string>) => void

export const verdict =
  (answer: unknown, status = 200): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))

/** Accepts the token `a person` with the secret `our secret`. The responses have the format of reCAPTCHA. */
const verifyToken: Respond = (response, { secret, response: token }) => {
  if (secret !== 'our secret') return verdict({ success: false, 'error-codes': ['invalid-input-secret'] })(response, {})
  const isCorrect = token === 'a person'
  verdict(isCorrect ? { success: true } : { success: false, 'error-codes': ['invalid-input-response'] })(response, {})
}

/** Starts a verification server that stops when the test ends. */
export async function startVerifier(respond: Respond = verifyToken): Promise<RecaptchaVerifier> {
  const received: RecaptchaVerifier['received'] = []
  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await textOf(request)))
    received.push({ method: request.method ?? '', type: request.headers['content-type'] ?? '', form })
    respond(response, form)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`, received }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
