import type { Scenario } from '../scenario.ts'

const ANSWER = `Checkout waits for **two services one after the other**. Neither needs the other's answer.[^profile] Until 3 June they ran side by side; the change that added gift cards put an \`await\` between them.

The arithmetic agrees. With 64 orders in flight at $\\lambda = 180$ per second:

$$
L = \\lambda \\cdot W \\quad\\Rightarrow\\quad W = \\frac{L}{\\lambda} = \\frac{64}{180\\,\\mathrm{s}^{-1}} \\approx 356\\,\\mathrm{ms}
$$

The smallest repair is to ask both at once:

\`\`\`ts src/orders/place.ts
// Both answers are needed before the order is written.
export async function placeOrder(cart: Cart) {
  const [tax, stock] = await Promise.all([
    taxFor(cart, { timeout: 250 }),
    reserve(cart.lines, { ttl: '10m' }),
  ])
  return orders.write({ ...cart, tax, stock })
}
\`\`\`

\`\`\`mermaid
sequenceDiagram
  participant Checkout
  participant Tax
  participant Stock
  par at once
    Checkout->>Tax: taxFor(cart)
  and
    Checkout->>Stock: reserve(lines)
  end
  Tax-->>Checkout: 128 ms
  Stock-->>Checkout: 94 ms
\`\`\`

| Checkout | June | Now | Changed |
| --- | --- | --- | --- |
| Median | 141 ms | 226 ms | 148 ms |
| 95th percentile | 262 ms | 356 ms | **264 ms** |
| Errors per 10,000 | 3.1 | 3.4 | 3.1 |

> [!NOTE]
> Tax may answer before stock does. Nothing is written until both have.

> [!CAUTION]
> A reservation that is not released blocks the item for \`10m\`.

What is left to do:

- [x] Find the two waits
- [x] Measure the change with \\(n = 18\\,000\\) orders
- [ ] Put it on a branch

<details>
<summary>Why not a cache?</summary>

A cache of the tax would be wrong for ~2% of the orders, at about $5 to $10 each:

\`\`\`diff
-const tax = await taxFor(cart)
+const tax = cached(cart) ?? await taxFor(cart)
\`\`\`

</details>

[^profile]: The profile of last night: 128 ms for tax, 94 ms for stock. See <https://example.org/profile>.
`

export const markdown: Scenario = {
  id: 'markdown',
  title: 'All that a text can have',
  shows: 'all that a text can have: code, formulas, a diagram, a table, callouts, a footnote, tasks and details',
  example: 'show me what markdown can do',
  triggers: ['markdown', 'maths', 'formula', 'formulas', 'footnotes', 'callouts', 'diagram', 'mermaid', '排版', '公式'],
  play: (_input, _context, say) => say.text(ANSWER),
}
