/** The class names of a control and those that its user adds. */
export const withClass = (own: string, more: string | undefined): string => (more ? `${own} ${more}` : own)
