import { signal } from '@preact/signals'

const key = 'shortcuts'

export const areShortcutsOn = signal(localStorage.getItem(key) !== 'off')

export function setShortcutsOn(isOn: boolean): void {
  areShortcutsOn.value = isOn
  localStorage.setItem(key, isOn ? 'on' : 'off')
}
