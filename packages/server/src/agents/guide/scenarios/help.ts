import { quoted } from '../markdown.ts'
import type { Outputs, Say } from '../say.ts'
import type { Scenario } from '../scenario.ts'

/** The same requests in Chinese: what to write, and what it shows. */
export const CHINESE: Readonly<Record<string, readonly [string, string]>> = {
  'long-answer': ['给我一个长回答', '带标题、表格、代码和链接的长文'],
  markdown: ['看看排版', '代码、公式、图表、表格、提示框、脚注、任务和折叠内容'],
  reasoning: ['先思考再回答', '推理过程与答案分开显示'],
  tools: ['并行运行工具', '三个工具同时运行，含进度和大于 200 KB 的输出'],
  'retried-tool': ['演示重试', '工具失败、重试，并撤回过早的文字'],
  approval: ['删除旧备份', '请求批准：一次、整个范围、修改参数或拒绝'],
  'edit-files': ['修改文件', '编辑文件之前先问：逐行显示每个文件的改动'],
  choice: ['让我选择', '单选与多选'],
  form: ['用表单问我', '由 JSON Schema 描述的表单'],
  question: ['问我一个问题', '用自己的话回答'],
  correction: ['让我纠正你', '先更正草稿再使用'],
  plan: ['制定一个计划', '先批准计划，再看它执行'],
  steer: ['让我引导你', '在执行中途改变方向'],
  'slow-work': ['慢慢工作 60 秒', '可以中断的真实进程'],
  state: ['显示共享状态', '逐步变化的共享状态'],
  subagent: ['委派给子代理', '第二个代理的工作'],
  compaction: ['压缩上下文', '公开地缩短上下文'],
  metrics: ['费用是多少', '用量、费用、模型和时间（模拟）'],
  artifact: ['写一份文档', '带版本的文档'],
  evidence: ['给出证据', '来源、核查以及缺失的部分'],
  diagnostic: ['显示诊断', '出现又消除的警告'],
  'failing-run': ['故意失败', '失败的运行，重试后成功'],
  stress: ['压力测试 10000', '大量小片段'],
  recall: ['我之前说过什么', '代理能看到的历史'],
  attachments: ['我附上了什么', '附件的名称、类型、大小和内容'],
  'booking-form': ['显示预订表单', '在对话中绘制的表单'],
  dashboard: ['显示仪表盘', '不断更新的指标'],
  'pick-from-table': ['从表格中挑选', '可以挑选的表格'],
  created: ['显示已创建卡片', '结果卡片：已创建'],
  failed: ['显示失败卡片', '结果卡片：失败与下一步'],
  list: ['显示列表', '带状态和操作的列表'],
  'kpi-grid': ['显示指标卡', '指标网格和图表'],
  sections: ['显示分区', '分区的结果'],
  'hints-form': ['显示反馈表单', '由提示描述的表单'],
}

export const inChinese = (text: string): boolean => /\p{sc=Han}/u.test(text)

export function helpText(scenarios: readonly Scenario[], chinese: boolean): string {
  const line = ({ id, example, shows }: Scenario): string => {
    const [request, what] = chinese ? (CHINESE[id] ?? [example, shows]) : [example, shows]
    return `- **${request}** (\`/${id}\`): ${what}`
  }
  const lines = scenarios.filter(({ id }) => Object.hasOwn(CHINESE, id)).map(line)
  return chinese
    ? `我是**脚本向导**：没有模型，不需要密钥，也不理解您写的内容。我只认识下面这些请求，用它们展示这个界面能做什么。演示本身用英文。

- **/tour**：带您看完全部；**/tour tools** 等只看一部分
${lines.join('\n')}`
    : `I am a **scripted guide**: no model, no key, and no understanding of what you write. I know the requests below and use them to show what this workbench can do.

- **/tour**: shows you everything; **/tour tools** and the like show one part
${lines.join('\n')}`
}

export const helpTriggers = ['help', 'what can you do', 'commands', '帮助', '你能做什么', '你会什么']
export const helloTriggers = ['hello', 'hi', 'hey', 'good morning', 'good evening', '你好', '您好', '早上好']

export async function* hello(text: string, say: Say): Outputs {
  yield* say.text(
    inChinese(text)
      ? '您好！我是这里的**脚本向导**：没有模型，也不需要密钥。输入 **/tour** 带您看完全部，或输入 **/help** 查看我认识的请求。试试：**显示预订表单**。'
      : `Hello! I am the **scripted guide** of this workbench: no model, no key. I can show you around.

- **/tour** shows you everything
- **run tools in parallel**, **show a booking form** or **make a plan** show one thing
- **/help** lists all I know`,
  )
}

/**
 * Answers everything that no scenario understands. What the person wrote is quoted as it is and never read as markup.
 */
export async function* notUnderstood(text: string, say: Say): Outputs {
  yield* say.text(
    inChinese(text)
      ? `我是脚本，不理解这句话：

${quoted(text)}

我认识一些固定的请求，例如**并行运行工具**、**显示预订表单**、**删除旧备份**、**制定一个计划**。**/tour** 展示全部，**/help** 列出全部。若要真正的回答，请连接一个模型。`
      : `I am a script, so I cannot answer this:

${quoted(text)}

I know a few fixed requests, for example **give me a long answer**, **run tools in parallel**, **delete the old backups**, **make a plan**, **work slowly for 60 seconds** or **show a booking form**. **/tour** shows everything and **/help** lists it. For real answers, connect a model.`,
  )
}
