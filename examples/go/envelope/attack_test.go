package envelope

import (
	"bytes"
	"compress/zlib"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
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
	return issue(t, curve, name, nil, false)
}

// issue makes a certificate by an issuer, or by itself.
func issue(t *testing.T, curve elliptic.Curve, name string, issuer *Identity, isCA bool, more ...pkix.Extension) Identity {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: sealedAt.AddDate(-10, 0, 0), NotAfter: sealedAt.AddDate(50, 0, 0), KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageKeyAgreement,
		BasicConstraintsValid: true, IsCA: isCA, ExtraExtensions: more}
	if isCA {
		template.KeyUsage = x509.KeyUsageCertSign
	}
	if issuer == nil {
		issuer = &Identity{key, template}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, issuer.Cert, key.Public(), issuer.Key)
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

func TestSigner_isAcceptedFromATrustedIssuer_andNotFromATrustedPartyOrAnyone(t *testing.T) {
	curve := elliptic.P256()
	ca, party := issue(t, curve, "ca", nil, true), newIdentity(t, curve, "party")
	trust := Trust{[]*x509.Certificate{ca.Cert, party.Cert}, "CN=bob", time.Now}
	for issuer, accepted := range map[*Identity]bool{&ca: true, &party: false, nil: false} {
		bob := issue(t, curve, "bob", issuer, false)
		body, err := (&Writer{bob, nil, "integrity"}).Seal("a", "bytes", "text/plain", []byte("hello"))
		if err != nil {
			t.Fatal(err)
		}
		message, err := (&Reader{party, trust, "integrity"}).Open(body, "a")
		if accepted && (err != nil || message.Signer != "CN=bob") {
			t.Error(err)
		}
		if !accepted && (err == nil || !strings.HasPrefix(err.Error(), "signer rejected")) {
			t.Errorf("a signer that nobody trusted vouched for: %v", err)
		}
	}
}

func TestSignerOfAnIssuerWithNameConstraints_refused(t *testing.T) {
	partner := pkix.Name{Organization: []string{"Partner"}}.ToRDNSequence()
	name, err := asn1.Marshal(partner)
	if err != nil {
		t.Fatal(err)
	}
	subtree := tlv(0x30, tlv(0xa0, tlv(0x30, tlv(0xa4, name)))) // permits the names under O=Partner
	for _, critical := range []bool{true, false} {
		constraints := pkix.Extension{Id: asn1.ObjectIdentifier{2, 5, 29, 30}, Critical: critical, Value: subtree}
		ca := issue(t, elliptic.P256(), "ca", nil, true, constraints)
		bob := issue(t, elliptic.P256(), "bob", &ca, false)
		body, err := (&Writer{bob, nil, "integrity"}).Seal("a", "bytes", "text/plain", []byte("hello"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = (&Reader{bob, Trust{[]*x509.Certificate{ca.Cert}, "CN=bob", time.Now}, "integrity"}).Open(body, "a")
		if err == nil || !strings.HasPrefix(err.Error(), "signer rejected") {
			t.Errorf("a name that its issuer may not give, critical %v: %v", critical, err)
		}
	}
}

// versionOne makes a self-signed certificate without extensions, as openssl x509 -req makes it.
func versionOne(t *testing.T, name string) Identity {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	algorithm := tlv(0x30, algEcdsa[2:])
	cert := newIdentity(t, elliptic.P256(), name).Cert
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	times := tlv(0x30, tlv(0x18, []byte("20000101000000Z")), tlv(0x18, []byte("20990101000000Z")))
	content := tlv(0x30, []byte{2, 1, 1}, algorithm, cert.RawSubject, times, cert.RawSubject, public)
	digest := sha512.Sum512(content)
	signature, err := key.Sign(rand.Reader, digest[:], crypto.SHA512)
	if err != nil {
		t.Fatal(err)
	}
	made, err := x509.ParseCertificate(tlv(0x30, content, algorithm, tlv(0x03, []byte{0}, signature)))
	if err != nil {
		t.Fatal(err)
	}
	return Identity{key, made}
}

func TestTrustedPartyWithACertificateOfVersion1_isNoIssuer(t *testing.T) {
	party := versionOne(t, "party")
	bob := issue(t, elliptic.P256(), "bob", &party, false)
	for signer, accepted := range map[*Identity]bool{&party: true, &bob: false} {
		body, err := (&Writer{*signer, nil, "integrity"}).Seal("a", "bytes", "text/plain", []byte("hello"))
		if err != nil {
			t.Fatal(err)
		}
		trust := Trust{[]*x509.Certificate{party.Cert}, Subject(signer.Cert), time.Now}
		_, err = (&Reader{party, trust, "integrity"}).Open(body, "a")
		if (err == nil) != accepted || !accepted && !strings.HasPrefix(err.Error(), "signer rejected") {
			t.Errorf("%s: %v", trust.Signer, err)
		}
	}
}

func TestIssuersWithHugeKeysInAMessage_costNoTime(t *testing.T) {
	ca := issue(t, elliptic.P256(), "ca", nil, true)
	modulus := bytes.Repeat([]byte{0xff}, 7_000)
	key := &rsa.PublicKey{N: new(big.Int).SetBytes(modulus), E: 1<<31 - 1}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "huge"}, NotBefore: sealedAt,
		NotAfter: sealedAt.AddDate(50, 0, 0), BasicConstraintsValid: true, IsCA: true}
	var others []*x509.Certificate
	for range maxCerts - 1 {
		der, err := x509.CreateCertificate(rand.Reader, template, ca.Cert, key, ca.Key)
		if err != nil {
			t.Fatal(err)
		}
		other, err := x509.ParseCertificate(der)
		if err != nil || len(der) > maxCert {
			t.Fatal(err, len(der))
		}
		others = append(others, other)
		template.SerialNumber = new(big.Int).Add(template.SerialNumber, big.NewInt(1))
	}
	rsaIssuer := Identity{identity(t, "test-rsa2048").Key, template}
	content := issue(t, elliptic.P256(), "bob", &rsaIssuer, false).Cert.RawTBSCertificate
	signed := tlv(0x30, content, tlv(0x30, fixed("06092a864886f70d01010b0500")), tlv(0x03, []byte{0, 1}, make([]byte, len(modulus)-1)))
	bob, err := x509.ParseCertificate(signed)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	now := func() time.Time { return sealedAt.AddDate(1, 0, 0) }
	if _, err = (Trust{[]*x509.Certificate{ca.Cert}, "CN=bob", now}).check(bob, others, 0); err == nil || !strings.HasPrefix(err.Error(), "signer rejected") {
		t.Error(err)
	}
	if took := time.Since(start); took > 500*time.Millisecond {
		t.Errorf("%v for the keys of a stranger: %v", took, err)
	}
}

