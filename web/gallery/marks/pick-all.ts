import { showNotice } from '../parts/notices.tsx'
import { pickKind, t } from '../state/page.ts'
import { getPhoto, loadDetails, outline } from '../state/photos.ts'
import { isPicked, setMark } from './apply-mark.ts'
import { ensureGuestName } from './guest-name.ts'

/** Sending more would take minutes. */
export const maxPicks = 300

/** Picks several photos with one notice. Its undo reverts only the new picks. */
export async function pickAll(ids: readonly number[]): Promise<void> {
  if (pickKind === null || !(await ensureGuestName())) return
  await loadMissingDetails(ids).catch(() => undefined)
  if (ids.some((id) => !getPhoto(id).peek())) return showNotice(t('notLoaded'), { isError: true })
  const newPicks = ids.filter((id) => {
    const photo = getPhoto(id).peek()
    return photo && !isPicked(photo)
  })
  setPicks(newPicks, true)
  showNotice(t('pickedAll', { count: ids.length }), { undo: () => setPicks(newPicks, false) })
}

function setPicks(ids: readonly number[], isOn: boolean): void {
  for (const id of ids) setMark(id, { kind: 'pick', isPicked: isOn })
}

async function loadMissingDetails(ids: readonly number[]): Promise<void> {
  const missingIds = new Set(ids.filter((id) => !getPhoto(id).peek()))
  const places = outline.peek().flatMap(({ id }, index) => (missingIds.has(id) ? [index] : []))
  await Promise.all(places.map((place) => loadDetails(place, place + 1)))
}
