import { signal } from '@preact/signals'
import { readStored, writeStored } from '../../shared/browser-storage.ts'

const key = 'shortcuts'

export const areShortcutsOn = signal(readStored('localStorage', key) !== 'off')

export function setShortcutsOn(isOn: boolean): void {
  areShortcutsOn.value = isOn
  writeStored('localStorage', key, isOn ? 'on' : 'off')
}
