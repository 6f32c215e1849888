import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { mailPorts, mailSecurities } from '../../../contract/instance/mail-server.ts'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Button, Buttons, SubmitButton } from '../components/button.tsx'
import { confirm, useConfirmLeave } from '../components/confirm.tsx'
import { findFieldMessage } from '../components/error-messages.ts'
import { CheckField, handleSubmit, SelectField, TextField } from '../components/field.tsx'
import { showError, showNotice } from '../components/notices.tsx'
import { Card } from '../components/page.tsx'
import { healthQuery } from '../health/health-query.ts'
import {
  canUseStoredPassword,
  type MailServer,
  type MailServerFields,
  toFields,
  toServerBody,
  usualPorts,
} from './mail-server-fields.ts'
import { SetByEnvironment } from './set-by-environment.tsx'
import { TestMailCard } from './test-mail-card.tsx'

const t = translator('settings')

type Body = Schemas['ChangeMailServerBody']

/** Everything can be tested before it is saved. */
export function MailServerForm({ record }: { record: MailServer }) {
  const queries = useQueryClient()
  const [fields, setFields] = useState(() => toFields(record))
  const [sender, setSender] = useState(record.sender ?? '')
  const [sendsKept, setSendsKept] = useState(true)
  const ofEnvironment = {
    server: record.server_source === 'environment',
    sender: record.sender_source === 'environment',
  }
  const isServerDirty = !ofEnvironment.server && JSON.stringify(fields) !== JSON.stringify(toFields(record))
  const isDirty = isServerDirty || (!ofEnvironment.sender && sender !== (record.sender ?? ''))
  const canSendKept = record.server_source === 'none' && record.sendable_mails > 0
  const entered = {
    ...(!ofEnvironment.server && fields.host.trim() !== '' && { server: toServerBody(fields) }),
    ...(!ofEnvironment.sender && { sender: sender.trim() || null }),
  }
  const save = useMutation({
    mutationFn: (body: Body) => unwrap(api.PUT('/api/admin/mail/server', { body })),
    onSuccess: async (saved) => {
      setFields(toFields(saved))
      setSender(saved.sender ?? '')
      queries.setQueryData(['settings', 'mail-server'], saved)
      await Promise.all([healthQuery.queryKey, ['mail']].map((queryKey) => queries.invalidateQueries({ queryKey })))
      showNotice(t('saved'))
    },
    onError: (error) => {
      if (!errorFields.some((field) => findFieldMessage(error, field))) showError(error)
    },
  })
  useConfirmLeave(isDirty)
  const remove = async () => {
    const isConfirmed = await confirm({
      title: t('removeServerTitle'),
      text: t('removeServerText'),
      action: t('removeServer'),
    })
    if (isConfirmed) save.mutate({ server: null })
  }
  const errorText = (field: string) => findFieldMessage(save.error, field)
  const onSubmit = handleSubmit(() => save.mutate({ ...entered, ...(canSendKept && { send_kept: sendsKept }) }))
  return (
    <>
      <form onSubmit={onSubmit}>
        <Card title={t('group_mailServer')}>
          {ofEnvironment.server ? (
            <div className="settings-fixed">
              <strong>{`${record.server?.host}:${record.server?.port}`}</strong>
              <SetByEnvironment variable="SMTP_URL" />
            </div>
          ) : (
            <ServerFields record={record} fields={fields} onChange={setFields} errorText={errorText} />
          )}
          {ofEnvironment.sender ? (
            <div className="settings-fixed">
              <strong>{record.sender}</strong>
              <SetByEnvironment variable="MAIL_FROM" />
            </div>
          ) : (
            <TextField
              label={t('sender')}
              help={t('senderHelp', { address: record.derived_sender })}
              maxLength={320}
              placeholder={t('senderExample')}
              value={sender}
              onChange={({ target }) => setSender(target.value)}
              errorText={errorText('sender')}
            />
          )}
          {canSendKept && (
            <>
              <CheckField
                label={t('sendKept', { count: record.sendable_mails })}
                help={t('sendKeptHelp')}
                checked={sendsKept}
                onChange={({ target }) => setSendsKept(target.checked)}
              />
              <Link to="/mail">{t('toKept')}</Link>
            </>
          )}
          {!(ofEnvironment.server && ofEnvironment.sender) && (
            <Buttons isAtEnd>
              {isDirty && <span className="quiet-text">{t('unsaved')}</span>}
              {record.server_source === 'app' && <Button onClick={() => void remove()}>{t('removeServer')}</Button>}
              <SubmitButton isBusy={save.isPending} disabled={!isDirty}>
                {t('saveMailServer')}
              </SubmitButton>
            </Buttons>
          )}
        </Card>
      </form>
      {(record.server_source !== 'none' || entered.server) && <TestMailCard entered={entered} isDirty={isDirty} />}
    </>
  )
}

const errorFields = ['server.host', 'server.port', 'server.security', 'server.user_name', 'server.password', 'sender']

type ServerFieldsProps = {
  record: MailServer
  fields: MailServerFields
  onChange: (fields: MailServerFields) => void
  errorText: (field: string) => string | null
}

function ServerFields({ record, fields, onChange, errorText }: ServerFieldsProps) {
  const set = (change: Partial<MailServerFields>) => onChange({ ...fields, ...change })
  const hasStoredPassword = canUseStoredPassword(fields, record)
  const hasUser = fields.userName !== ''
  return (
    <>
      <div className="settings-server">
        <TextField
          label={t('mailHost')}
          maxLength={253}
          placeholder={t('mailHostExample')}
          autoCapitalize="none"
          spellCheck={false}
          required
          value={fields.host}
          onChange={({ target }) => set({ host: target.value })}
          errorText={errorText('server.host')}
        />
        <SelectField
          label={t('mailSecurity')}
          value={fields.security}
          onChange={({ target }) => {
            const security = mailSecurities.find((one) => one === target.value) ?? 'starttls'
            set({ security, port: usualPorts[security] })
          }}
          errorText={errorText('server.security')}
        >
          {mailSecurities.map((one) => (
            <option key={one} value={one}>
              {t(`security_${one}`)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('mailPort')}
          value={fields.port}
          onChange={({ target }) => set({ port: mailPorts.find((one) => String(one) === target.value) ?? 587 })}
          errorText={errorText('server.port')}
        >
          {mailPorts.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
      </div>
      {fields.security === 'none' && (
        <p className="settings-warning">{t(hasUser ? 'unencryptedPassword' : 'unencrypted')}</p>
      )}
      <TextField
        label={t('mailUser')}
        help={t('mailUserHelp')}
        maxLength={320}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={fields.userName}
        onChange={({ target }) => set({ userName: target.value })}
        errorText={errorText('server.user_name')}
      />
      {hasUser && (
        <TextField
          label={t('mailPassword')}
          help={t(
            hasStoredPassword ? 'passwordStored' : record.server?.has_password ? 'passwordAgain' : 'passwordHelp',
          )}
          type="password"
          maxLength={1000}
          autoComplete="new-password"
          required={!hasStoredPassword}
          value={fields.password}
          onChange={({ target }) => set({ password: target.value })}
          errorText={errorText('server.password')}
        />
      )}
    </>
  )
}
