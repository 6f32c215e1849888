/** `pairs`: measured pairs per figure; `quick`: a short trial run. */
export type Plan = { workspace: string; pairs: number; quick: boolean }
