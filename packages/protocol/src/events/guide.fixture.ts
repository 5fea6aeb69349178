// Makes the guide to the events from their schemas and from the examples: node --conditions=vitrine-source guide.fixture.ts --write
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { agentEventTypes, eventNotes, eventSchemas } from '../events.schema.ts'
import type { EventType, SessionEvent } from '../events.ts'
import { examples } from './examples.fixture.ts'

const GUIDE = new URL('../../../../docs/guides/events.md', import.meta.url)

const FAMILIES: readonly [title: string, about: string, types: RegExp][] = [
  ['Session', 'The session itself, and what leaves its active path.', /^(session|history)\./],
  [
    'Runs and steps',
    'A run answers one turn. It ends with `run.finished` or `run.failed`, and with nothing else.',
    /^(run|step)\./,
  ],
  [
    'Messages and parts',
    'What is said, and what people think of it. Every part has one kind, and only text parts are answer text.',
    /^(text|reasoning|file|source|activity|part|messages|feedback)\./,
  ],
  ['Tools', 'A call begins before it acts, and its end says what came of it.', /^tool\./],
  [
    'Actions and permissions',
    'What an agent needs from a person, and what a person allowed for longer.',
    /^(action|permission)\./,
  ],
  ['Queue and steers', 'What people say while a run works: for later, and for the run itself.', /^(queue|steer)\./],
  ['Plans, tasks and subagents', 'What is planned and who works on it.', /^(plan|task|agent|context)\./],
  ['Artifacts and evidence', 'Deliverables, and what supports a result.', /^(artifact|evidence)\./],
  [
    'State, surfaces and measures',
    'What belongs to the session beside its messages.',
    /^(state|surface|metric|diagnostic)\./,
  ],
]

const agentsMaySay: ReadonlySet<EventType> = new Set(agentEventTypes)

const HEAD = new Set(['seq', 'sessionId', 'at', 'type'])

/** The guide as it has to be. */
export function guide(): string {
  const lines = [
    '# Events',
    '',
    'A session is a log of events, and everything that is shown is a fold of them. This page lists every class: when it comes, why it',
    'exists, who may say it, and in which order. It is made from the schemas and from one example session, which a test checks against the',
    'schemas and against the rules of legality, so that it cannot drift.',
    '',
    'Every event has `seq` (its place in the log, from 1 on without gaps), `sessionId`, `at` (milliseconds since 1970) and `type`. The',
    'examples leave them out, except for the type. An event may also carry the ids that apply to it (`runId`, `turnId`, `taskId`,',
    '`subagentId`, `messageId`, `partId`, `toolCallId`, `actionId`, `artifactId`, `evidenceId`, `surfaceId`) and `by`: who made it happen.',
    'A class that a reader does not know is kept and counted, and breaks nothing. `GET /api/schemas` lists the JSON Schema of each class.',
  ]
  const left = new Set(Object.keys(eventSchemas) as EventType[])
  for (const [title, about, types] of FAMILIES) {
    lines.push('', `## ${title}`, '', about)
    for (const type of [...left].filter(one => types.test(one))) {
      left.delete(type)
      lines.push('', ...section(type))
    }
  }
  if (left.size > 0) throw new Error(`FAMILIES has no place for ${[...left].join(', ')}`)
  return `${lines.join('\n')}\n`
}

function section(type: EventType): string[] {
  const { when, why, order } = eventNotes.get(eventSchemas[type])!
  const example = examples.find(event => event.type === type)!
  return [
    `### \`${type}\``,
    '',
    `${when} ${why}`,
    '',
    `Who may say it: ${agentsMaySay.has(type) ? 'agents and the runtime' : 'the runtime alone'}.`,
    '',
    `Order: ${order}`,
    '',
    ...fields(type),
    '```json draft',
    JSON.stringify(shown(example), null, 2),
    '```',
  ]
}

interface Described {
  properties: Record<string, { description?: string }>
  required?: string[]
}

const described = (type: EventType): Described => z.toJSONSchema(eventSchemas[type]) as Described

/** The fields that this class has of its own, with what they mean. Others are described as they are everywhere. */
function fields(type: EventType): string[] {
  const { properties, required = [] } = described(type)
  const elsewhere = described(type === 'state.delta' ? 'state.snapshot' : 'state.delta').properties
  const rows = Object.entries(properties).flatMap(([name, { description }]) => {
    if (HEAD.has(name) || elsewhere[name]?.description === description) return []
    return [`| \`${name}\`${required.includes(name) ? '' : ' (optional)'} | ${description} |`]
  })
  return rows.length === 0 ? [] : ['| field | meaning |', '|---|---|', ...rows, '']
}

const shown = (event: SessionEvent) =>
  Object.fromEntries(Object.entries(event).filter(([name]) => name === 'type' || !HEAD.has(name)))

export const written = (): string => readFileSync(GUIDE, 'utf8')

if (process.argv.includes('--write')) writeFileSync(GUIDE, guide())
