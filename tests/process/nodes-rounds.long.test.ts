import { expect, test } from 'vitest'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { agreeOnAlbum } from '../support/browser/rounds-journey.ts'
import { createClient } from '../support/clients/test-client.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../support/fixtures/events.ts'
import { clusterForFile } from '../support/nodes/cluster.ts'

const { nodes, balanced } = await clusterForFile()
const [alpha, beta] = nodes
const browsers = await chromiumForFile()
const photoCount = 12

test('of 12 picks at once with a submission on two nodes, each 200 is in the snapshot and no 409 is', async () => {
  const event = await createEvent(alpha.api)
  const ids = await uploadPhotos(alpha.api, event.id, photoCount + 1)
  const path = `/api/admin/events/${event.id}`
  const terms = { purpose: 'Album', included: 20, locks_on_submission: true }
  expect((await alpha.admin.put(`${path}/package`, terms)).status).toBe(200)
  const outcomes = new Set<number>()
  for (let run = 0; run < 8; run++) {
    const { token = '' } = await enterAsGuest(balanced, event)
    const guestAt = (index: number) => createClient((index % 2 === 0 ? alpha : beta).url, token)
    const pick = (index: number) =>
      guestAt(index).post(`/api/gallery/${event.slug}/photos/${ids[index]}/feedback`, {
        feedback_type: 'favorite',
        set: true,
      })
    expect((await pick(photoCount)).status).toBe(200)
    const indexes = Array.from({ length: photoCount }, (_, index) => index)
    const submission = async () => {
      // So that some picks come before it.
      await new Promise((resolve) => setTimeout(resolve, 4 * run))
      return guestAt(1).post(`/api/gallery/${event.slug}/selection`, {})
    }
    const [sent, ...picks] = await Promise.all([submission(), ...indexes.map(pick)])
    expect([sent.status, sent.body.state]).toEqual([200, 'locked'])
    const { selections } = (await beta.admin.get(`${path}/selections?limit=1`)).body
    const [{ photo_ids, content_sha256 }] = selections
    expect(content_sha256).toBe(sent.body.content_sha256)
    const accepted = indexes.filter((index) => picks[index]?.status === 200).map((index) => ids[index])
    expect(new Set(photo_ids)).toEqual(new Set([...accepted, ids[photoCount]]))
    for (const { status, body } of picks) {
      outcomes.add(status)
      if (status !== 200) expect([status, body.code]).toEqual([409, 'SELECTION_LOCKED'])
    }
  }
  // Otherwise the runs prove nothing.
  expect([...outcomes].sort()).toEqual([200, 409])
})

test('through two nodes, a client and a photographer agree on an album, with equal receipts on both', () =>
  agreeOnAlbum(browsers, balanced, [alpha, beta]))
