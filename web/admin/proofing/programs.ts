/** Which separator a program wants between the names that are pasted into it. */
export const programs = {
  lightroom: { separator: 'space' },
  captureOne: { separator: 'newline' },
  photoMechanic: { separator: 'space' },
  plain: { separator: 'newline' },
} as const satisfies Record<string, { separator: 'newline' | 'space' }>

export type Program = keyof typeof programs
export const programNames = Object.keys(programs) as Program[]

const keptKey = 'proofroom-list-for'

/** The one that this browser copied for last. */
export function keptProgram(): Program {
  const kept = localStorage.getItem(keptKey)
  return programNames.find((name) => name === kept) ?? 'lightroom'
}

export const keepProgram = (program: Program): void => localStorage.setItem(keptKey, program)
