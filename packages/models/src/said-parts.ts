import type { AgentOutput, HistoryCall, HistoryPart } from '@vitrine/server'

/** What a step has said, in the form in which the history will give it. */
export class SaidParts {
  readonly list: HistoryPart[] = []
  /** The ids of all parts that were shown, also of those that no model is given, such as sources. */
  readonly began = new Set<string>()

  add(output: AgentOutput): void {
    if ('partId' in output && typeof output.partId === 'string') this.began.add(output.partId)
    switch (output.type) {
      case 'text.delta':
        this.#text('text', output.partId).text += output.delta
        break
      case 'reasoning.delta':
        this.#text('reasoning', output.partId).text += output.delta
        break
      case 'reasoning.summary': {
        const part = this.#text('reasoning', output.partId)
        if (output.signature !== undefined) part.signature = output.signature
        break
      }
      case 'tool.started': {
        const { partId, toolCallId, name, executor, metadata } = output
        const given = { ...(executor && { executor }), ...(metadata && { metadata }) }
        this.list.push({ kind: 'call', partId, toolCallId, name, args: '', ...given })
        break
      }
      case 'tool.args': {
        const call = this.#call(output.toolCallId)
        if (call) call.args += output.delta
        break
      }
      case 'tool.result': {
        const { value, preview } = output
        const call = this.#call(output.toolCallId)
        const given = { ...(value !== undefined && { value }), ...(preview !== undefined && { preview }) }
        if (call) call.result = given
        break
      }
      case 'tool.failed': {
        const call = this.#call(output.toolCallId)
        if (call) call.error = output.error
      }
    }
  }

  #text(kind: 'text' | 'reasoning', partId: string): { text: string; signature?: string } {
    const found = this.list.find(part => part.kind === kind && part.partId === partId)
    if (found?.kind === 'text' || found?.kind === 'reasoning') return found
    const part = { kind, partId, text: '' }
    this.list.push(part)
    return part
  }

  #call(toolCallId: string): HistoryCall | undefined {
    return this.list.find(part => part.kind === 'call' && part.toolCallId === toolCallId) as HistoryCall | undefined
  }
}
