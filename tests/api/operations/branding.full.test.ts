import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { MailRecord } from '../../../contract/instance/mail.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { declaredPng, jpeg, jpegOfSize, picture } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const service = await serviceForFile()
const { admin, api, anonymous } = service
const path = '/api/admin/branding'
const logoUrl = '/branding/logo.png'

function sendForm(
  fields: Record<string, string>,
  logo?: { bytes: Uint8Array<ArrayBuffer>; type?: string; name?: string },
) {
  const form = new FormData()
  for (const [name, text] of Object.entries(fields)) form.append(name, text)
  if (logo) form.append('logo', new Blob([logo.bytes], { type: logo.type ?? 'image/png' }), logo.name ?? 'logo.png')
  return admin.call('PUT', path, { body: form })
}

const transparentPng = (width: number, height: number): Promise<Buffer<ArrayBuffer>> =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 20, b: 20, alpha: 0.5 } } })
    .withExif({ IFD0: { Copyright: 'Kept nowhere' } })
    .png()
    .toBuffer()
    .then((bytes) => Buffer.from(bytes))

const listLogoFiles = async () => (await listStoredFiles(service)).filter((file) => file.includes('branding'))

describe('PUT /api/admin/branding', () => {
  test('changes what is sent as JSON, and the settings of the group with it', async () => {
    const imprint_url = 'https://studio.example/imprint'
    const change = { studio_name: 'Studio Löwe', accent: '#7A5C3E', imprint_url }
    const { status, body } = await admin.put(path, change)
    expect([status, body]).toEqual([200, { ...change, contact_email: null, privacy_url: null, logo: null }])
    expect((await admin.get(path)).body).toEqual(body)
    expect((await admin.get('/api/admin/settings')).body).toMatchObject({ branding_accent: '#7A5C3E' })
    expect((await admin.put(path, {})).body).toEqual(body)
  })

  test('rejects an invalid value and changes nothing', async () => {
    const before = (await admin.get(path)).body
    for (const [key, value] of [
      ['accent', 'red'],
      ['accent', '#12345'],
      ['accent', 'url(x)'],
      ['imprint_url', 'javascript:alert(1)'],
      ['studio_name', 'Ana\r\nBcc: all@studio.example'],
      ['studio_name', 'x'.repeat(101)],
      ['studio_name', null],
      ['contact_email', 'nobody'],
      ['logo', 'https://studio.example/logo.png'],
      ['colour', '#123456'],
    ] as const) {
      const change = { privacy_url: 'https://studio.example/privacy', [key]: value }
      expectInvalidField(await admin.put(path, change), key)
    }
    expect((await admin.get(path)).body).toEqual(before)
  })

  test('accepts a logo in a form with the other fields, and stores only its pixels', async () => {
    const { status, body } = await sendForm(
      { studio_name: 'Löwe & Lamm', accent: '', privacy_url: 'https://studio.example/privacy' },
      { bytes: await transparentPng(2048, 512) },
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({ studio_name: 'Löwe & Lamm', accent: null, imprint_url: expect.any(String) })
    expect(body.logo).toEqual({ url: logoUrl, width: 1024, height: 256, size_bytes: expect.any(Number) })

    const { bytes, headers } = await anonymous.get(logoUrl)
    expect(headers.get('content-type')).toBe('image/png')
    expect(bytes.length).toBe(body.logo.size_bytes)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1024, height: 256, hasAlpha: true })
    expect(bytes.includes('Kept nowhere')).toBe(false)
    expect(await anonymous.get('/api/public/settings')).toMatchObject({ body: { branding_logo_url: logoUrl } })
  })

  test('accepts a WebP with any declared type, and keeps it if another logo is rejected', async () => {
    const { status, body } = await sendForm({}, { bytes: await picture('webp'), type: 'application/octet-stream' })
    expect(status).toBe(200)
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>')
    const rejected: Array<[string, Buffer<ArrayBuffer>, number, string]> = [
      ['an SVG', svg, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a GIF', await picture('gif'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['text', Buffer.from('no picture'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['half a picture', (await jpeg({ width: 400, height: 400 })).subarray(0, 700), 422, 'UNREADABLE_IMAGE'],
      ['an enormous one', await declaredPng(100_000, 100_000), 422, 'UNREADABLE_IMAGE'],
      ['one of more than 5 MB', await jpegOfSize(5 * 2 ** 20 + 1), 413, 'FILE_TOO_LARGE'],
    ]
    for (const [what, bytes, expected, code] of rejected) {
      const answer = await sendForm({ studio_name: 'Never' }, { bytes, type: 'image/svg+xml' })
      expect([answer.status, answer.body.code], what).toEqual([expected, code])
    }
    expect((await sendForm({}, { bytes: Buffer.alloc(0), name: '' })).body).toEqual(body)
    expectInvalidField(await sendForm({ accent: 'blue' }, { bytes: await jpeg({ seed: 9 }) }), 'accent')
    expect((await admin.get(path)).body).toEqual(body)
    expect(await listLogoFiles()).toHaveLength(2)
  })
})

