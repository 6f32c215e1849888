import { useMutation } from '@tanstack/react-query'
import { translator } from '../app/language.ts'
import { Button } from '../components/button.tsx'
import { LoadError } from '../components/loaded.tsx'
import { Card } from '../components/page.tsx'
import { FixLines, StatusBadge, TextWithCode } from './health-parts.tsx'
import { probeProxy } from './proxy-probes.ts'
import { createVerdicts, type Verdict } from './proxy-verdicts.ts'

const t = translator('health')

export function ProxyCheck() {
  const check = useMutation({ mutationFn: async () => createVerdicts(await probeProxy(), location) })
  const problemCount = check.data?.filter(({ status }) => status !== 'ok').length ?? 0
  return (
    <Card
      title={t('way')}
      actions={
        <Button icon="health" isBusy={check.isPending} onClick={() => check.mutate()}>
          {t(check.data ? 'wayAgain' : 'wayCheck')}
        </Button>
      }
    >
      <p className="quiet-text">{t('wayText')}</p>
      <p className="health-way-result" role="status">
        {check.isPending && t('wayRuns')}
        {check.data && !check.isPending && (problemCount === 0 ? t('wayWell') : t('wayWrong', { count: problemCount }))}
      </p>
      {check.isError && !check.isPending && <LoadError error={check.error} onRetry={() => check.mutate()} />}
      {check.data && !check.isPending && <Verdicts verdicts={check.data} />}
    </Card>
  )
}

const Verdicts = ({ verdicts }: { verdicts: Verdict[] }) => (
  <ul className="health-verdicts">
    {verdicts.map(({ check, status, wording, values, lines }) => (
      <li key={check} className={status}>
        <div className="health-item-head">
          <h3>{t(`check_${check}`)}</h3>
          <StatusBadge status={status} />
        </div>
        <p>
          <TextWithCode text={t(`way_${wording}`, values)} />
        </p>
        {lines && <FixLines lines={lines} />}
      </li>
    ))}
  </ul>
)
