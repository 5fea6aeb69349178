/** An agent for a real server that is started as a process of its own: says as many lines as it is asked for. */
export default {
  agentId: 'flood',
  name: 'Flood',
  description: 'Says many lines',
  scripted: true,
  async *run(input: { text: string }) {
    // Deltas of one part in a row become one event: two parts in turns stay apart.
    for (let index = 0; index < Number(input.text); index++) {
      yield { type: 'text.delta', partId: `p${index % 2}`, delta: `word ${index} `.repeat(25) }
    }
  },
}
