import { describe, expect, test } from 'vitest'
import { requestWithHost } from '../../support/clients/request-with-host.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { mailServerForFile, mailServerForTest, type ReceivedMail } from '../../support/network/mail-server.ts'
import { createMovableClock, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'

const mailServer = await mailServerForFile()
const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'photos@studio.example' }
const service = await serviceForFile({ environment })
const { api, admin } = service

let customers = 0
const newCustomer = () => `customer-${++customers}@example.com`

const listMailsTo = (address: string): ReceivedMail[] =>
  mailServer.received.filter(({ recipients }) => recipients.includes(address))

async function waitForMailTo(address: string): Promise<ReceivedMail> {
  await expect.poll(() => listMailsTo(address).length).toBe(1)
  return listMailsTo(address)[0] as ReceivedMail
}

/** A mail to the address would arrive before the mail of this later operation. */
async function expectNoMailTo(address: string, count = 0): Promise<void> {
  const other = newCustomer()
  await createEvent(api, { customer_email: other })
  await waitForMailTo(other)
  expect(listMailsTo(address)).toHaveLength(count)
}

describe('an event with a customer_email', () => {
  test('created live is mailed with its link and password', async () => {
    const to = newCustomer()
    const event = await createEvent(api, {
      customer_email: to,
      customer_name: 'Ana Berg',
      require_password: true,
      password: 'tulips <&> "roses"',
      expires_at: '2031-05-04',
    })
    const mail = await waitForMailTo(to)
    expect(mail.recipients).toEqual([to])
    expect(mail.subject).toBe('Your gallery is ready: Ana & Ben')
    expect(mail.from).toMatchObject({ name: 'Proofroom', address: 'photos@studio.example' })
    expect(mail.text).toContain('Hello Ana Berg,')
    expect(mail.text).toContain(`\n${service.url}/gallery/${event.slug}/${event.share_token}\n`)
    expect(mail.text).toContain('Password: tulips <&> "roses"\n')
    expect(mail.text).toContain('The gallery is available until May 4, 2031.')
    expect(mail.html).toContain(`href="${service.url}/gallery/${event.slug}/${event.share_token}"`)
    expect(mail.html).toContain('>tulips &#60;&#38;&#62; &#34;roses&#34;</span>')
    expect(mail.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  })

  test('created without a password is mailed without one', async () => {
    const to = newCustomer()
    await createEvent(api, { customer_email: to })
    const { text, html } = await waitForMailTo(to)
    for (const body of [text, html]) expect(body).not.toMatch(/password/i)
  })

  test('published from a draft is mailed then, without the password, but with a note about it', async () => {
    const to = newCustomer()
    const { id } = await createEvent(api, {
      customer_email: to,
      is_draft: true,
      require_password: true,
      password: 'tulips and roses',
    })
    await expectNoMailTo(to)
    await api.post(`/api/v1/events/${id}/publish`, {})
    const { text, html } = await waitForMailTo(to)
    for (const body of [text, html]) {
      expect(body).toContain('requires a password, which you will receive separately')
      expect(body).not.toContain('tulips and roses')
    }
  })

  test('is mailed once, even if published, archived and restored several times', async () => {
    const to = newCustomer()
    const { id } = await createEvent(api, { customer_email: to, is_draft: true })
    const verbs = ['publish', 'publish', 'publish', 'publish']
    const answers = await Promise.all(verbs.map((verb) => api.post(`/api/v1/events/${id}/${verb}`, {})))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    await waitForMailTo(to)
    for (const verb of ['archive', 'restore', 'publish']) await api.post(`/api/v1/events/${id}/${verb}`, {})
    await api.patch(`/api/v1/events/${id}`, { event_name: 'Other', send_email: true })
    await expect.poll(() => listMailsTo(to).length).toBe(2)
    await expectNoMailTo(to, 2)
    expect(listMailsTo(to).map(({ subject }) => subject)).toEqual([
      'Your gallery is ready: Ana & Ben',
      'The gallery is closed: Ana & Ben',
    ])
  })

  test('and send_email: false is mailed neither at once nor when it is published', async () => {
    const to = newCustomer()
    await createEvent(api, { customer_email: to, send_email: false })
    const draft = await createEvent(api, { customer_email: to, send_email: false, is_draft: true })
    expect((await api.post(`/api/v1/events/${draft.id}/publish`, {})).status).toBe(200)
    await expectNoMailTo(to)
  })

  test('is not mailed if it is a draft that expired before it is published', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const expires_at = new Date(clock.now() + 3_600_000).toISOString()
    const { id } = await createEvent(timed.api, { customer_email: newCustomer(), is_draft: true, expires_at })
    clock.advance(2 * 3_600_000)
    expect((await timed.api.post(`/api/v1/events/${id}/publish`, {})).status).toBe(200)
    expect((await timed.admin.get('/api/admin/mail/outbox')).body.mails).toEqual([])
  })

  test('is mailed after all if send_email is set before it is published', async () => {
    const to = newCustomer()
    const { id } = await createEvent(api, { customer_email: to, send_email: false, is_draft: true })
    await api.patch(`/api/v1/events/${id}`, { send_email: true })
    await api.post(`/api/v1/events/${id}/publish`, {})
    await waitForMailTo(to)
  })

  test('under its older name host_email is mailed too', async () => {
    const to = newCustomer()
    await createEvent(api, { host_email: to, host_name: 'Ben' })
    expect((await waitForMailTo(to)).text).toContain('Hello Ben,')
  })
})

