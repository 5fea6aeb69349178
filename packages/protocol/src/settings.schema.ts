import { z } from 'zod'
import { id } from './events/base.schema.ts'
import { isText, NOT_TEXT } from './is-text.ts'

const time = z.int().min(0).describe('Milliseconds since 1970')
const count = z.int().min(0)
const line = (max: number) => z.string().max(max).refine(isText, NOT_TEXT)

/** Whether a call of a tool runs. It stands here, because sessions and agents say it. */
export const toolPolicy = z
  .enum(['allow', 'ask', 'off'])
  .describe('Whether a call runs at once, asks a person first, or does not run')

const toolId = z.string().min(1).max(180)
/** Tools whose policies one request changes, and that an agent can have policies for. */
const MAX_POLICIES = 100
const fewPolicies = [
  (given: object) => Object.keys(given).length <= MAX_POLICIES,
  `at most ${MAX_POLICIES} tools`,
] as const

/** Policies by the id of the tool. */
const toolPolicies = z.record(toolId, toolPolicy).refine(...fewPolicies)
/** Changes of policies by the id of the tool. */
export const toolPolicyChanges = z.record(toolId, toolPolicy.nullable()).refine(...fewPolicies)

const need = z.enum(['required', 'optional', 'none'])

export const providerKind = z
  .object({
    kind: z.string().describe('Names the kind, such as `openai` or `openai-compatible`'),
    name: z.string().describe('What people call it'),
    key: need.describe('Whether it needs a key, takes one, or has none'),
    address: need.describe('Whether its address has to be given, may be given, or is fixed'),
    defaultAddress: z.string().exactOptional().describe('The address that counts when none is given'),
    keyLooksLike: z.string().exactOptional().describe('How a key begins, so that a wrong paste is noticed'),
    keyPage: z.string().exactOptional().describe('The page on which people get a key'),
    presets: z
      .array(
        z.object({
          name: z.string().describe('What people call it'),
          address: z.string().describe('The address that is filled in'),
          key: need,
        }),
      )
      .exactOptional()
      .describe('Well-known servers of this kind'),
  })
  .describe('A kind of provider that can be connected')

export const providerTest = z
  .object({
    ok: z.boolean().describe('Whether the provider answered and took the key'),
    code: z
      .string()
      .exactOptional()
      .describe(
        'What is wrong: `key_missing`, `key_refused`, `no_credit`, `address_wrong`, `unreachable`, `timed_out`, `rate_limited`, `provider_failed`, or another code of the source of models',
      ),
    message: z.string().describe('What came of the test, in a sentence'),
    next: z.string().exactOptional().describe('What to do about it'),
    command: z.string().exactOptional().describe('A command of a shell that helps, such as `ollama serve`'),
    at: time.describe('When it was tested, in milliseconds since 1970'),
    ms: count.describe('How long it took, in milliseconds'),
    request: z.string().exactOptional().describe('What was sent, in one line without the key'),
    response: z.string().exactOptional().describe('The beginning of what came back, without keys'),
  })
  .describe('What came of a test of a provider')

export const providerInfo = z
  .object({
    providerId: id,
    kind: z.string().describe('One of the kinds that can be connected'),
    name: z.string().describe('What people call it'),
    address: z.string().exactOptional().describe('Its address, unless it is that of its kind'),
    isLocal: z.boolean().describe('Whether it runs on the machine of the server'),
    from: z
      .enum(['settings', 'environment'])
      .describe('Who has connected it: a person, or whoever started the server. Only that of a person can be changed'),
    key: z
      .object({
        state: z
          .enum(['set', 'none', 'lost'])
          .describe('`lost`: a key was set, and it cannot be opened any more. It has to be entered again'),
        setAt: time.exactOptional().describe('When it was set, in milliseconds since 1970'),
      })
      .describe('Whether there is a key. Nobody can read it back'),
    lastTest: providerTest.exactOptional(),
    version: count.describe('Rises with each change'),
  })
  .describe('A provider of models that is connected')

