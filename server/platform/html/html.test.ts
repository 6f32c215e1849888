import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html } from './html.ts'

const unescaped = (text: string): string => text.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)))

test('sends markup unchanged', () => {
  expect(html`<p class="a">Ana &amp; Ben</p>`.text).toBe('<p class="a">Ana &amp; Ben</p>')
})

test('escapes inserted values in elements and quoted attributes', () => {
  const name = `<script>alert("1")</script> & 'Ben'`
  expect(html`<p title="${name}">${name}</p>`.text).not.toMatch(/<script|alert\("|'Ben'/)
})

test('escapes any text, which a browser reads back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      const put = html`${text}`.text
      expect(put).not.toMatch(/[<>"']/)
      expect(unescaped(put)).toBe(text)
    }),
  )
})

test('inserts results of html as markup, alone or in a list', () => {
  const items = ['a<b', 'c'].map((text) => html`<li>${text}</li>`)
  expect(html`<ul>${items}</ul>`.text).toBe('<ul><li>a&#60;b</li><li>c</li></ul>')
  expect(html`<b>${[items, 'd>e']}</b>`.text).toBe('<b><li>a&#60;b</li><li>c</li>d&#62;e</b>')
})

test('ignores null and false, and renders zero as a number', () => {
  expect(html`<p>${null}${false}${0}</p>`.text).toBe('<p>0</p>')
})
