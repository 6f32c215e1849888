import { adminAppData } from '../app/admin-app-data.ts'

type Recaptcha = { ready: (then: () => void) => void; execute: (key: string, options: object) => Promise<string> }

/** Returns a reCAPTCHA token; null if the instance does not use reCAPTCHA. Throws if the script cannot be loaded. */
export async function getRecaptchaToken(): Promise<string | null> {
  const key = adminAppData.recaptchaSiteKey
  if (key === null) return null
  const recaptcha = await loadRecaptcha(key)
  await new Promise<void>((resolve) => recaptcha.ready(resolve))
  return recaptcha.execute(key, { action: 'login' })
}

let pendingScript: Promise<Recaptcha> | null = null

function loadRecaptcha(key: string): Promise<Recaptcha> {
  pendingScript ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(key)}`
    script.onload = () => resolve((window as unknown as { grecaptcha: Recaptcha }).grecaptcha)
    script.onerror = () => {
      pendingScript = null
      reject(new Error('reCAPTCHA could not be loaded'))
    }
    document.head.append(script)
  })
  return pendingScript
}
