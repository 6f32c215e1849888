export const pageSize = 48
