import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html } from './html.ts'

const unescaped = (text: string): string => text.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)))

test('escapes any text, which a browser reads back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      const put = html`<p title="${text}">`.text.slice(10, -2)
      expect(put).not.toMatch(/[<>"']/)
      expect(unescaped(put)).toBe(text)
    }),
  )
})

test('sends markup unchanged, inserts results of html, alone or in a list, and ignores null and false', () => {
  expect(html`<p class="a">Ana &amp; Ben${null}${false}${0}</p>`.text).toBe('<p class="a">Ana &amp; Ben0</p>')
  const items = ['a<b', 'c'].map((text) => html`<li>${text}</li>`)
  expect(html`<ul>${items}</ul>`.text).toBe('<ul><li>a&#60;b</li><li>c</li></ul>')
  expect(html`<b>${[items, 'd>e']}</b>`.text).toBe('<b><li>a&#60;b</li><li>c</li>d&#62;e</b>')
})
