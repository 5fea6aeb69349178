import type { JsonObject } from '@vitrine/protocol'
import type { UiDiagnostic } from '../diagnostic.ts'

/** A component with everything resolved. The object stays the same until something in it changes. */
export interface NodeSnapshot {
  readonly id: string
  readonly componentId: string
  readonly type: string
  /** Resolved properties; references are node ids. */
  readonly props: Readonly<JsonObject>
  /** All child node ids in order, whatever property names them. */
  readonly children: readonly string[]
  /** Messages of the checks that fail. */
  readonly errors: readonly string[]
  /** A check of this node still waits for its answer. */
  readonly pending: boolean
  /** A button whose checks do not all hold. */
  readonly disabled: boolean
  /** A person's value differs from the server's. */
  readonly edited: boolean
  /** Referenced, but not (yet) there. */
  readonly missing: boolean
  /** The catalog of the surface has not its type: it has no properties, and is drawn as a diagnostic. */
  readonly unknown: boolean
  readonly diagnostics: readonly UiDiagnostic[]
}

/** What a surface itself says, beside its components. */
export interface SurfaceSnapshot {
  readonly surfaceId: string
  /** Node id of the root; undefined before the first create and after remove. */
  readonly root: string | undefined
  readonly catalogId: string | undefined
  readonly theme: Readonly<JsonObject>
  readonly sendDataModel: boolean
}
