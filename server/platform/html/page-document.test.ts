import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { pageSecurityPolicy } from '../http/security-headers.ts'
import { html } from './html.ts'
import { renderPage } from './page-document.ts'

const parts = { locale: 'en', title: 'Ana & <Ben>', stylesheets: ['/one.css'], body: html`<main></main>` }
const script = { src: '/built/app.js', preloads: ['/built/part.js'], styles: ['/built/app.css'] }

test('a page has the direction of its language', () => {
  for (const [locale, direction] of Object.entries({ de: 'ltr', ar: 'rtl', he: 'rtl' }))
    expect(renderPage({ ...parts, locale }).markup).toContain(`<html lang="${locale}" dir="${direction}">`)
})

test('a page escapes its title, and is excluded from search engines', () => {
  const { markup } = renderPage(parts)
  expect(markup).toMatch(/^<!doctype html>/)
  expect(markup).toContain('<title>Ana &#38; &#60;Ben&#62;</title>')
  expect(markup).toContain('<meta name="robots" content="noindex">')
})

test('a page places the styles of its script after its own, and loads the script last', () => {
  const { markup } = renderPage({ ...parts, script })
  const found = [...markup.matchAll(/(?:href|src)="([^"]+)"|<main>/g)].map(([text, address]) => address ?? text)
  expect(found).toEqual(['/assets/icon.svg', '/one.css', '/built/app.css', '/built/part.js', '<main>', '/built/app.js'])
  expect(renderPage({ ...parts, script: null }).markup).not.toContain('<script')
})

test('a page allows only its own inline style, and rejects one that could end its element', () => {
  const style = '.a{color:red}'
  const { markup, securityPolicy } = renderPage({ ...parts, style })
  expect(markup).toContain(`<style>${style}</style>`)
  const hash = createHash('sha256').update(style).digest('base64')
  expect(securityPolicy).toContain(`style-src 'self' 'sha256-${hash}';`)
  expect(renderPage(parts).securityPolicy).toBe(pageSecurityPolicy)
  expect(() => renderPage({ ...parts, style: 'a{}</style><script>' })).toThrow('markup')
})
