import { signal } from '@preact/signals'

const key = 'shortcuts'

/** Whether single keys do something; kept on this device. */
export const areShortcutsOn = signal(localStorage.getItem(key) !== 'off')

export function switchShortcuts(isOn: boolean): void {
  areShortcutsOn.value = isOn
  localStorage.setItem(key, isOn ? 'on' : 'off')
}
