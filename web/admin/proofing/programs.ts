/** The separator between file names that the search of each program expects. */
export const programs = {
  lightroom: { separator: 'space' },
  captureOne: { separator: 'newline' },
  photoMechanic: { separator: 'space' },
  plain: { separator: 'newline' },
} as const satisfies Record<string, { separator: 'newline' | 'space' }>

export type Program = keyof typeof programs
export const programNames = Object.keys(programs) as Program[]

const keptKey = 'proofroom-list-for'

export function keptProgram(): Program {
  const kept = localStorage.getItem(keptKey)
  return programNames.find((name) => name === kept) ?? 'lightroom'
}

export const keepProgram = (program: Program): void => localStorage.setItem(keptKey, program)
