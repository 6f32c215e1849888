"""Makes a call of each part of the API, with nothing but Python's standard library.

    BASE=http://localhost:3000 TOKEN=prf_live_... NAME=admin PASSWORD=... python3 one_call_of_each.py photo.jpg

The token needs the scope admin, NAME and PASSWORD are those of its account. The script makes a draft of an event, a
customer and a webhook, and deletes them when it ends. RECEIVER_HOST is the address of this machine as Proofroom
sees it; without it, the webhook is made, but no delivery is awaited.
"""

import base64
import hmac
import json
import os
import queue
import secrets
import sys
import threading
import time
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

BASE = os.environ["BASE"].rstrip("/")
TOKEN = os.environ["TOKEN"]
TIMEOUT_S = 30


class Refused(Exception):
    """The service refused a call: `status`, and `code` as in the documentation of errors."""

    def __init__(self, status, code, message):
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code


def call(method, path, credential=None, body=None):
    """Returns the JSON of the response. Bytes are sent as they are, anything else as JSON. Raises Refused."""
    headers = {}
    if credential:
        headers["Authorization"] = f"Bearer {credential}"
    if isinstance(body, bytes):
        headers["Content-Type"] = "application/octet-stream"
    elif body is not None:
        headers["Content-Type"] = "application/json"
        body = json.dumps(body).encode()
    try:
        with urlopen(Request(BASE + path, body, headers, method=method), timeout=TIMEOUT_S) as response:
            return json.load(response)
    except HTTPError as error:
        with error:
            problem = json.load(error)
        raise Refused(error.code, problem["code"], problem["error"]) from None


def upload_in_chunks(event, path):
    """Sends a file of any size and returns its photo. Holds one chunk in memory."""
    uploads = f"/api/v1/events/{event}/chunked-upload"
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        upload = call("POST", f"{uploads}/init", TOKEN, {"filename": os.path.basename(path), "fileSize": size})
        address = f"{uploads}/{upload['uploadId']}"
        for index in range(upload["expectedChunks"]):
            call("POST", f"{address}/chunk/{index}", TOKEN, file.read(upload["chunkSize"]))
    return call("POST", f"{address}/complete", TOKEN, {})["photos"][0]


def is_genuine(secret, headers, body):
    """Returns whether a delivery is signed with the secret of the webhook, within the last five minutes."""
    timestamp = headers.get("webhook-timestamp", "")
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    wanted = b"v1," + base64.b64encode(hmac.digest(base64.b64decode(secret), signed, "sha256"))
    given = headers.get("webhook-signature", "").encode().split()
    is_fresh = timestamp.isdigit() and abs(time.time() - int(timestamp)) < 300
    return is_fresh and any(hmac.compare_digest(wanted, one) for one in given)


def listen(host):
    """Returns a server for deliveries, and the queue of what arrives: (headers, body)."""
    deliveries = queue.Queue()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(204)
            self.end_headers()
            deliveries.put((self.headers, body))

        def log_message(self, *_):
            pass

    server = HTTPServer((host, 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, deliveries


def use_webhook(cleanup):
    """Makes a webhook, and verifies its test delivery if RECEIVER_HOST is set."""
    host = os.environ.get("RECEIVER_HOST")
    url = "https://example.com/proofroom"
    if host:
        server, deliveries = listen(host)
        cleanup.callback(server.server_close)
        cleanup.callback(server.shutdown)
        url = f"http://{host}:{server.server_port}/"
    fields = {"name": "One call of each", "url": url, "events": ["photo.uploaded"], "active": bool(host)}
    webhook = call("POST", "/api/v1/webhooks", TOKEN, fields)
    cleanup.callback(call, "DELETE", f"/api/v1/webhooks/{webhook['id']}", TOKEN)
    if not host:
        return "not awaited"
    call("POST", f"/api/v1/webhooks/{webhook['id']}/test", TOKEN, {"event_type": "photo.uploaded"})
    headers, body = deliveries.get(timeout=TIMEOUT_S)
    if not is_genuine(webhook["secret"], headers, body) or is_genuine(webhook["secret"], headers, body + b" "):
        raise SystemExit("The signature is wrong")
    return json.loads(body)["type"]


def use_customer(cleanup, event):
    """Makes a customer, assigns the event, and returns the names of the galleries that the customer sees."""
    email, password = f"{secrets.token_hex(8)}@example.com", secrets.token_urlsafe(16)
    fields = {"name": "One call of each", "email": email, "password": password}
    customer = call("POST", "/api/v1/customers", TOKEN, fields)["id"]
    cleanup.callback(call, "DELETE", f"/api/v1/customers/{customer}", TOKEN)
    call("PUT", f"/api/v1/customers/{customer}/events/{event}", TOKEN)
    session = call("POST", "/api/customer/auth/login", None, {"email": email, "password": password})["token"]
    return [gallery["event_name"] for gallery in call("GET", "/api/customer/events", session)["events"]]


def use_gallery(event):
    """Enters the gallery as a guest with the share link, and returns the number of photos."""
    link = call("GET", f"/api/v1/events/{event}/share-link", TOKEN)
    slug = call("GET", f"/api/gallery/resolve/{quote(link['share_token'])}")["slug"]
    guest = call("POST", "/api/auth/gallery/share-login", None, {"slug": slug, "token": link["share_token"]})["token"]
    return call("GET", f"/api/gallery/{slug}/photos", guest)["pagination"]["total"]


def use_admin(event):
    """Signs in as an operator and returns the number of guests, which only the admin API lists."""
    sign_in = {"username": os.environ["NAME"], "password": os.environ["PASSWORD"]}
    session = call("POST", "/api/auth/admin/login", None, sign_in)
    if session.get("mfaRequired"):
        raise SystemExit("The account has a second factor. Use one without for a script.")
    return len(call("GET", f"/api/admin/events/{event}/guests", session["token"])["guests"])


def main(picture):
    with ExitStack() as cleanup:
        print("public API:", call("GET", "/api/v1/me", TOKEN)["user"]["username"])
        fields = {"event_type": "wedding", "event_name": "One call of each", "require_password": False, "is_draft": True}
        event = call("POST", "/api/v1/events", TOKEN, fields)["id"]
        cleanup.callback(call, "DELETE", f"/api/v1/events/{event}", TOKEN)
        print("chunked upload:", upload_in_chunks(event, picture)["original_filename"])
        call("POST", f"/api/v1/events/{event}/publish", TOKEN)
        print("gallery API, photos:", use_gallery(event))
        print("customer API, galleries:", ", ".join(use_customer(cleanup, event)))
        print("admin API, guests:", use_admin(event))
        print("webhook:", use_webhook(cleanup))


if __name__ == "__main__":
    main(sys.argv[1])
