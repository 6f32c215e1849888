import { loadWhenReachable } from '../parts/load-when-reachable.ts'
import { openDialog } from '../parts/open-dialog.tsx'

export const loadSubmitDialog = loadWhenReachable(() => import('./submit-dialog.tsx'))

export const openSubmitDialog = (): void => void openDialog(async () => (await loadSubmitDialog()).SubmitDialog, {})

/** Loads the dialog. Resolves to false if that is not possible, as without a connection. */
export const canLoadSubmitDialog = (): Promise<boolean> =>
  loadSubmitDialog().then(
    () => true,
    () => false,
  )
