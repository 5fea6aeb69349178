/** The examples of the UI Schema document, as they are printed there. */
export const simpleText: unknown = {
  version: '2.0',
  locale: 'zh-CN',
  status: 'success',
  theme: 'default',
  root: {
    type: 'stack',
    direction: 'vertical',
    gap: 12,
    appearance: 'plain',
    children: [
      {
        type: 'text',
        content: '操作成功',
        role: 'title',
      },
      {
        type: 'text',
        content: '您的事项已创建完成',
        role: 'body',
      },
    ],
  },
}

export const cardWithActions: unknown = {
  version: '2.0',
  locale: 'zh-CN',
  status: 'success',
  theme: 'default',
  root: {
    type: 'stack',
    direction: 'vertical',
    gap: 16,
    appearance: 'card',
    children: [
      {
        type: 'text',
        content: '日程已创建',
        role: 'title',
      },
      {
        type: 'kv',
        items: [
          {
            key: 'title',
            label: '主题',
            value: 'Q1 规划会议',
          },
          {
            key: 'time',
            label: '时间',
            value: '2026-03-15 14:00',
          },
        ],
        columns: 2,
      },
      {
        type: 'stack',
        direction: 'horizontal',
        gap: 8,
        children: [
          {
            type: 'button',
            label: '查看详情',
            style: 'primary',
            action: {
              type: 'navigation',
              path: '/calendar/evt_abc123',
            },
          },
          {
            type: 'button',
            label: '删除',
            style: 'danger',
            action: {
              type: 'tool',
              toolId: 'calendar.delete',
              params: {
                eventId: 'evt_abc123',
              },
            },
          },
        ],
      },
    ],
  },
}

export const errorStatusPanel: unknown = {
  version: '2.0',
  locale: 'zh-CN',
  status: 'error',
  theme: 'default',
  root: {
    type: 'stack',
    direction: 'vertical',
    gap: 12,
    appearance: 'card',
    status: 'error',
    children: [
      {
        type: 'stack',
        direction: 'horizontal',
        gap: 8,
        align: 'center',
        justify: 'space-between',
        children: [
          {
            type: 'text',
            content: '删除失败',
            role: 'title',
          },
          {
            type: 'badge',
            label: 'ui.status.error',
            status: 'error',
          },
        ],
      },
      {
        type: 'text',
        content: '您没有权限执行此操作',
        role: 'body',
        status: 'error',
      },
      {
        type: 'stack',
        direction: 'horizontal',
        gap: 8,
        children: [
          {
            type: 'button',
            label: '重试',
            style: 'primary',
            action: {
              type: 'tool',
              toolId: 'user.delete',
              params: {
                userId: 'u1',
              },
            },
          },
          {
            type: 'button',
            label: '联系管理员',
            style: 'secondary',
            action: {
              type: 'url',
              url: 'mailto:admin@example.com',
            },
          },
        ],
      },
    ],
  },
}

export const gridLayout: unknown = {
  version: '2.0',
  locale: 'zh-CN',
  status: 'info',
  theme: 'default',
  root: {
    type: 'grid',
    columns: 3,
    gap: 16,
    appearance: 'plain',
    children: [
      {
        type: 'card',
        children: [
          {
            type: 'text',
            content: '今日订单',
            role: 'title',
          },
          {
            type: 'text',
            content: '128',
            role: 'subtitle',
          },
        ],
      },
      {
        type: 'card',
        children: [
          {
            type: 'text',
            content: '待处理',
            role: 'title',
          },
          {
            type: 'text',
            content: '24',
            role: 'subtitle',
            status: 'warning',
          },
        ],
      },
      {
        type: 'card',
        children: [
          {
            type: 'text',
            content: '总收入',
            role: 'title',
          },
          {
            type: 'text',
            content: '¥8,640',
            role: 'subtitle',
            status: 'success',
          },
        ],
      },
    ],
  },
}

export const sectionLayout: unknown = {
  version: '2.0',
  locale: 'zh-CN',
  status: 'success',
  theme: 'default',
  root: {
    type: 'stack',
    direction: 'vertical',
    gap: 24,
    appearance: 'plain',
    children: [
      {
        type: 'stack',
        direction: 'vertical',
        gap: 12,
        appearance: 'section',
        children: [
          {
            type: 'text',
            content: '基本信息',
            role: 'title',
          },
          {
            type: 'kv',
            items: [
              {
                key: 'name',
                label: '姓名',
                value: '张三',
              },
              {
                key: 'phone',
                label: '手机号',
                value: '+8613812345678',
                copyable: true,
              },
            ],
          },
        ],
      },
      {
        type: 'stack',
        direction: 'vertical',
        gap: 12,
        appearance: 'section',
        children: [
          {
            type: 'text',
            content: '账户设置',
            role: 'title',
          },
          {
            type: 'button',
            label: '修改密码',
            style: 'secondary',
            action: {
              type: 'navigation',
              path: '/settings/password',
            },
          },
          {
            type: 'button',
            label: '退出登录',
            style: 'ghost',
            action: {
              type: 'event',
              event: 'logout',
            },
          },
        ],
      },
    ],
  },
}

export const compileInput: unknown = {
  intent: 'status',
  status: 'success',
  title: '日程已创建',
  body: '本次创建已成功完成。',
  items: [
    {
      key: 'title',
      label: '主题',
      value: 'Q1 规划会议',
    },
    {
      key: 'time',
      label: '时间',
      value: '2026-03-15 14:00',
    },
  ],
  actions: [
    {
      label: '查看详情',
      style: 'primary',
      action: {
        type: 'navigation',
        path: '/calendar/evt_123',
      },
    },
    {
      label: '删除',
      style: 'danger',
      action: {
        type: 'tool',
        toolId: 'calendar.delete',
        params: {
          eventId: 'evt_123',
        },
      },
    },
  ],
}

/** The document elides the items and the rest of the buttons: they are the input's own. */
export const compileOutput: unknown = {
  version: '2.0',
  locale: 'zh-CN',
  status: 'success',
  theme: 'default',
  root: {
    type: 'stack',
    appearance: 'card',
    status: 'success',
    children: [
      {
        type: 'stack',
        direction: 'horizontal',
        gap: 8,
        children: [
          {
            type: 'text',
            content: '日程已创建',
            role: 'title',
          },
          {
            type: 'badge',
            label: 'ui.status.success',
            status: 'success',
          },
        ],
        justify: 'space-between',
        align: 'center',
      },
      {
        type: 'text',
        content: '本次创建已成功完成。',
        role: 'body',
      },
      {
        type: 'kv',
        items: [
          {
            key: 'title',
            label: '主题',
            value: 'Q1 规划会议',
          },
          {
            key: 'time',
            label: '时间',
            value: '2026-03-15 14:00',
          },
        ],
      },
      {
        type: 'stack',
        direction: 'horizontal',
        gap: 8,
        children: [
          {
            type: 'button',
            label: '查看详情',
            style: 'primary',
            action: {
              type: 'navigation',
              path: '/calendar/evt_123',
            },
          },
          {
            type: 'button',
            label: '删除',
            style: 'danger',
            action: {
              type: 'tool',
              toolId: 'calendar.delete',
              params: {
                eventId: 'evt_123',
              },
            },
          },
        ],
      },
    ],
  },
}
