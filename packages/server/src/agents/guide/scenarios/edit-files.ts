import { inline } from '../markdown.ts'
import type { Scenario } from '../scenario.ts'
import { allowed } from './responses.ts'

/** A file that is long enough for most of it to be folded away. */
const settings = (timeout: string, more: string): string => `# How the shop talks to its services
[server]
host = "0.0.0.0"
port = 8080
workers = 4

[log]
level = "info"
format = "json"

[tax]
url = "https://tax.internal"
${timeout}

[stock]
url = "https://stock.internal"
retries = 2

[mail]
from = "shop@example.com"
reply_to = "help@example.com"
footer = "Thank you for your order"
${more}`

const BEFORE = `import { reserve, taxFor } from './services.ts'
import type { Cart } from './cart.ts'

export async function placeOrder(cart: Cart) {
  const tax = await taxFor(cart)
  const stock = await reserve(cart.lines)
  return orders.write({ ...cart, tax, stock })
}
`

const AFTER = `import { reserve, taxFor } from './services.ts'
import type { Cart } from './cart.ts'

/** Asks both services at the same time: neither needs the answer of the other. */
export async function placeOrder(cart: Cart) {
  const [tax, stock] = await Promise.all([
    taxFor(cart, { timeout: 250 }),
    reserve(cart.lines, { ttl: '10m' }),
  ])
  return orders.write({ ...cart, tax, stock })
}
`

const changes = [
  { path: 'src/orders/place.ts', before: BEFORE, after: AFTER },
  {
    path: 'shop.toml',
    before: settings('timeout = 1000', ''),
    after: settings('timeout = 250', '\n[flags]\nparallel = true\n'),
  },
  {
    path: 'src/orders/place.test.ts',
    after: "it('asks tax and stock at the same time', async () => {\n  await placeOrder(cart)\n})\n",
  },
  { path: 'notes/old-order.md', before: 'Tax first, then stock.\n' },
]
const files = changes.map(({ path }) => path)

export const editFiles: Scenario = {
  id: 'edit-files',
  title: 'Approval before files are edited',
  shows: 'asking before files are edited: what would change in each of them, line by line',
  example: 'edit some files',
  triggers: ['edit some files', 'edit files', 'edit two files', 'diff', 'code review', '修改文件', '编辑文件', '差异'],
  async *play(_input, _context, say) {
    const call = { name: 'files.write', title: 'Edit files', summary: `${files.length} files`, args: { files } }
    const toolCallId = yield* say.call(call)
    const response = await say.ask({
      kind: 'approval',
      title: `Edit ${files.length} files of the shop?`,
      detail: 'Tax and stock are asked at the same time. It is a demonstration: nothing real is written.',
      risk: 'medium',
      scope: { key: 'files.write', label: 'editing files of the shop in this session' },
      changes,
      toolCallId,
    })
    if (!allowed(response)) {
      const why = response.outcome === 'denied' ? 'You said no.' : 'Nobody answered in time, which counts as a no.'
      yield say.failed(toolCallId, { code: response.outcome, message: why, retryable: false })
      const instead =
        response.text === undefined ? '' : ` You told me what to do instead: ${inline(response.text, 200)}.`
      yield* say.text(`${why}${instead} **No file was touched.**`)
      return
    }
    yield say.result(toolCallId, { preview: `edited: ${files.join(', ')}`, value: { edited: files } })
    yield* say.text(
      `Edited: ${files.map(path => inline(path, 80)).join(', ')}. What you allowed stays readable: open the line *You allowed* above. *(Only in this script, of course.)*`,
    )
  },
}
