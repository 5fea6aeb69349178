import { formatPointer, isObject, type Json } from '@vitrine/protocol'
import { compileValue, isDynamic } from './expression.ts'
import { PathRefs } from './places.ts'

/** Where a value that a page sends comes from. One that has neither is constant, or what a person typed there. */
export interface Flow {
  /** What stands at these places, as it is. */
  readonly bound: PathRefs
  /** It is computed from what stands there. */
  readonly computed: PathRefs
}

/** Where each value that the pages of a surface may send has ever come from, by a pointer to the value. */
export class DataFlow {
  readonly #flows = new Map<string, Flow>()
  readonly #records = new Set<string>()

  at(pointer: string): Flow | undefined {
    return this.#flows.get(pointer)
  }

  /** Whether the members of the value that is sent have pointers of their own. */
  isRecord(pointer: string): boolean {
    return this.#records.has(pointer)
  }

  /** A value as its component declares it. */
  note(pointer: string, declared: Json | undefined): void {
    const { paths, target } = compileValue(declared)
    const flow = this.#flows.get(pointer) ?? { bound: new PathRefs(), computed: new PathRefs() }
    this.#flows.set(pointer, flow)
    if (target) flow.bound.add(target)
    else for (const ref of paths) flow.computed.add(ref)
  }

  /** The members of a context are computed each by itself, at any depth. */
  noteContext(pointer: string, declared: Json): void {
    const members = Array.isArray(declared) || (isObject(declared) && !isDynamic(declared))
    if (!members) {
      this.note(pointer, declared)
      return
    }
    this.#records.add(pointer)
    for (const [name, item] of Object.entries(declared as object))
      this.noteContext(pointer + formatPointer([name]), item)
  }
}
