/** Counted with gpt-tokenizer 4.0.0, o200k_base. */
export const samples = [
  {
    text: 'The report is ready. Revenue grew by 12% in the first quarter, while support requests fell from 4,310 to 3,877; the details are in the attached table.',
    tokens: 39,
  },
  {
    text: '本次创建已成功完成。您没有权限执行此操作,请联系管理员。订单共一百二十八个,其中二十四个待处理。',
    tokens: 33,
  },
  {
    text: '{"intent":"status","status":"success","title":"日程已创建","body":"本次创建已成功完成。","items":[{"key":"title","label":"主题","value":"Q1 规划会议"},{"key":"time","label":"时间","value":"2026-03-15 14:00"}],"actions":[{"label":"查看详情","style":"primary","action":{"type":"navigation","path":"/calendar/evt_123"}},{"label":"删除","style":"danger","action":{"type":"tool","toolId":"calendar.delete","params":{"eventId":"evt_123"}}}]}',
    tokens: 126,
  },
  {
    text: '{"version":"2.0","locale":"zh-CN","status":"success","theme":"default","root":{"type":"stack","appearance":"card","status":"success","children":[{"type":"stack","direction":"horizontal","gap":8,"children":[{"type":"text","content":"日程已创建","role":"title"},{"type":"badge","label":"ui.status.success","status":"success"}],"justify":"space-between","align":"center"},{"type":"text","content":"本次创建已成功完成。","role":"body"},{"type":"kv","items":[{"key":"title","label":"主题","value":"Q1 规划会议"},{"key":"time","label":"时间","value":"2026-03-15 14:00"}]},{"type":"stack","direction":"horizontal","gap":8,"children":[{"type":"button","label":"查看详情","style":"primary","action":{"type":"navigation","path":"/calendar/evt_123"}},{"type":"button","label":"删除","style":"danger","action":{"type":"tool","toolId":"calendar.delete","params":{"eventId":"evt_123"}}}]}]}}',
    tokens: 237,
  },
  {
    text: '{intent?:message|data|list|status|form|mixed,status?:info|success|warning|error|pending,title?,description?,body?,bodyFormat?:plain|markdown,icon?:IconSpec,image?:{url,alt},progress?:percent,items?:[{key,label?,value?,copyable?:boolean}],table?:{columns:[],rows:[[]]},chart?:{kind?:line|bar|area|pie,labels?:[],series:[{name?,data:[number]}],title?},listItems?:[{title,subtitle?,description?,icon?:IconSpec,status?,actions?:[Action]}],fields?:[{key,label?,type?:text|multiline|number|integer|email|url|tel|password|checkbox|select|multiselect|radio|date|time|datetime|slider,value?,placeholder?,help?,options?:{value:label},required?:boolean,min?,max?,minLength?:number,maxLength?:number,pattern?}],sections?:[{title?,content?,contentFormat?,…same}],actions?:[Action]}\nIconSpec={source:icon|emoji|url,value}\nAction={label,style?:primary|secondary|ghost|danger,icon?:IconSpec,action:{type:navigation,path,params?:{}}|{type:url,url}|{type:event,event,payload?:{}}|{type:tool,toolId,params?:{}}|{type:copy,content}|{type:payload,payload:{}},confirm?}',
    tokens: 307,
  },
  {
    text: '{"intent":"data","title":"Top languages","table":{"columns":["Language","Users (M)","Year"],"rows":[["Python",15.7,1991],["JavaScript",14.2,1995],["Java",12.1,1995],["TypeScript",8.5,2012],["Go",5.2,2009]]}}',
    tokens: 79,
  },
  {
    text: 'export function estimateTokens(text: string): number {\n  let tokens = 0\n  for (const [piece] of text.matchAll(pieces)) tokens += cost(piece)\n  return Math.ceil(tokens)\n}',
    tokens: 43,
  },
]
