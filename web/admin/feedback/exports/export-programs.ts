/** The separator between file names that the search of each program expects. */
export const programs = {
  lightroom: { separator: 'space' },
  captureOne: { separator: 'newline' },
  photoMechanic: { separator: 'space' },
  plain: { separator: 'newline' },
} as const satisfies Record<string, { separator: 'newline' | 'space' }>

export type Program = keyof typeof programs
export const programNames = Object.keys(programs) as Program[]

const storageKey = 'proofroom-list-for'

export function storedProgram(): Program {
  const kept = localStorage.getItem(storageKey)
  return programNames.find((name) => name === kept) ?? 'lightroom'
}

export const storeProgram = (program: Program): void => localStorage.setItem(storageKey, program)
