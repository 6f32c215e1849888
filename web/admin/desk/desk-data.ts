import { type DeskData, deskDataId } from '../../../contract/desk.ts'

/** What the service has put into the page. */
export const deskData: DeskData = JSON.parse(document.getElementById(deskDataId)?.textContent ?? '{}')