const dollars = z.number().min(0)
export const modelInfo = z
  .object({
    modelId: z.string().describe('The name by which the provider knows the model'),
    name: z.string().exactOptional().describe('What people call it'),
    contextTokens: count.exactOptional().describe('How many tokens its context window holds'),
    outputTokens: count.exactOptional().describe('How many tokens it answers with at most'),
    price: z
      .object({
        input: dollars.exactOptional(),
        output: dollars.exactOptional(),
        cachedInput: dollars.exactOptional(),
      })
      .exactOptional()
      .describe('US dollars for a million tokens. Zero is free, and what is absent is not known'),
    takes: z
      .object({
        images: z.boolean().exactOptional(),
        files: z.boolean().exactOptional(),
        tools: z.boolean().exactOptional(),
      })
      .exactOptional()
      .describe('What it takes beside text. What is absent is not known'),
    efforts: z
      .array(z.string())
      .exactOptional()
      .describe('How much it can be asked to think, from little to much. Absent when it cannot be asked'),
  })
  .describe('What is known of a model. What is absent is not known')

export const listedModel = modelInfo
  .extend({ providerId: id, providerName: z.string(), isLocal: providerInfo.shape.isLocal })
  .describe('A model of a provider that is connected')

/** What an agent is made of. Commands and answers have the same fields. */
const fields = {
  name: line(100).trim().min(1).describe('What people call the agent'),
  description: line(500).describe('What it is for, in a sentence'),
  avatar: z
    .strictObject({
      icon: z
        .string()
        .regex(/^[a-z0-9-]{1,60}$/)
        .describe('The name of an icon'),
      colour: z
        .string()
        .regex(/^[a-z0-9-]{1,30}$/)
        .describe('The name of a colour'),
    })
    .nullable()
    .describe('How it is drawn. Null is left to the interface'),
  providerId: id.describe('The provider of its model'),
  modelId: line(300).min(1).describe('The name by which the provider knows the model'),
  instructions: line(100_000).describe('What the model is told before each conversation'),
  effort: line(30).min(1).nullable().describe('How much the model shall think; null leaves it to the model'),
  temperature: z.number().min(0).max(2).nullable().describe('How freely the model speaks; null leaves it to the model'),
  maxSteps: z
    .int()
    .min(1)
    .max(200)
    .nullable()
    .describe('How often a run asks the model at most; null leaves it to the server'),
  greeting: line(2_000).describe('What a new session begins with; empty for nothing'),
  suggestedActions: z.array(line(300).min(1)).max(12).describe('What people can ask for with one click'),
  tools: toolPolicies.describe('What counts for tools, by their ids. Others go by what they do'),
  voice: line(200).min(1).nullable().describe('The voice that it speaks with; null for none'),
}

/** All fields, as answers have them. */
export const agentConfig = z.object(fields).describe('What an agent is made of')

/** What a person says of a new agent: name and model have to be there. */
export const newAgentFields = {
  ...Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, schema.optional()])),
  name: fields.name,
  providerId: fields.providerId,
  modelId: fields.modelId,
} as {
  [N in Exclude<keyof typeof fields, 'name' | 'providerId' | 'modelId'>]: z.ZodOptional<(typeof fields)[N]>
} & Pick<typeof fields, 'name' | 'providerId' | 'modelId'>

/** What a person changes of an agent. */
export const changedAgentFields = z.strictObject(fields).partial().shape

/** An address of a provider: http or https without a name and a password in it. */
const address = line(2_000).min(1)

export const providerCommand = z.strictObject({
  kind: z.string().min(1).max(50).describe('One of the kinds that `GET /providers` lists'),
  name: line(100).trim().min(1).optional().describe('What people call it; without it the name of its kind'),
  address: address
    .nullable()
    .optional()
    .describe('Where it is, such as `http://127.0.0.1:11434/v1`. Null or nothing is the address of its kind'),
  key: line(4_000)
    .min(1)
    .nullable()
    .optional()
    .describe('The key. It can be written and never read. Left out it stays as it is, null takes it away'),
  version: count.optional().describe('The version that is changed: another one is refused with `settings_changed`'),
})

export const providerTestCommand = z
  .strictObject({
    providerId: id.optional().describe('A connected provider. What else is given counts instead of what it has'),
    kind: providerCommand.shape.kind.optional(),
    address: providerCommand.shape.address,
    key: providerCommand.shape.key,
  })
  .describe('Which provider is tested. Nothing of it is stored but when and how the test of a connected provider ended')
