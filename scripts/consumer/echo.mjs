export default {
  agentId: 'echo',
  async *run() {
    yield { type: 'text.delta', partId: 'p', delta: 'hi' }
  },
}
