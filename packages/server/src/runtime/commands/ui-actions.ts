import {
  actionProblem,
  buttonsOf,
  fieldsOf,
  formErrors,
  initialValue,
  type ResolvedNode,
  readSchema,
  submits,
} from '@vitrine/genui/schema'
import {
  type Command,
  formatPointer,
  type Json,
  jsonEqual,
  type SessionState,
  sameUiAction,
  UI_SCHEMA_MEDIA_TYPE,
} from '@vitrine/protocol'
import { Refusal } from '../../refusal.ts'

type Field = ResolvedNode<'field'>
type Values = Readonly<Record<string, unknown>>

/**
 * Refuses what the card of this call does not offer: an action that none of its buttons has, values that its form would
 * not take. What a browser has checked counts for nothing here.
 */
export async function checkUiAction(
  state: SessionState,
  { action, toolCallId, values }: Command<'sendUiAction'>,
  readBlob: (digest: string) => Promise<Uint8Array | undefined>,
): Promise<void> {
  const problem = actionProblem(action)
  if (problem?.path === '/submitTo') {
    const path = formatPointer(['action', 'submitTo'])
    throw new Refusal('submit_to_invalid', `The payload cannot go there: ${problem.message}.`, {
      next: 'The agent has to name a path of the application, such as /orders/new.',
      errors: [{ path, detail: problem.message }],
    })
  }
  const language = languageOf(state)
  const { schema } = readSchema(await documentOf(state, toolCallId, readBlob), { locale: language })
  if (!schema) throw notOffered('This card is not there any more.', 'Ask the agent to show it again.')
  const buttons = buttonsOf(schema.root).filter(node => !node.disabled && sameUiAction(node.action, action))
  if (problem || buttons.length === 0) {
    throw notOffered('No button of this card has this action.', 'Load the session again and use the card as it is now.')
  }
  // Buttons with one action may differ in whether they send the form. What one of them could have sent is taken.
  const forms = new Set(buttons.map(submits))
  if (forms.has(false) && Object.keys(values ?? {}).length === 0) return
  checkValues(forms.has(true) ? fieldsOf(schema.root) : [], values ?? {}, language)
}

function languageOf(state: SessionState): string {
  const { locale } = state.session.metadata
  return typeof locale === 'string' ? locale : 'en'
}

/** The names of the fields of a card that hide what is typed into them. None when the card is not there any more. */
export async function hiddenFieldsOf(
  state: SessionState,
  toolCallId: string,
  readBlob: (digest: string) => Promise<Uint8Array | undefined>,
): Promise<string[]> {
  const document = await documentOf(state, toolCallId, readBlob).catch(() => undefined)
  const { schema } = readSchema(document, { locale: languageOf(state) })
  return schema ? fieldsOf(schema.root).flatMap(({ name, input }) => (input === 'password' ? [name] : [])) : []
}

function checkValues(fields: readonly Field[], values: Values, locale: string): void {
  const errors = Object.entries({ ...formErrors(fields, values, locale), ...foreignValues(fields, values) })
  if (errors.length === 0) return
  throw new Refusal('values_invalid', 'The form does not take these values.', {
    next: 'Correct them and send the form again.',
    errors: errors.map(([name, detail]) => ({ path: formatPointer(['values', name]), detail })),
  })
}

/** Values of fields that the form does not have, or that nobody can change. */
function foreignValues(fields: readonly Field[], values: Values): Record<string, string> {
  const byName = new Map(fields.map(field => [field.name, field]))
  const entries = Object.entries(values).flatMap(([name, value]): [string, string][] => {
    const field = byName.get(name)
    if (!field) return [[name, 'The form has no such field.']]
    const fixed = field.disabled === true && !jsonEqual(value as Json, initialValue(field) as Json)
    return fixed ? [[name, 'This field cannot be changed.']] : []
  })
  return Object.fromEntries(entries)
}

const notOffered = (why: string, next: string) => new Refusal('ui_action_not_offered', why, { next })

/** The UI Schema document that this call has shown, as long as it is part of the session. */
async function documentOf(
  { tools, parts }: SessionState,
  toolCallId: string,
  readBlob: (digest: string) => Promise<Uint8Array | undefined>,
): Promise<unknown> {
  const tool = tools.byId.get(toolCallId)
  if (!tool?.result.known || parts.byId.get(tool.partId)?.state === 'retracted') return undefined
  const { ui, ref } = tool.result.value
  if (ref?.mediaType !== UI_SCHEMA_MEDIA_TYPE) return ui
  const bytes = await readBlob(ref.digest)
  return bytes && JSON.parse(Buffer.from(bytes).toString())
}
