import { Button } from './button.tsx'
import { Checkbox, ChoicePicker, Select } from './choices.tsx'
import { Icon } from './icon.tsx'
import { Card, Column, Divider, List, Row, Spacer, Stack } from './layout.tsx'
import { AudioPlayer, DateTimeInput, Image, Video } from './lazy-parts.tsx'
import { Table } from './lazy-table.tsx'
import { Link } from './link.tsx'
import { Modal } from './modal.tsx'
import { Slider } from './slider.tsx'
import { Badge, ProgressBar } from './status.tsx'
import { Tabs } from './tabs.tsx'
import { Text } from './text.tsx'
import { TextField } from './text-field.tsx'
import type { A2uiRenderers } from './view.ts'

/** How the components of the basic catalog are drawn. Other catalogs bring theirs beside these. */
export const basicRenderers: A2uiRenderers = {
  AudioPlayer,
  Badge,
  Button,
  Card,
  Checkbox,
  ChoicePicker,
  Column,
  DateTimeInput,
  Divider,
  Icon,
  Image,
  Link,
  List,
  Modal,
  ProgressBar,
  Row,
  Select,
  Slider,
  Spacer,
  Stack,
  Table,
  Tabs,
  Text,
  TextField,
  Video,
}
