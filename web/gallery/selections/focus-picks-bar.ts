/** Moves the focus to the button that sends picks, or without picks to the link to them. */
export const focusPicksBar = (): void =>
  document.querySelector<HTMLElement>('.send-picks, .my-picks:only-child')?.focus({ preventScroll: true })
