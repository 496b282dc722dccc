package envelope

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The vectors stand in the specification itself, as blocks "```KIND NAME".
const document = "../../../docs/format.md"

var sealedAt = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

type block struct {
	kind, name string
	fields     map[string]string
	text       string
}

func blocks(t *testing.T) (all []block) {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile("(?ms)^```([a-z-]+) ([^\n]+)\n(.*?)^```$").FindAllSubmatch(text, -1) {
		fields := map[string]string{}
		joined := strings.ReplaceAll(string(found[3]), "\n  ", "")
		for _, line := range strings.Split(joined, "\n") {
			if name, value, ok := strings.Cut(line, ":"); ok {
				fields[name] = strings.TrimSpace(value)
			}
		}
		all = append(all, block{string(found[1]), string(found[2]), fields, string(found[3])})
	}
	return all
}

func vector(t *testing.T, name string) block {
	for _, b := range blocks(t) {
		if b.name == name && (b.kind == "vector" || b.kind == "segment") {
			return b
		}
	}
	t.Fatalf("no vector %q", name)
	return block{}
}

func unhex(t *testing.T, digits string) []byte {
	t.Helper()
	out, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// identity reads one of the two identities of the vectors that this program supports.
func identity(t *testing.T, name string) Identity {
	t.Helper()
	var id Identity
	for _, b := range blocks(t) {
		der, _ := pem.Decode([]byte(b.text))
		switch b.name {
		case name + ".key":
			key, err := x509.ParsePKCS8PrivateKey(der.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			id.Key = key.(crypto.Signer)
		case name + ".pem":
			cert, err := x509.ParseCertificate(der.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			id.Cert = cert
		}
	}
	return id
}

func reader(t *testing.T, name, quality string) *Reader {
	both := []*x509.Certificate{identity(t, "test-p256").Cert, identity(t, "test-rsa2048").Cert}
	return &Reader{identity(t, name), Trust{both, "", func() time.Time { return sealedAt }}, quality}
}

func unsupported(b block) bool {
	return strings.Contains(b.name, "mlkem") || strings.Contains(b.name, "mldsa") || b.fields["require"] == "both"
}

func TestVector_opensToItsPayload_orIsRefusedIfItsKeysAreNotSupported(t *testing.T) {
	opened := 0
	for _, b := range blocks(t) {
		if b.kind != "vector" {
			continue
		}
		name := b.fields["identity"]
		if unsupported(b) {
			name = "test-p256"
		}
		message, err := reader(t, name, b.fields["quality"]).Open(unhex(t, b.fields["envelope"]), "orders.eu")
		switch {
		case unsupported(b):
			if err == nil {
				t.Errorf("%s: opened", b.name)
			}
		case err != nil:
			t.Errorf("%s: %v", b.name, err)
		case !bytes.Equal(message.Payload, unhex(t, b.fields["payload"])) || message.Quality != b.fields["quality"]:
			t.Errorf("%s: %q of quality %s", b.name, message.Payload, message.Quality)
		case b.fields["quality"] != "confidentiality" && message.Signer != "CN="+name+",O=Signet test vectors":
			t.Errorf("%s: signer %q", b.name, message.Signer)
		default:
			opened++
		}
	}
	if opened != 8 {
		t.Errorf("%d vectors opened, not 8", opened)
	}
}

func TestLargeMessage_opensToItsPayload_andWrongSequencesAreRefused(t *testing.T) {
	for name, quality := range map[string]string{"large-confidentiality-p256": "confidentiality", "large-privacy-p256": "privacy"} {
		var body, payload []byte
		for number := range 3 {
			b := vector(t, name+" "+strconv.Itoa(number+1))
			body = append(body, unhex(t, b.fields["envelope"])...)
			payload = append(payload, unhex(t, b.fields["payload"])...)
		}
		message, err := reader(t, "test-p256", quality).Open(body, "orders.eu")
		if err != nil || !bytes.Equal(message.Payload, payload) {
			t.Errorf("%s: %v", name, err)
		}
	}
	rows := 0
	for _, b := range blocks(t) {
		if b.kind == "rejected-row" {
			var body []byte
			for _, segment := range strings.Fields(b.fields["segments"]) {
				body = append(body, unhex(t, vector(t, strings.Replace(segment, "/", " ", 1)).fields["envelope"])...)
			}
			quality := strings.Split(b.fields["segments"], "-")[1]
			_, err := reader(t, "test-p256", quality).Open(body, "orders.eu")
			expectRefusal(t, b, err)
			rows++
		}
	}
	if rows < 9 {
		t.Errorf("%d sequences tried", rows)
	}
}

func TestRejectedEnvelope_isRefusedForItsReason(t *testing.T) {
	tried := 0
	for _, b := range blocks(t) {
		if b.kind != "rejected" {
			continue
		}
		body, r, address, ok := rejected(t, b)
		if !ok {
			continue // of keys that this program does not support: the vector itself is refused, see above
		}
		_, err := r.Open(body, address)
		expectRefusal(t, b, err)
		tried++
	}
	if tried < 22 {
		t.Errorf("%d envelopes tried", tried)
	}
}

// rejected applies the changes that a block names.
func rejected(t *testing.T, b block) (body []byte, r *Reader, address string, ok bool) {
	f := b.fields
	address, quality, name := "orders.eu", f["quality"], "test-p256"
	if f["bytes"] != "" {
		return unhex(t, f["bytes"]), reader(t, name, quality), address, true
	}
	from := vector(t, f["from"])
	if unsupported(from) || f["require"] != "" {
		return nil, nil, "", false
	}
	body, name = unhex(t, from.fields["envelope"]), from.fields["identity"]
	if quality == "" {
		quality = from.fields["quality"]
	}
	if f["opener"] != "" {
		name = f["opener"]
	}
	if f["address"] != "" {
		address = f["address"]
	}
	r = reader(t, name, quality)
	if f["signers"] != "" {
		r.Trust.Signer = "CN=" + f["signers"] + ",O=Signet test vectors"
	}
	if f["now"] != "" {
		now, err := time.Parse(time.RFC3339, f["now"])
		if err != nil {
			t.Fatal(err)
		}
		r.Trust.Now = func() time.Time { return now }
	}
	if f["flip"] != "" {
		at, err := strconv.Atoi(f["flip"])
		if err != nil {
			t.Fatal(err)
		}
		body[(at+len(body))%len(body)] ^= 1
	}
	if cut, err := strconv.Atoi(f["cut"]); err == nil {
		body = body[:len(body)-cut]
	}
	if old, with, found := strings.Cut(f["replace"], " "); found {
		body = bytes.Replace(body, unhex(t, old), unhex(t, with), 1)
	}
	return append(body, unhex(t, f["append"])...), r, address, true
}

var kinds = map[string]string{
	"MalformedEnvelopeException":    "malformed",
	"AuthenticationFailedException": "not authentic",
	"PolicyViolationException":      "policy",
	"NotARecipientException":        "not a recipient",
	"AddressMismatchException":      "address",
	"SignerNotAuthorizedException":  "signer not expected",
	"SignerRejectedException":       "signer rejected",
	"UnprotectedMessageException":   "unprotected",
}

func expectRefusal(t *testing.T, b block, err error) {
	t.Helper()
	var refusal *Refusal
	if !errors.As(err, &refusal) || refusal.Kind != kinds[b.fields["expect"]] {
		t.Errorf("%s: expected %s, got %v", b.name, b.fields["expect"], err)
	}
}

func TestHeader_acceptedOrRefusedAsTheDocumentSays(t *testing.T) {
	id := identity(t, "test-p256")
	writer := Writer{id, []*x509.Certificate{id.Cert}, "confidentiality"}
	tried := 0
	for _, b := range blocks(t) {
		if b.kind != "header" && b.kind != "rejected-header" {
			continue
		}
		body, err := writer.sealEntity([]byte(strings.ReplaceAll(b.text, "\n", "\r\n") + "\r\nhello"))
		if err != nil {
			t.Fatal(err)
		}
		message, err := reader(t, "test-p256", "confidentiality").Open(body, "orders.eu")
		if b.kind == "header" && (err != nil || string(message.Payload) != "hello") {
			t.Errorf("%s: %v", b.name, err)
		}
		var refusal *Refusal
		if b.kind == "rejected-header" && (!errors.As(err, &refusal) || refusal.Kind != "malformed") {
			t.Errorf("%s: %v", b.name, err)
		}
		tried++
	}
	if tried < 14 {
		t.Errorf("%d headers tried", tried)
	}
}
