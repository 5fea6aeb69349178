import { z } from 'zod'

const modality = z.enum(['text', 'image', 'audio', 'video', 'file'])

/** What an agent says about itself, so that an interface can suit it. A field that is absent is not known. */
export const agentCapabilities = z
  .object({
    mode: z.enum(['text', 'voice', 'multimodal']).optional().describe('How people talk with the agent.'),
    input: z.array(modality).max(5).optional().describe('What the agent takes in.'),
    output: z.array(modality).max(5).optional().describe('What the agent gives out.'),
    execution: z
      .enum(['cloud', 'realtime', 'local'])
      .optional()
      .describe('Where the agent works: behind a service, over an open channel, or on this machine.'),
    displayName: z.string().min(1).max(200).optional().describe('The name to show instead of the name of the agent.'),
    avatarUrl: z.string().min(1).max(2_000).optional().describe('A picture of the agent.'),
    voiceId: z.string().min(1).max(200).optional().describe('The voice that the agent speaks with by default.'),
  })
  .describe('What an agent can do and how it presents itself.')

/** Something that an agent does when a message begins with a slash and its name, so that an interface can offer it. */
export const agentCommand = z
  .object({
    name: z
      .string()
      .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u)
      .describe('What stands behind the slash: letters, digits and `. _ -`.'),
    description: z.string().max(300).optional().describe('What it does, in a few words that people read.'),
    argument: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('What may be written behind it, such as a number of seconds.'),
  })
  .describe('A command that an agent understands at the beginning of a message.')
