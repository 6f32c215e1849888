/** For `npm run parts`: gives the state of `data-state` to the first control in each such element. */
export function showStates(): void {
  for (const sample of document.querySelectorAll<HTMLElement>('[data-state]')) {
    sample
      .querySelector('a, button, input, select, textarea, [tabindex]')
      ?.classList.add(`state-${sample.dataset.state}`)
  }
}

/** The states of a control that a pointer or the keyboard causes. */
export const controlStates = ['normal', 'hover', 'focus'] as const
