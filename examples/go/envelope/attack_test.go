package envelope

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"strings"
	"testing"
	"time"
)

func TestEveryByteFlipped_refused(t *testing.T) {
	for _, name := range []string{"integrity-p256", "integrity-rsa2048", "integrity-shared-p256", "confidentiality-p256",
		"confidentiality-rsa2048", "authenticity-p256", "privacy-p256", "privacy-rsa2048"} {
		v := accepted(t, name)
		r := reader(t, v["identity"], v["quality"])
		good := v.envelope(t)
		for at := range good {
			for _, bit := range []byte{0x01, 0xff} {
				bad := bytes.Clone(good)
				bad[at] ^= bit
				if message, err := r.Open(bad, "orders.eu"); err == nil {
					t.Errorf("%s: byte %d changed by %02x: %q", name, at, bit, message.Payload)
				}
			}
		}
		for length := range good {
			if _, err := r.Open(good[:length], "orders.eu"); err == nil {
				t.Errorf("%s: cut to %d bytes", name, length)
			}
		}
	}
}

// newIdentity makes a self-signed certificate.
func newIdentity(t *testing.T, curve elliptic.Curve, name string) Identity {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: sealedAt.AddDate(-10, 0, 0), NotAfter: sealedAt.AddDate(50, 0, 0), KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageKeyAgreement}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return Identity{key, cert}
}

func TestSealed_opensUnderEachQualityCurveAndLength(t *testing.T) {
	rsa := identity(t, "test-rsa2048")
	for _, curve := range []elliptic.Curve{elliptic.P256(), elliptic.P384(), elliptic.P521()} {
		alice, bob := newIdentity(t, curve, "alice"), newIdentity(t, curve, "bob")
		for _, quality := range []string{"integrity", "privacy", "confidentiality", "authenticity"} {
			recipients := []*x509.Certificate{alice.Cert, bob.Cert}
			if quality != "authenticity" {
				recipients = append(recipients, rsa.Cert)
			}
			for _, length := range []int{0, 5, maxSegment, maxSegment + 1, 3*maxSegment + 7} {
				payload := bytes.Repeat([]byte("x"), length)
				body, err := (&Writer{bob, recipients, quality}).Seal("zürich.%", "bytes", "text/plain", payload)
				if err != nil {
					t.Fatal(err)
				}
				for _, opener := range []Identity{alice, bob, rsa} {
					if quality == "authenticity" && opener == rsa {
						continue
					}
					trust := Trust{[]*x509.Certificate{bob.Cert}, "CN=bob", time.Now}
					message, err := (&Reader{opener, trust, quality}).Open(body, "zürich.%")
					if err != nil || !bytes.Equal(message.Payload, payload) || message.Quality != quality {
						t.Fatalf("%s, %d bytes: %v", quality, length, err)
					}
				}
			}
		}
	}
}

func TestSegmentsSwappedDroppedOrMixed_refused(t *testing.T) {
	id := newIdentity(t, elliptic.P256(), "bob")
	r := &Reader{id, Trust{[]*x509.Certificate{id.Cert}, "CN=bob", time.Now}, "privacy"}
	w := &Writer{id, []*x509.Certificate{id.Cert}, "privacy"}
	split := func(body []byte) (parts [][]byte) {
		for next := read(body); next.has(0); {
			parts = append(parts, next.element())
		}
		return parts
	}
	seal := func() [][]byte {
		body, err := w.Seal("a", "bytes", "text/plain", make([]byte, 2*maxSegment+1))
		if err != nil {
			t.Fatal(err)
		}
		return split(body)
	}
	a, b := seal(), seal()
	if _, err := r.Open(bytes.Join(a, nil), "a"); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range [][][]byte{{a[0]}, {a[0], a[1]}, {a[0], a[2]}, {a[1], a[0], a[2]}, {a[0], a[0], a[1], a[2]},
		{a[0], b[1], a[2]}, {a[0], a[1], b[2]}, {a[0], a[1], a[2], a[2]}, {a[0], a[1], a[2], {0}}} {
		if _, err := r.Open(bytes.Join(wrong, nil), "a"); err == nil {
			t.Errorf("%d segments opened", len(wrong))
		}
	}
}

func TestReflectedMessage_isNotOfItsRecipient(t *testing.T) {
	alice, bob := newIdentity(t, elliptic.P256(), "alice"), newIdentity(t, elliptic.P256(), "bob")
	body, err := (&Writer{bob, []*x509.Certificate{alice.Cert}, "authenticity"}).Seal("a", "bytes", "text/plain", []byte("hello"))
	if err != nil {
		t.Fatal(err)
	}
	point := func(id Identity) []byte { return tlv(0x04, id.Cert.RawSubjectPublicKeyInfo[26:])[2:] }
	forged := bytes.Replace(body, point(bob), point(alice), 1)
	forged = bytes.Replace(forged, keyID(alice.Cert), keyID(bob.Cert), 1)
	if bytes.Equal(forged, body) {
		t.Fatal("nothing was changed")
	}
	trust := Trust{[]*x509.Certificate{alice.Cert, bob.Cert}, "CN=alice", time.Now}
	if _, err := (&Reader{bob, trust, "authenticity"}).Open(forged, "a"); err == nil {
		t.Error("bob's own message passed for one of alice")
	}
}

func TestTwoKeysForOneCiphertext_contentThatDoesNotCommitIsRefused(t *testing.T) {
	id := newIdentity(t, elliptic.P256(), "bob")
	body, err := (&Writer{id, []*x509.Certificate{id.Cert}, "confidentiality"}).encrypt([]byte("Content-Type: text/plain\r\n\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = (&Reader{id, Trust{Now: time.Now}, "confidentiality"}).Open(body, "a")
	if err == nil || !strings.HasPrefix(err.Error(), "malformed") {
		t.Error(err)
	}
}
