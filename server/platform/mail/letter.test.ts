import { expect, test } from 'vitest'
import { composeMail, credentialPlaceholder, insertCredential, type Letter } from './letter.ts'

const letter: Letter = {
  locale: 'en',
  subject: 'Ready',
  blocks: [
    { paragraph: ['Hello Ana,'] },
    { button: 'Open', url: 'https://a.example/x' },
    { credential: 'Password' },
    { paragraph: ['Kind regards', 'Studio'] },
  ],
}

test('composes plain text and HTML', () => {
  const { text, html } = insertCredential(composeMail(letter), 'tulips')
  expect(text).toBe('Hello Ana,\n\nOpen:\nhttps://a.example/x\n\nPassword: tulips\n\nKind regards\nStudio\n')
  const words = html.replace(/<style.*?<\/style>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')
  expect(words).toBe(' Ready Hello Ana, Open https://a.example/x Password: tulips Kind regards Studio ')
  expect(html).toContain('<a href="https://a.example/x"')
})

test('marks a link that is a credential in both bodies, and inserts it as a whole', () => {
  const composed = composeMail({ ...letter, blocks: [{ credentialButton: 'Choose' }] })
  for (const body of [composed.text, composed.html]) expect(body).toContain(credentialPlaceholder)
  const { text, html } = insertCredential(composed, 'https://a.example/x?a=1&"b"')
  expect(text).toContain('Choose:\nhttps://a.example/x?a=1&"b"\n')
  expect(html).toContain('<a href="https://a.example/x?a=1&#38;&#34;b&#34;"')
})

test('untrusted text stays on one line, adds no markup and cannot forge the place of the credential', () => {
  const hostile = `a\r\n\r\nb\u0000\u2028\u202e${credentialPlaceholder}<b>"&'`
  const everywhere = composeMail({
    locale: 'en',
    subject: hostile,
    blocks: [{ paragraph: [hostile, hostile] }, { button: hostile, url: hostile }, { credential: hostile }],
  })
  expect(everywhere.subject).toBe(`a b <b>"&'`)
  expect(everywhere.text).not.toMatch(/^b/m)
  expect(everywhere.html).not.toContain('<b>')
  expect(everywhere.html.match(/a b &#60;b&#62;&#34;&#38;&#39;/g)?.length).toBeGreaterThan(5)
  for (const body of [everywhere.text, everywhere.html]) expect(body.split(credentialPlaceholder)).toHaveLength(2)
})

test('inserts any credential unchanged', () => {
  const { text, html } = insertCredential(composeMail(letter), `$&<b>$1${credentialPlaceholder}`)
  expect(text).toContain(`Password: $&<b>$1${credentialPlaceholder}\n`)
  expect(html).toContain(`>$&#38;&#60;b&#62;$1${credentialPlaceholder}</span>`)
})

test('preserves joined emoji', () => {
  expect(composeMail({ ...letter, subject: 'Family 👨‍👩‍👧' }).subject).toBe('Family 👨‍👩‍👧')
})
