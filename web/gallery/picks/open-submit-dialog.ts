import { openDialog } from '../parts/open-dialog.tsx'

export const openSubmitDialog = (): void =>
  void openDialog(async () => (await import('./submit-dialog.tsx')).SubmitDialog, {})
