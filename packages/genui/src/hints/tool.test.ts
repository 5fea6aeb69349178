import { describe, expect, it } from 'vitest'
import { estimateTokens, hintsSignature, showUiPrompt, showUiPromptWithoutTool, showUiTool } from './index.ts'
import { samples } from './tokens.test.data.ts'

describe('for the agent', () => {
  it('UH-28 show_ui has a compact schema of the top level', () => {
    const { properties } = showUiTool.inputSchema as { properties: Record<string, unknown> }
    expect(showUiTool.name).toBe('show_ui')
    expect(properties.intent).toEqual({ enum: ['message', 'data', 'list', 'status', 'form', 'mixed'] })
    expect(properties.items).toEqual({ type: 'array', items: { type: 'object' } })
    expect(estimateTokens(JSON.stringify(showUiTool))).toBeLessThan(550)
  })

  it('UH-29 the prompt names every content field of the declaration, in few tokens', () => {
    for (const key of [
      'title',
      'description',
      'body',
      'items',
      'listItems',
      'sections',
      'actions',
      'icon',
      'table',
      'fields',
      'progress',
      'image',
      'chart',
      'confirm',
      'navigation',
      'toolId',
    ])
      expect(hintsSignature).toContain(key)
    expect(estimateTokens(showUiPrompt)).toBeLessThan(80)
    expect(estimateTokens(showUiPromptWithoutTool)).toBeLessThan(400)
    expect(hintsSignature).toMatchSnapshot()
  })

  it('UH-233 the prompt says what a pressed button sends', () => {
    expect(showUiPrompt).toMatch(/pressed tool or payload button comes back to you as \[ui\.action\]/)
  })

  it('UH-30 the estimate is near the tokenizer', () => {
    for (const { text, tokens } of samples) {
      const ratio = estimateTokens(text) / tokens
      expect(ratio, `${text.slice(0, 40)} ${estimateTokens(text)} for ${tokens}`).toBeGreaterThan(0.8)
      expect(ratio, `${text.slice(0, 40)} ${estimateTokens(text)} for ${tokens}`).toBeLessThan(1.25)
    }
    expect(estimateTokens('')).toBe(0)
  })
})
