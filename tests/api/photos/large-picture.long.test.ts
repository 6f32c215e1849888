import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createEvent } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const { api } = await serviceForFile()

// A progressive JPEG of the same size is rejected.
test('a baseline JPEG of 224 megapixels is accepted', async () => {
  const event = await createEvent(api)
  const large = await sharp({ create: { width: 16000, height: 14000, channels: 3, background: '#486' } })
    .jpeg({ quality: 50 })
    .toBuffer()
  const { status, body } = await api.upload(event.id, Buffer.from(large))
  expect([status, body.width, body.height]).toEqual([201, 16000, 14000])
})
