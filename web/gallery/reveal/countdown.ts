import { revealFormat } from '../../../contract/gallery/gallery-page.ts'
import { page, readerLocale, t } from '../state/page.ts'
import { getTimeLeft, type TimeLeft } from './time-left.ts'

const units = [
  ['days', 'daysLeft'],
  ['hours', 'hoursLeft'],
  ['minutes', 'minutesLeft'],
  ['seconds', 'secondsLeft'],
] as const

/** Guests who wait for the same reveal reload at random times within this interval. */
const spreadMs = 1_500

/** The remaining time comes from the server, because the clock of the device may be wrong. */
export function startCountdown(place: HTMLElement): void {
  const endsAt = Date.now() + Number(place.dataset.seconds) * 1_000
  const time = place.querySelector('time')
  if (time) {
    time.textContent = new Intl.DateTimeFormat(readerLocale, revealFormat).format(new Date(time.dateTime))
  }
  const counter = place.querySelector('.countdown')
  if (!counter) return
  const parts = units.map(([unit, text]) => {
    const part = document.createElement('span')
    const number = document.createElement('b')
    const word = document.createElement('span')
    part.append(number, ' ', word)
    counter.append(part)
    return {
      part,
      show: (left: TimeLeft) => {
        number.textContent = left[unit].toLocaleString(page.locale, { minimumIntegerDigits: unit === 'days' ? 1 : 2 })
        word.textContent = t(text, { count: left[unit] })
        part.hidden = unit === 'days' && left.days === 0
      },
    }
  })
  const tick = () => {
    const left = endsAt - Date.now()
    for (const { show } of parts) show(getTimeLeft(left))
    if (left > 0) setTimeout(tick, left % 1_000 || 1_000)
    else openGallery(counter)
  }
  tick()
}

function openGallery(counter: Element): void {
  const line = document.createElement('p')
  line.textContent = t('opensNow')
  counter.replaceChildren(line)
  setTimeout(() => location.reload(), Math.random() * spreadMs + 250)
}
