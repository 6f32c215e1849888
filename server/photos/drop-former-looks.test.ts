import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { receiveFirstPhoto } from '../../tests/support/first-photo.ts'
import { storedFiles } from '../../tests/support/stored-files.ts'
import { contextForTest } from '../../tests/support/test-context.ts'
import { movableClock } from '../../tests/support/test-service.ts'
import { changeEvent } from '../events/change-event.ts'
import { minutes } from '../platform/clock.ts'
import { createStaleProfiles } from './drop-former-looks.ts'
import { guestProfile } from './guest-look.ts'
import { plainProfile } from './rendition-rows.ts'
import { createRenditions } from './renditions.ts'

test('deletes only renditions of stale profiles, one hour later, with file and row', async () => {
  const clock = movableClock()
  const ctx = await contextForTest({ edges: { clock } })
  const { event, photo } = await receiveFirstPhoto(ctx)
  const renditions = createRenditions(ctx)
  const former = createStaleProfiles(ctx)
  const names = async () =>
    (await ctx.db.selectFrom('photo_renditions').select('filename').execute()).map((one) => one.filename)
  const files = async () =>
    (await storedFiles(ctx.config)).filter((name) => name.includes('/renditions/')).map((name) => basename(name))
  const make = async (text: string | null) => {
    const changed = await changeEvent(ctx, event.id, { watermark_downloads: text !== null, watermark_text: text })
    const look = guestProfile(changed, await ctx.settings.values())
    return (await renditions.get(photo, { look, bound_px: 640, format: 'webp' })).filename
  }

  const plain = (await renditions.get(photo, { look: plainProfile, bound_px: 640, format: 'webp' })).filename
  const old = await make('old')
  await former.drop()
  clock.advance(minutes(90))
  await former.drop()
  expect(await names()).toContain(old)

  const present = await make('new')
  await former.drop()
  clock.advance(minutes(50))
  await former.drop()
  expect(await names()).toContain(old)
  clock.advance(minutes(11))
  await former.drop()
  expect((await names()).sort()).toEqual([plain, present].sort())
  expect((await files()).sort()).toEqual([plain, present].sort())
})
