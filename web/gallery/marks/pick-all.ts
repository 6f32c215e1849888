import { showNotice } from '../parts/notices.tsx'
import { pickKind, t } from '../state/page.ts'
import { loadDetails, outline, photoOf } from '../state/photos.ts'
import { isPicked, setMark } from './give-mark.ts'
import { withGuestName } from './guest-name.ts'

/** Sending more would take minutes. */
export const mostPicks = 300

/** Picks several photos with one notice. Its undo reverts only the new picks. */
export async function pickAll(ids: readonly number[]): Promise<void> {
  if (pickKind === null || !(await withGuestName())) return
  await loadUnknown(ids).catch(() => undefined)
  if (ids.some((id) => !photoOf(id).peek())) return showNotice(t('notLoaded'), { isAlarm: true })
  const fresh = ids.filter((id) => {
    const photo = photoOf(id).peek()
    return photo && !isPicked(photo)
  })
  setPicks(fresh, true)
  showNotice(t('pickedAll', { count: ids.length }), { undo: () => setPicks(fresh, false) })
}

function setPicks(ids: readonly number[], isOn: boolean): void {
  for (const id of ids) setMark(id, { kind: 'pick', isPicked: isOn })
}

async function loadUnknown(ids: readonly number[]): Promise<void> {
  const wanted = new Set(ids.filter((id) => !photoOf(id).peek()))
  const places = outline.peek().flatMap(({ id }, index) => (wanted.has(id) ? [index] : []))
  await Promise.all(places.map((place) => loadDetails(place, place + 1)))
}
