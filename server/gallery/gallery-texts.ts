import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyRequest } from 'fastify'
import type { GalleryMessageKey, GalleryMessages } from '../../texts/gallery-texts.ts'
import { t } from '../../texts/say.ts'

export type GalleryVoice = {
  locale: string
  messages: GalleryMessages
  t: (key: GalleryMessageKey, values?: Record<string, string | number>) => string
}

const folder = new URL('../../texts/gallery/', import.meta.url)

const messagesIn = (file: string): GalleryMessages => JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
const english = messagesIn('en.json')

const voiceIn = (file: string): GalleryVoice => {
  const locale = file.replace('.json', '')
  const messages = { ...english, ...messagesIn(file) }
  return { locale, messages, t: (key, values) => t(locale, messages, key, values) }
}

const voices = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.replace('.json', ''), voiceIn(file)]),
)

export const galleryLanguages = [...voices].map(([code, { messages }]) => ({ code, name: String(messages.language) }))

export const languageCookie = 'language'

/** Prefers the cookie, then `Accept-Language`. */
export function voiceFor(request: FastifyRequest, byDefault: string): GalleryVoice {
  const chosen = request.cookies[languageCookie]
  const wanted = (request.headers['accept-language'] ?? '')
    .split(',')
    .map((one) => one.trim().split(/[-;]/, 1)[0]?.toLowerCase() ?? '')
  const spoken = [chosen ?? '', ...wanted, byDefault, 'en'].find((language) => voices.has(language)) ?? 'en'
  return voices.get(spoken) as GalleryVoice
}
