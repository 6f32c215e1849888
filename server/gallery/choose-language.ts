import type { FastifyReply, FastifyRequest } from 'fastify'
import { galleryLanguages, languageCookie } from './gallery-texts.ts'

/** A link that has the pages of galleries speak another language. */
export type LanguageLink = { code: string; name: string; href: string }

const parameter = 'language'
const yearSeconds = 365 * 24 * 3600

/**
 * A language in the address of a page is kept in a cookie for a year, and the browser sent on to the same address without
 * it: links can so choose one without script, and what is shared chooses nothing. Whether that is the answer. A language
 * that there is none of is as if it were not there.
 */
export function keepLanguage(request: FastifyRequest, reply: FastifyReply): boolean {
  if (!isPage(request)) return false
  const { pathname, searchParams } = addressOf(request)
  const language = searchParams.get(parameter)
  if (language === null || !galleryLanguages.some(({ code }) => code === language)) return false
  searchParams.delete(parameter)
  reply.setCookie(languageCookie, language, { path: '/', maxAge: yearSeconds, sameSite: 'lax' })
  reply.redirect(pathname + queryOf(searchParams), 303)
  return true
}

/** To the page as it is in each of the languages; none where it answers a form, since links do not send that again. */
export function languageLinks(request: FastifyRequest): LanguageLink[] {
  if (!isPage(request)) return []
  return galleryLanguages.map(({ code, name }) => {
    const { searchParams } = addressOf(request)
    searchParams.set(parameter, code)
    return { code, name, href: queryOf(searchParams) }
  })
}

const isPage = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** The path begins with one slash, whatever was asked for: a browser is never sent to another host. */
function addressOf({ url }: FastifyRequest): { pathname: string; searchParams: URLSearchParams } {
  const [path = '', query = ''] = url.split('?', 2)
  return { pathname: path.replace(/^[/\\]*/, '/'), searchParams: new URLSearchParams(query) }
}

const queryOf = (query: URLSearchParams): string => (query.size > 0 ? `?${query}` : '')
