import type { ModelInfo } from '@vitrine/protocol'
import type { Say } from './words.ts'

type Facts = Pick<ModelInfo, 'contextTokens' | 'price' | 'takes'> & { isLocal?: boolean }

const perMillion = (dollars: number): string => `$${dollars.toFixed(2).replace(/\.?0+$/, '')}`

/** What is known of a model, in a line: its context, what it takes, and its price. What is not known is not said. */
export function modelFacts(say: Say, { contextTokens, price, takes, isLocal }: Facts): string {
  const facts: string[] = []
  if (contextTokens !== undefined) facts.push(say('context', { count: Math.round(contextTokens / 1_000) }))
  if (takes?.images) facts.push(say('images'))
  if (takes?.files) facts.push(say('files'))
  if (isLocal) facts.push(say('onThisMachine'))
  if (price?.input === 0 && price.output === 0) facts.push(say('free'))
  else if (price?.input !== undefined && price.output !== undefined) {
    facts.push(say('price', { input: perMillion(price.input), output: perMillion(price.output) }))
  }
  return facts.join(', ')
}

/** What people call a model. */
export const modelName = ({ name, modelId }: Pick<ModelInfo, 'name' | 'modelId'>): string => name ?? modelId
