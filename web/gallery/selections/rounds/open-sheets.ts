import { loadWhenReachable } from '../../parts/load-when-reachable.ts'
import { openDialog } from '../../parts/open-dialog.tsx'

const loadSheets = loadWhenReachable(() => import('./sheets.tsx'))

export const openChanges = (): void => void openDialog(async () => (await loadSheets()).ChangesSheet, {})
export const openAsk = (): void => void openDialog(async () => (await loadSheets()).AskSheet, {})
export const openSetAsideSheet = (): void => void openDialog(async () => (await loadSheets()).SetAsideSheet, {})