func TestRecipientInfosWithoutKeys_countAsRecipients(t *testing.T) {
	id := newIdentity(t, elliptic.P256(), "bob")
	point := id.Cert.RawSubjectPublicKeyInfo[26:]
	info := tlv(0xa1, version3, tlv(0xa0, tlv(0xa1, algEcKey, tlv(0x03, []byte{0}, point))), algAgree, tlv(0x30))
	for count, kind := range map[int]string{1_000: "not a recipient", 1_001: "malformed"} {
		content := tlv(0x30, oidData, tlv(0x30, oidAesGcm, tlv(0x30, tlv(0x04, make([]byte, 12)), tagLength)), tlv(0x80))
		data := tlv(0x30, version0, tlv(0x31, bytes.Repeat(info, count)), content, tlv(0x04, make([]byte, 16)))
		_, err := (&Reader{id, Trust{Now: time.Now}, "confidentiality"}).Open(tlv(0x30, oidAuthData, tlv(0xa0, data)), "a")
		if err == nil || !strings.HasPrefix(err.Error(), kind) {
			t.Errorf("%d: %v", count, err)
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
	point := func(id Identity) []byte { return id.Cert.RawSubjectPublicKeyInfo[26:] }
	forged := bytes.Replace(body, point(bob), point(alice), 1)
	forged = bytes.Replace(forged, keyID(alice.Cert), keyID(bob.Cert), 1)
	if bytes.Equal(forged, body) {
		t.Fatal("nothing was changed")
	}
	trust := Trust{[]*x509.Certificate{alice.Cert, bob.Cert}, "CN=alice", time.Now}
	_, err = (&Reader{bob, trust, "authenticity"}).Open(forged, "a")
	if err == nil || !strings.Contains(err.Error(), "name the originator") {
		t.Errorf("bob's own message as one of alice: %v", err)
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

func TestCompressedPayload_opensOnlyWhole(t *testing.T) {
	var packed bytes.Buffer
	stream := zlib.NewWriter(&packed)
	text := bytes.Repeat([]byte("x"), 100_000)
	if _, err := stream.Write(text); err != nil || stream.Close() != nil {
		t.Fatal(err)
	}
	id := newIdentity(t, elliptic.P256(), "bob")
	lines := entityStart + "Message-ID: <00112233445566778899aabbccddeeff>\r\nSignet-Address: a\r\nSignet-Body: bytes\r\n" +
		"Signet-Encoding: deflate\r\n\r\n"
	open := func(payload []byte) (*Message, error) {
		body, err := (&Writer{id, []*x509.Certificate{id.Cert}, "confidentiality"}).sealEntity(append([]byte(lines), payload...))
		if err != nil {
			t.Fatal(err)
		}
		return (&Reader{id, Trust{Now: time.Now}, "confidentiality"}).Open(body, "a")
	}
	good := packed.Bytes()
	if message, err := open(good); err != nil || !bytes.Equal(message.Payload, text) {
		t.Error(err)
	}
	for _, bad := range [][]byte{good[:len(good)-1], append(bytes.Clone(good), 0)} {
		if _, err := open(bad); err == nil {
			t.Errorf("%d bytes of %d opened", len(bad), len(good))
		}
	}
}
