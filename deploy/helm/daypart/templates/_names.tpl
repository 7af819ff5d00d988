{{- define "daypart.labels" -}}
app.kubernetes.io/name: daypart
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "daypart.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "daypart.storeSettings" -}}
- { name: DAYPART_LEDGER_FILE, value: /run/stores/ledger }
- { name: DAYPART_FACTS_FILE, value: /run/stores/facts }
- { name: DAYPART_RESULTS_FILE, value: /run/stores/results }
{{- end -}}

{{- define "daypart.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "daypart.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}
