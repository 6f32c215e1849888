import { test } from 'vitest'
import { runGuestJourney } from '../support/browser/guest-journey.ts'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { byTouch } from '../support/browser/input-methods.ts'
import { sharedService } from '../support/service/test-service.ts'

const service = await sharedService()
const guests = await chromiumForFile()

test('a guest on a phone, by touch, enters, picks, comments, submits and downloads photos', async () => {
  await runGuestJourney(service, guests, {
    device: 'phone',
    hand: byTouch,
    giveFourStars: async (page, hand) => {
      await hand.press(page.getByRole('button', { name: /^Rating/ }))
      await hand.press(page.getByRole('button', { name: '4 stars', exact: true }))
    },
  })
})
