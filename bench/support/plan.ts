/** How a run of the bench is meant: its own folder for files, pairs per figure, and whether it is only being tried. */
export type Plan = { workspace: string; pairs: number; quick: boolean }
