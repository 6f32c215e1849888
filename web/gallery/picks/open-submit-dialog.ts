import { openDialog } from '../parts/open-dialog.tsx'

export const openSubmitDialog = (): void =>
  void openDialog(async () => (await import('./submit-dialog.tsx')).SubmitDialog, {})

export const focusSendButton = (): void =>
  document.querySelector<HTMLElement>('.send-picks')?.focus({ preventScroll: true })
