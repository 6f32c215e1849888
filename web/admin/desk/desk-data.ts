import { type DeskData, deskDataId } from '../../../contract/desk.ts'

/** The data that the server embeds in the page. */
export const deskData: DeskData = JSON.parse(document.getElementById(deskDataId)?.textContent ?? '{}')
