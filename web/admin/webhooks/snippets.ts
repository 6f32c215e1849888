export type Snippet = {
  language: string
  /** Verifies the Standard Webhooks signature, which covers the time. In Shell, verifies `X-Service-Signature`. */
  receiver: string
  /** Code that computes the header `X-Service-Signature`. */
  line: string
}

/** Returns code that verifies deliveries, for each language. `preview` is the beginning of the secret. */
export const createSnippets = (preview: string): Snippet[] => [
  {
    language: 'Node',
    receiver: `// npm install standardwebhooks · SECRET begins with ${preview}
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.SECRET)

createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  let envelope
  try {
    envelope = webhook.verify(Buffer.concat(parts), request.headers)
  } catch {
    response.writeHead(401).end()
    return
  }
  response.writeHead(204).end()
  console.log(envelope.type)
}).listen(process.env.PORT ?? 8080, '127.0.0.1')
`,
    line: `createHmac('sha256', secret).update(body).digest('hex')`,
  },
  {
    language: 'Python',
    receiver: `# SECRET begins with ${preview}
import base64, hmac, os, time

KEY = base64.b64decode(os.environ["SECRET"])


def is_genuine(headers, body):
    """headers: as they came, body: the bytes as they came"""
    timestamp = headers.get("webhook-timestamp", "")
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    wanted = b"v1," + base64.b64encode(hmac.digest(KEY, signed, "sha256"))
    given = headers.get("webhook-signature", "").encode().split()
    is_fresh = timestamp.isdigit() and abs(time.time() - int(timestamp)) < 300
    return is_fresh and any(hmac.compare_digest(wanted, one) for one in given)
`,
    line: `hmac.new(secret.encode(), body, 'sha256').hexdigest()`,
  },
  {
    language: 'PHP',
    receiver: `<?php // SECRET begins with ${preview}

$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');

$key = base64_decode(getenv('SECRET') ?: '');
$wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
$isFresh = abs(time() - (int) $timestamp) < 300;
if ($key === '' || !$isFresh || !array_filter($given, fn ($one) => hash_equals($wanted, $one))) {
    http_response_code(401);
    exit;
}

http_response_code(204);
$envelope = json_decode($body, true);
error_log($envelope['type']);
`,
    line: `hash_hmac('sha256', $body, $secret)`,
  },
  {
    language: 'Go',
    receiver: `// go get github.com/standard-webhooks/standard-webhooks/libraries · SECRET begins with ${preview}
package main

import (
	"io"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil || webhook.Verify(body, request.Header) != nil {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		response.WriteHeader(http.StatusNoContent)
		log.Println(request.Header.Get("X-Service-Event"))
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", nil))
}
`,
    line: `mac := hmac.New(sha256.New, []byte(secret)); mac.Write(body); hex.EncodeToString(mac.Sum(nil))`,
  },
  {
    language: 'Shell',
    receiver: `# body.json: the body as it came · SIGNATURE: its X-Service-Signature · SECRET begins with ${preview}
COMPUTED=$(openssl dgst -sha256 -hmac "$SECRET" < body.json | sed 's/.* //')
[ "$COMPUTED" = "$SIGNATURE" ] && echo genuine

# A call as we send it, to try a receiver of yours:
curl -i "$RECEIVER" -H 'Content-Type: application/json' -H "X-Service-Signature: $COMPUTED" --data-binary @body.json
`,
    line: `openssl dgst -sha256 -hmac "$SECRET" < body.json | sed 's/.* //'`,
  },
]