describe('the logo', () => {
  test('has one URL and an ETag, and is cached for some minutes', { tags: 'storage' }, async () => {
    await sendForm({}, { bytes: await jpeg({ seed: 3 }) })
    const first = await anonymous.get(logoUrl)
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    expect(first.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect((await anonymous.get(logoUrl, { 'if-none-match': etag })).status).toBe(304)
    await sendForm({}, { bytes: await jpeg({ seed: 4 }) })
    const second = await anonymous.get(logoUrl, { 'if-none-match': etag })
    expect(second.status).toBe(200)
    expect(second.headers.get('etag')).not.toBe(etag)
    expect(await listLogoFiles()).toHaveLength(2)
  })

  test('is shown below the gallery, with the name, links and color of the studio', async () => {
    const fields = { studio_name: 'Studio Nord', accent: '#336699' }
    await sendForm(fields, { bytes: await jpeg({ width: 300, height: 100 }) })
    const { slug, share_token } = await createEvent(api)
    const page = (await anonymous.get(`/gallery/${slug}/${share_token}`)).bytes.toString()
    expect(page).toContain('<img class="logo" src="/branding/logo.png" alt="" width="300" height="100">')
    expect(page).toContain('Studio Nord')
    expect(page).toContain('<link rel="stylesheet" href="/branding/style.css">')
    const style = await anonymous.get('/branding/style.css')
    expect(style.headers.get('content-type')).toMatch(/^text\/css/)
    expect(style.bytes.toString()).toContain('--accent: #336699')
    const etag = style.headers.get('etag') ?? ''
    expect((await anonymous.get('/branding/style.css', { 'if-none-match': etag })).status).toBe(304)
  })

  test('has a square icon, and is inverted where it would disappear', async () => {
    const page = async () => {
      const { slug, share_token } = await createEvent(api, { require_password: true, password: 'summer-in-lisbon' })
      return (await anonymous.get(`/gallery/${slug}/${share_token}`)).bytes.toString()
    }
    const shape = (color: string, ground = '') =>
      sharp(
        Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100">${ground}<circle cx="50" cy="50" r="40" fill="${color}"/></svg>`,
        ),
      )
        .png()
        .toBuffer()
        .then((bytes) => Buffer.from(bytes))
    const white = '<rect width="300" height="100" fill="white"/>'
    for (const [bytes, kind] of [
      [await shape('#1c1c1c'), 'logo on-light transparent'],
      [await shape('#f4f0ff'), 'logo on-dark transparent'],
      [await shape('#1c1c1c', white), 'logo'],
    ] as const) {
      await sendForm({ studio_name: 'Studio Nord' }, { bytes })
      expect(await page()).toContain(
        `<p class="studio"><img class="${kind}" src="/branding/logo.png" alt="Studio Nord"`,
      )
    }
    const icon = await anonymous.get('/branding/icon.png')
    expect(await sharp(icon.bytes).metadata()).toMatchObject({ format: 'png', width: 192, height: 192 })
    expect(await page()).toContain('<link rel="icon" type="image/png" href="/branding/icon.png">')
  })

  test('is shown in mails to customers, and not in mails to the studio', async () => {
    await sendForm({ studio_name: 'Studio Nord' }, { bytes: await jpeg({ width: 400, height: 100 }) })
    const { id } = await createEvent(api, { customer_email: 'ana@example.com', admin_email: 'studio@example.com' })
    await admin.post(`/api/admin/events/${id}/archive`, {})
    const { mails } = (await admin.get('/api/admin/mail/outbox?limit=100')).body
    const htmlTo = (to: string) => mails.find((mail: MailRecord) => mail.event_id === id && mail.to === to)?.html
    const image = `<img src="${service.url}/branding/logo.png" alt="Studio Nord" width="200" height="50" border="0">`
    expect(htmlTo('ana@example.com')).toContain(image)
    expect(htmlTo('studio@example.com')).not.toContain('<img')
  })

  test('is removed by null, together with its file', async () => {
    const { body } = await admin.put(path, { logo: null, accent: null })
    expect(body).toMatchObject({ logo: null, accent: null })
    expectProblem(await anonymous.get(logoUrl), 404, 'NOT_FOUND')
    expectProblem(await anonymous.get('/branding/icon.png'), 404, 'NOT_FOUND')
    expect(await listLogoFiles()).toEqual([])
    const { slug, share_token } = await createEvent(api)
    const page = (await anonymous.get(`/gallery/${slug}/${share_token}`)).bytes.toString()
    expect(page).not.toMatch(/\/branding\//)
  })
})

test('people who cannot open a gallery find the address of the studio, if it has one', async () => {
  const load = async () => (await anonymous.get('/gallery/no-such-gallery')).bytes.toString()
  expect(await load()).not.toContain('mailto:')
  await admin.put(path, { studio_name: 'Studio Nord', contact_email: 'hello+proofs@nord.example' })
  const page = await load()
  expect(page).toContain('href="mailto:hello%2Bproofs%40nord.example?subject=Gallery%20not%20found"')
  expect(page).toContain('Write to Studio Nord')
  await admin.put(path, { contact_email: null })
})
