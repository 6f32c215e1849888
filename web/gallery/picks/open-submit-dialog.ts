import { openDialog } from '../parts/open-dialog.tsx'

export const openSubmitDialog = (): void =>
  void openDialog(async () => (await import('./submit-dialog.tsx')).SubmitDialog, {})

/** Moves the focus to the button that sends picks, or without picks to the link to them. */
export const focusPicksBar = (): void =>
  document.querySelector<HTMLElement>('.send-picks, .my-picks:only-child')?.focus({ preventScroll: true })

export const focusSendButton = (): void =>
  document.querySelector<HTMLElement>('.send-picks')?.focus({ preventScroll: true })