describe('an event that is archived', () => {
  test('is reported to its customer, whose reply goes to the operator, and to the operator', async () => {
    const [customer, operator] = [newCustomer(), newCustomer()]
    const { id, share_token } = await createEvent(api, {
      customer_email: customer,
      customer_name: 'Ana',
      admin_email: operator,
      send_email: false,
    })
    await api.post(`/api/v1/events/${id}/archive`, {})
    const toCustomer = await waitForMailTo(customer)
    expect(toCustomer.subject).toBe('The gallery is closed: Ana & Ben')
    expect(toCustomer.text).toContain('Hello Ana,')
    expect(toCustomer.replyTo).toMatchObject([{ address: operator }])
    const toOperator = await waitForMailTo(operator)
    expect(toOperator.text).toMatch(/^Hello,\n\nThe event “Ana & Ben” has been archived/)
    expect(toOperator.replyTo).toBeUndefined()
    for (const { raw } of [toCustomer, toOperator]) expect(raw).not.toContain(share_token)
  })

  test('is reported once if both have the same address', async () => {
    const to = newCustomer()
    // Only the local part changes, because mail programs write the domain in lower case.
    const [name, domain] = to.split('@')
    const sameAddress = `${name?.toUpperCase()}@${domain}`
    const { id } = await createEvent(api, { customer_email: to, admin_email: sameAddress, send_email: false })
    await api.post(`/api/v1/events/${id}/archive`, {})
    await waitForMailTo(to)
    await expectNoMailTo(sameAddress)
  })
})

test('in German the mail has German text with umlauts and the name of the studio', async () => {
  const german = await serviceForTest({ environment })
  await german.admin.put('/api/admin/settings', {
    general_default_language: 'de',
    branding_studio_name: 'Atelier Schön & Groß',
  })
  const to = newCustomer()
  const { id } = await createEvent(german.api, {
    customer_email: to,
    customer_name: 'Jürgen Müßig',
    event_name: 'Änne & Jürgen 💍',
    require_password: true,
    password: 'geheimer Öltanker',
    expires_at: '2031-05-04',
  })
  const mail = await waitForMailTo(to)
  expect(mail.subject).toBe('Ihre Galerie ist bereit: Änne & Jürgen 💍')
  expect(mail.from).toMatchObject({ name: 'Atelier Schön & Groß' })
  expect(mail.text).toContain('Hallo Jürgen Müßig,')
  expect(mail.text).toContain('Ihre Galerie „Änne & Jürgen 💍“ ist bereit.')
  expect(mail.text).toContain('Passwort: geheimer Öltanker')
  expect(mail.text).toContain('Die Galerie ist bis zum 4. Mai 2031 verfügbar.')
  expect(mail.text).toContain('Herzliche Grüße\nAtelier Schön & Groß')
  expect(mail.html).toContain('<html lang="de">')
  expect(mail.html).toContain('Herzliche Grüße<br>Atelier Schön &#38; Groß')

  await german.api.post(`/api/v1/events/${id}/archive`, {})
  await expect
    .poll(() => listMailsTo(to).map(({ subject }) => subject))
    .toContain('Die Galerie ist geschlossen: Änne & Jürgen 💍')
})

describe('a hostile name', () => {
  const hostile = 'Party\r\nBcc: victim@example.com\r\n\r\nPassword: stolen\u001a\u202e<img src=x onerror=alert(1)>'

  test('adds no header, no line and no markup', async () => {
    const to = newCustomer()
    await admin.put('/api/admin/settings', { branding_studio_name: 'A\r\nBcc: studio@example.com' })
    await createEvent(api, {
      customer_email: to,
      event_name: hostile,
      customer_name: '</p><script>\nBcc: c@example.com',
      require_password: true,
      password: 'the only credential',
    })
    await admin.put('/api/admin/settings', { branding_studio_name: '' })
    const mail = await waitForMailTo(to)
    expect(mail.recipients).toEqual([to])
    expect(mail.bcc).toBeUndefined()
    expect(mail.raw).not.toMatch(/^bcc/im)
    const toShownText = 'Party Bcc: victim@example.com Password: stolen <img src=x onerror=alert(1)>'
    expect(mail.subject).toBe(`Your gallery is ready: ${toShownText}`)
    expect(mail.text).toContain(`Your gallery “${toShownText}” is ready`)
    expect(mail.text?.match(/^Password: .*$/gm)).toEqual(['Password: the only credential'])
    expect(mail.text?.match(/the only credential/g)).toHaveLength(1)
    expect(mail.html?.match(/<(img|script)/g)).toBeNull()
    expect(mail.html).toContain('&#60;img src=x onerror=alert(1)&#62;')
  })
})

describe('links', () => {
  test('use the origin of the last super_admin sign-in, never the Host of another request', async () => {
    const to = newCustomer()
    const body = { event_type: 'wedding', event_name: 'Ana', require_password: false, customer_email: to }
    expect(await requestWithHost(service.url, 'evil.example', 'POST', '/api/v1/events', body, api.token)).toBe(201)
    const { text } = await waitForMailTo(to)
    expect(text).toContain(`${service.url}/gallery/`)
    expect(text).not.toContain('evil.example')
  })

  test('use PUBLIC_URL if it is set, which also names the sender', async () => {
    const other = await mailServerForTest()
    const published = await serviceForTest({
      environment: { SMTP_URL: other.url, PUBLIC_URL: 'https://photos.example.com' },
    })
    await createEvent(published.api, { customer_email: newCustomer() })
    const [mail] = await other.receive(1)
    expect(mail?.text).toContain('https://photos.example.com/gallery/')
    expect(mail?.from?.address).toBe('noreply@photos.example.com')
  })
})

test('a deleted event deletes its mails', async () => {
  const to = newCustomer()
  const { id } = await createEvent(api, { customer_email: to })
  await waitForMailTo(to)
  await api.delete(`/api/v1/events/${id}`)
  const mails = readDatabase(service, (stored) => stored.prepare('select id from mails where event_id = ?').all(id))
  expect(mails).toEqual([])
})
