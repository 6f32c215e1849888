import { test } from 'vitest'
import { runGuestJourney } from '../support/browser/guest-journey.ts'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { byKeyboard, byPointer } from '../support/browser/input-methods.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const guests = await chromiumForFile()

test('a guest on a desktop, by pointer, enters, picks, comments, submits and downloads photos', async () => {
  await runGuestJourney(service, guests, {
    device: 'desktop',
    hand: byPointer,
    giveFourStars: (page, hand) => hand.press(page.getByRole('button', { name: '4 stars', exact: true })),
  })
})

test('a guest on a desktop, by keyboard, enters, picks, comments, submits and downloads photos', async () => {
  await runGuestJourney(service, guests, {
    device: 'desktop',
    hand: byKeyboard,
    giveFourStars: (page) => page.keyboard.press('4'),
  })
})
