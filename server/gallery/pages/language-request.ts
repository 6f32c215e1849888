import type { FastifyReply, FastifyRequest } from 'fastify'
import { languages } from '../../../contract/languages.ts'
import { languageCookie, listGalleryLanguages } from './gallery-i18n.ts'

export type LanguageLink = { code: string; name: string; href: string }

const parameter = 'language'
const yearSeconds = 365 * 24 * 3600

/**
 * Stores the language of the `language` parameter in a cookie and redirects to the URL without this parameter, so that
 * a shared URL does not set a language. Returns whether it has redirected.
 */
export function storeLanguage(request: FastifyRequest, reply: FastifyReply): boolean {
  if (!isPageRequest(request)) return false
  const { pathname, searchParams } = parseUrl(request)
  const language = searchParams.get(parameter)
  if (language === null || !languages.some((code) => code === language)) return false
  searchParams.delete(parameter)
  reply.setCookie(languageCookie, language, { path: '/', maxAge: yearSeconds, sameSite: 'lax' })
  reply.redirect(pathname + formatQuery(searchParams), 303)
  return true
}

/**
 * A link cannot repeat a POST, so the response to a form has links to `formPath`, the path of the page with the form, or
 * none.
 */
export function languageLinks(request: FastifyRequest, formPath: string | null = null): LanguageLink[] {
  const isPage = isPageRequest(request)
  if (!isPage && formPath === null) return []
  return listGalleryLanguages().map(({ code, name }) => {
    const { searchParams } = parseUrl(request)
    searchParams.set(parameter, code)
    return { code, name, href: (isPage ? '' : formPath) + formatQuery(searchParams) }
  })
}

const isPageRequest = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** The path starts with exactly one slash, because `//host` would redirect the browser to another host. */
export function parseUrl({ url }: FastifyRequest): { pathname: string; searchParams: URLSearchParams } {
  const [path = '', query = ''] = url.split('?', 2)
  return { pathname: path.replace(/^[/\\]*/, '/'), searchParams: new URLSearchParams(query) }
}

export const formatQuery = (query: URLSearchParams): string => (query.size > 0 ? `?${query}` : '')
