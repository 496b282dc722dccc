package envelope

import (
	"bytes"
	"compress/zlib"
	"crypto"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

const (
	vectors  = "../../../envelope/src/test/resources/vectors/"
	document = "../../../docs/format.md"
	subjects = ",O=Signet test vectors"
)

var sealedAt = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// vector is one case of the files; its keys are described beside them.
type vector map[string]string

func load(t *testing.T, name string) (all []vector) {
	t.Helper()
	text, err := os.ReadFile(vectors + name + ".json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func unhex(t *testing.T, digits string) []byte {
	t.Helper()
	out, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (v vector) envelope(t *testing.T) []byte {
	t.Helper()
	if v["envelope-zlib"] == "" {
		return unhex(t, v["envelope"])
	}
	packed, err := base64.StdEncoding.DecodeString(v["envelope-zlib"])
	if err != nil {
		t.Fatal(err)
	}
	stream, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(stream)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// accepted finds a vector of the format.
func accepted(t *testing.T, name string) vector {
	t.Helper()
	for _, v := range load(t, "accepted") {
		if v["name"] == name {
			return v
		}
	}
	t.Fatalf("no vector %q", name)
	return nil
}

func certificate(t *testing.T, text string) *x509.Certificate {
	t.Helper()
	block, _ := pem.Decode([]byte(text))
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

// identity reads one of the two identities of the vectors whose keys this program supports.
func identity(t *testing.T, name string) Identity {
	t.Helper()
	for _, v := range load(t, "identities") {
		if v["name"] == name {
			block, _ := pem.Decode([]byte(v["key"]))
			key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			return Identity{key.(crypto.Signer), certificate(t, v["certificate"])}
		}
	}
	t.Fatalf("no identity %q", name)
	return Identity{}
}

func reader(t *testing.T, name, quality string) *Reader {
	t.Helper()
	both := []*x509.Certificate{identity(t, "test-p256").Cert, identity(t, "test-rsa2048").Cert}
	return &Reader{identity(t, name), Trust{both, "", func() time.Time { return sealedAt }}, quality}
}

// open opens a case as it says. A case of keys that this program does not support is opened with the EC key.
func (v vector) open(t *testing.T) (*Message, error) {
	t.Helper()
	name, address := v["identity"], "orders.eu"
	if v["opener"] != "" {
		name = v["opener"]
	}
	if v.unsupported() || name == "" {
		name = "test-p256"
	}
	if v["address"] != "" {
		address = v["address"]
	}
	r := reader(t, name, v["quality"])
	if v["signers"] != "" {
		r.Trust.Signer = "CN=" + v["signers"] + subjects
	}
	if v["trusted"] != "" {
		r.Trust.Certs = append(r.Trust.Certs, certificate(t, v["trusted"]))
	}
	if v["now"] != "" {
		now, err := time.Parse(time.RFC3339, v["now"])
		if err != nil {
			t.Fatal(err)
		}
		r.Trust.Now = func() time.Time { return now }
	}
	return r.Open(v.envelope(t), address)
}

func (v vector) unsupported() bool {
	return strings.Contains(v["identity"], "ml") || v["require"] != ""
}

func TestVector_opensToItsPayload_orIsRefusedIfItsKeysAreNotSupported(t *testing.T) {
	opened := 0
	for _, v := range load(t, "accepted") {
		message, err := v.open(t)
		switch {
		case v.unsupported():
			if err == nil {
				t.Errorf("%s: opened", v["name"])
			}
		case err != nil:
			t.Errorf("%s: %v", v["name"], err)
		case !bytes.Equal(message.Payload, unhex(t, v["payload"])) || message.Quality != v["quality"]:
			t.Errorf("%s: %q of quality %s", v["name"], message.Payload, message.Quality)
		case v["quality"] != "confidentiality" && message.Signer != "CN="+v["identity"]+subjects:
			t.Errorf("%s: signer %q", v["name"], message.Signer)
		default:
			opened++
		}
	}
	if opened != 10 {
		t.Errorf("%d vectors opened, not 10", opened)
	}
}

func TestRejectedVector_isRefusedForItsReason(t *testing.T) {
	kinds := map[string]string{
		"MalformedEnvelopeException":    "malformed",
		"AuthenticationFailedException": "not authentic",
		"PolicyViolationException":      "policy",
		"NotARecipientException":        "not a recipient",
		"AddressMismatchException":      "address",
		"SignerNotAuthorizedException":  "signer not expected",
		"SignerRejectedException":       "signer rejected",
		"UnprotectedMessageException":   "unprotected",
	}
	for _, v := range load(t, "rejected") {
		if v["name"] == "either-where-both-is-wanted" {
			continue // a policy that these programs cannot have
		}
		_, err := v.open(t)
		var refusal *Refusal
		if !errors.As(err, &refusal) || !v.unsupported() && refusal.Kind != kinds[v["expect"]] {
			t.Errorf("%s: expected %s, got %v", v["name"], v["expect"], err)
		}
	}
}

func TestAttack_isRefused(t *testing.T) {
	for _, v := range load(t, "attacks") {
		if message, err := v.open(t); err == nil {
			t.Errorf("%s: opened to %q", v["name"], message.Payload)
		}
	}
}

// Some of these open; a reader may refuse those that are not in DER.
func TestHostileEnvelope_takesNoLongTime(t *testing.T) {
	for _, v := range load(t, "hostile") {
		start := time.Now()
		if _, err := v.open(t); err == nil && v["expect"] != "" {
			t.Errorf("%s: opened", v["name"])
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %v", v["name"], took)
		}
	}
}

func TestHeader_acceptedOrRefusedAsTheDocumentSays(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	id := identity(t, "test-p256")
	writer := Writer{id, []*x509.Certificate{id.Cert}, "confidentiality"}
	good, bad := 0, 0
	for _, found := range regexp.MustCompile("(?ms)^```(rejected-)?header ([^\n]+)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		body, err := writer.sealEntity([]byte(strings.ReplaceAll(found[3], "\n", "\r\n") + "\r\nhello"))
		if err != nil {
			t.Fatal(err)
		}
		message, err := reader(t, "test-p256", "confidentiality").Open(body, "orders.eu")
		var refusal *Refusal
		switch {
		case found[1] == "" && err == nil && string(message.Payload) == "hello":
			good++
		case found[1] != "" && errors.As(err, &refusal) && refusal.Kind == "malformed":
			bad++
		default:
			t.Errorf("%s%s: %v", found[1], found[2], err)
		}
	}
	if good < 1 || bad < 13 {
		t.Errorf("%d headers accepted, %d refused", good, bad)
	}
}
