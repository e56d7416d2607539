/** deploy/helm/nginx.conf: deploy/nginx.conf as a template of Helm, for processes that Kubernetes runs. */

/** Throws when the configuration does not have `what`: then the caller has to follow it. */
export function replaceIn(text: string, what: RegExp, by: string): string {
  if (!what.test(text)) throw new Error(`deploy/nginx.conf has no ${what}`);
  return text.replace(what, () => by);
}

/** A process for each line: `server …`. */
export const processLines = /(?: *server 127[^\n]*\n)+/g;

const processes = `  {{- range $number := until (int .Values.processes) }}
  server {{ $.Release.Name }}-{{ $number }}:9001 max_fails=3 fail_timeout=10s;
  {{- end }}
`;

/** The Ingress in front ends https, and says in these headers who asks. Others cannot reach this nginx. */
const behindIngress = `server_name {{ .Values.host }};

  # The Ingress controller or gateway says who asks. Nothing else reaches this nginx.
  set_real_ip_from 0.0.0.0/0;
  set_real_ip_from ::/0;
  real_ip_header X-Forwarded-For;`;

/** The configuration of the chart for this text of deploy/nginx.conf. */
export function chartNginx(shipped: string): string {
  const head =
    '# Made from deploy/nginx.conf by `npm run docs`. nginx in front of several processes, for Helm.\n';
  const changes: [what: RegExp, by: string][] = [
    [/^(?:#[^\n]*\n)+/, head],
    [processLines, processes],
    [/ *ssl_certificate[^\n]*\n/g, ''],
    [/listen 443 ssl/g, 'listen 8080'],
    [/server_name pads\.example\.org;/, behindIngress],
    [/ *#[^\n]*\n *add_header Strict-Transport-Security[^\n]*\n\n/, ''],
    [/\$scheme/g, '$http_x_forwarded_proto'],
  ];
  return changes.reduce((text, [what, by]) => replaceIn(text, what, by), shipped);
}
