import type { JsonObject } from '@vitrine/protocol'

/** A component in the flat form in which both forms of A2UI end. References to other components are ids. */
export type A2uiComponent = { type: string } & JsonObject
