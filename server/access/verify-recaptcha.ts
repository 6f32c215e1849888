import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { seconds } from '../platform/time/clock.ts'

const timeoutMs = seconds(5)
const maxResponseBytes = 65_536

/**
 * Does nothing without RECAPTCHA_SECRET_KEY. Throws RECAPTCHA_FAILED for a missing or wrong token, or UNAVAILABLE if
 * the verifier fails.
 */
export async function verifyRecaptcha({ config, log }: PlatformContext, token: string | null): Promise<void> {
  const { recaptchaSecretKey: secret, recaptchaVerifyUrl: url } = config
  if (secret === null) return
  if (!token) throw new AppError('RECAPTCHA_FAILED')
  const verdict = await requestVerdict(url, new URLSearchParams({ secret, response: token })).catch((err) => {
    log.error({ err }, 'Could not verify a reCAPTCHA response; password sign-in is unavailable')
    throw new AppError('UNAVAILABLE', {
      text: 'The reCAPTCHA check is temporarily unavailable. Try again in a moment.',
      retryAfterSeconds: 10,
    })
  })
  if (!verdict) throw new AppError('RECAPTCHA_FAILED')
}

/** Rejects if there is no valid response within 5 seconds, or if the verifier does not accept RECAPTCHA_SECRET_KEY. */
async function requestVerdict(url: string, form: URLSearchParams): Promise<boolean> {
  const verifierResponse = await fetch(url, {
    method: 'POST',
    body: form,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await readText(verifierResponse)
  if (verifierResponse.status !== 200) throw new Error(`The verifier returned status ${verifierResponse.status}`)
  const { success, 'error-codes': codes = [] } = JSON.parse(text) as { success?: unknown; 'error-codes'?: unknown }
  if (success === true) return true
  if (success !== false) throw new Error('The response of the verifier has no verdict')
  if (Array.isArray(codes) && codes.some((code) => /^(invalid|missing)-input-secret$/.test(String(code)))) {
    throw new Error('The verifier rejected RECAPTCHA_SECRET_KEY')
  }
  return false
}

async function readText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > maxResponseBytes) throw new Error('The response of the verifier is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
