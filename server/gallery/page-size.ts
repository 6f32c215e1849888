/** Photos on one page of the gallery, and those that it shows by itself before its script asks for more. */
export const pageSize = 48
