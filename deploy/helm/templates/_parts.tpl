{{/* Selects the pods of one part: (list . "etherpad") */}}
{{- define "ep-mypads.selector" -}}
app.kubernetes.io/name: ep-mypads
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "ep-mypads.labels" -}}
{{ include "ep-mypads.selector" . }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: ep-mypads-{{ (index . 0).Chart.Version }}
{{- end }}

{{/* What each pod has: the user with this id, who is not root, and no key to Kubernetes' API. */}}
{{- define "ep-mypads.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ . }}
  fsGroup: {{ . }}
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "ep-mypads.container" -}}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "ep-mypads.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag }}
{{- end }}

{{/* A variable from the Secret: (list . "NAME" "key") */}}
{{- define "ep-mypads.secretVariable" -}}
- name: {{ index . 1 }}
  valueFrom:
    secretKeyRef: { name: {{ (index . 0).Values.secret }}, key: {{ index . 2 }} }
{{- end }}

{{/* Etherpad's settings.json. Etherpad fills in "${…}" from its variables. */}}
{{- define "ep-mypads.settings" -}}
{{- $settings := dict
  "title" "Etherpad" "skinName" "colibris"
  "skinVariants" "super-light-toolbar super-light-editor light-background"
  "ip" "0.0.0.0" "port" 9001 "trustProxy" true
  "dbType" "postgres"
  "dbSettings" (dict "host" .Values.database.host "port" (int .Values.database.port)
    "database" .Values.database.name "user" .Values.database.user "password" "${DB_PASS}")
  "authenticationMethod" "apikey"
  "users" (dict "admin" (dict "password" "${ADMIN_PASSWORD}" "is_admin" true))
  "ep_mypads" (dict "rootUrl" (printf "https://%s" .Values.host)) }}
{{- if gt (int .Values.processes) 1 }}
  {{- $redis := dict "url" .Values.redis.url }}
  {{- if .Values.redis.password }}{{ $_ := set $redis "password" "${REDIS_PASSWORD}" }}{{ end }}
  {{- $_ := set $settings.ep_mypads "coordination" (dict "redis" $redis) }}
{{- end }}
{{- toPrettyJson (mergeOverwrite $settings .Values.settings) }}
{{- end }}
