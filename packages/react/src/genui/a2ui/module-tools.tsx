import * as React from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/checkbox.tsx'
import { Diagnostic } from '../../kit/diagnostic.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Field } from '../../kit/field.tsx'
import { PlainText } from '../../kit/plain-text.tsx'
import { Select } from '../../kit/select.tsx'
import { TextArea } from '../../kit/text-area.tsx'
import { TextInput } from '../../kit/text-input.tsx'
import { visibleText } from '../../visible.tsx'
import { A2uiChild, A2uiNode, A2uiNodes } from './node.tsx'
import { useA2uiView, useA2uiViewState, useControlState } from './view.ts'

/** What the module of a catalog draws with: the React of the page, its controls, and what a component of A2UI needs. */
export const moduleTools = {
  React,
  kit: { Badge, Button, Checkbox, Diagnostic, Dialog, Disclosure, Field, PlainText, Select, TextArea, TextInput },
  A2uiChild,
  A2uiNode,
  A2uiNodes,
  useA2uiView,
  useA2uiViewState,
  useControlState,
  useI18n,
  visibleText,
}
