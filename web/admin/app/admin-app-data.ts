import { type AdminAppData, adminAppDataId } from '../../../contract/instance/admin-app.ts'

/** The data that the server embeds in the page. */
export const adminAppData: AdminAppData = JSON.parse(document.getElementById(adminAppDataId)?.textContent ?? '{}')
